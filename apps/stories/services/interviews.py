"""Interviews: an account's answers to a site's questions.

Commands first lock the account, because a first answer has no row to lock, then questions by ID.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.blocklists.matching import check_texts
from apps.core.editing.plain_text import count_links
from apps.core.errors import Conflict, FieldProblem, Unprocessable
from apps.core.versions.differences import Change, changes_between
from apps.moderation.emails import notify_removed
from apps.moderation.models import Decision
from apps.moderation.services.decisions import clean_reason, keep_decision
from apps.sites.models import Site
from apps.stories.models import InterviewAnswer, InterviewQuestion, InterviewVersion

logger = logging.getLogger(__name__)


class Answer(NamedTuple):
    """A new answer to a question. An empty text deletes the answer."""

    question_id: int
    text: str


class AnswersRefused(Unprocessable):
    """Nothing was saved. `errors` has the codes unknown_question, repeated_question, max_length and too_many_links."""

    code = "answers_refused"
    title = "Invalid answers"


def list_interview_questions(*, site: Site) -> QuerySet[InterviewQuestion]:
    """Return the site's current questions, in order."""
    questions: QuerySet[InterviewQuestion] = InterviewQuestion.objects.asked(site)
    return questions


def shown_answers(user: User, *, site: Site) -> QuerySet[InterviewAnswer]:
    """Return an account's answers to the site's current questions, in order, with the questions loaded."""
    answers = InterviewAnswer.objects.filter(user=user, question__site=site, question__is_active=True)
    return answers.select_related("question").order_by("question__position", "question_id")


def unanswered(answers: Sequence[InterviewAnswer], *, site: Site) -> list[InterviewQuestion]:
    """Return the site's questions without an answer, in order."""
    done = {answer.question_id for answer in answers}
    return [question for question in InterviewQuestion.objects.asked(site) if question.pk not in done]


def versions_of(user: User, *, site: Site) -> QuerySet[InterviewVersion]:
    """Return the versions of an account's answers on a site, newest first, with their authors."""
    result = InterviewVersion.objects.filter(user=user, site=site).select_related("author", "restored_from")
    return result.order_by("-id")


def snapshot_of(user: User, *, site: Site) -> dict[str, str]:
    """Return an account's answers on a site by question ID, in question order."""
    answers = InterviewAnswer.objects.filter(user=user, question__site=site)
    return {str(pk): text for pk, text in answers.order_by("question").values_list("question", "text")}


def changes_by_restoring(version: InterviewVersion, *, now: Mapping[str, str], asked: Iterable[int]) -> list[Change]:
    """Return what restoring a version would change. Hidden questions are skipped."""
    names = [str(pk) for pk in asked]
    return changes_between(
        {name: now.get(name, "") for name in names}, {name: version.snapshot.get(name, "") for name in names}
    )


def texts_of(fields: Iterable[str]) -> dict[str, str]:
    """Return the questions behind the fields of versions, without deleted ones."""
    result = InterviewQuestion.objects.filter(pk__in=list(map(int, fields)))
    return {str(pk): text for pk, text in result.values_list("pk", "text")}


@transaction.atomic
def answer_interview(
    *, user: User, site: Site, answers: Sequence[Answer], by: Actor, restored_from: InterviewVersion | None = None
) -> list[InterviewAnswer]:
    """Save the submitted answers and keep the others. Returns all shown answers, in order.

    They are public immediately. An empty text deletes an answer. The change is saved as one version. Raises
    AnswersRefused (422) with each problem, pointing at /answers/{index}. Then nothing is saved.
    """
    User.objects.lock(user.pk)
    # Admins can't delete or hide these questions until the answers are saved.
    wanted = InterviewQuestion.objects.asked(site).filter(pk__in=_possible_ids(answers)).order_by("pk")
    asked = {question.pk for question in wanted.select_for_update(no_key=True)}
    sent = {f"answers/{index}/answer": answer.text for index, answer in enumerate(answers)}
    check_texts(sent, site=site, address=by.address)
    if problems := list(_problems(answers, asked=asked, site=site)):
        raise AnswersRefused(_summary(problems), errors=problems, next_steps=_next_steps(problems))
    there = {answer.question_id: answer for answer in InterviewAnswer.objects.filter(user=user, question__in=asked)}
    if changes := [change for answer in answers for change in _set(answer, user, there)]:
        _keep(user, site, changes, by=by, restored_from=restored_from)
    return list(shown_answers(user, site=site))


@transaction.atomic
def restore_interview(*, version: InterviewVersion, by: Actor) -> list[InterviewAnswer]:
    """Restore a version's answers to the current questions, as a new version.

    Raises what `answer_interview` does: current limits apply to restored answers, not to unchanged ones.
    """
    site = version.site
    User.objects.lock(version.user_id)
    now = snapshot_of(version.user, site=site)
    asked = InterviewQuestion.objects.asked(site).values_list("pk", flat=True)
    changes = changes_by_restoring(version, now=now, asked=asked)
    answers = [Answer(int(change["field"]), change["after"]) for change in changes]
    return answer_interview(user=version.user, site=site, answers=answers, by=by, restored_from=version)


