"""Compute order totals. Pure integer arithmetic: US cents and basis points, without any I/O.

VAT is computed once on the discounted net, half up. Cents are shared out among the lines by largest remainder, so that
the lines always sum to the totals. Equal lines differ by a cent at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

WHOLE = 10_000


@dataclass(frozen=True, slots=True)
class Amount:
    """The price of one line before the discount, and whether the promo code covers it."""

    cents: int
    is_discountable: bool = False


@dataclass(frozen=True, slots=True)
class Discount:
    """What a promo code takes off the lines it covers: a share in basis points, or an amount in cents."""

    percent: int | None = None
    amount_cents: int | None = None

    def off(self, cents: int) -> int:
        """Return the cents taken off an amount, at most the amount itself."""
        if self.percent is not None:
            return half_up(cents * self.percent, WHOLE)
        return min(self.amount_cents or 0, cents)


@dataclass(frozen=True, slots=True)
class LinePrice:
    """One line. `net_cents` is after the discount. VAT is None while the country is not known."""

    discount_cents: int
    net_cents: int
    vat_cents: int | None
    total_cents: int


@dataclass(frozen=True, slots=True)
class Totals:
    lines: tuple[LinePrice, ...]
    subtotal_cents: int
    discount_cents: int
    net_cents: int
    vat_cents: int | None
    total_cents: int


def price(amounts: Sequence[Amount], *, discount: Discount | None, vat_rate: int | None) -> Totals:
    """Price the lines of an order. `vat_rate` is in basis points, None while VAT can't be known.

    Lines are returned in the order of the amounts, which does not affect their prices.
    """
    # The first of equal lines gets leftover cents, so they are sorted to make the cart's order irrelevant.
    order = sorted(range(len(amounts)), key=lambda i: (amounts[i].cents, amounts[i].is_discountable, i))
    totals = _price([amounts[i] for i in order], discount=discount, vat_rate=vat_rate)
    placed = sorted(zip(order, totals.lines, strict=True), key=itemgetter(0))
    return replace(totals, lines=tuple(line for _, line in placed))


def _price(amounts: Sequence[Amount], *, discount: Discount | None, vat_rate: int | None) -> Totals:
    subtotal = sum(amount.cents for amount in amounts)
    covered = [amount.cents if amount.is_discountable else 0 for amount in amounts]
    off = discount.off(sum(covered)) if discount else 0
    discounts = share(off, covered)
    nets = [amount.cents - part for amount, part in zip(amounts, discounts, strict=True)]
    net = subtotal - off
    vat = None if vat_rate is None else half_up(net * vat_rate, WHOLE)
    vats: Sequence[int | None] = [None] * len(nets) if vat is None else share(vat, nets)
    lines = tuple(
        LinePrice(part, line_net, line_vat, line_net + (line_vat or 0))
        for part, line_net, line_vat in zip(discounts, nets, vats, strict=True)
    )
    return Totals(lines, subtotal, off, net, vat, net + (vat or 0))


def half_up(numerator: int, denominator: int) -> int:
    """Divide non-negative numbers, rounding half up."""
    return (2 * numerator + denominator) // (2 * denominator)


def share(total: int, weights: Sequence[int]) -> list[int]:
    """Split `total` in proportion to `weights`, to the cent, by largest remainder.

    A part never exceeds its weight where the total does not exceed their sum. Ties go to the larger weight,
    then to the earlier line.
    """
    whole = sum(weights)
    if whole == 0:
        return [0] * len(weights)
    parts = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda i: (-(total * weights[i] % whole), -weights[i], i))
    for index in by_remainder[: total - sum(parts)]:
        parts[index] += 1
    return parts
