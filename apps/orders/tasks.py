"""Background work of orders."""

from celery import shared_task

from apps.orders.fulfillment import services
from apps.orders.invoices import printing
from apps.orders.payments import recover
from apps.orders.refunds import services as refunds


@shared_task
def fulfill_order(order_id: int) -> None:
    """Deliver a paid order, and send back the money of what cannot be delivered; safe to repeat."""
    services.fulfill_order(order_id)
    refunds.make_refunds(order_id)


@shared_task
def make_refunds(order_id: int) -> None:
    """Send back what is requested for an order; safe to repeat."""
    refunds.make_refunds(order_id)


@shared_task
def print_invoice(invoice_id: int) -> None:
    """Print an invoice and email it; safe to repeat."""
    printing.print_invoice(invoice_id)


@shared_task
def recover_orders() -> None:
    """Find what was lost on the way; the schedule runs it."""
    recover.recover_orders()
