"""What an owner shares of a live or scheduled listing."""

from typing import Any
from urllib.parse import quote, urlencode

from django.urls import reverse

from apps.core.text.dates import week_text
from apps.launches.calendar import launch_weeks
from apps.listings.models import Listing
from apps.listings.owner_pages import is_open

Status = Listing.Status
_LINKEDIN = "https://www.linkedin.com/sharing/share-offsite/"
SHARED = frozenset({Status.SCHEDULED, Status.LIVE})


def launched(listing: Listing) -> dict[str, Any]:
    """Return what parts/launched.html shows of a live or scheduled listing."""
    is_live = listing.status == Status.LIVE
    text = f"{listing.company} is live on {listing.site.name}" if is_live else f"{listing.company} launches soon"
    return {
        "name": listing.company.name,
        "is_live": is_live,
        "week_text": week_text(listing.week),
        "is_voted_on": is_live and listing.week == launch_weeks.current_week(),
        "page_url": listing.page_url,
        "share_url": _page(listing, "share_listing"),
        "badges_url": _page(listing, "badges"),
        "story_url": _page(listing, "edit_story"),
        "has_story": listing.own_story is not None,
        "missing_pictures": missing_pictures(listing),
        "posts": [
            {
                "label": "X",
                "icon": "brands/x",
                "url": _to("https://x.com/intent/post", text=text, url=listing.page_url),
            },
            {"label": "LinkedIn", "icon": "brands/linkedin", "url": _to(_LINKEDIN, url=listing.page_url)},
            {"label": "Email", "icon": "mail", "url": _to("mailto:", subject=text, body=listing.page_url)},
        ],
    }


def missing_pictures(listing: Listing) -> dict[str, str] | None:
    """Return what launches/parts/missing_pictures.html says while the logo or all screenshots are missing."""
    lacking = [
        name
        for name, value in (("logo", listing.company.logo_url), ("screenshots", listing.company.screenshots))
        if not value
    ]
    if not lacking or not is_open(listing, "listing_pictures"):
        return None
    return {"text": f"No {' or '.join(lacking)} yet.", "url": _page(listing, "listing_pictures")}


def _to(address: str, **fields: str) -> str:
    # Email programs would display the plus signs of form encoding.
    return f"{address}?{urlencode(fields, quote_via=quote)}"


def _page(listing: Listing, name: str) -> str:
    return listing.site.url(reverse(name, args=[listing.slug]))
