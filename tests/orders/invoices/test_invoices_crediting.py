"""Credit notes in numbers: whatever goes back in whatever steps, they sum to the invoice and never exceed it."""

from apps.orders.invoices.crediting import Part, take, total_of
from apps.orders.pricing.totals import Amount, Discount, price
from tests.properties import given, st

carts = st.lists(st.integers(0, 2_000_000), min_size=1, max_size=20)
rates = st.sampled_from([0, 700, 1900, 2100, 2550, 2700])


def parts_of(cents: list[int], rate: int, percent: int) -> dict[int, Part]:
    """The lines of a priced order."""
    totals = price([Amount(amount, True) for amount in cents], discount=Discount(percent=percent), vat_rate=rate)
    return {position: Part(line.net_cents, line.vat_cents or 0) for position, line in enumerate(totals.lines, start=1)}


def less(left: dict[int, Part], taken: dict[int, Part]) -> dict[int, Part]:
    return {position: part.without(taken.get(position, Part(0, 0))) for position, part in left.items()}


@given(carts, rates, st.integers(1, 10_000), st.lists(st.tuples(st.integers(0, 3_000_000), st.integers(0, 25))))
def test_steps_of_any_size_never_exceed_what_is_left(
    cents: list[int], rate: int, percent: int, steps: list[tuple[int, int]]
) -> None:
    left = parts_of(cents, rate, percent)
    for amount, first in steps:
        taken = take(left, cents=amount, first=first or None)
        assert total_of(taken) == min(amount, total_of(left))
        left = less(left, taken)
        assert all(part.net_cents >= 0 and part.vat_cents >= 0 for part in left.values())
    left = less(left, take(left, cents=total_of(left)))
    assert set(left.values()) == {Part(0, 0)}


@given(carts, rates, st.integers(1, 10_000))
def test_line_by_line_each_note_is_the_line(cents: list[int], rate: int, percent: int) -> None:
    whole = left = parts_of(cents, rate, percent)
    for position, part in whole.items():
        taken = take(left, cents=part.total_cents, first=position)
        assert taken == ({position: part} if part.total_cents else {})
        left = less(left, taken)
    assert total_of(left) == 0


def test_a_line_that_is_used_up_passes_the_rest_on() -> None:
    left = {1: Part(100, 19), 2: Part(1000, 190)}
    assert take(left, cents=238, first=1) == {1: Part(100, 19), 2: Part(100, 19)}


def test_nothing_takes_nothing() -> None:
    assert take({1: Part(100, 19)}, cents=0) == {}
