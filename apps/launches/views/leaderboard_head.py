"""What the head of a board's page tells search engines and other services, and the board's picture."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from apps.core.templatetags.ui import week_dates
from apps.launches.leaderboards.cards import Row
from apps.launches.leaderboards.links import label, lasting_url
from apps.launches.leaderboards.periods import Board, Period
from apps.listings.models import Category
from apps.sites.models import Site
from apps.sites.seo.preview_images import Picture
from apps.sites.seo.site_preview import image_parts, picture_of_site, picture_on
from apps.sites.seo.structured_data import list_page

TITLES = {
    Board.WEEKLY: "Launches of the week",
    Board.MONTHLY: "Launches of the month",
    Board.YEARLY: "Launches of the year",
    Board.ALL_TIME: "Best of all time",
}
# So many stand on the picture.
NAMED = 3

Places = Sequence[tuple[int, str]]


def board_head(
    site: Site, period: Period, *, category: Category | None, rows: Sequence[Row], page: int
) -> dict[str, Any]:
    """`canonical_url`, `social`, `structured_data` and `noindex` of a board's page, without a query.

    An empty board is for nobody's index: there is one for every week of two centuries.
    """
    slug = category.slug if category else ""
    board_path = lasting_url(period, category=slug)
    path = board_path if page == 1 else f"{board_path}{'&' if '?' in board_path else '?'}page={page}"
    name = _name(period, category)
    entries = [(row.rank, row.name, row.page_url) for row in rows]
    return {
        "canonical_url": site.url(path),
        "noindex": not rows,
        "social": {"image_alt": f"{name} on {site.name}", "image_url": site.url(image_path(period, category=slug))}
        if page > 1
        else board_social(site, period, category=category, rows=rows),
        "structured_data": list_page(
            site, name=name, path=path, entries=entries, above=[("Leaderboards", reverse("boards"))], is_ranked=True
        ),
    }


def board_social(site: Site, period: Period, *, category: Category | None, rows: Sequence[Row]) -> dict[str, str]:
    """The picture of a board whose first rows these are."""
    picture = board_picture(site, period, category=category, places=[(row.rank, row.name) for row in rows])
    path = image_path(period, category=category.slug if category else "")
    return image_parts(site, path=path, picture=picture, alt=f"{_name(period, category)} on {site.name}")


def board_picture(site: Site, period: Period, *, category: Category | None, places: Places) -> Picture:
    """A board with its first names; the site's own picture while it is empty, so that there is one for all of these."""
    if not places:
        return picture_of_site(site)
    return picture_on(
        site,
        label=category.name if category else "",
        title=TITLES[period.board],
        text=" · ".join(text for text in (label(period), week_dates(period.first, period.last)) if text),
        ranked=tuple(places[:NAMED]),
    )


def image_path(period: Period, *, category: str = "") -> str:
    """Where the picture of a board is: beside it, with the same query."""
    path, mark, query = lasting_url(period, category=category).partition("?")
    return f"{path}/preview.png{mark}{query}"


def _name(period: Period, category: Category | None) -> str:
    title = TITLES[period.board]
    when = label(period)
    return f"{title}{f', {when}' if when else ''}{f': {category.name}' if category else ''}"
