"""Checking one item of a cart: what it is checked against, and what was found wrong so far."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from apps.core.errors import FieldProblem
from apps.core.weeks import Week
from apps.listings.models import Listing
from apps.orders.models import Product
from apps.orders.placements.booking import Booked, Taken
from apps.sites.models import Site


@dataclass(slots=True)
class CartCheck:
    """What all items of a cart are checked against. `taken` and `seen` grow by the items that were checked."""

    site: Site
    products: Mapping[str, Product]
    listings: Mapping[int, Listing]
    categories: Collection[str]
    taken: Taken
    booked: Booked
    problems: list[FieldProblem] = field(default_factory=list)
    seen: set[tuple[Any, ...]] = field(default_factory=set)
    # What products look up once for a cart, by keys of their own.
    cache: dict[Any, Any] = field(default_factory=dict)

    def refuse(self, code: str, detail: str, pointer: str) -> None:
        self.problems.append(FieldProblem(code, detail, pointer))


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemCheck:
    """An item with its options as they came; `where` are the pointers at which each option stands or would stand."""

    cart: CartCheck
    pointer: str
    product: Product
    listing: Listing | None
    options: Mapping[str, Any]
    where: Mapping[str, str]

    @property
    def has_problems(self) -> bool:
        return any(problem.pointer.startswith(f"{self.pointer}/") for problem in self.cart.problems)

    def refuse(self, code: str, detail: str, option: str, *, index: int | None = None) -> None:
        """Note what is wrong with an option, or with one entry of it."""
        self.cart.refuse(code, detail, self.where[option] if index is None else f"{self.where[option]}/{index}")

    def parse_week(self, text: str, option: str, *, index: int | None = None, hint: str = "") -> Week | None:
        """The ISO week of a text; None, and a problem, for anything else."""
        try:
            return Week.parse(text)
        except ValueError:
            example = Week.of(timezone.now()) + 1
            self.refuse("invalid_week", f"This must be an ISO week such as {example}{hint}.", option, index=index)
            return None
