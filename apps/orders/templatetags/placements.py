"""Template tags for sponsored spots, for apps that don't know about orders."""

from typing import Any

from django import template

from apps.orders.products.kinds.billboard import Billboard
from apps.orders.products.kinds.category_feature import CategoryFeature
from apps.orders.products.placements.booking import shown_listings
from apps.orders.products.placements.card import sponsored_card
from apps.sites.models import Site

register = template.Library()


@register.inclusion_tag("orders/parts/sponsored_billboard.html")
def billboard(site: Site) -> dict[str, Any]:
    """Return the listings in the large spot on the front page this week, the highest amount first."""
    return {"cards": [sponsored_card(one) for one in shown_listings(site, Billboard.name)]}


@register.inclusion_tag("orders/parts/sponsored_rows.html")
def category_features(site: Site, category: str) -> dict[str, Any]:
    """Return the listings featured at the top of a category, by its slug, this week."""
    listings = shown_listings(site, CategoryFeature.name, category=category)
    return {"cards": [sponsored_card(one) for one in listings]}
