"""Pages of all categories, and of the listings in one."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from apps.core.web.page_numbers import COUNTED, counted_page
from apps.launches.leaderboards.cards import listing_cards
from apps.launches.leaderboards.periods import Board, current_board_url
from apps.listings.models import Category, Listing, ListingQuerySet
from apps.listings.services.categories import list_categories
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import list_page

_BEST = 3


class Order(StrEnum):
    VOTES = "votes"
    NEWEST = "newest"


_ORDERS = {Order.VOTES: ("-votes", "id"), Order.NEWEST: ("-launched_at", "-id")}


@dataclass(frozen=True, slots=True)
class Shelf:
    """A category with the number of its live listings, up to COUNTED, and the most voted ones."""

    category: Category
    count: int
    best: list[Listing]

    @property
    def count_text(self) -> str:
        return f"{self.count:,}{'+' if self.count >= COUNTED else ''}"


def shelves(site: Site) -> list[Shelf]:
    """Return every category of the site in its order, including empty ones. Two queries."""
    best = ArraySubquery(_within().order_by(*_ORDERS[Order.VOTES]).values("pk")[:_BEST])
    result: Any = list_categories(site).annotate(best=best)
    categories = list(result)
    wanted = {pk for category in categories for pk in category.best}
    listings = Listing.objects.public().select_related("company").in_bulk(wanted)
    return [
        Shelf(category, category.live, [listings[pk] for pk in category.best if pk in listings])
        for category in categories
    ]


def listings_in(category: Category, *, order: Order) -> ListingQuerySet:
    """Return a category's live listings in this order."""
    return (
        Listing.objects.public().filter(site=category.site_id, categories=category).only("pk").order_by(*_ORDERS[order])
    )


def _within() -> QuerySet[Listing]:
    """Return the live listings of the outer query's category."""
    return Listing.objects.public().filter(site=OuterRef("site"), categories=OuterRef("pk"))


PER_PAGE = 20
_ORDER_LABELS = {Order.VOTES: "Most votes", Order.NEWEST: "Newest"}
_BOARD_LABELS = {
    Board.WEEKLY: "Best of this week",
    Board.MONTHLY: "Best of this month",
    Board.YEARLY: "Best of this year",
    Board.ALL_TIME: "Best of all time",
}


@require_safe
def category_index(request: SiteHttpRequest) -> HttpResponse:
    """Show every category of the site with the number of its listings and the most voted ones."""
    result, path = shelves(request.site), reverse("categories")
    entries = [
        (place, shelf.category.name, reverse("category", args=[shelf.category.slug]))
        for place, shelf in enumerate(result, start=1)
    ]
    context = {
        "shelves": [_shown(shelf) for shelf in result],
        "canonical_url": request.site.url(path),
        "structured_data": list_page(request.site, name="Categories", path=path, entries=entries),
    }
    return render(request, "directory/categories.html", context)


@require_safe
def category(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show the listings of a category, by votes or newest first."""
    chosen = get_object_or_404(Category, site=request.site, slug=slug)
    order = Order.NEWEST if request.GET.get("sort") == Order.NEWEST else Order.VOTES
    result = listings_in(chosen, order=order)
    page, rows = counted_page(request, result, per_page=PER_PAGE)
    here = reverse("category", args=[slug])
    results = listing_cards([row.pk for row in rows], user=request.user, ranks=count(page.first_row + 1))
    path = _address(here, order, page.page)
    context = {
        "category": chosen,
        "tabs": [
            {"label": text, "url": _address(here, one, 1), "current": one == order}
            for one, text in _ORDER_LABELS.items()
        ],
        "is_by_votes": order == Order.VOTES,
        "results": results,
        "page_obj": page,
        "others": [other for other in request.site.categories.all() if other != chosen],
        "boards": [
            {"label": text, "url": current_board_url(one, category=slug)} for one, text in _BOARD_LABELS.items()
        ],
        "canonical_url": request.site.url(path),
        # These pages have the same listings in another order, or none.
        "noindex": order != Order.VOTES or not results,
        "social": {"title": f"{chosen.name} on {request.site.name}"},
        "structured_data": list_page(
            request.site,
            name=chosen.name,
            path=path,
            entries=[(row.rank, row.name, row.page_url) for row in results],
            above=[("Categories", reverse("categories"))],
            is_ranked=order == Order.VOTES,
        ),
    }
    return render(request, "directory/category.html", context)


def _shown(shelf: Shelf) -> dict[str, object]:
    return {
        "name": shelf.category.name,
        "page_url": reverse("category", args=[shelf.category.slug]),
        "count": shelf.count,
        "count_text": shelf.count_text,
        "best": [
            {"name": listing.company.name, "slug": listing.slug, "logo_key": listing.company.logo_key}
            for listing in shelf.best
        ],
    }


def _address(here: str, order: Order, page: int) -> str:
    """Return the URL of a page in this order, without parameters that have their default."""
    query = {"sort": order.value} if order != Order.VOTES else {}
    if page > 1:
        query["page"] = str(page)
    return f"{here}?{urlencode(query)}" if query else here
