"""What a site sells: the products it starts with, and which options each product takes."""

from datetime import date
from typing import Any

import eu_vat_rates_data

from apps.orders.models import Product, VatRate

Name = Product.Name
WEEKS_AHEAD = 52
MAX_CATEGORIES = 3
MAX_AMOUNT_CENTS = 100_000_00
RATES_FROM = date(2026, 1, 1)

_WEEK_PATTERN = r"^\d{4}-W\d{2}$"
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
    model.objects.bulk_create(
        [model(site=site, position=position, **fields) for position, fields in enumerate(_FIRST_PRODUCTS, start=1)],
        ignore_conflicts=True,
    )


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


def option_names(product: Product) -> frozenset[str]:
    """The options that an item of this product takes."""
    return frozenset(options_schema(product)["properties"])


def options_schema(product: Product) -> dict[str, Any]:
    """The JSON Schema of an item's `options` for this product."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    if product.name == Name.LAUNCH:
        properties["week"] = {
            "type": "string",
            "anyOf": [{"const": "now"}, {"pattern": _WEEK_PATTERN}],
            "default": "now",
            "description": "now, or the ISO week to launch in, such as 2026-W46.",
        }
    if product.unit == Product.Unit.WEEK:
        properties["weeks"] = {
            "type": "array",
            "items": {"type": "string", "pattern": _WEEK_PATTERN},
            "minItems": product.min_weeks,
            "maxItems": WEEKS_AHEAD,
            "uniqueItems": True,
            "description": f"ISO weeks from the current one to {WEEKS_AHEAD} weeks ahead.",
        }
        required.append("weeks")
    if product.name == Name.CATEGORY_FEATURE:
        properties["categories"] = {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "maxItems": MAX_CATEGORIES,
            "uniqueItems": True,
            "description": "Slugs of categories of this site.",
        }
        required.append("categories")
    if product.min_amount_cents is not None:
        properties["amount_cents"] = {
            "type": "integer",
            "minimum": product.min_amount_cents,
            "maximum": MAX_AMOUNT_CENTS,
            "default": max(product.price_cents, product.min_amount_cents),
            "description": "US cents you pay for each unit, without VAT.",
        }
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
