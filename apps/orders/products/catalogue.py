"""What a site sells: the products it starts with, and which options each product takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import eu_vat_rates_data
from django.db import transaction

from apps.listings.models import Listing
from apps.orders.models import Product, VatRate
from apps.orders.products import price_history
from apps.orders.products import rules as product_rules
from apps.sites.models import Site

Name = Product.Name
WEEKS_AHEAD = product_rules.WEEKS_AHEAD
MAX_CATEGORIES = 3
MAX_AMOUNT_CENTS = product_rules.MAX_AMOUNT_CENTS
RATES_FROM = date(2026, 1, 1)
NOW = "now"
LAUNCHABLE = Listing.LAUNCHABLE
SHOWABLE = LAUNCHABLE | {Listing.Status.LIVE}

# What a launch is for a listing that is live on the free plan already.
UPGRADE = (
    "Upgrade to the paid plan",
    "Shows milestones, screenshots, video and FAQs on your page. Needs no badge, and keeps your launch week.",
)

_BY_WEEK = {"unit": "week"}
_FIRST_PRODUCTS: tuple[dict[str, Any], ...] = (
    {
        "name": "launch",
        "title": "Launch",
        "description": "Your listing goes live at once or in a week you choose, without badge and queue.",
        "price_cents": 9900,
    },
    {
        "name": "billboard",
        "title": "Billboard",
        "description": "The large place on the front page, for whole weeks. You name the price of a week.",
        "price_cents": 29900,
        "min_amount_cents": 29900,
        "capacity": 3,
        **_BY_WEEK,
    },
    {
        "name": "category_feature",
        "title": "Featured in categories",
        "description": "At the top of one to three categories, for whole weeks.",
        "price_cents": 4900,
        "capacity": 5,
        **_BY_WEEK,
    },
    {
        "name": "newsletter_slot",
        "title": "Newsletter slot",
        "description": "A place in the weekly newsletter.",
        "price_cents": 14900,
        "capacity": 2,
        **_BY_WEEK,
    },
    {
        "name": "section_milestones",
        "title": "Milestones section",
        "description": "Shows your milestones on a free listing.",
        "price_cents": 1900,
        "unlocks": ["milestones"],
    },
    {
        "name": "section_gallery",
        "title": "Gallery section",
        "description": "Shows screenshots and a video on a free listing.",
        "price_cents": 1900,
        "unlocks": ["gallery"],
    },
    {
        "name": "section_faq",
        "title": "FAQ section",
        "description": "Shows questions and answers on a free listing.",
        "price_cents": 1900,
        "unlocks": ["faq"],
    },
)


def seed_products(site: Any, *, model: Any = Product) -> None:
    """Give a site its first products; those that are there keep their prices. `model` may be a migration's."""
    if model is Product:
        _seed_with_history(site)
        return
    model.objects.bulk_create(
        [model(site=site, position=position, **fields) for position, fields in enumerate(_FIRST_PRODUCTS, start=1)],
        ignore_conflicts=True,
    )


@transaction.atomic
def _seed_with_history(site: Site) -> None:
    # Whoever seeds the same site at once waits here.
    Site.objects.select_for_update(no_key=True).get(pk=site.pk)
    there = set(Product.objects.filter(site=site).values_list("name", flat=True))
    for position, fields in enumerate(_FIRST_PRODUCTS, start=1):
        if fields["name"] not in there:
            price_history.save_product(product=Product(site=site, position=position, **fields), by=None)


def seed_vat_rates(*, model: Any = VatRate) -> None:
    """Put the Commission's standard rates on record; rows that are there stay. `model` may be a migration's."""
    rates = eu_vat_rates_data.get_all_rates()
    model.objects.bulk_create(
        [
            model(country=country, rate=round(rate["standard"] * 100), from_date=RATES_FROM)
            for country, rate in rates.items()
        ],
        ignore_conflicts=True,
    )


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


def words_for(product: Product, listing: Listing | None) -> tuple[str, str]:
    """Title and description of a product as it is sold for a listing, wherever a buyer reads them."""
    if product.name == Name.LAUNCH and listing is not None and listing.is_upgradable:
        return UPGRADE
    return product.title, product.description


def option_names(product: Product) -> frozenset[str]:
    """The options that an item of this product takes."""
    takes = {
        "week": product.name == Name.LAUNCH,
        "weeks": product.unit == Product.Unit.WEEK,
        "categories": product.name == Name.CATEGORY_FEATURE,
        "amount_cents": product.min_amount_cents is not None,
    }
    return frozenset(name for name, does in takes.items() if does)


def listing_statuses() -> list[str]:
    """The statuses in which a listing can get a product, in the order of a listing's life."""
    return [status for status in Listing.Status.values if status in SHOWABLE]


def options_schema(product: Product, offer: Offer) -> dict[str, Any]:
    """The JSON Schema of an item's `options`: what it accepts, quote_order accepts for a listing that fits."""
    names = option_names(product)
    properties = {name: _OPTIONS[name](product, offer) for name in _OPTIONS if name in names}
    required = [name for name in properties if name in {"weeks", "categories"}]
    if "week" in names and not offer.default_week:
        required.append("week")
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    if rules := [_full_rule(slug, weeks) for slug, weeks in offer.full.items()]:
        schema["allOf"] = rules
    return schema


def _week_option(product: Product, offer: Offer) -> dict[str, Any]:
    schema = {
        "type": "string",
        "enum": list(offer.launch_weeks),
        "description": "now, or the ISO week to launch in. Weeks without a paid spot are left out. In the last days "
        "of a week the default is the next full one: see current_week. Leave it out for a live listing on the free "
        "plan, which a launch upgrades to the paid plan.",
    }
    return {**schema, "default": offer.default_week} if offer.default_week else schema


def _weeks_option(product: Product, offer: Offer) -> dict[str, Any]:
    return {
        "type": "array",
        "items": {"type": "string", "enum": list(offer.weeks)},
        "minItems": product.min_weeks,
        "maxItems": WEEKS_AHEAD + 1,
        "uniqueItems": True,
        "description": "ISO weeks, each for the price of one week. Weeks without a spot are left out.",
    }


def _categories_option(product: Product, offer: Offer) -> dict[str, Any]:
    return {
        "type": "array",
        "items": {"type": "string", "enum": list(offer.categories)},
        "minItems": 1,
        "maxItems": MAX_CATEGORIES,
        "uniqueItems": True,
        "description": "Slugs of categories of this site; all of them for the same price.",
    }


def _amount_option(product: Product, offer: Offer) -> dict[str, Any]:
    return {
        "type": "integer",
        "minimum": product.min_amount_cents,
        "maximum": MAX_AMOUNT_CENTS,
        "default": max(product.price_cents, product.min_amount_cents or 0),
        "description": f"US cents you pay{' a week' if product.unit == Product.Unit.WEEK else ''}, without VAT.",
    }


_OPTIONS = {
    "week": _week_option,
    "weeks": _weeks_option,
    "categories": _categories_option,
    "amount_cents": _amount_option,
}


def _full_rule(slug: str, weeks: Sequence[str]) -> dict[str, Any]:
    chosen = {"properties": {"categories": {"contains": {"const": slug}}}, "required": ["categories"]}
    return {"if": chosen, "then": {"properties": {"weeks": {"items": {"not": {"enum": list(weeks)}}}}}}
