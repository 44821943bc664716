"""Sample emails about orders, invoices, refunds and placements."""

from collections.abc import Iterator
from typing import Any

from django.urls import reverse

from apps.core.templatetags.ui import money
from apps.core.text.weeks import Week
from apps.developers.emails import Sample
from apps.developers.emails.listings import sample_listing
from apps.orders.invoices.emails import document_rows
from apps.orders.models import LAUNCH, Invoice, Order, OrderLine, Refund
from apps.sites.models import Site

_WEEK = Week.parse("2026-W47")
_LINES = (("Launch", "Week 47, 2026", 29900), ("Newsletter slot", "Weeks 48 and 49, 2026", 19800))


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email that this app sends."""
    order = Order(number="SL-2026-0147", site=site)
    yield from _invoices(order)
    yield from _money(order)
    yield from _lines(order)


def _invoices(order: Order) -> Iterator[Sample]:
    lines = [
        {"title": title, "option_text": option, "listing": "Orbitly", "net_cents": cents}
        for title, option, cents in _LINES
    ]
    document = {
        "lines": lines,
        "vat_cents": 9443,
        "total_cents": 59143,
        "currency": "USD",
        "paid": {"provider": "card"},
        "corrects": {"number": "SLIPWAY-2026-0009"},
        "reason": "The newsletter slot couldn't be delivered.",
    }
    for kind in Invoice.Kind:
        invoice = Invoice(number="SLIPWAY-2026-0031", total_cents=59143, revision=1, kind=kind)
        path = reverse("invoice", args=[order.number, invoice.number])
        context = {
            "invoice": invoice,
            "document": document,
            "rows": document_rows(document),
            "order": order,
            "url": order.site.url(path),
            "is_attached": True,
            "has_payout_link": False,
        }
        yield Sample(name=f"orders/emails/{kind}", context=context)
        test = Invoice(number=invoice.number, total_cents=59143, revision=2, kind=kind, is_test=True)
        yield Sample(
            name=f"orders/emails/{kind}", context={**context, "invoice": test, "is_attached": False}, variant="test"
        )
    failed = {**context, "problem": "OSError: cannot load library 'libpango-1.0-0'"}
    yield Sample(
        name="orders/emails/print_failed", context=failed, subject=f"Couldn't create the PDF of {invoice.number}"
    )


def _money(order: Order) -> Iterator[Sample]:
    context = {
        "order": order,
        "amount": money(19800),
        "refund": Refund(reason="You canceled the order before delivery."),
        "is_test": False,
        "payout_url": "https://pay.example/claims/sample",
        "reason": "The payment is higher than the order total.",
        "admin_url": order.site.url(reverse("admin:orders_order_change", args=[1])),
    }
    for name in ("refund", "refund_to_fetch", "review"):
        yield Sample(name=f"orders/emails/{name}", context=context)


def _lines(order: Order) -> Iterator[Sample]:
    line = OrderLine(
        order=order,
        product=LAUNCH,
        title="Launch",
        listing_name="Orbitly",
        failure="The week was full before the payment arrived.",
    )
    listing = sample_listing(order.site)
    context: dict[str, Any] = {
        "line": line,
        "order": order,
        "refund_cents": 29900,
        "week": str(_WEEK),
        "listing": listing,
        "is_live": True,
        "note": "The newsletter goes out when the week ends.",
        "pages": [{"label": "The newsletter", "url": order.site.url(reverse("newsletter"))}],
    }
    for name in ("line_failed", "line_withdrawn", "placement_begun"):
        yield Sample(name=f"orders/emails/{name}", context=context)
    hidden = {**context, "is_live": False, "note": "", "pages": []}
    hidden["listing"] = sample_listing(order.site, status="suspended")
    yield Sample(name="orders/emails/placement_begun", context=hidden, variant="hidden")
