"""URLs of invoices: for their owner after signing in, or with the checkout page's secret."""

from django.urls import reverse

from apps.orders.models import Invoice


def invoice_page_url(invoice: Invoice) -> str:
    """Return the owner's page. Needs the invoice's order with its site loaded."""
    order = invoice.order
    address: str = order.site.url(reverse("invoice", args=[order.number, invoice.number]))
    return address


def invoice_pdf_url(invoice: Invoice) -> str | None:
    """Return the owner's file, or None until it is printed."""
    if invoice.printed_at is None:
        return None
    order = invoice.order
    address: str = order.site.url(reverse("invoice_pdf", args=[order.number, invoice.number]))
    return address


def secret_page_url(invoice: Invoice) -> str:
    """Return the invoice page's path on the order's site, for anyone with the checkout URL."""
    return reverse("checkout_invoice", args=[invoice.order.secret, invoice.number])


def secret_pdf_url(invoice: Invoice) -> str | None:
    """Return the PDF's path for anyone with the checkout URL, or None until it is printed."""
    if invoice.printed_at is None:
        return None
    return reverse("checkout_invoice_pdf", args=[invoice.order.secret, invoice.number])
