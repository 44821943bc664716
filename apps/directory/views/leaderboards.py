"""Pages of leaderboards: the front page, and every period with its categories."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.core.validators import slug_re
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.core.errors import NotFound
from apps.core.text.dates import week_dates, week_label
from apps.core.text.weeks import Week
from apps.core.web.page_numbers import page_object
from apps.core.web.pages import expensive_page
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.boards import Leaderboard, get_leaderboard
from apps.launches.leaderboards.cards import RANKED_ROWS, CategoryLink, ListingCard, cards_of
from apps.launches.leaderboards.links import label, lasting_url, link, past_boards_url, tabs
from apps.launches.leaderboards.periods import (
    PARAMETERS,
    Board,
    Period,
    current_board_url,
    period_around,
    period_of,
)
from apps.launches.leaderboards.ranking import ranked
from apps.launches.models import Standing
from apps.listings.models import Category, Listing
from apps.listings.services import updates
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.preview_images import Picture, preview_answer
from apps.sites.seo.site_preview import image_parts, picture_of_site, picture_on
from apps.sites.seo.structured_data import list_page, site_data

AWARDS = {
    Board.WEEKLY: "of the week",
    Board.MONTHLY: "of the month",
    Board.YEARLY: "of the year",
    Board.ALL_TIME: "",
}
PER_PAGE = 30


@require_safe
def home(request: SiteHttpRequest) -> HttpResponse:
    """Show this week's launches. `launch` leads on to a listing that has a page (see badges.codes)."""
    slug = request.GET.get("launch", "")
    if slug_re.fullmatch(slug):
        has_page = Q(status__in=Listing.WITH_PAGE) | Q(merged_into__isnull=False)
        if listing := Listing.objects.filter(has_page, site=request.site, slug=slug).first():
            return redirect(listing.path)
    week = current_week()
    standings = ranked(request.site, period_of(Board.WEEKLY))
    total = standings.count()
    rows = standings.page(page=1, per_page=PER_PAGE, read=RANKED_ROWS.page, total=total).items
    cards = cards_of(rows, user=request.user)
    context = {
        "site": request.site,
        "week": {"label": week_label(week), "closes_text": "Sunday, 23:59 UTC"},
        "tabs": tabs(period_of(Board.WEEKLY)),
        "listings": cards,
        "total": total,
        "all_url": current_board_url(Board.WEEKLY) if total > PER_PAGE else "",
        "categories": categories_among(cards),
        "past_winners": past_winners(request.site),
        "latest_updates": latest_updates(request.site),
        **_home_head(request.site, cards),
    }
    return render(request, "directory/home.html", context)


@expensive_page
@require_safe
def board(request: SiteHttpRequest, key: str) -> HttpResponse:
    """Show the leaderboard of any period, whole or of one category."""
    leaderboard = _asked_for(request, key)
    chosen, category = leaderboard.period.board, leaderboard.category.slug if leaderboard.category else ""
    page = page_object(request, total=leaderboard.standings.count(), per_page=PER_PAGE)
    rows = leaderboard.standings.page(page=page.page, per_page=PER_PAGE, read=RANKED_ROWS.page, total=page.total).items
    award = AWARDS[chosen] if leaderboard.is_final and not leaderboard.category else ""
    listed = cards_of(rows, user=request.user, award=award)
    context = {
        "board": {
            "title": TITLES[chosen],
            "key": key,
            "period_label": label(leaderboard.period),
            "dates_text": week_dates(leaderboard.period.first, leaderboard.period.last),
            "is_over": leaderboard.period.is_over,
            "is_frozen": leaderboard.is_final,
            "ledger": leaderboard.ledger,
        },
        "tabs": tabs(leaderboard.period, category=category),
        "listings": listed,
        "total": page.total,
        "page_obj": page,
        "category": leaderboard.category,
        "categories": request.site.categories.all(),
        "parameter": PARAMETERS.get(chosen),
        "periods": _choices(leaderboard),
        "previous_period": link(leaderboard.previous, category=category),
        "next_period": link(leaderboard.following, category=category),
        "past_url": past_boards_url(leaderboard.period),
        **board_head(request.site, leaderboard.period, category=leaderboard.category, cards=listed, page=page.page),
    }
    return render(request, "directory/board.html", context)


@require_safe
def board_image(request: SiteHttpRequest, key: str) -> HttpResponseBase:
    """Serve the preview image of a leaderboard."""
    leaderboard = _asked_for(request, key)
    places = [(result.place, result.listing.company.name, result.listing.slug) for result in _first(leaderboard)]
    picture = board_picture(request.site, leaderboard.period, category=leaderboard.category, places=places)
    return preview_answer(request, picture)


def _first(leaderboard: Leaderboard) -> Iterable[Any]:
    return leaderboard.standings[:NAMED]


def _asked_for(request: SiteHttpRequest, key: str) -> Leaderboard:
    """Return the leaderboard of the URL. Raises Http404 if it can't exist."""
    category = request.GET.get("category", "").replace("\x00", "")
    try:
        chosen = Board(key)
        requested = request.GET.get(PARAMETERS[chosen]) if chosen in PARAMETERS else None
        return get_leaderboard(site=request.site, period=period_of(chosen, requested), category=category)
    except (ValueError, NotFound):
        raise Http404 from None


