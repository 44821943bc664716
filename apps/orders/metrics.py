"""Order counts for `/metrics`."""

from django.db.models import Count

from apps.core.operations.metrics import counts
from apps.orders.models import Order, PaymentEvent


@counts("slipway_orders", "Orders by status.", by="status")
def _orders() -> dict[str, float]:
    return dict(Order.objects.order_by().values_list("status").annotate(Count("pk")))


@counts("slipway_payment_events", "Webhooks of payment providers, processed or waiting.", by="state")
def _payment_events() -> dict[str, float]:
    waiting = PaymentEvent.objects.filter(processed_at=None).count()
    return {"waiting": waiting, "processed": PaymentEvent.objects.count() - waiting}
