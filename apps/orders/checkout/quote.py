"""Price a cart for quotes and checkout. Saves nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.orders.checkout import notices, other_launches
from apps.orders.checkout.cart import CartItem, needless, own_listings, read_cart, site_of
from apps.orders.checkout.other_launches import OtherLaunch
from apps.orders.models import PromoCode
from apps.orders.pricing import promos
from apps.orders.pricing.promos import PromoTerms
from apps.orders.pricing.totals import Amount, LinePrice, Totals, price
from apps.orders.products.registry import kind_of
from apps.orders.tax import vat
from apps.sites.models import Site

CURRENCY = "usd"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteRequest:
    """A quote request whose VAT number was checked before the transaction, because that needs the network."""

    items: Sequence[Mapping[str, Any]]
    country: str | None = None
    number_check: vat.NumberCheck | None = None
    promo_code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A priced cart."""

    site: Site
    items: Sequence[CartItem]
    totals: Totals
    decision: vat.Decision
    number_check: vat.NumberCheck | None
    seller: vat.Seller
    promo: PromoCode | None
    others: Sequence[OtherLaunch] = ()

    @property
    def notices(self) -> list[str]:
        """Messages for the person: about the cart, the current week and VAT."""
        return [*self._cart_notices([other.hint for other in self.others]), *self.decision.notices]

    @property
    def cart_notices(self) -> list[str]:
        """Return the messages for a page that knows no VAT yet."""
        return self._cart_notices([other.text for other in self.others])

    def _cart_notices(self, others: list[str]) -> list[str]:
        bought = [(item.title, item.options) for item in self.items if kind_of(item.product.name).is_cut_short]
        return [*others, *needless(self.items), *notices.running_week_notices(self.site, bought)]

    def lines(self) -> list[tuple[CartItem, LinePrice]]:
        return list(zip(self.items, self.totals.lines, strict=True))


def quote_order(quote_request: QuoteRequest, *, site: Site, by: Actor, address: str) -> Quote:
    """Price a cart at the current prices of the site that sells it. `site` is the one that was asked.

    `address` is the client's, to count wrong promo codes. Raises InvalidItems (422), PromoRefused (422),
    TooManyRequests (429), RateMissing (503).
    """
    own = own_listings(quote_request.items, account=by.account)
    site = site_of(quote_request.items, own=own, default=site)
    items = read_cart(site=site, items=quote_request.items, own=own)
    promo = None
    if quote_request.promo_code:
        cart = [promos.Priced(item.product.name, item.amount_cents) for item in items]
        promo = promos.use_code(quote_request.promo_code, site=site, cart=cart, account=by.account, address=address)
    seller = vat.seller_of(site)
    today = timezone.now().date()
    decision = vat.decide(
        seller=seller,
        country=quote_request.country,
        postal_code="",
        check=quote_request.number_check,
        on=today,
        contact=site.admin_contact,
    )
    terms = PromoTerms.of(promo) if promo else None
    totals = price_items(
        [(item.product.name, item.amount_cents) for item in items], terms=terms, vat_rate=decision.rate
    )
    return Quote(
        site=site,
        items=items,
        totals=totals,
        decision=decision,
        number_check=quote_request.number_check,
        seller=seller,
        promo=promo,
        others=other_launches.of_listings({item.launches for item in items if item.launches}, account_id=by.account.pk),
    )


def price_items(items: Sequence[tuple[str, int]], *, terms: PromoTerms | None, vat_rate: int | None) -> Totals:
    """Price products with their amounts in cents. Quote, checkout and the payment page all use it."""
    amounts = [Amount(cents, terms is not None and terms.covers(product)) for product, cents in items]
    return price(amounts, discount=terms.discount if terms else None, vat_rate=vat_rate)
