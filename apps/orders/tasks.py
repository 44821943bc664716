"""Background work of orders."""

from celery import shared_task

from apps.orders import fulfilment, refunds


@shared_task
def fulfil_order(order_id: int) -> None:
    """Deliver a paid order, and send back the money of what cannot be delivered; safe to repeat."""
    fulfilment.fulfil_order(order_id)
    refunds.make_refunds(order_id)


@shared_task
def make_refunds(order_id: int) -> None:
    """Send back what is requested for an order; safe to repeat."""
    refunds.make_refunds(order_id)


@shared_task
def sweep_orders() -> None:
    """Find what was lost on the way; the schedule runs it."""
    # The sweep settles payments, and settling starts the tasks above.
    from apps.orders import sweep

    sweep.sweep_orders()
