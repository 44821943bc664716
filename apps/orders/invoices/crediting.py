"""Compute how much of each line a credit note returns. Pure integer arithmetic in US cents."""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.orders.pricing.totals import half_up, share


@dataclass(frozen=True, slots=True)
class Part:
    """A document's part of one line."""

    net_cents: int
    vat_cents: int

    @property
    def total_cents(self) -> int:
        return self.net_cents + self.vat_cents

    def without(self, other: "Part") -> "Part":
        return Part(self.net_cents - other.net_cents, self.vat_cents - other.vat_cents)


Parts = Mapping[int, Part]


def total_of(parts: Parts) -> int:
    """Return the total of the parts with VAT."""
    return sum(part.total_cents for part in parts.values())


def take(left: Parts, *, cents: int, first: int | None = None) -> dict[int, Part]:
    """Choose how `cents` with VAT are credited among what is left of the lines, by line position.

    The line `first` comes before the others, which share the rest in proportion to what is left of them. Never more
    than is left. Crediting everything, in one or several steps, gives exactly the net and VAT of the invoice.
    """
    own = _part_of({position: part for position, part in left.items() if position == first}, cents)
    others = {position: part for position, part in left.items() if position != first}
    taken = own | _part_of(others, cents - total_of(own))
    return {position: part for position, part in sorted(taken.items()) if part.total_cents}


def _part_of(left: Parts, cents: int) -> dict[int, Part]:
    if cents >= total_of(left):
        return dict(left)
    shares = share(cents, [part.total_cents for part in left.values()])
    return {
        position: _with_vat(part, shared)
        for (position, part), shared in zip(left.items(), shares, strict=True)
        if shared
    }


def _with_vat(part: Part, cents: int) -> Part:
    vat_cents = half_up(cents * part.vat_cents, part.total_cents)
    return Part(cents - vat_cents, vat_cents)
