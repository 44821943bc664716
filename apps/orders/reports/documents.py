"""Every invoice and credit note of a period, for the accountant."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import F

from apps.core.web.csv_tables import Cell, Table
from apps.orders.models import Invoice, Order
from apps.orders.reports.books import Books, with_payment
from apps.orders.reports.tables import money, percent
from apps.orders.tax import location_evidence

HEADER = (
    "number",
    "kind",
    "corrects",
    "issue_date",
    "order_number",
    "site",
    "seller",
    "seller_vat_number",
    "buyer_name",
    "buyer_company",
    "buyer_country",
    "buyer_vat_number",
    "vat_place",
    "vat_scheme",
    "vat_treatment",
    "vat_rate_percent",
    "net_usd",
    "vat_usd",
    "total_usd",
    "payment_provider",
    "payment_reference",
    "refund_reference",
    "paid_at",
    "evidence",
    "evidence_agrees",
    "consultation_number",
    "is_test",
)
_AT_ONCE = 500
_NOT_READ = ("pdf", "document", "original__pdf", "original__document")


def list_documents(books: Books) -> Table:
    """Yield a row for each document, by day. Amounts of credit notes are negative."""
    return Table("Invoices and credit notes", HEADER, _rows(books))


def _rows(books: Books) -> Iterator[Sequence[Cell]]:
    # Only the required parts of what is printed, because documents are long.
    result = with_payment(books.documents()).annotate(buyer=F("document__buyer"), seller=F("document__seller"))
    related = result.select_related("order__site", "original", "refund").defer(*_NOT_READ)
    for invoice in related.iterator(chunk_size=_AT_ONCE):
        yield _row(invoice)


def _row(invoice: Any) -> Sequence[Cell]:
    order: Order = invoice.order
    sign = sign_of(invoice.kind)
    return (
        invoice.number,
        invoice.kind,
        invoice.original.number if invoice.original else "",
        invoice.issue_date,
        order.number,
        order.site.key,
        invoice.seller["name"],
        invoice.seller["vat_number"],
        invoice.buyer["name"],
        invoice.buyer["company"],
        invoice.buyer["country"],
        invoice.buyer["vat_number"],
        invoice.vat_country,
        invoice.vat_scheme,
        invoice.vat_treatment,
        percent(invoice.vat_rate),
        money(sign * invoice.net_cents),
        money(sign * invoice.vat_cents),
        money(sign * invoice.total_cents),
        invoice.provider,
        invoice.payment_reference,
        invoice.refund.reference if invoice.refund else "",
        order.paid_at,
        evidence_text(order),
        location_evidence.agree(order) if order.evidence else None,
        order.consultation_number,
        invoice.is_test,
    )


def sign_of(kind: str) -> int:
    """Return the sign of a document's amounts: credit notes store positive ones."""
    return -1 if kind == Invoice.Kind.CREDIT_NOTE else 1


def evidence_text(order: Order) -> str:
    """Return each item of location evidence, with its country."""
    return "; ".join(f"{item['kind']} {item.get('country') or 'unknown'}" for item in order.evidence)
