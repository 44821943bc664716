"""Background work of orders."""

from celery import shared_task

from apps.orders.fulfillment import refunds, services
from apps.orders.invoices import printing
from apps.orders.payments import recover


@shared_task
def fulfill_order(order_id: int) -> None:
    """Deliver a paid order, and refund what can't be delivered. Safe to repeat."""
    services.fulfill_order(order_id)
    refunds.make_refunds(order_id)


@shared_task
def make_refunds(order_id: int) -> None:
    """Send the requested refunds of an order. Safe to repeat."""
    refunds.make_refunds(order_id)


@shared_task
def print_invoice(invoice_id: int) -> None:
    """Print an invoice and email it; safe to repeat."""
    printing.print_invoice(invoice_id)


@shared_task
def recover_orders() -> None:
    """Recover lost work; periodic."""
    recover.recover_orders()
