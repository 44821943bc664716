"""The base class of products. Each product is a class in `products/kinds`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django import forms
from rest_framework import serializers

from apps.core.text.weeks import Week
from apps.launches.calendar.closing import RunningWeek
from apps.listings.models import Listing
from apps.orders.models import OrderLine, Placement, Product
from apps.orders.models.catalog import PRODUCT_LABELS
from apps.orders.products.amount import amount_field, amount_property, check_amount
from apps.orders.products.delivery import Undeliverable, lock_listing_of
from apps.orders.products.item_check import ItemCheck
from apps.orders.products.placements.booking import Taken
from apps.sites.models import Site

Unit = Product.Unit

WEEKS_AHEAD = 52
NOW = "now"
LAUNCHABLE = Listing.LAUNCHABLE
SHOWABLE = LAUNCHABLE | {Listing.Status.LIVE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A product's current choices: ISO weeks with a free spot, and categories.

    `full` are the weeks in which a category has no free spot. `launch_weeks` begins with `now` while that is open.
    `default_week` is the one of `launch_weeks` used when none is named. Empty if one must be named.
    """

    weeks: Sequence[str] = ()
    launch_weeks: Sequence[str] = ()
    default_week: str = ""
    categories: Sequence[str] = ()
    full: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """The data for offers: the bookable weeks, what is taken in them, and the site's categories."""

    site: Site
    weeks: Sequence[str]
    taken: Taken
    categories: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormContext:
    """What the fields of the buy page depend on. `categories` are the site's names by slug."""

    listing: Listing
    running: RunningWeek
    weeks: Sequence[Week]
    taken: Taken
    categories: Mapping[str, str]


