"""The base class of products. Each product is a class in `products/kinds`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django import forms
from rest_framework import serializers

from apps.core.weeks import Week
from apps.launches.calendar.closing import RunningWeek
from apps.listings.models import Listing
from apps.orders.models import OrderLine, Placement, Product
from apps.orders.models.catalogue import PRODUCT_LABELS
from apps.orders.placements.booking import Taken
from apps.orders.products.amount import amount_field, amount_property, check_amount
from apps.orders.products.delivery import Undeliverable, lock_listing_of
from apps.orders.products.item_check import ItemCheck
from apps.sites.models import Site

Unit = Product.Unit

WEEKS_AHEAD = 52
NOW = "now"
LAUNCHABLE = Listing.LAUNCHABLE
SHOWABLE = LAUNCHABLE | {Listing.Status.LIVE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What of a product can be chosen now: ISO weeks with a place left, and categories.

    `full` are the weeks in which a category has no place left; `launch_weeks` begins with `now` while that is open.
    `default_week` is the one of `launch_weeks` that is taken when none is named; empty where one has to be named.
    """

    weeks: Sequence[str] = ()
    launch_weeks: Sequence[str] = ()
    default_week: str = ""
    categories: Sequence[str] = ()
    full: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """What offers are made from: the weeks that can be booked, what is taken in them, and the site's categories."""

    site: Site
    weeks: Sequence[str]
    taken: Taken
    categories: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormContext:
    """What the fields of the buy page depend on."""

    listing: Listing
    running: RunningWeek
    weeks: Sequence[Week]
    taken: Taken


class ProductKind:
    """A product that the code knows how to sell. What it costs now, and its texts, are the row of a site.

    A subclass says what it takes (options), when it can be bought, how it is delivered and how it is taken back.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    # Position in the catalog of a new site, and its initial row.
    position: ClassVar[int]
    defaults: ClassVar[Mapping[str, Any]]
    unit: ClassVar[Product.Unit] = Unit.ONCE
    # Its row names sections of the listing that it opens.
    opens_sections: ClassVar[bool] = False
    can_do_without_listing: ClassVar[bool] = False
    # Bought for the running week, it gets only the rest of it.
    is_cut_short: ClassVar[bool] = True
    # Its spots are those of launch weeks.
    uses_launch_weeks: ClassVar[bool] = False
    options: ClassVar[Sequence[str]] = ()
    # The options that say that it is wanted, where no box does.
    chosen_by: ClassVar[Sequence[str]] = ()
    # A sentence in the email that says that a placement's week has begun.
    placement_note: ClassVar[str] = ""

    # ---- catalogue ----
    def texts(self, product: Product, listing: Listing | None) -> tuple[str, str]:
        """Return the title and description that buyers of this listing see."""
        return product.title, product.description

    def problem_for(self, listing: Listing, *, unlocks: Sequence[str]) -> tuple[str, str] | None:
        """Why it cannot be delivered for a listing as it stands, as code and sentence; None when it can."""
        if listing.status not in SHOWABLE:
            return "listing_not_showable", f"This listing is {listing.status} and can't be promoted."
        if unlocks and set(unlocks) <= set(listing.unlocked_sections):
            return "already_unlocked", "This section is already unlocked."
        return None

    # ---- options ----
    def option_names(self, product: Product) -> frozenset[str]:
        """The options that an item of it takes; `amount_cents` where its row lets buyers name the price."""
        named = {"amount_cents"} if product.min_amount_cents is not None else set()
        return frozenset({*self.options, *named})

    def option_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Its options in the API; products that share an option declare the same field."""
        return {}

    def offer(self, product: Product, stock: Stock) -> Offer:
        """What of it can be chosen now."""
        return Offer()

    def options_schema(self, product: Product, offer: Offer) -> dict[str, Any]:
        """The JSON Schema of an item's `options`: what it accepts, quote_order accepts for a listing that fits."""
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
        """The options completed by their defaults; what is wrong goes to the problems of the cart."""
        checked = {**item.options, **self.check_own_options(item)}
        if item.product.min_amount_cents is not None:
            checked["amount_cents"] = check_amount(item)
        if not item.has_problems:
            self.check_places(item, checked)
        return checked

    def check_own_options(self, item: ItemCheck) -> dict[str, Any]:
        return {}

    def check_places(self, item: ItemCheck, checked: Mapping[str, Any]) -> None:
        """Whether the places that were chosen are left."""

    def option_text(self, options: Mapping[str, Any]) -> str:
        """What was chosen, as people read it; empty without options."""
        return ""

    # ---- the buy page ----
    def form_fields(self, product: Product, context: FormContext) -> dict[str, forms.Field]:
        """Its fields by option; the one without a name says that it is wanted."""
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
        """The ISO weeks in which a spot is reserved while the line is being paid."""
        return []

    def problem_of(self, line: OrderLine, *, product: Product | None, taken: Taken) -> str:
        """Why a line could not be delivered now, besides its listing, as a sentence; `taken` grows by what it takes."""
        return ""

    def deliver(self, line: OrderLine) -> None:
        """Give what was paid for, in the caller's transaction; order and line are locked. Raises a DomainError."""
        raise NotImplementedError

    def take_back(self, line: OrderLine) -> None:
        """Withdraw a delivery in the caller's transaction, with order and line locked. Raises CannotWithdraw."""
        raise NotImplementedError

    def deliverable_listing(self, line: OrderLine) -> Listing:
        """The line's listing, locked; raises Undeliverable (422) when it is gone or cannot get this."""
        listing = lock_listing_of(line)
        if listing is None:
            raise Undeliverable("The listing no longer exists.")
        if problem := self.problem_for(listing, unlocks=line.unlocks):
            raise Undeliverable(problem[1])
        return listing

    def pages(self, placement: Placement) -> list[dict[str, str]]:
        """Where visitors see a placement: what the page is called, and its absolute address."""
        return [{"label": "The front page", "url": placement.line.order.site.url("/")}]


KINDS: dict[str, ProductKind] = {}


def register(kind: type[ProductKind]) -> type[ProductKind]:
    """Make a product known, under its name."""
    KINDS[kind.name] = kind()
    _label()
    return kind


def unregister(kind: type[ProductKind]) -> None:
    """Forget a product."""
    del KINDS[kind.name]
    _label()


def _label() -> None:
    PRODUCT_LABELS.clear()
    PRODUCT_LABELS.update({kind.name: kind.label for kind in sorted(KINDS.values(), key=lambda kind: kind.position)})


def _full_rule(slug: str, weeks: Sequence[str]) -> dict[str, Any]:
    chosen = {"properties": {"categories": {"contains": {"const": slug}}}, "required": ["categories"]}
    return {"if": chosen, "then": {"properties": {"weeks": {"items": {"not": {"enum": list(weeks)}}}}}}
