"""Check one item of a cart and collect its problems."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from apps.core.errors import FieldProblem
from apps.core.stores.postgresql.instances import Instances
from apps.core.stores.postgresql.statements import Parameter, one_of
from apps.core.text.weeks import Week, week_hint
from apps.listings.models import Category, Listing
from apps.orders.models import Product
from apps.orders.models.catalog import PRODUCT_LABELS
from apps.orders.products.placements.booking import Booked, Taken, booked_places, taken_places
from apps.sites.models import Site

_ON_SALE = Instances(Product.objects.on_sale(Parameter("site"), names=one_of("names", "varchar")))


@dataclass(kw_only=True)
class CartCheck:
    """What all items of a cart are checked against, each read when first needed.

    `taken` and `seen` grow with each checked item.
    """

    site: Site
    items: Sequence[Mapping[str, Any]]
    # The account's, on this site, of those in the cart.
    listings: Mapping[int, Listing]
    problems: list[FieldProblem] = field(default_factory=list)
    seen: set[tuple[Any, ...]] = field(default_factory=set)
    # Lookups that products share between the items of a cart.
    cache: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def products(self) -> Mapping[str, Product]:
        return {product.name: product for product in _ON_SALE.read(site=self.site.pk, names=list(PRODUCT_LABELS))}

    @cached_property
    def categories(self) -> Collection[str]:
        return frozenset(Category.objects.filter(site=self.site).values_list("slug", flat=True))

    @cached_property
    def taken(self) -> Taken:
        return taken_places(site_id=self.site.pk, weeks=self._weeks)

    @cached_property
    def booked(self) -> Booked:
        return booked_places(listings=self._wanted, weeks=self._weeks)

    @property
    def _wanted(self) -> list[int]:
        return [item["listing_id"] for item in self.items if "listing_id" in item]

    @property
    def _weeks(self) -> set[str]:
        places = [place for item in self.items for place in (item, item.get("options", {}))]
        return {week for place in places for week in place.get("weeks", [])}

    def refuse(self, code: str, detail: str, pointer: str) -> None:
        self.problems.append(FieldProblem(code, detail, pointer))

    def add(self, item: "ItemCheck", options: Mapping[str, Any]) -> None:
        """Refuse an item with its checked options if it is in the cart twice, or the listing has its spot already."""
        product, pk = item.product.name, item.listing and item.listing.pk
        keys = {(product, pk, week) for week in options.get("weeks", [None])}
        if keys & self.seen:
            self.refuse(
                "duplicate_item", f"This order has {product} twice for the same listing. Remove one.", item.pointer
            )
        self.seen |= keys
        slugs = options.get("categories", []) or [""]
        for index, week in enumerate(options.get("weeks", [])):
            if pk and any((product, pk, week, slug) in self.booked for slug in slugs):
                detail = f"This listing already has this spot in {week}. Choose another week."
                item.refuse("already_booked", detail, "weeks", index=index)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemCheck:
    """An item as sent, with its product, listing and options."""

    cart: CartCheck
    pointer: str
    item: Mapping[str, Any]
    product: Product
    listing: Listing | None
    options: Mapping[str, Any]

    @property
    def has_problems(self) -> bool:
        return any(problem.pointer.startswith(f"{self.pointer}/") for problem in self.cart.problems)

    def refuse(self, code: str, detail: str, option: str, *, index: int | None = None) -> None:
        """Record a problem with an option, or with one entry of it."""
        where = self.pointer_to(option)
        self.cart.refuse(code, detail, where if index is None else f"{where}/{index}")

    def pointer_to(self, option: str) -> str:
        """Return the JSON Pointer of an option, which can be inside `options` or beside `product`."""
        return (
            f"{self.pointer}/options/{option}" if option in self.item.get("options", {}) else f"{self.pointer}/{option}"
        )

    def parse_week(self, text: str, option: str, *, index: int | None = None, hint: str = "") -> Week | None:
        """Return the ISO week in a text. Record a problem and return None if it is not one."""
        try:
            return Week.parse(text)
        except ValueError:
            self.refuse("invalid_week", week_hint(text, alternative=hint), option, index=index)
            return None
