"""Prepare orders for templates: totals, lines, VAT, payments and invoices."""

from datetime import datetime
from typing import Any

from django.urls import reverse

from apps.launches.share import SHARED, launched
from apps.listings.models import Listing
from apps.orders.checkout import guidance, other_launches
from apps.orders.countries import BILLING_COUNTRIES
from apps.orders.invoices import links
from apps.orders.models import Invoice, Order, OrderLine, Payment, Refund
from apps.orders.models.catalog import LAUNCH
from apps.orders.payments.cancel import is_cancellable
from apps.orders.products.registry import option_text
from apps.orders.providers.payout_link import payout_url
from apps.orders.tax import vat

NumberStatus = vat.NumberStatus
Treatment = vat.Treatment
DELIVERED = OrderLine.Status.FULFILLED

_PROVIDERS = {"stripe": "Card or wallet", "paypal": "PayPal", "btcpay": "Crypto", "test": "Test payment"}
_KINDS = {Invoice.Kind.INVOICE: "Invoice", Invoice.Kind.CREDIT_NOTE: "Credit note"}
_LINE_WORDS = {
    OrderLine.Status.PENDING: "In progress",
    OrderLine.Status.FULFILLED: "Delivered",
    OrderLine.Status.FAILED: "Not delivered",
    OrderLine.Status.WITHDRAWN: "Reversed",
}
_LINE_TONES = {
    OrderLine.Status.PENDING: "warn",
    OrderLine.Status.FULFILLED: "good",
    OrderLine.Status.FAILED: "bad",
    OrderLine.Status.WITHDRAWN: "neutral",
}
_REFUND_WORDS = {
    Refund.Status.REQUESTED: ("warn", "In progress"),
    Refund.Status.DONE: ("good", "Refunded"),
    Refund.Status.FAILED: ("bad", "Under review"),
}
_WITHOUT_VAT = {
    Treatment.REVERSE_CHARGE: "reverse charge",
    Treatment.OUTSIDE_SCOPE: "none due",
    Treatment.NOT_REGISTERED: "none charged",
}


def totals(order: Order) -> dict[str, Any]:
    """Return lines and totals for parts/order_lines.html and parts/totals.html."""
    return {
        "number": order.number,
        "heading": heading(order),
        "lines": [_line(line) for line in order.lines.all()],
        "subtotal_cents": order.subtotal_cents,
        "discount_cents": order.discount_cents,
        "promo_code": order.promo_code,
        "vat": _vat(order),
        "total_cents": order.total_cents,
        "currency": order.currency.upper(),
    }


def placed(order: Order, *, is_owner: bool) -> dict[str, Any]:
    """Return the context of an order that is no longer being paid, or that its owner views.

    Needs it `with_everything()`.

    Visitors with only the checkout URL see neither email address nor payments. They see billing details only once the
    order is paid, because the invoice on that page has them, too, while the URL opens it.
    """
    context = totals(order) | {
        "status": order.status,
        "is_in_progress": is_in_progress(order),
        "is_launching": is_launching(order),
        "created_at": order.created_at,
        "paid_at": order.paid_at,
        "status_text": guidance.status_text_of(order),
        "opens_until": order.opens_until,
        "is_open": order.status in Order.PAYABLE or order.paid_at is not None,
        "refunds": [_refund(refund, order, is_owner=is_owner) for refund in order.refunds],
        "invoices": [_invoice(invoice, is_owner=is_owner) for invoice in order.invoices.all()],
    }
    if is_owner or order.paid_at is not None:
        context |= {"seller": _seller_lines(order), "buyer": _buyer_lines(order)}
    if is_owner:
        context |= {
            "checkout_url": guidance.open_checkout_url(order),
            "ways": _ways_when_paid_elsewhere(order),
            "is_cancellable": is_cancellable(order),
            "email": order.billing.get("email") or order.account.email,
            # A receipt has what moved money, not the attempts before it.
            "payments": [
                _payment(payment)
                for payment in order.payments.all()
                if order.paid_at is None or payment.status != Payment.Status.FAILED
            ],
        }
        context["launched"] = [launched(listing) for listing in _launched(order)]
    is_test = any(payment.is_test and payment.status == Payment.Status.PAID for payment in order.payments.all())
    return {"order": context, "is_test": is_test, "is_owner": is_owner}


