"""VAT of a period by country: invoices less credit notes."""

from collections.abc import Iterator, Sequence

from django.db.models import Case, Count, F, IntegerField, Q, Sum, When
from django.db.models.fields.json import KT

from apps.core.web.csv_tables import Cell, Table
from apps.orders.models import Invoice
from apps.orders.reports.books import Books
from apps.orders.reports.tables import money, percent

HEADER = (
    "seller_vat_number",
    "vat_place",
    "vat_scheme",
    "vat_treatment",
    "vat_rate_percent",
    "invoices",
    "credit_notes",
    "net_usd",
    "vat_usd",
    "total_usd",
)
_GROUP = ("seller_number", "vat_country", "vat_scheme", "vat_treatment", "vat_rate")
_IS_CREDIT = Q(kind=Invoice.Kind.CREDIT_NOTE)


def summarise_vat(books: Books) -> Table:
    """Yield a row for each seller, place, scheme, treatment and rate. Credit notes count when they were issued."""
    return Table("VAT by place and rate", HEADER, list(_rows(books)))


def _rows(books: Books) -> Iterator[Sequence[Cell]]:
    result = books.documents().annotate(seller_number=KT("document__seller__vat_number"))
    groups = (
        result.order_by(*_GROUP)
        .values(*_GROUP)
        .annotate(
            invoices=Count("id", filter=~_IS_CREDIT),
            credit_notes=Count("id", filter=_IS_CREDIT),
            net=_less_credit("net_cents"),
            vat=_less_credit("vat_cents"),
            total=_less_credit("total_cents"),
        )
    )
    for group in groups:
        yield (
            group["seller_number"] or "",
            group["vat_country"],
            group["vat_scheme"],
            group["vat_treatment"],
            percent(group["vat_rate"]),
            group["invoices"],
            group["credit_notes"],
            money(int(group["net"])),
            money(int(group["vat"])),
            money(int(group["total"])),
        )


def _less_credit(field: str) -> Sum:
    return Sum(Case(When(_IS_CREDIT, then=-F(field)), default=F(field), output_field=IntegerField()))