class ProductKind:
    """A product that the code can sell. Its price and texts are in a site's row.

    A subclass defines its options, when it can be bought, how it is delivered and how it is withdrawn.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    # Position in the catalog of a new site, and its initial row.
    position: ClassVar[int]
    defaults: ClassVar[Mapping[str, Any]]
    unit: ClassVar[Product.Unit] = Unit.ONCE
    # Its row names the sections of the listing that it unlocks.
    opens_sections: ClassVar[bool] = False
    can_do_without_listing: ClassVar[bool] = False
    # If bought for the current week, it gets only the rest of it.
    is_cut_short: ClassVar[bool] = True
    # Its spots are those of launch weeks.
    uses_launch_weeks: ClassVar[bool] = False
    options: ClassVar[Sequence[str]] = ()
    # The options that select it, for products without a checkbox.
    chosen_by: ClassVar[Sequence[str]] = ()
    # A sentence in the email that says that a placement's week has begun.
    placement_note: ClassVar[str] = ""

    # ---- catalog ----
    def texts(self, product: Product, listing: Listing | None) -> tuple[str, str]:
        """Return the title and description that buyers of this listing see."""
        return product.title, product.description

    def problem_for(self, listing: Listing, *, unlocks: Sequence[str]) -> tuple[str, str] | None:
        """Return why it can't be delivered for a listing now, as code and sentence, or None."""
        if listing.status not in SHOWABLE:
            return "listing_not_showable", f"This listing is {listing.state_words} and can't be promoted."
        if unlocks and set(unlocks) <= set(listing.unlocked_sections):
            return "already_unlocked", "This section is already unlocked."
        return None

    # ---- options ----
    def option_names(self, product: Product) -> frozenset[str]:
        """Return the options of an item, including `amount_cents` if its row lets buyers name the price."""
        named = {"amount_cents"} if product.min_amount_cents is not None else set()
        return frozenset({*self.options, *named})

    def option_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return its options in the API. Products that share an option declare the same field."""
        return {}

    def offer(self, product: Product, stock: Stock) -> Offer:
        """Return its current choices."""
        return Offer()

    def options_schema(self, product: Product, offer: Offer) -> dict[str, Any]:
        """Return the JSON Schema of an item's `options`, with what quote_order accepts for a fitting listing."""
        properties = self.option_properties(product, offer)
        if product.min_amount_cents is not None:
            properties["amount_cents"] = amount_property(product)
        schema = {
            "type": "object",
            "properties": properties,
            "required": self.required_options(offer),
            "additionalProperties": False,
        }
        if rules := [_full_rule(slug, weeks) for slug, weeks in offer.full.items()]:
            schema["allOf"] = rules
        return schema

    def option_properties(self, product: Product, offer: Offer) -> dict[str, Any]:
        """The JSON Schema of each of its own options."""
        return {}

    def required_options(self, offer: Offer) -> list[str]:
        return []

    def check_options(self, item: ItemCheck) -> dict[str, Any]:
        """Return the options with defaults. Problems go to those of the cart."""
        checked = {**item.options, **self.check_own_options(item)}
        if item.product.min_amount_cents is not None:
            checked["amount_cents"] = check_amount(item)
        if not item.has_problems:
            self.check_places(item, checked)
        return checked

    def check_own_options(self, item: ItemCheck) -> dict[str, Any]:
        return {}

    def check_places(self, item: ItemCheck, checked: Mapping[str, Any]) -> None:
        """Check that the chosen spots are free."""

    def option_text(self, options: Mapping[str, Any], *, site_id: int) -> str:
        """Return the choice as people read it, or an empty string without options."""
        return ""

    # ---- the buy page ----
    def form_fields(self, product: Product, context: FormContext) -> dict[str, forms.Field]:
        """Return its fields on the buy page by option. The one without a name selects it."""
        fields = self.own_form_fields(product, context)
        if product.min_amount_cents is not None:
            fields["amount_cents"] = amount_field(product)
        return fields

    def own_form_fields(self, product: Product, context: FormContext) -> dict[str, forms.Field]:
        return {"": forms.BooleanField(label=self.buy_label(product, context.listing), required=False)}

    def buy_label(self, product: Product, listing: Listing) -> str:
        return f"Buy {self.texts(product, listing)[0]}"

    # ---- an order's line ----
    def spot_weeks(self, line: OrderLine) -> list[str]:
        """Return the ISO weeks in which a spot is reserved while the line is being paid."""
        return []

    def problem_of(self, line: OrderLine, *, product: Product | None, taken: Taken) -> str:
        """Return why a line can't be delivered now, besides its listing, as a sentence. Adds its spots to `taken`."""
        return ""

    def deliver(self, line: OrderLine) -> None:
        """Deliver it in the caller's transaction, with order and line locked. Raises a DomainError."""
        raise NotImplementedError

    def take_back(self, line: OrderLine) -> None:
        """Withdraw a delivery in the caller's transaction, with order and line locked. Raises CannotWithdraw."""
        raise NotImplementedError

    def deliverable_listing(self, line: OrderLine) -> Listing:
        """Return the line's listing, locked. Raises Undeliverable (422) when it is gone or can't get this."""
        listing = lock_listing_of(line)
        if listing is None:
            raise Undeliverable("The listing no longer exists.")
        if problem := self.problem_for(listing, unlocks=line.unlocks):
            raise Undeliverable(problem[1])
        return listing

    def pages(self, placement: Placement) -> list[dict[str, str]]:
        """Return where visitors see a placement: the page's name and absolute URL."""
        return [{"label": "The front page", "url": placement.line.order.site.url("/")}]


KINDS: dict[str, ProductKind] = {}


def register(kind: type[ProductKind]) -> type[ProductKind]:
    """Register a product under its name."""
    KINDS[kind.name] = kind()
    _label()
    return kind


def unregister(kind: type[ProductKind]) -> None:
    """Unregister a product."""
    del KINDS[kind.name]
    _label()


def _label() -> None:
    PRODUCT_LABELS.clear()
    PRODUCT_LABELS.update({kind.name: kind.label for kind in sorted(KINDS.values(), key=lambda kind: kind.position)})


def _full_rule(slug: str, weeks: Sequence[str]) -> dict[str, Any]:
    chosen = {"properties": {"categories": {"contains": {"const": slug}}}, "required": ["categories"]}
    return {"if": chosen, "then": {"properties": {"weeks": {"items": {"not": {"enum": list(weeks)}}}}}}
