"""Appeals: an author's, once for each decision against them, and the answer of a moderator."""

import logging

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor, only_person
from apps.accounts.models import User
from apps.core.editing.written import clean_writing
from apps.core.errors import Conflict, NotFound, Unprocessable
from apps.events.recording import Subject, record
from apps.moderation import emails
from apps.moderation.kinds import kinds
from apps.moderation.models import MAX_APPEAL, Appeal, Case, Decision
from apps.moderation.services.decisions import clean_reason

logger = logging.getLogger(__name__)

Action = Decision.Action


class NotAppealable(Conflict):
    code = "not_appealable"
    title = "No appeal possible"


class AlreadyDecided(Conflict):
    code = "already_decided"
    title = "Appeal already decided"


def told_decisions(account: User) -> QuerySet[Decision]:
    """Return the decisions that an account was told of, newest first, each with its appeal and `is_undone`."""
    later = Decision.objects.filter(
        case=OuterRef("case"), pk__gt=OuterRef("pk"), action__in=[Action.RESTORED, Action.APPROVED]
    )
    told = Decision.objects.filter(author=account, action__in=[*Decision.AGAINST, Action.RESTORED])
    return told.annotate(is_undone=Exists(later)).select_related("case__site", "appeal").order_by("-pk")


def last_against(case: Case) -> Decision | None:
    """Return the decision that took something off the public pages, or None if it was reversed since."""
    actions = [*Decision.AGAINST, Action.RESTORED, Action.APPROVED]
    last = case.decisions.filter(action__in=actions).order_by("-pk").first()
    return last if last and last.action in Decision.AGAINST else None


def why_not_appeal(decision: Decision) -> str:
    """Return why a row of `told_decisions` can't be appealed, as a sentence, or an empty string."""
    if decision.action not in Decision.AGAINST:
        return "There is nothing to appeal."
    if hasattr(decision, "appeal"):
        return "You have appealed this decision already."
    return "The decision was reversed already." if vars(decision)["is_undone"] else ""


@transaction.atomic
def send_appeal(*, decision: Decision, text: str, by: Actor) -> Appeal:
    """Ask for another look at a decision about an own text.

    Raises Forbidden (403) for keys and clients, NotFound (404) for others' decisions, NotAppealable (409) and
    Unprocessable (422).
    """
    author = only_person(by).account
    # Two concurrent appeals wait for each other.
    Case.objects.select_for_update().get(pk=decision.case_id)
    result = told_decisions(author).filter(pk=decision.pk).first()
    if result is None:
        raise NotFound("You have no decision with this id.")
    if problem := why_not_appeal(result):
        raise NotAppealable(problem)
    text = clean_writing(text)
    if not text:
        raise Unprocessable("Explain why you disagree.", code="blank", pointer="/text")
    if len(text) > MAX_APPEAL:
        raise Unprocessable(f"Use up to {MAX_APPEAL:,} characters.", code="max_length", pointer="/text")
    appeal = Appeal.objects.create(decision=result, text=text)
    record("appeal.sent", _subject_of(appeal), by=by)
    return appeal


@transaction.atomic
def grant_appeal(*, appeal: Appeal, answer: str, by: Actor) -> Appeal:
    """Reverse the decision, and email the answer to the author. Raises AlreadyDecided and what restoring does (409)."""
    return _decide(appeal, Appeal.Outcome.GRANTED, answer, by)


@transaction.atomic
def deny_appeal(*, appeal: Appeal, answer: str, by: Actor) -> Appeal:
    """Uphold the decision, and email the answer to the author. Raises AlreadyDecided (409)."""
    return _decide(appeal, Appeal.Outcome.DENIED, answer, by)


def _decide(appeal: Appeal, outcome: Appeal.Outcome, answer: str, by: Actor) -> Appeal:
    answer = clean_reason(answer)
    rows = Appeal.objects.select_related("decision__author", "decision__case__site")
    locked = rows.select_for_update(of=("self",)).get(pk=appeal.pk)
    if locked.outcome:
        raise AlreadyDecided("Another moderator already decided this appeal.")
    locked.outcome, locked.answer, locked.by, locked.decided_at = outcome, answer, by.user, timezone.now()
    locked.save()
    decision = locked.decision
    # A moderator may have restored it meanwhile.
    last = last_against(decision.case)
    if outcome == Appeal.Outcome.GRANTED and last == decision:
        kinds()[decision.case.kind].restore(decision, note="Appeal granted.", by=by)
    record(f"appeal.{outcome}", _subject_of(locked), by=by)
    emails.answer_appeal(locked)
    logger.info("appeal decided", extra={"appeal": locked.pk, "outcome": str(outcome)})
    return locked


def _subject_of(appeal: Appeal) -> Subject:
    decision = appeal.decision
    return Subject("appeal", appeal.pk, decision.author_id, decision.case.site_id, {"kind": decision.case.kind})
