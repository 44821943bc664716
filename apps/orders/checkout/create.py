"""Create an order from a cart, at current prices."""

import secrets
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.errors import ServiceUnavailable
from apps.orders.checkout.quote import CURRENCY, Quote, QuoteRequest, quote_order
from apps.orders.models import Order, OrderLine
from apps.orders.pricing.promos import PromoTerms
from apps.orders.pricing.totals import Totals
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
    title = "Payments not set up"


def create_checkout(quote_request: QuoteRequest, *, site: Site, by: Actor, address: str) -> tuple[Order, Quote]:
    """Create an order on the site that sells the cart, and hold its prices for a day.

    The promo code is noted but not used up yet.

    Raises what `quote_order` raises, and PaymentsNotConfigured (503) when something costs money and no provider is set
    up.
    """
    priced = quote_order(quote_request, site=site, by=by, address=address)
    if priced.totals.total_cents and not available_gateways(priced.site):
        raise PaymentsNotConfigured("This site can't accept payments yet. Try again later.")
    return _save_order(priced, by.account), priced


@transaction.atomic
def _save_order(priced: Quote, account: User) -> Order:
    check = priced.number_check
    order = Order.objects.create(
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
        **vat_columns(priced.decision, check),
        **total_columns(priced.totals),
    )
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
                **asdict(line),
            )
            for position, (item, line) in enumerate(priced.lines(), start=1)
        ]
    )
    return order


def total_columns(totals: Totals) -> dict[str, int | None]:
    """Return the prices as the columns of an order."""
    return {
        "subtotal_cents": totals.subtotal_cents,
        "discount_cents": totals.discount_cents,
        "net_cents": totals.net_cents,
        "vat_cents": totals.vat_cents,
        "total_cents": totals.total_cents,
    }


def vat_columns(decision: vat.Decision, check: vat.NumberCheck | None) -> dict[str, Any]:
    """Return the VAT decision as the columns of an order."""
    return {
        "vat_treatment": decision.treatment,
        "vat_rate": decision.rate,
        "vat_place": decision.place,
        "vat_scheme": decision.scheme,
        "notices": list(decision.notices),
        "vat_number_status": check.status if check else "",
        "consultation_number": check.consultation_number if check else "",
    }


def new_number() -> str:
    """Return a random order number such as `SL-7K3QH9TRWC`."""
    return NUMBER_PREFIX + "".join(secrets.choice(NUMBER_ALPHABET) for _ in range(NUMBER_LENGTH))


def new_secret() -> str:
    """Return 192 random bits for a URL."""
    return secrets.token_urlsafe(24)
