"""Draft counts for `/metrics`."""

from django.db.models import Count

from apps.core.metrics import counts
from apps.drafts.models import Draft


@counts("slipway_drafts", "Drafts by status: crawls by how they ended.", by="status")
def _drafts() -> dict[str, float]:
    return dict(Draft.objects.order_by().values_list("status").annotate(Count("pk")))
