"""Report what others wrote."""

import logging
from typing import Any

from django.db import transaction

from apps.accounts.actors import Actor, only_person
from apps.core.api.rate_limits import breaker
from apps.core.editing.written import clean_writing
from apps.core.errors import Conflict, Unprocessable
from apps.core.stores.valkey.counters import Limit
from apps.moderation.kinds import Kind
from apps.moderation.models import MAX_NOTE, Report
from apps.moderation.services.decisions import lock_case

logger = logging.getLogger(__name__)

REPORTS_AN_HOUR = Limit("reports", 20, 3600, events="reports")


class NotReportable(Conflict):
    code = "not_reportable"
    title = "Not reportable"


def take_report(account_id: int) -> None:
    """Count a report. Raises TooManyRequests (429). While Valkey doesn't answer, nothing is counted."""
    if standing := breaker.call(lambda: REPORTS_AN_HOUR.try_take(str(account_id))):
        standing.check()


@transaction.atomic
def report(*, kind: Kind, row: Any, reason: str, note: str = "", by: Actor) -> Report:
    """Put something public into the moderators' queue. A second open report by the same person changes nothing.

    Raises Forbidden (403) for keys and clients, Unprocessable (422), and NotReportable (409) for the reporter's own
    texts and for what is no longer public.
    """
    reporter = only_person(by).account
    note = clean_writing(note)
    if reason not in Report.Reason.values:
        raise Unprocessable("Choose a reason.", code="invalid_choice", pointer="/reason")
    if len(note) > MAX_NOTE:
        raise Unprocessable(f"Use up to {MAX_NOTE} characters.", code="max_length", pointer="/note")
    written = kind.written(row)
    if written.author.pk == reporter.pk:
        raise NotReportable("You can't report your own text.")
    case = lock_case(kind.name, row.pk, written)
    # A decision that this waited for may have removed it.
    if not kind.public(written.site).filter(pk=row.pk).exists():
        raise NotReportable("This is no longer public.")
    reports = case.reports.open()
    if not reports.exists():
        case.text = written.text
        case.save(update_fields=["text"])
    made, is_new = reports.get_or_create(
        reporter=reporter, closed_at=None, defaults={"case": case, "reason": reason, "note": note}
    )
    if is_new:
        logger.info("reported", extra={"kind": kind.name, "object": row.pk, "account": reporter.pk})
    return made
