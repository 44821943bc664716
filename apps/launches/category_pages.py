"""The categories in the browser: all of them, and the listings of one."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from apps.core.web.page_numbers import page_object, page_rows
from apps.launches.directory import Order, Shelf, listings_in, shelves
from apps.launches.periods import Board, current_board_url
from apps.launches.rows import rows
from apps.listings.models import Category
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import list_page

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
    """Every category of the site with the number of its listings and its best."""
    found, path = shelves(request.site), reverse("categories")
    entries = [
        (place, shelf.category.name, reverse("category", args=[shelf.category.slug]))
        for place, shelf in enumerate(found, start=1)
    ]
    context = {
        "shelves": [_shown(shelf) for shelf in found],
        "canonical_url": request.site.url(path),
        "structured_data": list_page(request.site, name="Categories", path=path, entries=entries),
    }
    return render(request, "launches/categories.html", context)


@require_safe
def category(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """The listings of a category, those with the most votes or the newest first."""
    chosen = get_object_or_404(Category, site=request.site, slug=slug)
    order = Order.NEWEST if request.GET.get("sort") == Order.NEWEST else Order.VOTES
    found = listings_in(chosen, order=order)
    page = page_object(request, total=found.count(), per_page=PER_PAGE)
    here = reverse("category", args=[slug])
    results = rows(page_rows(found, page), user=request.user, first_rank=page.first_row + 1)
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
        # The same listings in another order, or none.
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
    return render(request, "launches/category.html", context)


def _shown(shelf: Shelf) -> dict[str, object]:
    return {
        "name": shelf.category.name,
        "page_url": reverse("category", args=[shelf.category.slug]),
        "count": shelf.count,
        "best": [
            {"name": listing.company.name, "slug": listing.slug, "logo_url": listing.company.logo_url}
            for listing in shelf.best
        ],
    }


def _address(here: str, order: Order, page: int) -> str:
    """The address of a page in this order; what goes without saying is left out of it."""
    query = {"sort": order.value} if order != Order.VOTES else {}
    if page > 1:
        query["page"] = str(page)
    return f"{here}?{urlencode(query)}" if query else here
