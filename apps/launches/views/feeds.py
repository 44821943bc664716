"""Feeds of the latest launches."""

from django.http.response import HttpResponseBase
from django.urls import reverse

from apps.listings.models import Listing
from apps.listings.views.feeds import launches_changed_at
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.feeds import ENTRIES, Entry, Feed, FeedKind, feed_response, feed_view, paragraphs, tag_uri


@feed_view
def launches_feed(request: SiteHttpRequest, kind: FeedKind) -> HttpResponseBase:
    """Serve the site's latest launches."""
    site = request.site
    result = Listing.objects.public().filter(site=site).select_related("company", "site").prefetch_related("categories")
    newest = result.defer("search_vector").order_by("-launched_at", "-pk")[:ENTRIES]
    feed = Feed(
        id=site.url(reverse("launches_feed")),
        title=f"Launches on {site.name}",
        description=site.tagline or "New product launches.",
        url=site.url(request.path),
        page_url=site.url(reverse("home")),
        author=site.name,
        entries=[_entry(listing) for listing in newest],
        changed_at=launches_changed_at(site),
    )
    return feed_response(feed, kind=kind)


def _entry(listing: Listing) -> Entry:
    name, headline = listing.company.name, listing.headline
    launched_at = listing.launched_at or listing.submitted_at
    return Entry(
        id=tag_uri(listing.site.host, listing.submitted_at, f"listing/{listing.pk}"),
        title=f"{name}: {headline}" if headline else name,
        url=listing.page_url,
        html=paragraphs("\n\n".join(text for text in (listing.summary, listing.description) if text)),
        author=name,
        published_at=launched_at,
        updated_at=max(launched_at, listing.updated_at),
        tags=tuple(category.name for category in listing.categories.all()),
    )
