"""Check one item of a cart and collect its problems."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.core.errors import FieldProblem
from apps.core.text.weeks import Week, week_hint
from apps.listings.models import Listing
from apps.orders.models import Product
from apps.orders.placements.booking import Booked, Taken
from apps.sites.models import Site


@dataclass(slots=True)
class CartCheck:
    """What all items of a cart are checked against. `taken` and `seen` grow with each checked item."""

    site: Site
    products: Mapping[str, Product]
    listings: Mapping[int, Listing]
    categories: Collection[str]
    taken: Taken
    booked: Booked
    problems: list[FieldProblem] = field(default_factory=list)
    seen: set[tuple[Any, ...]] = field(default_factory=set)
    # Lookups that products share between the items of a cart.
    cache: dict[Any, Any] = field(default_factory=dict)

    def refuse(self, code: str, detail: str, pointer: str) -> None:
        self.problems.append(FieldProblem(code, detail, pointer))


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemCheck:
    """An item with its options as sent. `where` has the JSON Pointer of each option."""

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
        """Record a problem with an option, or with one entry of it."""
        self.cart.refuse(code, detail, self.where[option] if index is None else f"{self.where[option]}/{index}")

    def parse_week(self, text: str, option: str, *, index: int | None = None, hint: str = "") -> Week | None:
        """Return the ISO week in a text. Record a problem and return None if it is not one."""
        try:
            return Week.parse(text)
        except ValueError:
            self.refuse("invalid_week", week_hint(text, alternative=hint), option, index=index)
            return None
