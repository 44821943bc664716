"""Carts of every shape through the real path: what is quoted is what is built, shown and charged."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.listings.models import Listing
from apps.orders.models import Order, Product, PromoCode, SellerSettings, VatRate
from apps.orders.pricing.totals import Amount, Discount, price
from apps.orders.products.amount import MAX_AMOUNT_CENTS
from apps.orders.products.base import WEEKS_AHEAD
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders.carts import BILLING, week
from tests.properties import HealthCheck, example, given, settings, st

# The database is not emptied between examples; each one sets everything that it is about.
through_the_database = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
SOLD = ("launch", "billboard", "category_feature", "newsletter_slot", "section_milestones", "section_faq")
BY_WEEK = ("billboard", "category_feature", "newsletter_slot")
MONEY = ("subtotal_cents", "discount_cents", "net_cents", "total_cents")
LISTINGS = 4
BIGINT, JSON_INTEGER = 2**63 - 1, 2**53
MOST = MAX_AMOUNT_CENTS * (WEEKS_AHEAD + 1)


@dataclass(frozen=True)
class Case:
    """A cart with the prices, the promo code and the VAT that hold for it. `items` are product, listing, weeks."""

    items: Sequence[tuple[str, int, int]]
    prices: Sequence[int]
    amount_cents: int
    percent_off: int | None
    amount_off_cents: int | None
    covers: Sequence[str]
    country: str
    rate: int
    random: Random


cases = st.builds(
    Case,
    items=st.lists(
        st.tuples(st.sampled_from(SOLD), st.integers(0, LISTINGS - 1), st.integers(1, 5)),
        min_size=1,
        max_size=12,
        unique_by=lambda item: item[:2],
    ),
    prices=st.lists(st.integers(0, 50_000), min_size=len(SOLD), max_size=len(SOLD)),
    amount_cents=st.integers(1, MAX_AMOUNT_CENTS),
    percent_off=st.none() | st.integers(1, 10_000) | st.just(10_000),
    amount_off_cents=st.integers(1, 400_000),
    covers=st.lists(st.sampled_from(SOLD), max_size=3, unique=True),
    country=st.sampled_from(["FI", "EE", "HU", "US"]),
    rate=st.integers(0, 10_000),
    random=st.randoms(use_true_random=False),
)


@pytest.fixture(autouse=True)
def _same_day(time_machine: Any) -> None:
    """A notice says in how many days a week closes."""
    time_machine.move_to(timezone.now(), tick=False)


@pytest.fixture
def listings(owner: ApiClient, site: Site) -> list[Listing]:
    return [ListingFactory.create(company__owner=owner.user, site=site) for _ in range(LISTINGS)]


def set_up(case: Case, site: Site) -> None:
    # Places are not what is looked at here.
    Product.objects.filter(site=site).update(capacity=None)
    VatRate.objects.filter(country=case.country).update(rate=case.rate)
    for name, cents in zip(SOLD, case.prices, strict=True):
        Product.objects.filter(site=site, name=name).update(price_cents=cents)
    Product.objects.filter(site=site, name="billboard").update(min_amount_cents=1)
    terms = {"percent_off": case.percent_off, "amount_off_cents": None if case.percent_off else case.amount_off_cents}
    PromoCode.objects.update_or_create(
        site=site, code="CASE", defaults={**terms, "products": case.covers, "max_uses_per_account": None}
    )


def body_of(case: Case, listings: Sequence[Listing]) -> dict[str, Any]:
    items = [_item(case, *item, listings=listings) for item in case.items]
    covered = [item for item in case.items if not case.covers or item[0] in case.covers]
    cents = dict(zip(SOLD, case.prices, strict=True)) | {"billboard": case.amount_cents}
    code = {"promo_code": "CASE"} if any(cents[item[0]] for item in covered) else {}
    return {"items": items, "billing_country": case.country, **code}


def _item(case: Case, product: str, index: int, weeks: int, *, listings: Sequence[Listing]) -> dict[str, Any]:
    item: dict[str, Any] = {"product": product, "listing_id": listings[index].pk}
    if product in BY_WEEK:
        item["weeks"] = [week(ahead) for ahead in range(1, weeks + 1)]
    if product == "category_feature":
        item["categories"] = ["design"]
    if product == "billboard":
        item["amount_cents"] = case.amount_cents
    return item


def money_of(answer: dict[str, Any]) -> dict[str, Any]:
    """What a quote or checkout says of money, of its lines too."""
    shared = ("items", "promo", "vat", "currency", "notices", *MONEY)
    return {name: answer[name] for name in shared}


def shown_on_page(order: Order) -> int:
    page = Client().get(f"/checkout/{order.secret}").content.decode()
    result = re.search(r'name="total_cents"\s+value="(\d+)"', page)
    assert result, page
    return int(result[1])


def check_sums(answer: dict[str, Any]) -> None:
    lines, vat = answer["items"], answer["vat"]["amount_cents"]
    assert answer["subtotal_cents"] - answer["discount_cents"] == answer["net_cents"]
    assert answer["net_cents"] + vat == answer["total_cents"]
    for name, whole in (
        ("discount_cents", answer["discount_cents"]),
        ("net_cents", answer["net_cents"]),
        ("vat_cents", vat),
        ("total_cents", answer["total_cents"]),
    ):
        assert sum(line[name] for line in lines) == whole
        assert all(line[name] >= 0 for line in lines)
    for line in lines:
        assert line["unit_price_cents"] * line["quantity"] - line["discount_cents"] == line["net_cents"]
        assert line["net_cents"] + line["vat_cents"] == line["total_cents"]
    # Half up, once for the whole order.
    assert vat == (2 * answer["net_cents"] * (answer["vat"]["rate"] or 0) + 10_000) // 20_000


@pytest.mark.slow
@through_the_database
@given(case=cases)
def test_what_is_quoted_is_built_and_shown(
    owner: ApiClient, site: Site, seller: SellerSettings, listings: list[Listing], case: Case
) -> None:
    set_up(case, site)
    body = body_of(case, listings)
    quoted = owner.post("/orders/quote", body)
    assert quoted.status_code == 200, quoted.json()
    check_sums(quoted.json())
    built = owner.post("/orders/checkout", body)
    assert built.status_code == 201, built.json()
    assert money_of(built.json()) == money_of(quoted.json())
    order = Order.objects.get(number=built.json()["number"])
    total = quoted.json()["total_cents"]
    assert (order.total_cents, shown_on_page(order)) == (total, total)
    form = BILLING | {"country": case.country, "promo_code": body.get("promo_code", "")}
    assert Client().post(f"/checkout/{order.secret}", form).status_code == 302
    assert shown_on_page(order) == total
    read = owner.get(f"/orders/{order.number}").json()
    assert [read[name] for name in MONEY] == [quoted.json()[name] for name in MONEY]
    named = ("unit_price_cents", "quantity", "discount_cents", "net_cents", "vat_cents", "total_cents")
    assert [[line[name] for name in named] for line in read["lines"]] == [
        [line[name] for name in named] for line in quoted.json()["items"]
    ]


@pytest.mark.slow
@through_the_database
@given(case=cases)
def test_the_order_of_items_does_not_matter(
    owner: ApiClient, site: Site, seller: SellerSettings, listings: list[Listing], case: Case
) -> None:
    set_up(case, site)
    body = body_of(case, listings)
    shuffled = {**body, "items": case.random.sample(body["items"], len(body["items"]))}
    one, other = (owner.post("/orders/quote", sent).json() for sent in (body, shuffled))
    assert [one[name] for name in (*MONEY, "vat", "promo")] == [other[name] for name in (*MONEY, "vat", "promo")]
    assert lines_of(one, case) == lines_of(other, case)


def lines_of(answer: dict[str, Any], case: Case) -> list[tuple[Any, ...]]:
    """What lines of each price cost: among equal ones, which gets the last cent means nothing."""
    covered = [not case.covers or line["product"] in case.covers for line in answer["items"]]
    return sorted(
        (line["unit_price_cents"] * line["quantity"], is_covered, line["net_cents"], line["total_cents"])
        for line, is_covered in zip(answer["items"], covered, strict=True)
    )


@pytest.mark.parametrize("percent_off", [10_000, None])
def test_all_of_it_off(
    owner: ApiClient, site: Site, seller: SellerSettings, listings: list[Listing], percent_off: int | None
) -> None:
    amount = None if percent_off else 10**12
    PromoCode.objects.create(site=site, code="ALL", percent_off=percent_off, amount_off_cents=amount)
    items = [{"product": name, "listing_id": listings[0].pk} for name in ("launch", "section_faq")]
    body = {"items": items, "billing_country": "HU", "promo_code": "ALL"}
    quoted, built = owner.post("/orders/quote", body).json(), owner.post("/orders/checkout", body).json()
    check_sums(quoted)
    assert money_of(quoted) == money_of(built)
    assert (quoted["discount_cents"], quoted["vat"]["amount_cents"], quoted["total_cents"]) == (11800, 0, 0)
    assert shown_on_page(Order.objects.get(number=built["number"])) == 0


@pytest.mark.slow
def test_the_most_that_can_be_bought(owner: ApiClient, site: Site, seller: SellerSettings) -> None:
    """Fifty listings, each on the billboard for all weeks at the highest amount."""
    VatRate.objects.filter(country="HU").update(rate=10_000)
    Product.objects.filter(site=site).update(capacity=None)
    listings = [ListingFactory.create(company__owner=owner.user, site=site) for _ in range(50)]
    weeks = [week(ahead) for ahead in range(WEEKS_AHEAD + 1)]
    items = [
        {"product": "billboard", "listing_id": listing.pk, "weeks": weeks, "amount_cents": MAX_AMOUNT_CENTS}
        for listing in listings
    ]
    body = {"items": items, "billing_country": "HU"}
    quoted = owner.post("/orders/quote", body).json()
    check_sums(quoted)
    built = owner.post("/orders/checkout", body).json()
    assert money_of(quoted) == money_of(built)
    order = Order.objects.get(number=built["number"])
    assert order.total_cents == shown_on_page(order) == 2 * 50 * MOST
    assert order.total_cents < JSON_INTEGER


amounts = st.lists(
    st.builds(Amount, cents=st.integers(0, MOST) | st.sampled_from([0, 1, MOST]), is_discountable=st.booleans()),
    min_size=1,
    max_size=50,
)
discounts = (
    st.none()
    | st.builds(Discount, percent=st.integers(1, 10_000) | st.just(10_000))
    | st.builds(Discount, amount_cents=st.integers(1, BIGINT) | st.just(1))
)
rates = st.none() | st.integers(0, 10_000) | st.sampled_from([1900, 2550, 2700])


@pytest.mark.slow
@settings(max_examples=500)
@example(cart=[Amount(MOST, is_discountable=True)] * 50, discount=None, rate=10_000)
@example(cart=[Amount(MOST, is_discountable=True)] * 50, discount=Discount(percent=1), rate=2700)
@given(cart=amounts, discount=discounts, rate=rates)
def test_pricing_holds_for_every_cart(cart: list[Amount], discount: Discount | None, rate: int | None) -> None:
    totals = price(cart, discount=discount, vat_rate=rate)
    vat = totals.vat_cents or 0
    assert totals.subtotal_cents - totals.discount_cents == totals.net_cents
    assert totals.net_cents + vat == totals.total_cents
    assert (totals.vat_cents is None) == (rate is None)
    for name in ("discount_cents", "net_cents", "total_cents"):
        assert sum(getattr(line, name) for line in totals.lines) == getattr(totals, name)
    assert sum(line.vat_cents or 0 for line in totals.lines) == vat
    for amount, line in zip(cart, totals.lines, strict=True):
        assert 0 <= line.discount_cents <= (amount.cents if amount.is_discountable else 0)
        assert line.net_cents == amount.cents - line.discount_cents
        assert 0 <= (line.vat_cents or 0) <= line.net_cents
        assert line.total_cents == line.net_cents + (line.vat_cents or 0)
    assert totals.total_cents < JSON_INTEGER < BIGINT


@pytest.mark.slow
@settings(max_examples=300)
@given(cart=amounts, rate=st.integers(0, 10_000))
def test_all_off_leaves_nothing(cart: list[Amount], rate: int) -> None:
    covered = [Amount(amount.cents, is_discountable=True) for amount in cart]
    for discount in (Discount(percent=10_000), Discount(amount_cents=BIGINT)):
        totals = price(covered, discount=discount, vat_rate=rate)
        assert (totals.discount_cents, totals.net_cents, totals.vat_cents, totals.total_cents) == (
            totals.subtotal_cents,
            0,
            0,
            0,
        )
