"""What was last added to a collection, as feeds."""

from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from apps.contributions.names import public_name
from apps.core.stores.valkey.generations import collection_name
from apps.core.web.public_cache import belongs_to
from apps.curation.models import Collection, CollectionItem
from apps.curation.reading import live_items
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.feeds import ENTRIES, Entry, Feed, FeedKind, feed_response, feed_view, paragraphs, tag_uri


@feed_view
def collection_feed(request: SiteHttpRequest, pk: int, slug: str, kind: FeedKind) -> HttpResponseBase:
    """Serve the listings that were last added to a public collection. Any other is 404, also for its author."""
    public = Collection.objects.public().filter(site=request.site, slug=slug)
    collection = get_object_or_404(public.select_related("author__founder_profile", "site"), pk=pk)
    belongs_to(request, collection_name(collection.pk))
    author = public_name(collection.author)
    newest = live_items().filter(collection=collection).select_related("listing__company", "listing__site")
    feed = Feed(
        id=tag_uri(collection.site.host, collection.created_at, f"collection/{collection.pk}"),
        title=collection.name,
        description=collection.description or f"A collection by {author}.",
        url=collection.site.url(request.path),
        page_url=collection.page_url,
        author=author,
        entries=[_entry(item, author) for item in newest.order_by("-added_at", "-pk")[:ENTRIES]],
        changed_at=collection.changed_at,
    )
    return feed_response(feed, kind=kind)


def _entry(item: CollectionItem, author: str) -> Entry:
    listing = item.listing
    name, headline = listing.company.name, listing.headline
    return Entry(
        id=tag_uri(listing.site.host, item.added_at, f"collection/{item.collection_id}/{listing.pk}"),
        title=f"{name}: {headline}" if headline else name,
        url=listing.page_url,
        html=paragraphs("\n\n".join(text for text in (item.note, listing.summary) if text)),
        author=author,
        published_at=item.added_at,
        updated_at=item.added_at,
    )
