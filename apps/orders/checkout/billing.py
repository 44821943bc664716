"""Changes on the checkout page to an unpaid order: billing details and promo code."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.core.errors import Conflict
from apps.orders.checkout.create import total_columns, vat_columns
from apps.orders.checkout.quote import price_items
from apps.orders.models import Order, OrderLine, Payment, PromoCode, TermsOfSale
from apps.orders.models.promos import normalize_code
from apps.orders.pricing import promos
from apps.orders.pricing.promos import PromoTerms
from apps.orders.tax import vat


class OrderExpired(Conflict):
    code = "order_expired"
    title = "Order no longer payable"


class PaymentOpen(Conflict):
    code = "payment_open"
    title = "Payment in progress"


@dataclass(frozen=True, slots=True, kw_only=True)
class Billing:
    """Billing details from the payment page. `country` is an ISO code or empty.

    `email` receives the invoice. Empty means the account's own address.
    """

    name: str = ""
    company: str = ""
    address: str = ""
    postal_code: str = ""
    city: str = ""
    country: str = ""
    email: str = ""


@transaction.atomic
def update_billing(
    *,
    order: Order,
    billing: Billing,
    vat_number: str,
    number_check: vat.NumberCheck | None,
    promo_code: str,
    address: str,
    terms: TermsOfSale | None = None,
) -> Order:
    """Save billing details and promo code from the payment page, and price the kept lines again.

    The VAT number was checked before. `terms` are those that the buyer accepted. Raises what `lock_payable` and
    `promos.use_code` raise. Then nothing changes.
    """
    order = lock_payable(order)
    lines = list(order.lines.order_by("position"))
    _place_code(order, promo_code, lines, address)
    # A code reserved by a payment that is closed now would block the same code.
    promos.release_uses(order, keep=order.promo_id)
    order.terms = terms or order.terms
    order.country = billing.country
    order.postal_code = billing.postal_code
    order.vat_number = vat_number[:20]
    order.billing = {key: value for key, value in asdict(billing).items() if key not in {"country", "postal_code"}}
    decision = vat.decide(
        seller=vat.Seller.from_json(order.seller),
        country=order.country or None,
        postal_code=order.postal_code,
        check=number_check,
        on=timezone.now().date(),
        contact=order.site.admin_contact,
    )
    _assign(order, vat_columns(decision, number_check))
    _reprice(order, lines, decision.rate)
    return order


def lock_payable(order: Order) -> Order:
    """Lock the order until the transaction ends and return it.

    Raises OrderExpired (409) when it can no longer be paid, and PaymentOpen (409) while a payment of its present total
    is open.
    """
    locked: Order = Order.objects.select_for_update(of=("self",)).select_related("site", "account").get(pk=order.pk)
    if not locked.is_payable:
        raise OrderExpired("This order has expired. Start a new checkout at current prices.")
    if locked.payments.filter(status__in=Payment.UNSETTLED).exists():
        raise PaymentOpen("A payment for this order is in progress. Finish or cancel it first.")
    return locked


def check_code(*, order: Order, promo_code: str, address: str) -> None:
    """Check whether a code typed on the payment page could be used. Changes nothing.

    Call it before closing an open payment for the code. Raises what `promos.use_code` raises.
    """
    if promo_code and not _is_placed(order, promo_code):
        _find_code(order, promo_code, list(order.lines.all()), address)


def _place_code(order: Order, typed: str, lines: Sequence[OrderLine], address: str) -> None:
    if not typed:
        order.promo, order.promo_code, order.promo_terms = None, "", {}
        return
    if not _is_placed(order, typed):
        promo = _find_code(order, typed, lines, address)
        order.promo, order.promo_code, order.promo_terms = promo, promo.code, asdict(PromoTerms.of(promo))


def _is_placed(order: Order, typed: str) -> bool:
    """Return whether the order already has this code, and so keeps its terms, even if the code has ended."""
    return bool(order.promo_code) and normalize_code(typed) == normalize_code(order.promo_code)


def _find_code(order: Order, typed: str, lines: Sequence[OrderLine], address: str) -> PromoCode:
    cart = [promos.Priced(line.product, line.unit_price_cents * line.quantity) for line in lines]
    return promos.use_code(typed, site=order.site, cart=cart, account=order.account, address=address)


def _reprice(order: Order, lines: Sequence[OrderLine], vat_rate: int | None) -> None:
    terms = PromoTerms.from_json(order.promo_terms) if order.promo_terms else None
    items = [(line.product, line.unit_price_cents * line.quantity) for line in lines]
    totals = price_items(items, terms=terms, vat_rate=vat_rate)
    _assign(order, total_columns(totals))
    for line, priced in zip(lines, totals.lines, strict=True):
        _assign(line, asdict(priced))
    OrderLine.objects.bulk_update(lines, ["discount_cents", "net_cents", "vat_cents", "total_cents"])
    order.save()


def _assign(row: Order | OrderLine, columns: Mapping[str, Any]) -> None:
    for name, value in columns.items():
        setattr(row, name, value)