@transaction.atomic
def remove_answer(*, answer: InterviewAnswer, reason: str, note: str = "", by: Actor) -> None:
    """Delete any account's answer as a site admin, and email them the reason. The history keeps the text.

    Raises Unprocessable (422) without a reason.
    """
    reason = clean_reason(reason)
    User.objects.lock(answer.user_id)
    result = InterviewAnswer.objects.select_related("question__site").filter(pk=answer.pk).first()
    if result is None:
        return
    kept = {"question_id": result.question_id, "text": result.text}
    decision = keep_decision("answer", result, Decision.Action.REMOVED, reason=reason, note=note, kept=kept, by=by)
    changes = [_change(result.question_id, before=result.text, after="")]
    result.delete()
    _keep(answer.user, result.question.site, changes, by=by)
    notify_removed(decision)


@transaction.atomic
def restore_answer(*, decision: Decision, note: str = "", by: Actor) -> InterviewAnswer:
    """Undo `remove_answer`. Raises Conflict (409) if the question is gone, or the founder has answered it again."""
    author, question_id = decision.author, decision.kept["question_id"]
    User.objects.lock(author.pk)
    question = InterviewQuestion.objects.select_related("site").filter(pk=question_id).first()
    if question is None or InterviewAnswer.objects.filter(question=question, user=author).exists():
        raise Conflict("The question was deleted, or has a new answer.", code="not_restorable")
    answer = InterviewAnswer(pk=decision.case.object_id, question=question, user=author, text=decision.kept["text"])
    answer.save(force_insert=True)
    _keep(author, question.site, [_change(question.pk, before="", after=answer.text)], by=by)
    keep_decision("answer", answer, Decision.Action.RESTORED, note=note, by=by)
    return answer


def _possible_ids(answers: Sequence[Answer]) -> list[int]:
    """Return the IDs that a row can have. The database accepts no larger numbers in queries."""
    return [answer.question_id for answer in answers if 0 < answer.question_id < 2**63]


def _problems(answers: Sequence[Answer], *, asked: set[int], site: Site) -> Iterator[FieldProblem]:
    seen: set[int] = set()
    for index, (question_id, text) in enumerate(answers):
        pointer = f"/answers/{index}"
        if question_id not in asked:
            detail = f"{site} has no question {question_id}. Find valid ids with list_interview_questions."
            yield FieldProblem("unknown_question", detail, f"{pointer}/question_id")
        elif question_id in seen:
            detail = f"Question {question_id} appears twice. Send one answer per question."
            yield FieldProblem("repeated_question", detail, f"{pointer}/question_id")
        seen.add(question_id)
        if len(text) > InterviewAnswer.MAX_LENGTH:
            detail = f"Use up to {InterviewAnswer.MAX_LENGTH:,} characters. This has {len(text):,}."
            yield FieldProblem("max_length", detail, f"{pointer}/answer")
        if (links := count_links(text)) > site.story_max_links:
            detail = f"Use up to {site.story_max_links} links. This has {links}."
            yield FieldProblem("too_many_links", detail, f"{pointer}/answer")


def _summary(problems: Sequence[FieldProblem]) -> str:
    if len(problems) == 1:
        return f"{problems[0].detail} Nothing was saved."
    return f"{len(problems)} answers are invalid. Nothing was saved."


def _next_steps(problems: Sequence[FieldProblem]) -> list[str]:
    if any(problem.code == "unknown_question" for problem in problems):
        return ["Call list_interview_questions. Each site has its own questions."]
    return []


def _set(answer: Answer, user: User, there: Mapping[int, InterviewAnswer]) -> list[Change]:
    """Save an answer. Returns a list with its change, empty if there is none."""
    row = there.get(answer.question_id) or InterviewAnswer(question_id=answer.question_id, user=user, text="")
    before = row.text
    if answer.text == before:
        return []
    if answer.text:
        row.text, row.updated_at = answer.text, timezone.now()
        row.save()
    else:
        row.delete()
    return [_change(answer.question_id, before=before, after=answer.text)]


def _change(question_id: int, *, before: str, after: str) -> Change:
    return Change(field=str(question_id), before=before, after=after)


def _keep(
    user: User, site: Site, changes: list[Change], *, by: Actor, restored_from: InterviewVersion | None = None
) -> None:
    InterviewVersion.keep(
        user=user, site=site, by=by, changes=changes, snapshot=snapshot_of(user, site=site), restored_from=restored_from
    )
    account = by.user.pk if by.user else None
    logger.info("interview changed", extra={"interview_of": user.pk, "site": site.key, "account": account})
