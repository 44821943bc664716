"""Links from a listing's page: alternatives, related listings and sharing."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from django.db.models import Exists, OuterRef, Q

from apps.listings.models import Listing
from apps.listings.websites.identity import website_key

RELATED = 4


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
    found = list(others)
    return [Alternative(text, _only(text, found)) for text in listing.alternatives]


def related(listing: Listing) -> list[dict[str, Any]]:
    """Return listings of the same categories, by votes."""
    categories = [category.pk for category in listing.categories.all()]
    # A join would return a listing once per shared category, and removing duplicates takes a sort of whole rows.
    shares = Listing.categories.through.objects.filter(listing_id=OuterRef("pk"), category_id__in=categories)
    others = (
        Listing.objects.public()
        .filter(Exists(shares), site=listing.site)
        .exclude(pk=listing.pk)
        .select_related("company", "standing")
        .order_by("-votes", "id")[:RELATED]
    )
    return [
        {
            "name": other.company.name,
            "slug": other.slug,
            "page_url": other.path,
            "headline": other.headline,
            "logo_url": other.company.logo_url,
            "votes": other.current_votes,
        }
        for other in others
    ]


def share_links(listing: Listing) -> list[tuple[str, str, str]]:
    """Return name, icon and URL of services for sharing a live listing. Plain links that load nothing."""
    if listing.status != Listing.Status.LIVE:
        return []
    url, title = listing.page_url, f"{listing.company.name}: {listing.headline}".removesuffix(": ")
    text = f"{title} {url}"
    return [
        ("X", "at-sign", f"https://x.com/intent/post?{urlencode({'text': title, 'url': url})}"),
        ("Bluesky", "cloud", f"https://bsky.app/intent/compose?{urlencode({'text': text})}"),
        ("LinkedIn", "briefcase", f"https://www.linkedin.com/sharing/share-offsite/?{urlencode({'url': url})}"),
        ("Reddit", "message-square", f"https://www.reddit.com/submit?{urlencode({'url': url, 'title': title})}"),
        ("Hacker News", "newspaper", f"https://news.ycombinator.com/submitlink?{urlencode({'u': url, 't': title})}"),
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
    meant = [
        other
        for other in others
        if other.company.name.upper() == text.upper() or other.company.website_key == _website(text)
    ]
    return meant[0] if len(meant) == 1 else None
