"""Invoices and credit notes in the admin: read-only, with printing and emailing."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.accounts.actors import actor_of
from apps.core.admin.base import ModelAdmin, ReadOnly, labelled
from apps.core.admin.decisions import Decides, Decision, page_action
from apps.core.templatetags.ui import money
from apps.orders.admin.reports import ReportPages
from apps.orders.admin.tables import link, link_to
from apps.orders.invoices import emails, printing
from apps.orders.models import Invoice

PRINT = Decision(
    title="Create PDF again",
    explanation=["Creates the PDF again. No email is sent."],
    done="PDFs queued",
    decide=lambda invoice, values, request: printing.print_again(invoice=invoice, by=actor_of(request, via="admin")),
)
EMAIL = Decision(
    title="Email again",
    explanation=["Sends the email and PDF again to the account and the billing email address."],
    done="Invoices re-sent",
    decide=lambda invoice, values, request: emails.email_again(invoice=invoice, by=actor_of(request, via="admin")),
    effects=lambda invoice: [f"Recipients: {' and '.join(_readers(invoice))}"],
)


def _readers(invoice: Invoice) -> list[str]:
    order = invoice.order
    own = order.account.email if order.account.is_active else ""
    return list(dict.fromkeys(filter(None, (own, order.billing.get("email", "")))))


@admin.register(Invoice)
class InvoiceAdmin(ReportPages, Decides, ReadOnly, ModelAdmin):
    list_display = ("number", "sort", "of_order", "site", "issue_date", "net", "vat", "total", "test", "file")
    list_filter = ("order__site", "kind", "is_test", "vat_country", "vat_treatment", "issue_date")
    list_filter_submit = True
    search_fields = ("number", "order__number", "order__account__email")
    date_hierarchy = "issue_date"
    actions = ("print_again", "email_again")
    actions_detail = ("print_one", "email_one")
    fieldsets = (
        (None, {"fields": ("number", "sort", "of_order", "corrects", "revision", "test", "issued_at", "file", "page")}),
        (
            "Amounts",
            {"fields": ("net", "vat", "total", "vat_country", "rate", "vat_treatment", "vat_scheme")},
        ),
        ("PDF and email", {"fields": ("printed_at", "emailed_at", "attempts", "tried_at")}),
    )
    readonly_fields = ("sort", "of_order", "corrects", "test", "file", "page", "net", "vat", "total", "rate")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invoice]:
        result: QuerySet[Invoice] = super().get_queryset(request)
        return result.select_related("order__site", "order__account", "original").defer("pdf", "document")

    # ---- what is shown ----
    @labelled(description="kind", ordering="kind", colors={"Invoice": "info", "Credit note": "warning"})
    def sort(self, invoice: Invoice) -> str:
        return str(invoice.get_kind_display())

    @admin.display(description="order", ordering="order__number")
    def of_order(self, invoice: Invoice) -> SafeString:
        return link_to(invoice.order)

    @admin.display(description="site", ordering="order__site")
    def site(self, invoice: Invoice) -> str:
        return str(invoice.order.site)

    @admin.display(description="credits")
    def corrects(self, invoice: Invoice) -> SafeString | str:
        return link_to(invoice.original) if invoice.original else ""

    @labelled(description="test", colors={"test": "warning"})
    def test(self, invoice: Invoice) -> str:
        return "test" if invoice.is_test else ""

    @admin.display(description="net", ordering="net_cents")
    def net(self, invoice: Invoice) -> str:
        return money(invoice.net_cents)

    @admin.display(description="VAT", ordering="vat_cents")
    def vat(self, invoice: Invoice) -> str:
        return money(invoice.vat_cents)

    @admin.display(description="total", ordering="total_cents")
    def total(self, invoice: Invoice) -> str:
        return money(invoice.total_cents)

    @admin.display(description="VAT rate")
    def rate(self, invoice: Invoice) -> str:
        return f"{invoice.vat_rate / 100:g}%"

    @admin.display(description="PDF")
    def file(self, invoice: Invoice) -> SafeString | str:
        if invoice.printed_at is None:
            return "not printed yet"
        return link(reverse("invoice_pdf", args=[invoice.order.number, invoice.number]), "Download")

    @admin.display(description="page")
    def page(self, invoice: Invoice) -> SafeString:
        address = reverse("invoice", args=[invoice.order.number, invoice.number])
        return format_html("{}", link(address, "View"))

    # ---- decisions ----
    @admin.action(description="Create PDF again", permissions=["decide"])
    def print_again(self, request: HttpRequest, invoices: QuerySet[Invoice]) -> HttpResponse:
        return self.ask(request, invoices, PRINT, back=request.get_full_path())

    @admin.action(description="Email again", permissions=["decide"])
    def email_again(self, request: HttpRequest, invoices: QuerySet[Invoice]) -> HttpResponse:
        return self.ask(request, invoices, EMAIL, back=request.get_full_path())

    @page_action(description="Create PDF again", permissions=["decide"], icon="print")
    def print_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, PRINT)

    @page_action(description="Email again", permissions=["decide"], icon="mail")
    def email_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, EMAIL)
