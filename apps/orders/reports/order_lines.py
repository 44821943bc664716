"""Every line of the orders that were paid in a period, for the accountant."""

from collections.abc import Iterator, Sequence
from typing import Any

from apps.core.web.csv_tables import Cell, Table
from apps.orders.models import Order, Refund
from apps.orders.reports.books import Books, with_payment
from apps.orders.reports.tables import money, percent

HEADER = (
    "order_number",
    "site",
    "status",
    "created_at",
    "paid_at",
    "buyer_name",
    "buyer_company",
    "buyer_country",
    "buyer_vat_number",
    "vat_place",
    "vat_scheme",
    "vat_treatment",
    "vat_rate_percent",
    "promo_code",
    "position",
    "product",
    "title",
    "listing",
    "quantity",
    "unit_price_usd",
    "discount_usd",
    "net_usd",
    "vat_usd",
    "total_usd",
    "line_status",
    "fulfilled_at",
    "refunded_usd",
    "refunded_at",
    "payment_provider",
    "payment_reference",
)
_AT_ONCE = 500


def list_order_lines(books: Books) -> Table:
    """List a row per line with the order's columns repeated and the line's refund."""
    return Table("Orders and lines", HEADER, _rows(books))


def _rows(books: Books) -> Iterator[Sequence[Cell]]:
    result = with_payment(books.lines()).select_related("order__site", "refund")
    for line in result.iterator(chunk_size=_AT_ONCE):
        yield (*_order_cells(line.order), *_line_cells(line), line.provider, line.payment_reference)


def _order_cells(order: Order) -> Sequence[Cell]:
    return (
        order.number,
        order.site.key,
        order.status,
        order.created_at,
        order.paid_at,
        order.billing.get("name", ""),
        order.billing.get("company", ""),
        order.country,
        order.vat_number,
        order.vat_place,
        order.vat_scheme,
        order.vat_treatment,
        percent(order.vat_rate),
        order.promo_code,
    )


def _line_cells(line: Any) -> Sequence[Cell]:
    refund = getattr(line, "refund", None)
    is_returned = refund is not None and refund.status == Refund.Status.DONE
    return (
        line.position,
        line.product,
        line.title,
        line.listing_name,
        line.quantity,
        money(line.unit_price_cents),
        money(line.discount_cents),
        money(line.net_cents),
        money(line.vat_cents),
        money(line.total_cents),
        line.status,
        line.fulfilled_at,
        money(refund.amount_cents) if refund and is_returned else None,
        refund.done_at if refund and is_returned else None,
    )
