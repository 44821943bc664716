"""Webhook counts for `/metrics`."""

from django.db.models import Count

from apps.core.operations.metrics import counts
from apps.webhooks.models import Delivery, Endpoint


@counts("slipway_webhooks_waiting", "Deliveries of webhooks that wait for their first or next attempt.")
def _waiting() -> dict[str, float]:
    return {"": Delivery.objects.filter(status=Delivery.Status.WAITING).count()}


@counts("slipway_webhook_endpoints", "Endpoints of webhooks by status.", by="status")
def _endpoints() -> dict[str, float]:
    result = dict(Endpoint.objects.order_by().values_list("status").annotate(Count("pk")))
    failing = Endpoint.objects.filter(status=Endpoint.Status.ACTIVE, failing_since__isnull=False).count()
    return dict.fromkeys(Endpoint.Status.values, 0.0) | result | {"failing": failing}