def _home_head(site: Site, cards: list[ListingCard]) -> dict[str, Any]:
    """Return the head of the front page, which stands for the site and for this week's leaderboard."""
    name, path = "This week’s launches", reverse("home")
    entries = [(card.rank, card.name, card.page_url) for card in cards]
    page, _ = list_page(site, name=name, path=path, entries=entries, is_ranked=True)
    return {
        "canonical_url": site.url(path),
        "social": board_social(site, period_of(Board.WEEKLY), category=None, cards=cards),
        "structured_data": [site_data(site), page],
    }


def _choices(leaderboard: Leaderboard) -> list[dict[str, Any]]:
    """Return the periods to choose from: those with launches, and the shown one."""
    periods = {period.name: period for period in (*leaderboard.periods, leaderboard.period)}
    return [
        {"name": name, "label": label(periods[name]), "current": name == leaderboard.period.name}
        for name in sorted(periods, reverse=True)
    ]


_WINNERS = 4
_UPDATES = 5
_CATEGORIES = 8


def past_winners(site: Site) -> list[dict[str, Any]]:
    """Return the winners of the last closed weeks, latest first, without winners that left. One query."""
    first = Standing.objects.filter(site=site, rank=1, votes__gt=0, listing__status=Listing.Status.LIVE)
    winners = first.order_by("-iso_week").values_list(
        "listing__company__name", "listing__slug", "listing__company__logo_key", "iso_week", "votes"
    )
    return [
        {
            "name": name,
            "slug": slug,
            "page_url": Listing.path_of(slug),
            "logo_key": logo_key,
            "week_label": week_label(week),
            "board": link(period_around(Board.WEEKLY, Week.parse(week))),
            "votes": votes,
        }
        for name, slug, logo_key, week, votes in winners[:_WINNERS]
    ]


def latest_updates(site: Site) -> list[dict[str, Any]]:
    """Return the newest updates of live listings. One query."""
    newest = updates.live_updates().filter(listing__site=site)
    shown = newest.values_list("pk", "title", "created_at", "listing__slug", "listing__company__name")
    return [
        {
            "title": title,
            "page_url": f"{Listing.path_of(slug)}#update-{pk}",
            "company_name": company_name,
            "created_at": created_at,
        }
        for pk, title, created_at, slug, company_name in shown[:_UPDATES]
    ]


def categories_among(cards: list[ListingCard]) -> list[CategoryLink]:
    """Return the most frequent categories of these cards, by name. No query."""
    counts: dict[CategoryLink, int] = {}
    for category in (one for card in cards for one in card.categories):
        counts[category] = counts.get(category, 0) + 1
    most = sorted(counts, key=lambda category: (-counts[category], category.name))[:_CATEGORIES]
    return sorted(most, key=lambda category: category.name)


TITLES = {
    Board.WEEKLY: "Launches of the week",
    Board.MONTHLY: "Launches of the month",
    Board.YEARLY: "Launches of the year",
    Board.ALL_TIME: "Best of all time",
}
# The number of names in the picture.
NAMED = 3

# Rank, name and slug.
Places = Sequence[tuple[int, str, str]]


def board_head(
    site: Site, period: Period, *, category: Category | None, cards: Sequence[ListingCard], page: int
) -> dict[str, Any]:
    """Return `canonical_url`, `social`, `structured_data` and `noindex` of a leaderboard's page, without a query.

    Empty leaderboards aren't indexed, because every week of two centuries has one.
    """
    slug = category.slug if category else ""
    board_path = lasting_url(period, category=slug)
    path = board_path if page == 1 else f"{board_path}{'&' if '?' in board_path else '?'}page={page}"
    name = _name(period, category)
    entries = [(card.rank, card.name, card.page_url) for card in cards]
    return {
        "canonical_url": site.url(path),
        "noindex": not cards,
        "social": {"image_alt": f"{name} on {site.name}", "image_url": site.url(image_path(period, category=slug))}
        if page > 1
        else board_social(site, period, category=category, cards=cards),
        "structured_data": list_page(
            site, name=name, path=path, entries=entries, above=[("Leaderboards", reverse("boards"))], is_ranked=True
        ),
    }


def board_social(
    site: Site, period: Period, *, category: Category | None, cards: Sequence[ListingCard]
) -> dict[str, str]:
    """Return the preview image of a leaderboard that begins with these cards."""
    picture = board_picture(
        site, period, category=category, places=[(card.rank, card.name, card.slug) for card in cards]
    )
    path = image_path(period, category=category.slug if category else "")
    return image_parts(site, path=path, picture=picture, alt=f"{_name(period, category)} on {site.name}")


def board_picture(site: Site, period: Period, *, category: Category | None, places: Places) -> Picture:
    """Return a leaderboard's preview image with its first names. All empty ones share the site's image."""
    if not places:
        return picture_of_site(site)
    return picture_on(
        site,
        path=lasting_url(period, category=category.slug if category else ""),
        label=category.name if category else "",
        title=TITLES[period.board],
        text=" · ".join(text for text in (label(period), week_dates(period.first, period.last)) if text),
        ranked=tuple(places[:NAMED]),
    )


def image_path(period: Period, *, category: str = "") -> str:
    """Return the URL of a leaderboard's preview image, which has the page's query."""
    path, mark, query = lasting_url(period, category=category).partition("?")
    return f"{path}/preview.png{mark}{query}"


def _name(period: Period, category: Category | None) -> str:
    title = TITLES[period.board]
    when = label(period)
    return f"{title}{f', {when}' if when else ''}{f': {category.name}' if category else ''}"
