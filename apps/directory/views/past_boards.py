"""A page of past leaderboards, a year at a time, with their winners."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.core.text.dates import week_dates
from apps.core.web.pages import expensive_page
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.archive import Summary, summaries
from apps.launches.leaderboards.boards import launched_weeks
from apps.launches.leaderboards.links import label, past_boards_url, tabs
from apps.launches.leaderboards.periods import (
    Board,
    Period,
    board_url,
    period_of,
)
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import crumbs, page_data


@expensive_page
@require_safe
def past_boards(request: SiteHttpRequest) -> HttpResponse:
    """Show a year's leaderboards with their winners: the year, its months and its weeks."""
    years = sorted({week.year for week in launched_weeks(request.site)} | {current_week().year})
    try:
        requested = period_of(Board.YEARLY, request.GET.get("year")).first
    except ValueError:
        raise Http404 from None
    year = requested.year if requested else current_week().year
    if year not in years:
        raise Http404
    result = summaries(request.site, year=year)
    context = {
        "year": year,
        "is_now": year == current_week().year,
        "tabs": [{**tab, "current": False} for tab in tabs(period_of(Board.YEARLY))],
        "years": [_shown(one) for one in result[Board.YEARLY]],
        "months": [_shown(one) for one in result[Board.MONTHLY]],
        "weeks": [_shown(one) for one in result[Board.WEEKLY]],
        "previous_year": max((one for one in years if one < year), default=None),
        "next_year": min((one for one in years if one > year), default=None),
        **_past_head(request.site, year),
    }
    return render(request, "directory/past_boards.html", context)


def _shown(summary: Summary) -> dict[str, Any]:
    period, winner = summary.period, summary.winner
    return {
        "label": _without_year(period),
        "dates_text": week_dates(period.first, period.last),
        "url": board_url(period),
        "state": "" if summary.is_final and period.is_over else "Being counted" if period.is_over else "Open",
        "launches": summary.launches,
        "votes": summary.votes,
        "votes_text": f"{summary.votes:,}",
        "has_left": summary.has_left,
        "winner": winner
        and {
            "name": winner.company.name,
            "slug": winner.slug,
            "page_url": winner.path,
            "logo_key": winner.company.logo_key,
        },
    }


def _past_head(site: Site, year: int) -> dict[str, Any]:
    path = past_boards_url(period_of(Board.YEARLY, f"{year:04d}"))
    name = f"Leaderboards {year}"
    return {
        "canonical_url": site.url(path),
        "structured_data": [page_data(site, name=name, path=path), crumbs(site, (name, path))],
    }


def _without_year(period: Period) -> str:
    """Return the label without the year, unless it is the year itself."""
    whole = label(period)
    return whole.removesuffix(f" {period.first.year}").removesuffix(",") if period.first else whole
