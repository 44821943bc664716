"""Cases and the decisions about them, kept in the transaction of what was decided."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.api.serializers import clean_text
from apps.core.errors import Unprocessable
from apps.events.recording import Subject, record
from apps.moderation.kinds import Written, kinds
from apps.moderation.models import MAX_REASON, MAX_TITLE, Case, Decision, Report

Action = Decision.Action


@transaction.atomic
def keep_decision(
    kind: str,
    row: Any,
    action: Decision.Action,
    *,
    by: Actor,
    reason: str = "",
    note: str = "",
    kept: Mapping[str, Any] | None = None,
) -> Decision:
    """Add a decision about a row to its history. Moderators' decisions close its reports.

    Call it in the transaction of the decision, before the text is deleted. `kept` is what restoring it needs then.
    """
    written = kinds()[kind].written(row)
    case = lock_case(kind, row.pk, written)
    decision = Decision.objects.create(
        case=case,
        author=written.author,
        action=action,
        by=by.user,
        reason=reason,
        note=note,
        text=written.text,
        kept=dict(kept or {}),
    )
    if action not in Decision.BY_OWNERS:
        _close_reports(case, decision, by=by)
    return decision


@transaction.atomic
def keep_reported(*, case: Case, note: str = "", by: Actor) -> Decision:
    """Keep something that was reported, and close its reports."""
    locked = Case.objects.select_for_update().get(pk=case.pk)
    decision = Decision.objects.create(
        case=locked, author=locked.author, action=Action.KEPT, by=by.user, note=note, text=locked.text
    )
    _close_reports(locked, decision, by=by)
    return decision


def close_without_decision(kind: str, object_id: int) -> None:
    """Close the reports about something that its author deleted."""
    open_reports = Report.objects.open().filter(case__kind=kind, case__object_id=object_id)
    open_reports.update(closed_at=timezone.now())


def lock_case(kind: str, object_id: int, written: Written) -> Case:
    """Return the locked case of an object, with its present author, site and title."""
    about = {"author": written.author, "site": written.site, "title": written.title[:MAX_TITLE]}
    case, _ = Case.objects.select_for_update().update_or_create(kind=kind, object_id=object_id, defaults=about)
    return case


def last_decision(kind: str, object_id: int, *actions: Decision.Action) -> Decision | None:
    """Return the last of these decisions about an object."""
    result = Decision.objects.filter(case__kind=kind, case__object_id=object_id, action__in=actions)
    return result.order_by("-pk").first()


def decided(kind: str, object_id: int, action: Decision.Action) -> int:
    """Return how often something was decided about an object."""
    return Decision.objects.filter(case__kind=kind, case__object_id=object_id, action=action).count()


def clean_reason(reason: str) -> str:
    """Return a reason for the author. Raises Unprocessable (422) if it is missing or too long."""
    cleaned = clean_text(reason)
    if not cleaned:
        raise Unprocessable("Enter a reason. The author sees it.", code="blank", pointer="/reason")
    if len(cleaned) > MAX_REASON:
        raise Unprocessable(f"Use up to {MAX_REASON} characters.", code="max_length", pointer="/reason")
    return cleaned


def _close_reports(case: Case, decision: Decision, *, by: Actor) -> None:
    """Close the open reports and notify who made them, without saying who else did."""
    reports = list(case.reports.open())
    case.reports.filter(pk__in=[report.pk for report in reports]).update(closed_at=timezone.now(), decision=decision)
    for report in reports:
        subject = Subject("report", report.pk, report.reporter_id, case.site_id, {"kind": case.kind})
        record("report.decided", subject, by=by, action=str(decision.action))
