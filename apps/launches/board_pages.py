"""The boards in the browser: the front page, and every period with its categories."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.core.errors import NotFound
from apps.core.page_numbers import page_object, page_rows
from apps.core.templatetags.look import age, week_dates, week_label
from apps.launches.boards import BoardView, board_of, ranked
from apps.launches.calendar import current_week
from apps.launches.models import Standing
from apps.launches.periods import PARAMETERS, Board, Period, board_url, period_of
from apps.launches.rows import board_rows
from apps.listings.models import Listing, Update
from apps.sites.requests import SiteHttpRequest

TITLES = {
    Board.WEEKLY: "Launches of the week",
    Board.MONTHLY: "Launches of the month",
    Board.YEARLY: "Launches of the year",
    Board.ALL_TIME: "Best of all time",
}
AWARDS = {
    Board.WEEKLY: "of the week",
    Board.MONTHLY: "of the month",
    Board.YEARLY: "of the year",
    Board.ALL_TIME: "",
}
TABS = {
    Board.WEEKLY: "This week",
    Board.MONTHLY: "This month",
    Board.YEARLY: "This year",
    Board.ALL_TIME: "All time",
}
PER_PAGE = 30
PAST_WINNERS = 4
LATEST_UPDATES = 5


@require_safe
def home(request: SiteHttpRequest) -> HttpResponse:
    """This week's launches."""
    week = current_week()
    standings = ranked(request.site, period_of(Board.WEEKLY))
    shown = board_rows(standings[:PER_PAGE], user=request.user, award=AWARDS[Board.WEEKLY])
    context = {
        "site": request.site,
        "week": {"label": week_label(week), "closes_text": "Sunday, 23:59 UTC"},
        "tabs": _tabs(Board.WEEKLY),
        "listings": shown,
        "total": standings.count(),
        "past_winners": _past_winners(request),
        "latest_updates": _latest_updates(request),
    }
    return render(request, "launches/home.html", context)


@require_safe
def board(request: SiteHttpRequest, key: str) -> HttpResponse:
    """A board of any period, all of it or one category."""
    category = request.GET.get("category", "").replace("\x00", "")
    try:
        chosen = Board(key)
        asked = request.GET.get(PARAMETERS[chosen]) if chosen in PARAMETERS else None
        shown = board_of(request.site, period_of(chosen, asked), category=category)
    except (ValueError, NotFound):
        raise Http404 from None
    page = page_object(request, total=shown.standings.count(), per_page=PER_PAGE)
    award = "" if shown.category else AWARDS[chosen]
    context = {
        "board": {
            "title": TITLES[chosen],
            "key": key,
            "period_label": label(shown.period),
            "dates_text": week_dates(shown.period.first) if chosen == Board.WEEKLY else "",
            "is_over": shown.period.is_over,
            "is_frozen": shown.is_final,
            "ledger": shown.ledger,
        },
        "tabs": _tabs(chosen),
        "listings": board_rows(page_rows(shown.standings, page), user=request.user, award=award),
        "total": page.total,
        "page_obj": page,
        "category": shown.category,
        "categories": request.site.categories.all(),
        "parameter": PARAMETERS.get(chosen),
        "periods": _choices(shown),
        "previous_period": _link(shown.previous, category),
        "next_period": _link(shown.following, category),
    }
    return render(request, "launches/board.html", context)


def label(period: Period) -> str:
    """A period as people say it: `Week 46, 2026`, `November 2026`, `2026`; nothing for all time."""
    match period.board:
        case Board.WEEKLY if period.first:
            return f"{week_label(period.first)}, {period.first.year}"
        case Board.MONTHLY if period.first:
            return f"{period.first.thursday:%B %Y}"
        case Board.ALL_TIME:
            return ""
    return period.name


def _tabs(current: Board) -> list[dict[str, Any]]:
    return [{"label": label, "url": _tab_url(board), "current": board == current} for board, label in TABS.items()]


def _tab_url(board: Board) -> str:
    return reverse("home") if board == Board.WEEKLY else reverse("board", args=[board])


def _choices(shown: BoardView) -> list[dict[str, Any]]:
    """What the select of periods offers: those with launches, and the one that is shown."""
    periods = {period.name: period for period in (*shown.periods, shown.period)}
    return [
        {"name": name, "label": label(periods[name]), "current": name == shown.period.name}
        for name in sorted(periods, reverse=True)
    ]


def _link(period: Period | None, category: str) -> dict[str, str] | None:
    return {"label": label(period), "url": board_url(period, category=category)} if period else None


def _past_winners(request: SiteHttpRequest) -> list[dict[str, Any]]:
    winners = (
        Standing.objects.filter(site=request.site, rank=1, votes__gt=0, listing__status=Listing.Status.LIVE)
        .select_related("listing__company")
        .order_by("-iso_week")[:PAST_WINNERS]
    )
    return [
        {
            "name": winner.listing.company.name,
            "slug": winner.listing.slug,
            "page_url": winner.listing.path,
            "logo_url": winner.listing.company.logo_url,
            "week_label": week_label(winner.iso_week),
            "votes": winner.votes,
        }
        for winner in winners
    ]


def _latest_updates(request: SiteHttpRequest) -> list[dict[str, Any]]:
    latest = (
        Update.objects.filter(listing__site=request.site, listing__status=Listing.Status.LIVE)
        .select_related("listing__company", "listing__site")
        .order_by("-created_at", "-id")[:LATEST_UPDATES]
    )
    return [
        {
            "title": update.title,
            "page_url": update.listing.path,
            "company_name": update.listing.company.name,
            "age": age(update.created_at),
        }
        for update in latest
    ]
