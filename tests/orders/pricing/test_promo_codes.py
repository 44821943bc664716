"""Promo codes: refused with the reason, limited, and used as often as allowed."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.listings.models import Listing
from apps.orders.models import Order, PromoCode, PromoUse
from apps.orders.models.promos import normalize_code
from apps.orders.pricing import promos
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory
from tests.orders.carts import check_out, launch


@pytest.fixture
def promo(site: Site) -> PromoCode:
    return PromoCode.objects.create(site=site, code="Launch-20", percent_off=2000)


def quote(client: ApiClient, listing: Listing, code: Any, **headers: str) -> Any:
    return client.post("/orders/quote", {"items": [launch(listing)], "promo_code": code}, **headers)


def refused(answer: Any) -> str:
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/promo_code"
    return str(answer.json()["code"])


def test_the_amount_is_taken_off_before_vat(
    owner: ApiClient, listing: Listing, promo: PromoCode, seller: object
) -> None:
    body = {"items": [launch(listing)], "promo_code": "launch-20", "billing_country": "DE"}
    shown = owner.post("/orders/quote", body).json()
    assert shown["promo"] == {"code": "Launch-20", "discount_cents": 1980}
    assert (shown["subtotal_cents"], shown["discount_cents"], shown["net_cents"]) == (9900, 1980, 7920)
    assert (shown["vat"]["amount_cents"], shown["total_cents"]) == (1505, 9425)


@pytest.mark.parametrize(
    "typed",
    ["LAUNCH-20", " launch-20 ", "lau\u200bnch-20", "ＬＡＵＮＣＨ-２０", "launch -20", "Launch\u00ad-20"]
    # Dashes of phones, word processors and other keyboards, and spaces in their place.
    + [
        f"Launch{dash}20"
        for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u02d7\u2043\u2796\u05be"
    ]
    + [f"Launch{space}20" for space in ("", " ", "\u00a0", "\u2009", "\u202f", "\u3000", " \u2013 ", "--", "\ufeff")]
    # What Japanese keyboards type for a dash, lines for boxes, blank letters, and a dash as an emoji.
    + [
        f"Launch{mark}20"
        for mark in ("\u2053", "\u30fc", "\uff70", "\u2500", "\u2501", "\u2800", "\u3164", "\u2796\ufe0f")
    ]
    # What stands for a dash elsewhere, and what is copied along with a code.
    + [f"Launch{mark}20" for mark in ("_", "\uff3f", "\u00b7", "\u30fb", "\u301c", "\uff5e", "/", "\u23af")]
    + ['"Launch-20"', "\u201cLaunch-20\u201d.", "(Launch-20)", "\u300cLaunch-20\u300d", "Launch-20\u3002"]
    # Digits of Arabic, Persian and Indian keyboards.
    + [f"Launch-{digits}" for digits in ("\u0662\u0660", "\u06f2\u06f0", "\u0968\u0966")],
)
def test_codes_are_compared_as_people_mean_them(
    owner: ApiClient, listing: Listing, promo: PromoCode, typed: str
) -> None:
    assert quote(owner, listing, typed).status_code == 200


@pytest.mark.parametrize("typed", ["winter", "WINTER", "W\u0130NTER", "w\u0131nter", "wi\u0307nter"])
def test_codes_are_the_same_in_turkish_letters(typed: str) -> None:
    assert normalize_code(typed) == "winter"


def test_letters_of_another_script_make_another_code() -> None:
    assert normalize_code("L\u0430unch-20") != normalize_code("Launch-20") != normalize_code("Launch-2O")


def test_a_code_that_looks_the_same_is_refused(promo: PromoCode) -> None:
    with pytest.raises(ValidationError):
        PromoCode(site=promo.site, code="LAUNCH 20", percent_off=1).clean()


def test_normalising_twice_changes_nothing() -> None:
    for text in ("Straße", "ﬁx", "İstanbul", "Ⅷ", "ǰ", "\u1e9e", "I\u0307\u0307", "\u0660"):
        assert normalize_code(normalize_code(text)) == normalize_code(text)
    assert normalize_code("STRASSE") == normalize_code("straße")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"is_active": False}, "promo_unknown"),
        ({"starts_at": timezone.now() + timedelta(days=1)}, "promo_not_started"),
        ({"ends_at": timezone.now() - timedelta(days=1)}, "promo_expired"),
        ({"max_uses": 3, "used": 3}, "promo_exhausted"),
        ({"products": ["billboard"]}, "promo_not_applicable"),
        ({"minimum_cents": 9901}, "promo_not_applicable"),
    ],
)
def test_a_code_is_refused_with_the_reason(
    owner: ApiClient, listing: Listing, promo: PromoCode, changes: dict[str, Any], code: str
) -> None:
    PromoCode.objects.filter(pk=promo.pk).update(**changes)
    body = {"items": [launch(listing)], "promo_code": promo.code}
    for path in ("/orders/quote", "/orders/checkout"):
        assert refused(owner.post(path, body)) == code
    assert not Order.objects.exists()


def test_the_least_that_a_code_needs_is_told_in_dollars(owner: ApiClient, listing: Listing, promo: PromoCode) -> None:
    PromoCode.objects.filter(pk=promo.pk).update(minimum_cents=9901)
    answer = owner.post("/orders/quote", {"items": [launch(listing)], "promo_code": promo.code})
    assert "$99.01" in answer.json()["detail"]


def test_a_code_of_another_site_is_unknown(owner: ApiClient, listing: Listing) -> None:
    PromoCode.objects.create(site=SiteFactory.create(), code="ELSEWHERE", percent_off=100)
    assert refused(quote(owner, listing, "ELSEWHERE")) == "promo_unknown"


def test_a_code_that_was_used_by_the_account(owner: ApiClient, listing: Listing, promo: PromoCode) -> None:
    promos.reserve_use(check_out(owner, launch(listing), promo_code=promo.code))
    assert refused(quote(owner, listing, promo.code)) == "promo_already_used"
    PromoCode.objects.update(max_uses_per_account=2)
    assert quote(owner, listing, promo.code).status_code == 200


@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_no_code_is_no_attempt(owner: ApiClient, listing: Listing, nothing: str | None) -> None:
    assert quote(owner, listing, nothing).json()["promo"] is None


@pytest.mark.slow
def test_ten_wrong_codes_lock_the_account(owner: ApiClient, listing: Listing, promo: PromoCode) -> None:
    for number in range(10):
        path = "/orders/quote" if number % 2 else "/orders/checkout"
        answer = owner.post(
            path, {"items": [launch(listing)], "promo_code": f"GUESS{number}"}, Idempotency_Key=f"k{number}"
        )
        assert refused(answer) == "promo_unknown"
    locked = quote(owner, listing, promo.code)
    assert locked.status_code == 429
    assert 0 < int(locked["Retry-After"]) <= 900
    assert quote(owner, listing, None).status_code == 200
    assert not Order.objects.exists()


def test_thirty_wrong_codes_lock_the_address(site: Site, promo: PromoCode, owner: ApiClient, listing: Listing) -> None:
    for _ in range(30):
        promos.ADDRESS_LIMIT.take("127.0.0.1")
    assert quote(owner, listing, promo.code).status_code == 429


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"starts_at": timezone.now() + timedelta(days=1)}, "promo_not_started"),
        ({"ends_at": timezone.now() - timedelta(days=1)}, "promo_expired"),
        ({"max_uses": 3, "used": 3}, "promo_exhausted"),
        ({"max_uses_per_account": 1}, "promo_already_used"),
        ({"products": ["billboard"]}, "promo_not_applicable"),
    ],
)
def test_a_code_that_exists_is_no_guess(
    owner: ApiClient, listing: Listing, promo: PromoCode, changes: dict[str, Any], code: str
) -> None:
    promos.reserve_use(check_out(owner, launch(listing), promo_code=promo.code))
    PromoCode.objects.update(**{"max_uses_per_account": None, **changes})
    for _ in range(promos.ACCOUNT_LIMIT.count + 1):
        assert refused(quote(owner, listing, promo.code)) == code
    assert refused(quote(owner, listing, "GUESS")) == "promo_unknown"


def test_a_right_code_in_the_wrong_cart_is_no_guess(owner: ApiClient, listing: Listing, promo: PromoCode) -> None:
    PromoCode.objects.update(minimum_cents=1_000_000)
    for _ in range(11):
        assert refused(quote(owner, listing, promo.code)) == "promo_not_applicable"


def test_uses_are_held_once_and_given_back_once(owner: ApiClient, listing: Listing, promo: PromoCode) -> None:
    order = check_out(owner, launch(listing), promo_code=promo.code)
    assert PromoCode.objects.get().used == 0
    promos.reserve_use(order)
    promos.reserve_use(order)
    assert PromoCode.objects.get().used == 1
    promos.release_uses(order)
    promos.release_uses(order)
    assert PromoCode.objects.get().used == 0
    promos.reserve_use(order)
    promos.consume_use(order)
    promos.release_uses(order)
    assert (PromoCode.objects.get().used, PromoUse.objects.get().state) == (1, "consumed")


def test_the_last_use_goes_to_the_faster(owner: ApiClient, other_owner: ApiClient, promo: PromoCode) -> None:
    PromoCode.objects.update(max_uses=1)
    orders = [
        check_out(client, launch(ListingFactory.create(company__owner=client.user)), promo_code=promo.code)
        for client in (owner, other_owner)
    ]
    promos.reserve_use(orders[0])
    with pytest.raises(promos.PromoExhausted):
        promos.reserve_use(orders[1])
    assert PromoUse.objects.count() == 1
