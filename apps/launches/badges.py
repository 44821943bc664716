"""Looking for the site's badge on an owner's website."""

from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from apps.core.fetch import FetchError, fetch_page
from apps.core.html import UnreadablePage, decode, parse
from apps.listings.models import Listing


@dataclass(frozen=True, slots=True)
class BadgeLook:
    """What a look found. `is_present` None means that we could not look, which says nothing about the badge."""

    is_present: bool | None
    detail: str


def look_for_badge(listing: Listing) -> BadgeLook:
    """Fetch the company's website and look for a link to the listing's page or its site."""
    try:
        page = fetch_page(listing.company.website)
    except FetchError as error:
        return BadgeLook(None, f"We could not look: fetching the website failed ({error.code}).")
    if page.status >= 400:
        return BadgeLook(None, f"We could not look: the website answered {page.status}.")
    target = listing.site.base_url
    try:
        is_there = links_to(page.body, content_type=page.headers.get("content-type", ""), base=page.url, target=target)
    except UnreadablePage as error:
        return BadgeLook(None, f"We could not look: the website's page is {error}.")
    if is_there:
        return BadgeLook(True, f"Found on {page.url}.")
    return BadgeLook(False, f"There is no link to {target} on {page.url}.")


def links_to(body: bytes, *, content_type: str = "", base: str, target: str) -> bool:
    """Whether the page has a real anchor to the target's host; one in a comment or a script does not count.

    Raises UnreadablePage for what is no page.
    """
    tree = parse(decode(body, content_type=content_type))
    wanted = urlsplit(target).netloc.lower()
    return any(_host(base, anchor.get("href", "")) == wanted for anchor in tree.iter("a"))


def _host(base: str, href: str) -> str:
    try:
        return urlsplit(urljoin(base, href.strip())).netloc.lower()
    except ValueError:
        return ""