def heading(order: Order) -> str:
    """Return what was bought: `Launch for Acme`, `Billboard and 2 more for Acme`."""
    first, *others = order.lines.all()
    names = {line.listing_name for line in (first, *others)}
    more = f" and {len(others)} more" if others else ""
    return f"{first.title}{more}{f' for {names.pop()}' if len(names) == 1 and first.listing_name else ''}"


def _launched(order: Order) -> list[Listing]:
    """Return the listings that the order launched or scheduled, loaded for the page."""
    delivered = [line for line in order.lines.all() if line.product == LAUNCH and line.status == DELIVERED]
    ids = [line.listing_id for line in delivered if line.listing_id]
    if not ids:
        return []
    own = Listing.objects.visible_to(order.account).for_owner()
    return list(own.filter(pk__in=ids, site=order.site_id, status__in=SHARED).select_related("founder_story"))


def is_launching(order: Order) -> bool:
    """Return whether the order buys the launch of a listing that isn't live yet. Needs it `with_everything()`."""
    return any(
        line.product == LAUNCH and line.listing is not None and line.listing.status in Listing.LAUNCHABLE
        for line in order.lines.all()
    )


def _taken_back_at(line: OrderLine) -> datetime | None:
    """Return when a delivered line was withdrawn, which is when it was refunded."""
    if line.status != OrderLine.Status.WITHDRAWN:
        return None
    return next((refund.created_at for refund in line.order.refunds if refund.line_id == line.pk), None)


def is_in_progress(order: Order) -> bool:
    """Return whether a payment or a delivery is pending, so that the order's page will change soon."""
    if order.needs_review:
        return False
    if order.status in Order.DELIVERABLE:
        return any(line.status == OrderLine.Status.PENDING for line in order.lines.all())
    return order.status == Order.Status.PROCESSING


def number_answer(order: Order) -> dict[str, str] | None:
    """Explain the result of checking the VAT number. None without one."""
    if not order.vat_number:
        return None
    match order.vat_number_status:
        case NumberStatus.VALID if order.vat_treatment == Treatment.REVERSE_CHARGE:
            text = "Valid. Reverse charge applies: you account for the VAT."
            return {"tone": "good", "text": text}
        case NumberStatus.VALID:
            return {"tone": "good", "text": "Valid. VAT still applies: see the note next to the total."}
        case NumberStatus.INVALID:
            return {"tone": "bad", "text": "Not a valid VAT number in this country, so VAT applies. Check the number."}
        case NumberStatus.UNAVAILABLE:
            text = "The VAT register is unavailable, so VAT applies for now. We check again when you pay."
            return {"tone": "warn", "text": text}
    if not order.country:
        return {"tone": "neutral", "text": "Choose a country to have the number checked."}
    return {"tone": "neutral", "text": "Only EU VAT numbers are checked."}


def mask(email: str) -> str:
    """Mask an email address so that its owner recognizes it and nobody else learns it: `a…@e….com`."""
    name, _, host = email.partition("@")
    first, _, rest = host.partition(".")
    return f"{name[:1]}…@{first[:1]}….{rest.rpartition('.')[2]}" if name and rest else ""


