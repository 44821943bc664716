"""HTML and Markdown that embed a badge in a website."""

import re
from dataclasses import dataclass
from html import escape
from typing import Any

from apps.launches.badges.kinds import Badge, Kind, all_badges
from apps.launches.badges.pictures import Picture, Theme, picture_of
from apps.listings.guidance import badge_status, blockers
from apps.listings.guidance.badge_status import needs_badge
from apps.listings.models import Listing

_MARKDOWN_MARKS = re.compile(r"[\\`*_{}\[\]<>()#!|&]")


@dataclass(frozen=True, slots=True)
class BadgeCode:
    """A badge with its URLs and code: HTML, HTML with both color schemes (`picture_html`), and Markdown.

    `html` and `markdown` use a picture that adapts to the color scheme. `picture_html` chooses between the light and
    the dark picture in the page, for viewers whose images can't adapt.
    """

    badge: Badge
    title: str
    picture: Picture
    page_url: str
    image_url: str
    image_light_url: str
    image_dark_url: str
    html: str
    picture_html: str
    markdown: str


@dataclass(frozen=True, slots=True)
class ListingBadges:
    """All badges of a listing with their code, and the state of the check that a free launch needs."""

    items: list[BadgeCode]
    check: dict[str, Any]


def get_badges(*, listing: Listing) -> ListingBadges:
    """Return every kind of badge for a listing, earned or not, and the last check of its website."""
    return ListingBadges([code_of(badge, listing=listing) for badge in all_badges(listing)], _check(listing))


def code_of(badge: Badge, *, listing: Listing) -> BadgeCode:
    """Return a badge's code, with the company's name escaped for each language.

    These are plain strings, so a template that displays the code escapes it again.
    """
    site = listing.site
    picture = picture_of(badge, site=site)
    page_url = site.url(badge.page_path or _linked_path(listing))
    auto, light, dark = (site.url(image_path(listing, badge, theme)) for theme in (Theme.AUTO, Theme.LIGHT, Theme.DARK))
    words = " ".join(f"{listing.company.name}: {picture.label} {picture.name}".split())
    size = f'width="{picture.width}" height="{picture.height}"'
    source = f'<source media="(prefers-color-scheme: dark)" srcset="{escape(dark)}">'
    return BadgeCode(
        badge=badge,
        title=badge.title_on(site),
        picture=picture,
        page_url=page_url,
        image_url=auto,
        image_light_url=light,
        image_dark_url=dark,
        html=f'<a href="{escape(page_url)}"><img src="{escape(auto)}" alt="{escape(words)}" {size}></a>',
        picture_html=(
            f'<a href="{escape(page_url)}"><picture>{source}'
            f'<img src="{escape(light)}" alt="{escape(words)}" {size}></picture></a>'
        ),
        markdown=f"[![{_in_markdown(words)}]({auto})]({page_url})",
    )


def _linked_path(listing: Listing) -> str:
    """Return the path of the listing's page. Before it has one, of the front page, which leads on once it has."""
    return listing.path if listing.status in Listing.WITH_PAGE else f"/?launch={listing.slug}"


def image_path(listing: Listing, badge: Badge, theme: Theme) -> str:
    """Return the picture's path. A name without a theme adapts to the color scheme."""
    name = badge.kind if theme == Theme.AUTO else f"{badge.kind}-{theme}"
    return f"{listing.path}/badges/{name}.svg"


def _in_markdown(text: str) -> str:
    return _MARKDOWN_MARKS.sub(lambda mark: f"\\{mark[0]}", text)


def _check(listing: Listing) -> dict[str, Any]:
    is_needed = needs_badge(listing)
    return {
        "is_needed": is_needed,
        "kind": Kind.LAUNCHING_ON.value,
        "badge_state": listing.badge_state,
        "badge_result": badge_status.badge_message(listing) if is_needed else listing.badge_result,
        "started_at": listing.badge_check_requested_at if badge_status.is_checking(listing) else None,
        "badge_checked_at": listing.badge_checked_at,
        "badge_seen_at": listing.badge_seen_at,
        "next_check_at": listing.badge_check_at if is_needed else None,
        "badge_failed_checks": listing.badge_failed_checks,
        "badge_missing_since": listing.badge_missing_since,
        "lose_at": blockers.lose_at(listing),
        "badge_evidence": listing.badge_evidence or None,
    }
