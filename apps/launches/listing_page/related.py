"""Links from a listing's page: alternatives, similar listings and sharing."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from django.db.models import Q
from django.urls import reverse

from apps.listings.models import Listing
from apps.listings.search import similar_listings
from apps.listings.websites.identity import website_key

SIMILAR = 4
# Between two slugs in the URL of a comparison.
VERSUS = "-vs-"


@dataclass(frozen=True, slots=True)
class Alternative:
    """An alternative as the owner wrote it, with its listing on this site, if any."""

    text: str
    listing: Listing | None = None


def alternatives(listing: Listing) -> list[Alternative]:
    """Return the alternatives in the owner's order, linked by name or website. One query if there are any.

    A name that several listings share isn't linked, because it is ambiguous.
    """
    if not listing.alternatives:
        return []
    named = Q()
    for text in listing.alternatives:
        named |= Q(company__name__iexact=text) | Q(company__website_key=_website(text))
    others = (
        Listing.objects.public()
        .filter(named, site=listing.site)
        .exclude(pk=listing.pk)
        .select_related("company", "standing")
        .order_by("-votes", "id")[: 4 * len(listing.alternatives)]
    )
    result = list(others)
    return [Alternative(text, _only(text, result)) for text in listing.alternatives]


def similar(listing: Listing, *, named: Iterable[Alternative]) -> list[dict[str, Any]]:
    """Return the listings most similar to this one, each with its comparison, in one query.

    `named` are the listing's alternatives.
    """
    known = [other.listing.pk for other in named if other.listing]
    return [
        {
            "name": other.company.name,
            "slug": other.slug,
            "page_url": other.path,
            "headline": other.headline,
            "logo_key": other.company.logo_key,
            "votes": other.current_votes,
            "compare_url": compare_path(listing.slug, other.slug),
        }
        for other in similar_listings(listing, named=known, limit=SIMILAR)
    ]


def compare_path(one: str, other: str) -> str:
    """Return the page that compares two listings, by their slugs in either order."""
    return reverse("compare", args=[VERSUS.join(sorted((one, other)))])


def names(listing: Listing, other: Listing) -> bool:
    """Return whether a listing names the other one as an alternative, by name or website."""
    return any(_means(text, other) for text in listing.alternatives)


def share_links(listing: Listing) -> list[tuple[str, str, str]]:
    """Return name, icon and URL of services for sharing a live listing. Plain links that load nothing."""
    if listing.status != Listing.Status.LIVE:
        return []
    url, title = listing.page_url, f"{listing.company.name}: {listing.headline}".removesuffix(": ")
    text = f"{title} {url}"
    return [
        ("X", "brands/x", f"https://x.com/intent/post?{urlencode({'text': title, 'url': url})}"),
        ("Bluesky", "brands/bluesky", f"https://bsky.app/intent/compose?{urlencode({'text': text})}"),
        ("LinkedIn", "brands/linkedin", f"https://www.linkedin.com/sharing/share-offsite/?{urlencode({'url': url})}"),
        ("Reddit", "brands/reddit", f"https://www.reddit.com/submit?{urlencode({'url': url, 'title': title})}"),
        (
            "Hacker News",
            "brands/ycombinator",
            f"https://news.ycombinator.com/submitlink?{urlencode({'u': url, 't': title})}",
        ),
        ("Email", "mail", f"mailto:?subject={quote(title)}&body={quote(url)}"),
    ]


def _website(text: str) -> str:
    """Return an alternative as the key of a company's website, such as `example.com`."""
    address = text if text.lower().startswith(("https://", "http://")) else f"https://{text}"
    try:
        return website_key(address)
    except ValueError:
        return ""


def _only(text: str, others: Iterable[Listing]) -> Listing | None:
    meant = [other for other in others if _means(text, other)]
    return meant[0] if len(meant) == 1 else None


def _means(text: str, other: Listing) -> bool:
    return other.company.name.upper() == text.upper() or other.company.website_key == _website(text)
