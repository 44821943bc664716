"""Tables below an order's fields: lines, money, documents and placements."""

from collections.abc import Sequence
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.core.templatetags.ui import money
from apps.core.text.dates import moment_text, week_text
from apps.orders.admin.tables import link_to, table
from apps.orders.countries import BILLING_COUNTRIES
from apps.orders.models import Invoice, Order, OrderLine, Payment, Placement

_EVIDENCE = {"billing_address": "Billing address", "ip_address": "IP address", "payer": "Card or payer"}


def order_tables(order: Order) -> list[tuple[str, SafeString]]:
    """Return the title and table of each part from the loaded order."""
    lines = list(order.lines.all())
    return [
        ("Lines", _lines(lines)),
        ("Totals", _totals(order)),
        ("Customer location", _evidence(order)),
        ("Payments", _payments(order)),
        ("Refunds", _refunds(order, lines)),
        ("Invoices and credit notes", _invoices(order)),
        ("Promo code", _promo(order)),
        ("Placements", _placements(lines)),
    ]


def _lines(lines: Sequence[OrderLine]) -> SafeString:
    columns = ("Line", "Product", "For", "Options", "Each", "Discount", "Net", "VAT", "Total", "Delivery")
    return table(
        columns,
        [
            (
                line.position,
                line.title,
                _listing(line),
                _options(line.options),
                f"{line.quantity} × {money(line.unit_price_cents)}",
                money(-line.discount_cents) if line.discount_cents else "",
                money(line.net_cents),
                money(line.vat_cents),
                money(line.total_cents),
                _delivery(line),
            )
            for line in lines
        ],
    )


def _listing(line: OrderLine) -> object:
    if not line.has_listing:
        return ""
    name = line.listing_name or f"listing {line.listing_id}"
    return link_to(line.listing, name) if line.listing else f"{name} (gone)"


def _options(options: dict[str, Any]) -> str:
    labels = {name: _option(name, value) for name, value in options.items()}
    texts = (", ".join(value) if isinstance(value, list) else str(value) for value in labels.values())
    return " · ".join(texts)


def _option(name: str, value: Any) -> Any:
    if name == "amount_cents":
        return f"{money(value)} a week"
    if name == "weeks":
        return [week_text(week) for week in value]
    if name == "week":
        return "Current week" if value == "now" else week_text(value)
    return value


def _delivery(line: OrderLine) -> SafeString | str:
    status = line.get_status_display()
    when = f", {moment_text(line.fulfilled_at)}" if line.fulfilled_at else ""
    tries = f", {line.attempts} failed attempts" if line.attempts else ""
    if line.failure:
        return format_html("{}{}<br>{}", status, tries, line.failure)
    return f"{status}{when}{tries}"


def _totals(order: Order) -> SafeString:
    rate = f"{order.vat_rate / 100:g}%" if order.vat_rate is not None else ""
    scheme = order.vat_scheme.replace("oss", "OSS")
    place = f"{BILLING_COUNTRIES[order.vat_place]}, {scheme}" if order.vat_place else ""
    return table(
        ("Subtotal", "Discount", "Net", "VAT", "Total", "VAT rate", "Treatment", "Reported"),
        [
            (
                money(order.subtotal_cents),
                money(-order.discount_cents) if order.discount_cents else "",
                money(order.net_cents),
                money(order.vat_cents) or "not known yet",
                money(order.total_cents),
                rate,
                order.vat_treatment.replace("_", " "),
                place,
            )
        ],
    )


def _evidence(order: Order) -> SafeString:
    return table(
        ("Evidence", "Country", "Detail"),
        [
            (
                _EVIDENCE.get(item["kind"], item["kind"]),
                item.get("country") or "unknown",
                item.get("postal_code") or item.get("ip_address") or "",
            )
            for item in order.evidence
        ],
        empty="Recorded when a payment starts.",
    )


def _payments(order: Order) -> SafeString:
    columns = ("Payment", "Provider", "Status", "Amount", "Provider ID", "Started", "Settled", "Problem")
    return table(
        columns,
        [
            (
                link_to(payment, f"{payment.attempt}"),
                f"{payment.provider}{' (test)' if payment.is_test else ''}",
                payment.get_status_display(),
                amount_of(payment.amount_cents, payment.currency),
                provider_name(payment),
                moment_text(payment.created_at),
                moment_text(payment.settled_at),
                payment.problem,
            )
            for payment in order.payments.all()
        ],
    )


def _refunds(order: Order, lines: Sequence[OrderLine]) -> SafeString:
    titles = {line.pk: line.title for line in lines}
    return table(
        ("Refund", "Amount", "Of", "Reason", "Status", "Requested", "Done", "Problem"),
        [
            (
                link_to(refund, refund.pk),
                amount_of(refund.amount_cents, refund.payment.currency),
                titles.get(refund.line_id or 0, f"payment {refund.payment.attempt}"),
                refund.reason,
                refund.get_status_display(),
                moment_text(refund.created_at),
                moment_text(refund.done_at),
                refund.problem,
            )
            for refund in order.refunds
        ],
    )


def _invoices(order: Order) -> SafeString:
    return table(
        ("Number", "Kind", "Day", "Net", "VAT", "Total", "Printed", "Emailed"),
        [
            (
                link_to(invoice),
                _kind(invoice),
                invoice.issue_date,
                money(invoice.net_cents),
                money(invoice.vat_cents),
                money(invoice.total_cents),
                moment_text(invoice.printed_at) if invoice.printed_at else "not yet",
                moment_text(invoice.emailed_at) if invoice.emailed_at else "not yet",
            )
            for invoice in order.invoices.all()
        ],
    )


def _kind(invoice: Invoice) -> str:
    revision = f", revision {invoice.revision}" if invoice.revision > 1 else ""
    return f"{invoice.get_kind_display()}{revision}{' (test)' if invoice.is_test else ''}"


def _promo(order: Order) -> SafeString:
    return table(
        ("Code", "Use", "Since"),
        [(link_to(use.promo), use.get_state_display(), moment_text(use.created_at)) for use in order.promo_uses.all()],
        empty=f"{order.promo_code} is in the cart and not used yet." if order.promo_code else "None",
    )


def _placements(lines: Sequence[OrderLine]) -> SafeString:
    placed: list[tuple[OrderLine, Placement]] = [(line, place) for line in lines for place in line.placements.all()]
    return table(
        ("Week", "Placement", "Categories", "Price"),
        [
            (link_to(place, week_text(place.week)), line.title, ", ".join(place.categories), money(place.amount_cents))
            for line, place in placed
        ],
    )


def amount_of(cents: int, currency: str) -> str:
    """Format an amount in a payment's own currency: dollars as everywhere, others with their code."""
    return money(cents) if currency == "usd" else f"{money(cents).replace('$', '')} {currency.upper()}"


def provider_name(payment: Payment) -> str:
    """Return the provider's reference of a payment. A test session's is a secret and is not shown."""
    return "" if payment.is_test else payment.reference or ""
