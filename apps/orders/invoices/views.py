"""Invoices and credit notes as pages and PDFs, for their buyer and for admins with permission."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.accounts.actors import account_of
from apps.core.web.pages import private_page
from apps.orders.invoices.document import readable
from apps.orders.models import Invoice
from apps.sites.requests import SiteHttpRequest


@never_cache
@login_required
@require_safe
def invoice(request: SiteHttpRequest, number: str, invoice_number: str) -> HttpResponse:
    """Show an invoice of one of the account's own orders, to read and print in the browser."""
    result = get_object_or_404(
        _visible(request).select_related("order").defer("pdf"), order__number=number, number=invoice_number
    )
    pdf_url = reverse("invoice_pdf", args=[number, invoice_number])
    is_own = result.order.account_id == account_of(request).pk
    return _show(request, result, pdf_url=pdf_url, back_url=reverse("order", args=[number]) if is_own else None)


@never_cache
@login_required
@require_safe
def invoice_pdf(request: SiteHttpRequest, number: str, invoice_number: str) -> HttpResponse:
    """Serve the PDF, or redirect to the page until it exists."""
    result = get_object_or_404(_visible(request), order__number=number, number=invoice_number)
    return _file(result) or redirect("invoice", number, invoice_number)


@private_page
@require_safe
def checkout_invoice(request: SiteHttpRequest, secret: str, invoice_number: str) -> HttpResponse:
    """Show an invoice to anyone with the order's checkout URL."""
    result = get_object_or_404(_of_secret(request, secret).defer("pdf"), number=invoice_number)
    if _is_owners_only(request, result):
        return redirect("invoice", result.order.number, invoice_number)
    pdf_url = reverse("checkout_invoice_pdf", args=[secret, invoice_number])
    return _show(request, result, pdf_url=pdf_url, back_url=reverse("checkout", args=[secret]))


@private_page
@require_safe
def checkout_invoice_pdf(request: SiteHttpRequest, secret: str, invoice_number: str) -> HttpResponse:
    """Serve the PDF, or redirect to the page until it exists."""
    result = get_object_or_404(_of_secret(request, secret), number=invoice_number)
    if _is_owners_only(request, result):
        return redirect("invoice_pdf", result.order.number, invoice_number)
    return _file(result) or redirect("checkout_invoice", secret, invoice_number)


def _visible(request: SiteHttpRequest) -> QuerySet[Invoice]:
    account = account_of(request)
    if account.is_staff and account.has_perm("orders.view_invoice"):
        return Invoice.objects.all()
    return Invoice.objects.filter(order__account=account)


def _of_secret(request: SiteHttpRequest, secret: str) -> QuerySet[Invoice]:
    return Invoice.objects.filter(order__secret=secret, order__site=request.site).select_related("order")


def _is_owners_only(request: SiteHttpRequest, invoice: Invoice) -> bool:
    """Return whether the URL alone no longer opens it. Its signed-in owner can still read it there."""
    is_owner = request.user.is_authenticated and request.user.pk == invoice.order.account_id
    return invoice.order.is_behind_sign_in and not is_owner


def _show(request: SiteHttpRequest, invoice: Invoice, *, pdf_url: str, back_url: str | None) -> HttpResponse:
    context: dict[str, Any] = {
        "document": readable(invoice.document),
        "is_printed": invoice.printed_at is not None,
        "pdf_url": pdf_url,
        "back_url": back_url,
    }
    return _unindexed(render(request, "orders/invoice_page.html", context))


def _file(invoice: Invoice) -> HttpResponse | None:
    if invoice.pdf is None:
        return None
    response = HttpResponse(bytes(invoice.pdf), content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="{invoice.number}.pdf"'
    return _unindexed(response)


def _unindexed(response: HttpResponse) -> HttpResponse:
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response
