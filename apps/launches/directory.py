"""The categories of a site as a directory: how much is in each, its best, and its listings in either order."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.aggregates import Count
from django.db.models.functions import Coalesce

from apps.listings.models import Category, Listing, ListingQuerySet
from apps.sites.models import Site

_BEST = 3


class Order(StrEnum):
    VOTES = "votes"
    NEWEST = "newest"


_ORDERS = {Order.VOTES: ("-votes", "id"), Order.NEWEST: ("-launched_at", "-id")}


@dataclass(frozen=True, slots=True)
class Shelf:
    """A category with the number of its live listings and those that people voted for most."""

    category: Category
    count: int
    best: list[Listing]


def shelves(site: Site) -> list[Shelf]:
    """Every category of the site in its order, also those without listings. Two queries."""
    found: Any = Category.objects.filter(site=site).annotate(
        live=Coalesce(Subquery(_counted(_within())), 0),
        best=ArraySubquery(_within().order_by(*_ORDERS[Order.VOTES]).values("pk")[:_BEST]),
    )
    categories = list(found)
    wanted = {pk for category in categories for pk in category.best}
    listings = Listing.objects.public().select_related("company").in_bulk(wanted)
    return [
        Shelf(category, category.live, [listings[pk] for pk in category.best if pk in listings])
        for category in categories
    ]


def listings_in(category: Category, *, order: Order) -> ListingQuerySet:
    """The live listings of a category, with what a list shows."""
    found = Listing.objects.public().filter(site=category.site_id, categories=category)
    return found.with_details().order_by(*_ORDERS[order])


def _within() -> QuerySet[Listing]:
    """The live listings of the category around."""
    return Listing.objects.public().filter(categories=OuterRef("pk"))


def _counted(listings: QuerySet[Listing]) -> Any:
    return listings.order_by().values("categories").annotate(count=Count("pk")).values("count")
