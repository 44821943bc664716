"""The public pages: boards, search, a listing, and voting in the browser."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.requests import account_of
from apps.core.page_numbers import page_object, page_rows
from apps.core.templatetags.look import age, week_dates, week_label
from apps.core.weeks import Week
from apps.launches import calendar, services
from apps.launches.boards import Board, Period, period_of, ranked
from apps.launches.listing_page import listing_page
from apps.launches.rows import rows
from apps.listings.models import Category, Listing, Update
from apps.listings.search import search
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
WEEKS_SHOWN = 12


@require_safe
def home(request: SiteHttpRequest) -> HttpResponse:
    """This week's launches."""
    week = calendar.current_week()
    listings = ranked(request.site, period_of(Board.WEEKLY))
    shown = rows(listings[:PER_PAGE], user=request.user, award=AWARDS[Board.WEEKLY])
    context = {
        "site": request.site,
        "week": {"label": week_label(week), "closes_text": "Sunday, 23:59 UTC"},
        "tabs": _tabs(Board.WEEKLY),
        "listings": shown,
        "total": len(shown) if len(shown) < PER_PAGE else listings.count(),
        "past_winners": _past_winners(request, week),
        "latest_updates": _latest_updates(request),
    }
    return render(request, "launches/home.html", context)


@require_safe
def board(request: SiteHttpRequest, key: str) -> HttpResponse:
    """A board with its periods."""
    try:
        chosen = Board(key)
        period = period_of(
            chosen, week=request.GET.get("week"), month=request.GET.get("month"), year=request.GET.get("year")
        )
    except ValueError:
        raise Http404 from None
    listings = ranked(request.site, period)
    page = page_object(request, total=listings.count(), per_page=PER_PAGE)
    context = {
        "board": {
            "title": TITLES[chosen],
            "key": key,
            "period_label": _label(chosen, period),
            "is_frozen": period.is_over,
        },
        "tabs": _tabs(chosen),
        "listings": rows(
            page_rows(listings, page), user=request.user, first_rank=page.first_row + 1, award=AWARDS[chosen]
        ),
        "total": page.total,
        "page_obj": page,
        **_neighbours(chosen, period),
    }
    return render(request, "launches/board.html", context)


@require_safe
def weeks(request: SiteHttpRequest) -> HttpResponse:
    """The coming weeks with the places that are left."""
    promise = calendar.queue_promise(request.site)
    upcoming = calendar.places(request.site, first=calendar.current_week(), count=WEEKS_SHOWN)
    context = {
        "weeks": [
            {
                "label": week_label(places.week),
                "dates_text": week_dates(places.week),
                "launch_count": places.free_total + places.paid_total - places.free_left - places.paid_left,
                "free_places_left": places.free_left,
                "paid_places_left": places.paid_left,
            }
            for places in upcoming
        ],
        "next_free_week": week_label(promise.free.week),
        "next_paid_week": week_label(promise.paid.week),
    }
    return render(request, "launches/weeks.html", context)


@require_safe
def search_page(request: SiteHttpRequest) -> HttpResponse:
    """Search by words, the same as search_listings."""
    query = request.GET.get("q", "").replace("\x00", "").strip()[:200]
    return _results(request, query=query, category=None)


@require_safe
def category(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """The listings of a category."""
    return _results(request, query="", category=get_object_or_404(Category, site=request.site, slug=slug))


@require_safe
def detail(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """A listing's page: for everybody once it is live, for its owner and the site team before."""
    shown = Listing.objects.filter(site=request.site).with_details()
    if not request.user.is_authenticated:
        shown = shown.public()
    elif not request.user.is_staff:
        shown = shown.filter(Q(status=Listing.Status.LIVE) | Q(company__owner=request.user))
    listing = get_object_or_404(shown, slug=slug)
    context = {"listing": listing_page(listing, user=request.user), "canonical_url": listing.page_url}
    return render(request, "listings/detail.html", context)


@login_required
@require_POST
def vote(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Vote for a listing, or take the vote back; htmx gets the new button, a plain form goes back."""
    listing = get_object_or_404(Listing.objects.public().filter(site=request.site), slug=slug)
    try:
        voted = services.toggle_vote(listing=listing, by=account_of(request))
    except services.NotVotable as error:
        messages.error(request, error.detail)
        if request.headers.get("HX-Request") == "true":
            return HttpResponse(status=204, headers={"HX-Redirect": reverse("home")})
        return redirect("home")
    if request.headers.get("HX-Request") == "true":
        listing.refresh_from_db(fields=["votes"])
        shown = {"name": listing.company.name, "slug": slug, "votes": listing.votes, "voted": voted}
        context = {"listing": shown, "wide": request.POST.get("wide"), "next_url": _next(request, listing)}
        return render(request, "parts/vote_button.html", context)
    return redirect(_next(request, listing))


def _next(request: HttpRequest, listing: Listing) -> str:
    target = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(target, allowed_hosts=None)
    return target if is_ours and target.startswith("/") else listing.path


def _results(request: SiteHttpRequest, *, query: str, category: Category | None) -> HttpResponse:
    listings = Listing.objects.public().filter(site=request.site)
    if category:
        listings = listings.filter(categories=category)
    found = search(listings, query).with_details()
    page = page_object(request, total=found.count(), per_page=20)
    context = {
        "query": query,
        "results": rows(page_rows(found, page), user=request.user, first_rank=page.first_row + 1),
        "page_obj": page,
        "category": category,
    }
    return render(request, "listings/search.html", context)


def _tabs(current: Board) -> list[dict[str, Any]]:
    return [{"label": label, "url": _board_url(board), "current": board == current} for board, label in TABS.items()]


def _board_url(board: Board) -> str:
    return reverse("home") if board == Board.WEEKLY else reverse("board", args=[board])


def _label(board: Board, period: Period) -> str:
    if board == Board.WEEKLY and period.first:
        return f"{week_label(period.first)}, {period.first.year}"
    return "" if board == Board.ALL_TIME else period.name


def _neighbours(board: Board, period: Period) -> dict[str, Any]:
    if not period.first or not period.last:
        return {}
    now = calendar.current_week()
    before, after = period.first + -1, period.last + 1
    previous = _period_link(board, before)
    following = _period_link(board, after) if after <= now else None
    return {"previous_period": previous, "next_period": following}


def _period_link(board: Board, week: Week) -> dict[str, str]:
    address = reverse("board", args=[board])
    thursday = week.thursday
    match board:
        case Board.MONTHLY:
            return {"label": f"{thursday:%B %Y}", "url": f"{address}?month={thursday:%Y-%m}"}
        case Board.YEARLY:
            return {"label": str(week.year), "url": f"{address}?year={week.year}"}
    return {"label": f"{week_label(week)}, {week.year}", "url": f"{address}?week={week}"}


def _past_winners(request: SiteHttpRequest, week: Week) -> list[dict[str, Any]]:
    past = [str(week + -ago) for ago in range(1, PAST_WINNERS + 1)]
    winners = (
        Listing.objects.public()
        .filter(site=request.site, launch_week__in=past)
        .order_by("-launch_week", "-votes", "launched_at", "id")
        .distinct("launch_week")
        .select_related("company")
    )
    return [
        {
            "name": winner.company.name,
            "slug": winner.slug,
            "page_url": winner.path,
            "logo_url": winner.company.logo_url,
            "week_label": week_label(winner.launch_week),
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
