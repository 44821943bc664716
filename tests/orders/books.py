"""Sales as the books have them, written directly: reports are about times that no test can wait for."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from apps.accounts.models import User
from apps.orders.models import Invoice, InvoiceSeries, Order, OrderLine, Payment, Refund
from apps.sites.models import Site

SELLER: dict[str, Any] = {"legal_name": "Example OÜ", "address": "A", "country": "EE", "vat_number": "EE123456780"}
SELLER |= {"is_vat_registered": True, "oss_mode": "destination"}
BUYER = {"name": "Ada Example", "company": "", "address": "1 Example Street", "city": "Berlin"}


def at(day: str, time: str = "12:00:00") -> datetime:
    return datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=UTC)


def sale(
    site: Site,
    account: User,
    number: str,
    paid_at: datetime,
    *,
    country: str = "DE",
    net: int = 9900,
    vat: int = 1881,
    rate: int = 1900,
    treatment: str = "standard",
    scheme: str = "oss",
    is_test: bool = False,
    issue_date: date | None = None,
    buyer: dict[str, Any] | None = None,
    **fields: Any,
) -> Invoice:
    """An order of one line that was paid, and its invoice. `net` and `vat` are cents, `rate` basis points."""
    order = Order.objects.create(
        **{
            "site": site,
            "account": account,
            "number": number,
            "secret": f"secret-{number}",
            "status": "paid",
            "subtotal_cents": net,
            "net_cents": net,
            "vat_cents": vat,
            "total_cents": net + vat,
            "country": country,
            "vat_treatment": treatment,
            "vat_rate": rate,
            "vat_place": country if scheme else "",
            "vat_scheme": scheme,
            "billing": {key: value for key, value in (BUYER | (buyer or {})).items() if key != "vat_number"},
            "vat_number": (buyer or {}).get("vat_number", ""),
            "seller": SELLER,
            "created_at": paid_at - timedelta(minutes=5),
            "expires_at": paid_at + timedelta(days=1),
            "paid_at": paid_at,
            **fields,
        }
    )
    OrderLine.objects.create(
        order=order,
        position=1,
        product="launch",
        title="Launch",
        description="Now.",
        listing_name="Listing",
        quantity=1,
        unit_price_cents=net,
        net_cents=net,
        vat_cents=vat,
        total_cents=net + vat,
    )
    Payment.objects.create(
        order=order,
        attempt=1,
        provider="test" if is_test else "stripe",
        reference=f"pi_{number}",
        status="paid",
        amount_cents=net + vat,
        is_test=is_test,
        return_url="https://example.com/",
    )
    return document(order, issue_date or paid_at.date(), net=net, vat=vat, is_test=is_test)


def credit(invoice: Invoice, on: str, *, net: int | None = None, vat: int | None = None) -> Invoice:
    """A credit note about a part of an invoice, or all of it."""
    return document(
        invoice.order,
        date.fromisoformat(on),
        net=invoice.net_cents if net is None else net,
        vat=invoice.vat_cents if vat is None else vat,
        kind="credit_note",
        original=invoice,
        is_test=invoice.is_test,
    )


def refunded(invoice: Invoice, on: str) -> Invoice:
    """A credit note with the refund that it is for."""
    refund = Refund.objects.create(
        payment=invoice.order.payments.get(),
        line=invoice.order.lines.get(),
        amount_cents=invoice.total_cents,
        reason="Sent back.",
        status="done",
        reference=f"re_{invoice.order.number}",
        done_at=at(on),
    )
    Order.objects.filter(pk=invoice.order_id).update(status="refunded")
    note = document(
        invoice.order,
        date.fromisoformat(on),
        net=invoice.net_cents,
        vat=invoice.vat_cents,
        kind="credit_note",
        original=invoice,
        refund=refund,
    )
    note.order.refresh_from_db()
    return note


def document(
    order: Order, issue_date: date, *, net: int, vat: int, kind: str = "invoice", is_test: bool = False, **fields: Any
) -> Invoice:
    credit_mark = "-CN" if kind == "credit_note" else ""
    prefix = f"{'TEST-' if is_test else ''}EX{credit_mark}-{issue_date.year}-"
    series, _ = InvoiceSeries.objects.get_or_create(prefix=prefix)
    series.last_number += 1
    series.save()
    number = f"{prefix}{series.last_number:06}"
    seller = {"name": order.seller["legal_name"], "vat_number": order.seller["vat_number"]}
    buyer = {**order.billing, "country": order.country, "vat_number": order.vat_number}
    return Invoice.objects.create(
        order=order,
        kind=kind,
        series=series,
        sequence=series.last_number,
        number=number,
        is_test=is_test,
        issue_date=issue_date,
        currency="usd",
        net_cents=net,
        vat_cents=vat,
        total_cents=net + vat,
        vat_country=order.vat_place,
        vat_rate=order.vat_rate or 0,
        vat_treatment=order.vat_treatment,
        vat_scheme=order.vat_scheme,
        document={"seller": seller, "buyer": buyer, "lines": []},
        **fields,
    )
