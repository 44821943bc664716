"""Promo codes: find a typed code, and count its uses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.accounts.models import User
from apps.core.errors import DomainError, TooManyRequests, Unprocessable
from apps.core.stores.valkey.counters import Limit
from apps.core.templatetags.ui import money
from apps.core.text.dates import moment_text
from apps.orders.models import Order, PromoCode, PromoUse
from apps.orders.models.promos import normalize_code
from apps.orders.pricing.totals import Discount
from apps.sites.models import Site

State = PromoUse.State

# Counted in Valkey, where the rollback of a refused request cannot erase them.
_ATTEMPTS = {"events": "promo code attempts", "instead": "check out without a code"}
ACCOUNT_LIMIT = Limit("promo-account", count=10, window_seconds=15 * 60, **_ATTEMPTS)
ADDRESS_LIMIT = Limit("promo-address", count=30, window_seconds=60 * 60, **_ATTEMPTS)


class PromoRefused(Unprocessable):
    title = "Promo code can't be used"


class PromoUnknown(PromoRefused):
    code = "promo_unknown"


class PromoExpired(PromoRefused):
    code = "promo_expired"


class PromoNotStarted(PromoRefused):
    code = "promo_not_started"


class PromoExhausted(PromoRefused):
    code = "promo_exhausted"


class PromoAlreadyUsed(PromoRefused):
    code = "promo_already_used"


class PromoNotApplicable(PromoRefused):
    code = "promo_not_applicable"


@dataclass(frozen=True, slots=True)
class PromoTerms:
    """What a code takes off and from what, as orders copy it."""

    percent_off: int | None
    amount_off_cents: int | None
    products: Sequence[str]
    minimum_cents: int

    @classmethod
    def of(cls, promo: PromoCode) -> "PromoTerms":
        return cls(promo.percent_off, promo.amount_off_cents, list(promo.products), promo.minimum_cents)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "PromoTerms":
        return cls(**stored)

    @property
    def discount(self) -> Discount:
        return Discount(percent=self.percent_off, amount_cents=self.amount_off_cents)

    def covers(self, product: str) -> bool:
        return not self.products or product in self.products


@dataclass(frozen=True, slots=True)
class Priced:
    """A cart line for applying a promo code."""

    product: str
    cents: int


def use_code(typed: str, *, site: Site, cart: Sequence[Priced], account: User, address: str) -> PromoCode:
    """Return the typed promo code, if this account can use it for this cart now.

    Unknown codes count against the account and the client's address. Others come from somebody who has the code. Raises
    TooManyRequests (429) before looking it up after too many, and a PromoRefused (422) with the reason.
    """
    _take_attempt(str(account.pk), address)
    try:
        promo = _find(typed, site=site, cart=cart, account=account)
    except PromoUnknown:
        raise
    except DomainError:
        _give_back_attempt(str(account.pk), address)
        raise
    _give_back_attempt(str(account.pk), address)
    return promo


def _take_attempt(account: str, address: str) -> None:
    ACCOUNT_LIMIT.take(account)
    try:
        ADDRESS_LIMIT.take(address)
    except TooManyRequests:
        ACCOUNT_LIMIT.give_back(account)
        raise


def _give_back_attempt(account: str, address: str) -> None:
    ACCOUNT_LIMIT.give_back(account)
    ADDRESS_LIMIT.give_back(address)


def _find(typed: str, *, site: Site, cart: Sequence[Priced], account: User) -> PromoCode:
    promo = PromoCode.objects.filter(site=site, is_active=True, code_key=normalize_code(typed)).first()
    now = timezone.now()
    where = "/promo_code"
    if promo is None:
        raise PromoUnknown("Unknown promo code. Check the spelling, or check out without a code.", pointer=where)
    if promo.starts_at and now < promo.starts_at:
        raise PromoNotStarted(f"This promo code is valid from {moment_text(promo.starts_at)}.", pointer=where)
    if promo.ends_at and now >= promo.ends_at:
        raise PromoExpired(f"This promo code expired on {moment_text(promo.ends_at)}.", pointer=where)
    if promo.max_uses is not None and promo.used >= promo.max_uses:
        raise PromoExhausted("This promo code has been fully used. Check out without a code.", pointer=where)
    if _is_used_up_by(promo, account.pk):
        raise PromoAlreadyUsed("You already used this promo code. Check out without a code.", pointer=where)
    _check_cart(PromoTerms.of(promo), cart)
    return promo


def _check_cart(terms: PromoTerms, cart: Sequence[Priced]) -> None:
    covered = sum(line.cents for line in cart if terms.covers(line.product))
    if covered == 0:
        products = ", ".join(terms.products) or "paid products"
        raise PromoNotApplicable(f"This promo code only applies to: {products}.", pointer="/promo_code")
    if covered < terms.minimum_cents:
        raise PromoNotApplicable(
            f"This promo code requires at least {money(terms.minimum_cents)} of eligible products.",
            pointer="/promo_code",
        )


def _is_used_up_by(promo: PromoCode, account_id: int, *, besides: Order | None = None) -> bool:
    if promo.max_uses_per_account is None:
        return False
    uses = PromoUse.objects.filter(promo=promo, account=account_id, state__in=[State.RESERVED, State.CONSUMED])
    if besides:
        uses = uses.exclude(order=besides)
    return uses.count() >= promo.max_uses_per_account


@transaction.atomic
def reserve_use(order: Order) -> None:
    """Reserve one use of the order's code. Doing it twice is a no-op. The caller must lock the order.

    Raises PromoExhausted or PromoAlreadyUsed (422) when somebody, or the account itself, was faster.
    """
    _lock_codes(order)
    release_uses(order, keep=order.promo_id)
    promo = order.promo
    if promo is None or order.promo_uses.filter(promo=promo, state__in=[State.RESERVED, State.CONSUMED]).exists():
        return
    # The code's row is locked, so that the count of the account's uses below is final.
    free = Q(max_uses__isnull=True) | Q(used__lt=F("max_uses"))
    if not PromoCode.objects.filter(free, pk=promo.pk).update(used=F("used") + 1):
        raise PromoExhausted("This promo code has been fully used. Remove it to continue.", pointer="/promo_code")
    if _is_used_up_by(promo, order.account_id, besides=order):
        raise PromoAlreadyUsed("You already used this promo code. Remove it to continue.", pointer="/promo_code")
    PromoUse.objects.update_or_create(
        promo=promo, order=order, defaults={"account_id": order.account_id, "state": State.RESERVED}
    )


def _lock_codes(order: Order) -> None:
    """Lock the codes that the order releases and reserves, always in one order, because two orders may swap theirs."""
    reserved = order.promo_uses.filter(state=State.RESERVED).values_list("promo_id", flat=True)
    codes = PromoCode.objects.filter(pk__in=[*reserved, order.promo_id or 0]).order_by("pk")
    list(codes.select_for_update(no_key=True).values_list("pk", flat=True))


def consume_use(order: Order) -> None:
    """Consume the reserved use of a paid order."""
    order.promo_uses.filter(state=State.RESERVED).update(state=State.CONSUMED)


@transaction.atomic
def release_uses(order: Order, *, keep: int | None = None) -> None:
    """Release reserved uses of the order, except of the code `keep`. Each is released once."""
    for use in order.promo_uses.filter(state=State.RESERVED).exclude(promo=keep).order_by("promo_id"):
        if PromoUse.objects.filter(pk=use.pk, state=State.RESERVED).update(state=State.RELEASED):
            PromoCode.objects.filter(pk=use.promo_id).update(used=F("used") - 1)
