"""Money is right to the cent, whatever the cart."""

from random import Random

import pytest

from apps.orders.pricing.totals import Amount, Discount, half_up, price, share
from tests.properties import example, given, st

amounts = st.lists(
    st.builds(Amount, cents=st.integers(0, 10_000_000), is_discountable=st.booleans()), min_size=1, max_size=50
)
discounts = st.one_of(
    st.none(),
    st.builds(Discount, percent=st.integers(1, 10_000)),
    st.builds(Discount, amount_cents=st.integers(1, 20_000_000)),
)
rates = st.one_of(st.none(), st.integers(0, 10_000))


@given(amounts, discounts, rates)
def test_lines_sum_to_totals(cart: list[Amount], discount: Discount | None, rate: int | None) -> None:
    totals = price(cart, discount=discount, vat_rate=rate)
    assert totals.subtotal_cents == sum(amount.cents for amount in cart)
    assert totals.discount_cents == sum(line.discount_cents for line in totals.lines)
    assert totals.net_cents == sum(line.net_cents for line in totals.lines)
    assert totals.total_cents == sum(line.total_cents for line in totals.lines)
    assert totals.net_cents == totals.subtotal_cents - totals.discount_cents
    assert totals.total_cents == totals.net_cents + (totals.vat_cents or 0)
    if rate is None:
        assert totals.vat_cents is None
        assert all(line.vat_cents is None for line in totals.lines)
    else:
        assert totals.vat_cents == sum(line.vat_cents or 0 for line in totals.lines)


@given(amounts, discounts, rates)
def test_nothing_is_negative_and_no_line_loses_more_than_it_costs(
    cart: list[Amount], discount: Discount | None, rate: int | None
) -> None:
    totals = price(cart, discount=discount, vat_rate=rate)
    for amount, line in zip(cart, totals.lines, strict=True):
        assert 0 <= line.discount_cents <= amount.cents
        assert line.net_cents == amount.cents - line.discount_cents
        assert line.vat_cents is None or line.vat_cents >= 0
        assert amount.is_discountable or line.discount_cents == 0


@pytest.mark.slow
@example([Amount(7), Amount(7, is_discountable=True)], None, 358, Random(1))  # noqa: S311 - shuffles a cart
@example([Amount(7), Amount(7, is_discountable=True)], None, 358, Random(2))  # noqa: S311 - shuffles a cart
@given(amounts, discounts, rates, st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_matter(
    cart: list[Amount], discount: Discount | None, rate: int | None, random: Random
) -> None:
    shuffled = random.sample(cart, len(cart))
    one, other = (price(lines, discount=discount, vat_rate=rate) for lines in (cart, shuffled))
    assert (one.discount_cents, one.vat_cents, one.total_cents) == (
        other.discount_cents,
        other.vat_cents,
        other.total_cents,
    )
    key = lambda pair: (pair[0].cents, pair[0].is_discountable, pair[1].total_cents)  # noqa: E731 - used twice, here only
    assert [pair[1].total_cents for pair in sorted(zip(cart, one.lines, strict=True), key=key)] == [
        pair[1].total_cents for pair in sorted(zip(shuffled, other.lines, strict=True), key=key)
    ]


@given(st.integers(0, 10_000_000), st.lists(st.integers(0, 1_000_000), max_size=60))
def test_each_share_is_within_a_cent_of_its_proportion(total: int, weights: list[int]) -> None:
    parts = share(total, weights)
    if sum(weights):
        assert sum(parts) == total
        for part, weight in zip(parts, weights, strict=True):
            assert abs(part * sum(weights) - total * weight) < sum(weights)


@pytest.mark.parametrize(
    ("cents", "rate", "vat"),
    [(9900, 1900, 1881), (1, 2550, 0), (2, 2500, 1), (10, 500, 1), (9, 500, 0), (9900, 2550, 2525), (0, 2500, 0)],
)
def test_vat_is_rounded_half_up_once(cents: int, rate: int, vat: int) -> None:
    assert price([Amount(cents)], discount=None, vat_rate=rate).vat_cents == vat


def test_vat_is_not_rounded_line_by_line() -> None:
    totals = price([Amount(10)] * 3, discount=None, vat_rate=500)
    assert totals.vat_cents == 2
    assert [line.vat_cents for line in totals.lines] == [1, 1, 0]


def test_an_amount_off_stops_at_what_it_covers() -> None:
    cart = [Amount(500, is_discountable=True), Amount(900)]
    totals = price(cart, discount=Discount(amount_cents=2000), vat_rate=2000)
    assert (totals.discount_cents, totals.net_cents, totals.vat_cents, totals.total_cents) == (500, 900, 180, 1080)


def test_half_up() -> None:
    assert [half_up(number, 10) for number in (4, 5, 14, 15, 25)] == [0, 1, 1, 2, 3]
