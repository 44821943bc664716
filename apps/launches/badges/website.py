"""One check of an owner's website: is there a link to the site?"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from apps.core.fetch import HTML_TYPES, Fetched, FetchError, FetchFailure, fetch_page
from apps.core.html import UnreadablePage
from apps.launches.badges.anchors import Found, find_link, origin_of
from apps.listings.models import Listing

State = Listing.BadgeState

_FAILURES = {
    FetchFailure.UNREACHABLE: "the website cannot be reached",
    FetchFailure.TIMEOUT: "the website did not answer in time",
    FetchFailure.TOO_LARGE: "the page is larger than 2 MB",
    FetchFailure.TOO_MANY_REDIRECTS: "the website redirects in a circle",
    FetchFailure.NOT_HTML: "the address leads to no HTML page",
    FetchFailure.PRIVATE_ADDRESS: "the address does not lead to the public internet",
    FetchFailure.BAD_ADDRESS: "the address, or one that it redirects to, is not valid",
    FetchFailure.BAD_RESPONSE: "the website's answer is broken",
    FetchFailure.BLOCKED: "the website refused us",
}


@dataclass(frozen=True, slots=True)
class BadgeCheckResult:
    """What a check found. `unknown` means that we could not check, which says nothing about the badge.

    `website` is the address that was asked for and `at` the moment before; `evidence` is of a page that was read:
    page_url (after redirects), status, at, links_seen, and of a link that was found href and snippet.
    """

    website: str
    at: datetime
    state: State
    detail: str
    evidence: dict[str, Any] = field(default_factory=dict)


def find_badge(listing: Listing) -> BadgeCheckResult:
    """Fetch the company's website and look for a link to the listing's site."""
    website, at = listing.company.website, timezone.now()
    try:
        page = fetch_page(website, media_types=HTML_TYPES)
        if not page.is_success:
            return _could_not_check(website, at, f"the website answered with status {page.status}")
        found = _read(page, target=listing.site.base_url)
    except FetchError as error:
        return _could_not_check(website, at, _FAILURES[error.code])
    except UnreadablePage as error:
        return _could_not_check(website, at, f"the website's page is {error}")
    evidence = {"page_url": page.url, "status": page.status, "at": at.isoformat(), "links_seen": found.links_seen}
    if found.link is None:
        detail = f"There is no link to {listing.site.base_url} on {page.url} ({found.links_seen} links seen)."
        return BadgeCheckResult(website, at, State.ABSENT, detail, evidence)
    evidence |= {"href": found.link.href, "snippet": found.link.snippet}
    return BadgeCheckResult(website, at, State.FOUND, f"Found on {page.url}.", evidence)


def _read(page: Fetched, *, target: str) -> Found:
    if origin_of(page.url) == origin_of(target):
        # A website that leads to our own pages would find our links to ourselves.
        return Found(None, 0)
    return find_link(page.body, content_type=page.headers.get("content-type", ""), page_url=page.url, target=target)


def _could_not_check(website: str, at: datetime, why: str) -> BadgeCheckResult:
    return BadgeCheckResult(website, at, State.UNKNOWN, f"We could not look: {why}.")
