"""A listing's statistics for its owner, as a page and CSV files."""

from collections.abc import Iterable, Sequence

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from apps.analytics import figures, series
from apps.analytics.counting import count_click
from apps.analytics.figures import Days
from apps.core.web.csv_tables import Cell, Table, csv_text
from apps.listings.models import Listing
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.sites.requests import SiteHttpRequest


# Browsers send beacons without a CSRF token, and this only increases a number.
@csrf_exempt
@require_POST
def visit(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Count a click. The response is empty and the same whether it counts, or 429 past the limit."""
    live = Listing.objects.public().filter(site=request.site).select_related("company")
    standing = count_click(request, get_object_or_404(live, slug=slug))
    if standing is not None and not standing.is_within:
        return HttpResponse(status=429, headers={"Retry-After": str(standing.seconds)})
    return HttpResponse(status=204)


@never_cache
@login_required
@require_safe
def listing_statistics(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show views, visitors, clicks and votes over time with a comparison, and the sources of views."""
    listing = own_listing(request, slug)
    if not is_open(listing, "listing_statistics"):
        return to_overview(listing)
    key, days = _range(request, listing)
    by_day = series.rows_by_day(listing, days)
    rows = series.drawn_rows(by_day)
    result = series.totals(listing, rows, before=series.days_before(listing, key, days))
    views = result[0].value
    context = {
        "listing": head(listing, current="listing_statistics"),
        "ranges": _tabs(listing, key),
        "range": key,
        "range_label": series.RANGES[key],
        "totals": result,
        "charts": series.charts(rows),
        "names": series.NAMES,
        "rows": list(reversed(rows)),
        "sources": _shares(series.sources(listing, days, views=views, most=series.SOURCES_SHOWN), views),
    }
    return render(request, "analytics/statistics.html", context)


@never_cache
@login_required
@require_safe
def days_csv(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Return each day's numbers in the range as CSV."""
    listing = own_listing(request, slug)
    _, days = _range(request, listing)
    rows = ([day.isoformat(), *map(str, row.numbers)] for day, row in series.rows_by_day(listing, days))
    return _file(listing, "statistics", ("day", *series.NAMES), rows)


@never_cache
@login_required
@require_safe
def sources_csv(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Return all sources of the range's views as CSV, most frequent first."""
    listing = own_listing(request, slug)
    _, days = _range(request, listing)
    return _file(listing, "referrers", ("source", "views"), figures.top_sources(listing, days))


def _range(request: SiteHttpRequest, listing: Listing) -> tuple[str, Days]:
    key = request.GET.get("days", "")
    key = key if key in series.RANGES else series.DEFAULT_RANGE
    return key, series.days_of(listing, key)


def _tabs(listing: Listing, current: str) -> list[dict[str, object]]:
    address = reverse("listing_statistics", args=[listing.slug])
    return [
        {"label": label, "url": f"{address}?days={key}", "is_current": key == current}
        for key, label in series.RANGES.items()
    ]


def _shares(sources: Sequence[tuple[str, int]], views: int) -> list[dict[str, object]]:
    return [
        {"label": label, "views": count, "percent": round(count * 100 / views)} for label, count in sources if views
    ]


def _file(listing: Listing, name: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    response = HttpResponse("".join(csv_text(Table(name, header, rows))), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{listing.slug}-{name}.csv"'
    return response
