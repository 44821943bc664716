"""Order counts for `/metrics`."""

from django.db.models import Count

from apps.core.metrics import counts
from apps.orders.models import Order


@counts("slipway_orders", "Orders by status.", by="status")
def _orders() -> dict[str, float]:
    return dict(Order.objects.order_by().values_list("status").annotate(Count("pk")))
