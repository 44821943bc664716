"""Search pages. They live here because results show votes."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from apps.core.api.serializers import clean_text
from apps.core.text.dates import week_and_year
from apps.core.text.weeks import Week
from apps.core.web.page_numbers import page_asked_for, page_found
from apps.core.web.pages import expensive_page
from apps.launches.calendar import launch_weeks
from apps.launches.leaderboards.cards import CARD_ROWS, cards_of
from apps.listings import search
from apps.listings.models import Category
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import crumbs

PER_PAGE = 20
WEEKS_OFFERED = 8
SUGGESTED = 6
_SUGGESTED_CATEGORIES = 2
_ORDERS = {search.Order.BEST: "Best match", search.Order.VOTES: "Most votes", search.Order.NEWEST: "Newest"}


@dataclass(frozen=True, slots=True)
class _Query:
    """The visitor's search."""

    text: str
    category: Category | None
    week: Week | None
    order: search.Order

    @property
    def is_filtered(self) -> bool:
        return self.category is not None or self.week is not None


@expensive_page
@require_safe
def search_page(request: SiteHttpRequest) -> HttpResponse:
    """Search by words, category and week, like search_listings. 404 for an unknown category, week or order."""
    text = clean_text(request.GET.get("q", ""))[: search.MAX_LENGTH]
    slug = clean_text(request.GET.get("category", ""))
    chosen = get_object_or_404(Category, site=request.site, slug=slug) if slug else None
    return _results(request, _Query(text, chosen, _week(request.GET), _order(request.GET)))


@expensive_page
@require_safe
def suggestions(request: SiteHttpRequest) -> HttpResponse:
    """Suggest listings and categories for the words typed so far, as a part of a page."""
    text = clean_text(request.GET.get("q", ""))[: search.MAX_LENGTH]
    result = search.suggest_listings(site=request.site, text=text, count=SUGGESTED) if text else []
    categories = (
        Category.objects.filter(site=request.site, name__icontains=text)[:_SUGGESTED_CATEGORIES] if text else []
    )
    return render(request, "directory/suggestions.html", {"query": text, "listings": result, "categories": categories})


def _order(query: QueryDict) -> search.Order:
    try:
        return search.Order(query.get("sort") or search.Order.BEST)
    except ValueError:
        raise Http404 from None


def _week(query: QueryDict) -> Week | None:
    text = query.get("week", "")
    try:
        return Week.parse(text) if text else None
    except ValueError:
        raise Http404 from None


def _results(request: SiteHttpRequest, query: _Query) -> HttpResponse:
    page, result = _find(request, query)
    current = page_found(request, page=page, per_page=PER_PAGE, total=result.total, has_next=result.has_next)
    # Search results aren't pages for search engines.
    is_personal = bool(query.text or query.is_filtered or page > 1 or query.order != search.Order.BEST)
    context = {
        "query": query.text,
        "searched": result.corrected or query.text,
        "is_corrected": result.corrected is not None,
        "is_counted": result.total < search.COUNTED,
        "is_filtered": query.is_filtered,
        "unfiltered_query": urlencode({"q": query.text}) if query.text else "",
        "results": cards_of(result.items, user=request.user, first_rank=current.first_row + 1),
        "page_obj": current,
        "categories": list(Category.objects.filter(site=request.site)),
        "category": query.category,
        "weeks": _weeks_offered(query.week),
        "orders": [(order.value, label, order == query.order) for order, label in _ORDERS.items()],
        "order": query.order.value,
        "canonical_url": "" if is_personal else request.site.url(reverse("search")),
        "structured_data": [] if is_personal else [crumbs(request.site, ("Search", reverse("search")))],
        "noindex": is_personal,
    }
    return render(request, "directory/search.html", context)


def _find(request: SiteHttpRequest, query: _Query) -> tuple[int, search.Found[dict[str, Any]]]:
    """Return the requested page. A number past the end redirects to the last counted page."""
    page = page_asked_for(request)
    result = _page(request, query, page)
    if result.items or page == 1:
        return page, result
    last = max((result.total - 1) // PER_PAGE + 1, 1)
    return last, _page(request, query, last)


def _page(request: SiteHttpRequest, query: _Query, page: int) -> search.Found[dict[str, Any]]:
    return search.search_listings(
        site=request.site,
        text=query.text,
        category=query.category,
        week=query.week,
        order=query.order,
        page=page,
        per_page=PER_PAGE,
        read=CARD_ROWS.page,
    )


def _weeks_offered(chosen: Week | None) -> list[dict[str, Any]]:
    """Return the last weeks and the chosen one, for the filter."""
    now = launch_weeks.current_week()
    offered = {now + -ago for ago in range(WEEKS_OFFERED)} | ({chosen} if chosen else set())
    return [
        {"key": str(week), "label": week_and_year(week), "is_chosen": week == chosen}
        for week in sorted(offered, reverse=True)
    ]