def _line(line: OrderLine) -> dict[str, Any]:
    context = {
        "title": line.title,
        "listing_name": line.listing_name,
        "option_text": option_text(line.product, line.options, site_id=line.order.site_id),
        "quantity": line.quantity,
        "unit_price_cents": line.unit_price_cents,
        # The page shows the discount below the lines, so lines show their price before it.
        "net_cents": line.net_cents + line.discount_cents,
    }
    is_settled = line.order.status in Order.DELIVERABLE | {Order.Status.REFUNDED}
    if not is_settled:
        return context
    status = OrderLine.Status(line.status)
    state, tone = _LINE_WORDS[status], _LINE_TONES[status]
    if is_on_hold := status == DELIVERED and guidance.is_on_hold(line):
        state, tone = "On hold", "warn"
    elif is_ahead := guidance.starts_later(line):
        state, tone = "Scheduled", "info"
    return context | {
        "state": state,
        "state_tone": tone,
        # Beside a start that is ahead, the time of payment would read as that start.
        "changed_at": None if is_on_hold or is_ahead else _taken_back_at(line) or line.fulfilled_at,
        "failure": line.failure,
    }


def _ways_when_paid_elsewhere(order: Order) -> list[dict[str, str]]:
    """Return the next step for an order whose launch another one has paid: that order, and what is left to buy."""
    others = other_launches.of_order(order) if order.is_payable else []
    done = other_launches.paid(others)
    ways = [{"url": other.url, "label": f"Open order {other.number}"} for other in done if other.url]
    if done and not other_launches.is_redundant(order, others):
        url = order.site.url(reverse("buy", args=[done[0].listing_id]))
        ways.append({"url": url, "label": "Buy the rest"})
    return ways


def _vat(order: Order) -> dict[str, Any] | None:
    """Return the VAT line: the rate with its country, or why there is none. None while the country is not known."""
    if order.vat_cents is None:
        return None
    country = BILLING_COUNTRIES.get(order.vat_place or order.country, "")
    rate = " ".join(part for part in (vat.rate_text(order.vat_rate), country) if part)
    return {
        "rate_text": _WITHOUT_VAT.get(Treatment(order.vat_treatment), rate) if order.vat_treatment else rate,
        "amount_cents": order.vat_cents,
        "note": " ".join(order.notices),
    }


def _refund(refund: Refund, order: Order, *, is_owner: bool) -> dict[str, Any]:
    tone, state = _REFUND_WORDS[Refund.Status(refund.status)]
    titles = {line.pk: line.title for line in order.lines.all()}
    return {
        "what": titles.get(refund.line_id or 0, "Full payment"),
        "amount_cents": refund.amount_cents,
        "reason": refund.reason,
        "state": state,
        "state_tone": tone,
        "done_at": refund.done_at,
        "payout_url": payout_url(refund) if is_owner else "",
    }


def _payment(payment: Payment) -> dict[str, Any]:
    return {
        "title": _PROVIDERS.get(payment.provider, "Nothing to pay"),
        "status": payment.status,
        "amount_cents": payment.amount_cents,
        "created_at": payment.created_at,
        "is_test": payment.is_test,
    }


def _invoice(invoice: Invoice, *, is_owner: bool) -> dict[str, Any]:
    return {
        "url": links.invoice_page_url(invoice) if is_owner else links.secret_page_url(invoice),
        "pdf_url": links.invoice_pdf_url(invoice) if is_owner else links.secret_pdf_url(invoice),
        "number": invoice.number,
        "kind": _KINDS[Invoice.Kind(invoice.kind)],
        "issued_at": invoice.issued_at,
        "total_cents": invoice.total_cents,
    }


def _seller_lines(order: Order) -> list[str]:
    seller = order.seller
    name = seller.get("legal_name") or order.site.name
    lines = [name, *seller.get("address", "").splitlines(), _vat_number(seller.get("vat_number", ""))]
    return [line for line in lines if line]


def _buyer_lines(order: Order) -> list[str]:
    billing = order.billing
    town = f"{order.postal_code} {billing.get('city', '')}".strip()
    names = [billing.get("name"), billing.get("company"), billing.get("address")]
    lines = [*names, town, BILLING_COUNTRIES.get(order.country), _own_number(order)]
    return [line for line in lines if line]


def _own_number(order: Order) -> str:
    return "" if order.vat_number_status == NumberStatus.INVALID else _vat_number(order.vat_number)


def _vat_number(number: str) -> str:
    return f"VAT number {number}" if number else ""
