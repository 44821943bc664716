"""The boards in the browser: the front page, every period with its categories, and the list of past periods."""

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.core.errors import NotFound
from apps.core.templatetags.ui import week_dates, week_label
from apps.core.web.page_numbers import page_object, page_rows
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.archive import Summary, summaries
from apps.launches.leaderboards.boards import BoardView, board_of, launched_weeks, ranked
from apps.launches.leaderboards.cards import Row, board_rows
from apps.launches.leaderboards.links import label, link, tabs
from apps.launches.leaderboards.periods import (
    PARAMETERS,
    Board,
    Period,
    board_url,
    current_board_url,
    period_of,
)
from apps.launches.views.front_page import categories_among, latest_updates, past_winners
from apps.launches.views.leaderboard_head import NAMED, TITLES, board_head, board_picture, board_social
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.preview_images import preview_answer
from apps.sites.seo.structured_data import crumbs, list_page, page_data, site_data

AWARDS = {
    Board.WEEKLY: "of the week",
    Board.MONTHLY: "of the month",
    Board.YEARLY: "of the year",
    Board.ALL_TIME: "",
}
PER_PAGE = 30


@require_safe
def home(request: SiteHttpRequest) -> HttpResponse:
    """This week's launches."""
    week = current_week()
    standings = ranked(request.site, period_of(Board.WEEKLY))
    total = standings.count()
    shown = board_rows(standings[:PER_PAGE], user=request.user, award=AWARDS[Board.WEEKLY])
    context = {
        "site": request.site,
        "week": {"label": week_label(week), "closes_text": "Sunday, 23:59 UTC"},
        "tabs": tabs(period_of(Board.WEEKLY)),
        "listings": shown,
        "total": total,
        "all_url": current_board_url(Board.WEEKLY) if total > PER_PAGE else "",
        "categories": categories_among(shown),
        "past_winners": past_winners(request.site),
        "latest_updates": latest_updates(request.site),
        **_home_head(request.site, shown),
    }
    return render(request, "launches/home.html", context)


@require_safe
def board(request: SiteHttpRequest, key: str) -> HttpResponse:
    """A board of any period, all of it or one category."""
    shown = _asked_for(request, key)
    chosen, category = shown.period.board, shown.category.slug if shown.category else ""
    page = page_object(request, total=shown.standings.count(), per_page=PER_PAGE)
    award = "" if shown.category else AWARDS[chosen]
    listed = board_rows(page_rows(shown.standings, page), user=request.user, award=award)
    context = {
        "board": {
            "title": TITLES[chosen],
            "key": key,
            "period_label": label(shown.period),
            "dates_text": week_dates(shown.period.first, shown.period.last),
            "is_over": shown.period.is_over,
            "is_frozen": shown.is_final,
            "ledger": shown.ledger,
        },
        "tabs": tabs(shown.period, category=category),
        "listings": listed,
        "total": page.total,
        "page_obj": page,
        "category": shown.category,
        "categories": request.site.categories.all(),
        "parameter": PARAMETERS.get(chosen),
        "periods": _choices(shown),
        "previous_period": link(shown.previous, category=category),
        "next_period": link(shown.following, category=category),
        "past_url": _past_url(shown.period),
        **board_head(request.site, shown.period, category=shown.category, rows=listed, page=page.page),
    }
    return render(request, "launches/board.html", context)


@require_safe
def board_image(request: SiteHttpRequest, key: str) -> HttpResponseBase:
    """The picture that other services show beside a link to a board."""
    shown = _asked_for(request, key)
    places = [(found.place, found.listing.company.name) for found in _first(shown)]
    picture = board_picture(request.site, shown.period, category=shown.category, places=places)
    return preview_answer(request, picture)


def _first(shown: BoardView) -> Iterable[Any]:
    return shown.standings[:NAMED]


def _asked_for(request: SiteHttpRequest, key: str) -> BoardView:
    """The board of the address; raises Http404 for one that there cannot be."""
    category = request.GET.get("category", "").replace("\x00", "")
    try:
        chosen = Board(key)
        asked = request.GET.get(PARAMETERS[chosen]) if chosen in PARAMETERS else None
        return board_of(request.site, period_of(chosen, asked), category=category)
    except (ValueError, NotFound):
        raise Http404 from None


@require_safe
def past_boards(request: SiteHttpRequest) -> HttpResponse:
    """The boards of a year: the year itself, its months and its weeks, each with its winner."""
    years = sorted({week.year for week in launched_weeks(request.site)} | {current_week().year})
    try:
        asked = period_of(Board.YEARLY, request.GET.get("year")).first
    except ValueError:
        raise Http404 from None
    year = asked.year if asked else current_week().year
    if year not in years:
        raise Http404
    found = summaries(request.site, year=year)
    context = {
        "year": year,
        "is_now": year == current_week().year,
        "tabs": [{**tab, "current": False} for tab in tabs(period_of(Board.YEARLY))],
        "years": [_shown(one) for one in found[Board.YEARLY]],
        "months": [_shown(one) for one in found[Board.MONTHLY]],
        "weeks": [_shown(one) for one in found[Board.WEEKLY]],
        "previous_year": max((one for one in years if one < year), default=None),
        "next_year": min((one for one in years if one > year), default=None),
        **_past_head(request.site, year),
    }
    return render(request, "launches/past_boards.html", context)


def _home_head(site: Site, rows: list[Row]) -> dict[str, Any]:
    """The front page is the site itself, and this week's board."""
    name, path = "This week’s launches", reverse("home")
    entries = [(row.rank, row.name, row.page_url) for row in rows]
    page, _ = list_page(site, name=name, path=path, entries=entries, is_ranked=True)
    return {
        "canonical_url": site.url(path),
        "social": board_social(site, period_of(Board.WEEKLY), category=None, rows=rows),
        "structured_data": [site_data(site), page],
    }


def _shown(summary: Summary) -> dict[str, Any]:
    period, winner = summary.period, summary.winner
    return {
        "label": _without_year(period),
        "dates_text": week_dates(period.first, period.last),
        "url": board_url(period),
        "state": "" if summary.is_final and period.is_over else "being counted" if period.is_over else "open",
        "launches": summary.launches,
        "votes": summary.votes,
        "votes_text": f"{summary.votes:,}",
        "has_left": summary.has_left,
        "winner": winner
        and {
            "name": winner.company.name,
            "slug": winner.slug,
            "page_url": winner.path,
            "logo_url": winner.company.logo_url,
        },
    }


def _past_head(site: Site, year: int) -> dict[str, Any]:
    path = _past_url(period_of(Board.YEARLY, f"{year:04d}"))
    name = f"Leaderboards {year}"
    return {
        "canonical_url": site.url(path),
        "structured_data": [page_data(site, name=name, path=path), crumbs(site, (name, path))],
    }


def _without_year(period: Period) -> str:
    """The label as it stands below the year; the year itself stays."""
    whole = label(period)
    return whole.removesuffix(f" {period.first.year}").removesuffix(",") if period.first else whole


def _past_url(period: Period) -> str:
    """The list of past periods, open at the year of this one."""
    address = reverse("boards")
    is_past = period.last is not None and period.last.year != current_week().year
    return f"{address}?year={period.last.year}" if period.last and is_past else address


def _choices(shown: BoardView) -> list[dict[str, Any]]:
    """What the select of periods offers: those with launches, and the one that is shown."""
    periods = {period.name: period for period in (*shown.periods, shown.period)}
    return [
        {"name": name, "label": label(periods[name]), "current": name == shown.period.name}
        for name in sorted(periods, reverse=True)
    ]
