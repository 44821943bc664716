"""Commands on orders before the payment: building one, and changing its billing details."""

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.errors import Conflict, ServiceUnavailable
from apps.orders.checkout.quote import CURRENCY, Quote, QuoteRequest, price_items, quote_order
from apps.orders.models import Order, OrderLine, Payment, PromoCode, TermsOfSale
from apps.orders.models.promos import normalize_code
from apps.orders.pricing import LinePrice, Totals
from apps.orders.promos import services as promos
from apps.orders.promos.services import PromoTerms
from apps.orders.providers import available_gateways
from apps.orders.tax import vat
from apps.sites.models import Site

ORDER_LIFETIME = timedelta(hours=24)
# 32 characters without 0, O, 1 and I: five bits each, so that ten of them carry 50.
NUMBER_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
NUMBER_LENGTH = 10
NUMBER_PREFIX = "SL-"


class PaymentsNotConfigured(ServiceUnavailable):
    code = "payments_not_configured"
    title = "No way to pay is set up"


class OrderExpired(Conflict):
    code = "order_expired"
    title = "This order can no longer be paid"


class PaymentOpen(Conflict):
    code = "payment_open"
    title = "A payment of this order is open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Billing:
    """Billing details as the payment page takes them; `country` is an ISO code or empty.

    `email` is where the invoice goes; empty for the account's own address.
    """

    name: str = ""
    company: str = ""
    address: str = ""
    postal_code: str = ""
    city: str = ""
    country: str = ""
    email: str = ""


def create_checkout(quote_request: QuoteRequest, *, site: Site, by: Actor, address: str) -> tuple[Order, Quote]:
    """Build an order of a cart on the site that sells it, and keep its prices for a day.

    The promo code is placed in it, not used up yet.

    Raises what `quote_order` raises, and PaymentsNotConfigured (503) when something costs and nobody can take money.
    """
    priced = quote_order(quote_request, site=site, by=by, address=address)
    if priced.totals.total_cents and not available_gateways(priced.site):
        raise PaymentsNotConfigured("This site cannot take payments yet. Try again later.")
    return _save_order(priced, by.account), priced


@transaction.atomic
def _save_order(priced: Quote, account: User) -> Order:
    check = priced.number_check
    order = Order(
        site=priced.site,
        account=account,
        number=new_number(),
        secret=new_secret(),
        currency=CURRENCY,
        promo=priced.promo,
        promo_code=priced.promo.code if priced.promo else "",
        promo_terms=asdict(PromoTerms.of(priced.promo)) if priced.promo else {},
        country=priced.decision.country or "",
        vat_number=check.typed[:20] if check else "",
        seller=asdict(priced.seller),
        expires_at=timezone.now() + ORDER_LIFETIME,
    )
    _set_vat(order, priced.decision, check)
    _set_totals(order, priced.totals)
    order.save()
    OrderLine.objects.bulk_create(
        [
            OrderLine(
                order=order,
                position=position,
                product=item.product.name,
                title=item.title,
                description=item.description,
                unlocks=item.product.unlocks,
                listing=item.listing,
                listing_name=item.listing_name,
                has_listing=item.listing is not None,
                options=item.options,
                quantity=item.quantity,
                unit_price_cents=item.unit_price_cents,
                **_line_money(line),
            )
            for position, (item, line) in enumerate(priced.lines(), start=1)
        ]
    )
    return order


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
    """Take over billing details and promo code from the payment page and price the kept lines anew.

    The VAT number was looked at before; `terms` are those that the buyer accepted. Raises what `lock_payable` and
    `promos.use_code` raise; then nothing changes.
    """
    order = lock_payable(order)
    lines = list(order.lines.order_by("position"))
    _place_code(order, promo_code, lines, address)
    # What a payment that is closed now reserved would be in the way of the same code, typed anew.
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
    )
    _set_vat(order, decision, number_check)
    _reprice(order, lines, decision.rate)
    return order


def lock_payable(order: Order) -> Order:
    """The order, locked until the transaction ends.

    Raises OrderExpired (409) when it cannot be paid any more, and PaymentOpen (409) while a payment of its present
    total is on its way.
    """
    locked: Order = Order.objects.select_for_update(of=("self",)).select_related("site", "account").get(pk=order.pk)
    if not locked.is_payable:
        raise OrderExpired("This order is no longer open. Start a new checkout for current prices.")
    if locked.payments.filter(status__in=Payment.UNSETTLED).exists():
        raise PaymentOpen("A payment of this order was just begun. Finish or cancel it first.")
    return locked


def check_code(*, order: Order, promo_code: str, address: str) -> None:
    """Whether a code that was typed on the payment page could be placed; nothing changes.

    Asked before an open payment is closed for it. Raises what `promos.use_code` raises.
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
    """Whether the order has this code already: then it keeps its terms, whatever became of the code."""
    return bool(order.promo_code) and normalize_code(typed) == normalize_code(order.promo_code)


def _find_code(order: Order, typed: str, lines: Sequence[OrderLine], address: str) -> PromoCode:
    cart = [promos.Priced(line.product, line.unit_price_cents * line.quantity) for line in lines]
    return promos.use_code(typed, site=order.site, cart=cart, account=order.account, address=address)


def _reprice(order: Order, lines: Sequence[OrderLine], vat_rate: int | None) -> None:
    terms = PromoTerms.from_json(order.promo_terms) if order.promo_terms else None
    items = [(line.product, line.unit_price_cents * line.quantity) for line in lines]
    totals = price_items(items, terms=terms, vat_rate=vat_rate)
    _set_totals(order, totals)
    for line, priced in zip(lines, totals.lines, strict=True):
        for name, value in _line_money(priced).items():
            setattr(line, name, value)
    OrderLine.objects.bulk_update(lines, ["discount_cents", "net_cents", "vat_cents", "total_cents"])
    order.save()


def _line_money(line: LinePrice) -> dict[str, Any]:
    return asdict(line)


def _set_totals(order: Order, totals: Totals) -> None:
    order.subtotal_cents = totals.subtotal_cents
    order.discount_cents = totals.discount_cents
    order.net_cents = totals.net_cents
    order.vat_cents = totals.vat_cents
    order.total_cents = totals.total_cents


def _set_vat(order: Order, decision: vat.Decision, check: vat.NumberCheck | None) -> None:
    order.vat_treatment = decision.treatment
    order.vat_rate = decision.rate
    order.vat_place = decision.place
    order.vat_scheme = decision.scheme
    order.notices = list(decision.notices)
    order.vat_number_status = check.status if check else ""
    order.consultation_number = check.consultation_number if check else ""


def new_number() -> str:
    """A random order number such as `SL-7K3QH9TRWC`."""
    return NUMBER_PREFIX + "".join(secrets.choice(NUMBER_ALPHABET) for _ in range(NUMBER_LENGTH))


def new_secret() -> str:
    """192 random bits for an address."""
    return secrets.token_urlsafe(24)
