from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.urls import reverse
from rest_framework import serializers

from apps.core.api.patterns import SLUG
from apps.core.api.serializers import PlainTextField, StatedListField
from apps.listings.models import Category
from apps.orders.models import Placement, Product
from apps.orders.products.base import FormContext, Offer, register
from apps.orders.products.item_check import ItemCheck
from apps.orders.products.weekly import WeeklyPlacement, boxes

MAX_CATEGORIES = 3


@register
class CategoryFeature(WeeklyPlacement):
    """A spot at the top of one to three categories. Spots are counted for each category."""

    name = "category_feature"
    label = "Category feature"
    position = 3
    defaults: ClassVar[Mapping[str, Any]] = {
        "title": "Featured in categories",
        "description": "At the top of 1 to 3 categories, by the week.",
        "price_cents": 4900,
        "capacity": 5,
    }
    options: ClassVar[Sequence[str]] = ("weeks", "categories")
    chosen_by: ClassVar[Sequence[str]] = ("weeks", "categories")

    def option_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            **super().option_fields(),
            "categories": StatedListField(
                child=PlainTextField(max_length=40, pattern=SLUG),
                required=False,
                max_length=MAX_CATEGORIES,
                # The cart explains it in more words.
                json_schema={"minItems": 1, "uniqueItems": True},
                help_text="For category_feature: 1 to 3 category slugs.",
            ),
        }

    def categories_of(self, slugs: Sequence[str]) -> Sequence[str]:
        return slugs

    def option_properties(self, product: Product, offer: Offer) -> dict[str, Any]:
        return {
            **super().option_properties(product, offer),
            "categories": {
                "type": "array",
                "items": {"type": "string", "enum": list(offer.categories)},
                "minItems": 1,
                "maxItems": MAX_CATEGORIES,
                "uniqueItems": True,
                "description": "Category slugs on this site. The price is the same for 1 to 3.",
            },
        }

    def required_options(self, offer: Offer) -> list[str]:
        return ["weeks", "categories"]

    def check_own_options(self, item: ItemCheck) -> dict[str, Any]:
        checked = super().check_own_options(item)
        slugs: Sequence[str] = item.options.get("categories", [])
        if not 1 <= len(slugs) <= MAX_CATEGORIES or len(set(slugs)) < len(slugs):
            item.refuse("invalid_categories", f"Choose 1 to {MAX_CATEGORIES} different categories.", "categories")
        known = item.cart.categories
        for index, slug in enumerate(slugs):
            if slug not in known:
                detail = f"Unknown category {slug[:40]}. Use one of: {', '.join(sorted(known))}."
                item.refuse("category_unknown", detail, "categories", index=index)
        return checked

    def option_text(self, options: Mapping[str, Any], *, site_id: int) -> str:
        slugs = options.get("categories", [])
        names = dict(Category.objects.filter(site=site_id, slug__in=slugs).values_list("slug", "name"))
        weeks = super().option_text(options, site_id=site_id)
        return f"{weeks}, in {', '.join(names.get(slug, slug) for slug in slugs)}"

    def own_form_fields(self, product: Product, context: FormContext) -> dict[str, forms.Field]:
        return {
            **super().own_form_fields(product, context),
            "categories": boxes(
                "Categories (1 to 3)", list(context.categories.items()), help_text="Each category has its own spots."
            ),
        }

    def pages(self, placement: Placement) -> list[dict[str, str]]:
        site = placement.line.order.site
        there = Category.objects.filter(site=site, slug__in=placement.categories)
        return [{"label": one.name, "url": site.url(reverse("category", args=[one.slug]))} for one in there]
