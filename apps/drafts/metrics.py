"""Draft counts for `/metrics`."""

from datetime import timedelta

from django.db.models import Case, CharField, Count, F, Value, When
from django.utils import timezone

from apps.core.operations.metrics import counts
from apps.drafts.models import Draft

_OUTCOME = Case(
    When(error_code__gt="", then=F("error_code")),
    When(status=Draft.Status.CANCELLED, then=Value("cancelled")),
    default=Value("read"),
    output_field=CharField(),
)


@counts("slipway_drafts", "Drafts by status.", by="status")
def _drafts() -> dict[str, float]:
    return dict(Draft.objects.order_by().values_list("status").annotate(Count("pk")))


@counts(
    "slipway_crawls_last_hour", "Crawls that ended in the last hour: read, canceled, or why they failed.", by="outcome"
)
def _crawls() -> dict[str, float]:
    ended = Draft.objects.filter(finished_at__gt=timezone.now() - timedelta(hours=1))
    none_yet = dict.fromkeys(("read", "cancelled", *Draft.Failure.values), 0.0)
    return none_yet | dict(ended.order_by().annotate(outcome=_OUTCOME).values_list("outcome").annotate(Count("pk")))
