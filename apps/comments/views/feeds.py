"""The newest comments on a listing as feeds."""

from django.http import HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse

from apps.comments.announcing import page_url
from apps.comments.models import Comment
from apps.comments.reading import public_comments
from apps.comments.services.writing import MAX_LINKS
from apps.contributions.names import public_name
from apps.core.editing.rendering import render_text
from apps.core.stores.valkey.generations import company_name, listing_name
from apps.core.web.public_cache import belongs_to
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.feeds import ENTRIES, Entry, Feed, FeedKind, feed_response, feed_view, tag_uri


@feed_view
def comments_feed(request: SiteHttpRequest, slug: str, kind: FeedKind) -> HttpResponseBase:
    """The newest comments on one live listing. A merged one redirects to the listing that remains."""
    listings = Listing.objects.filter(site=request.site).select_related("company", "site", "merged_into")
    listing = get_object_or_404(listings.exclude(merged_into=None) | listings.public(), slug=slug)
    if listing.merged_into:
        there = {"slug": listing.merged_into.slug, "kind": kind}
        return HttpResponsePermanentRedirect(reverse("comments_feed", kwargs=there))
    belongs_to(request, listing_name(listing.pk), company_name(listing.company_id))
    name = listing.company.name
    feed = Feed(
        id=tag_uri(listing.site.host, listing.submitted_at, f"listing/{listing.pk}/comments"),
        title=f"{name}: comments",
        description=f"What people say about {name}.",
        url=listing.site.url(request.path),
        page_url=listing.site.url(reverse("comments", args=[slug])),
        author=name,
        entries=[_entry(comment, listing) for comment in public_comments(listing)[:ENTRIES]],
        changed_at=listing.launched_at,
    )
    return feed_response(feed, kind=kind)


def _entry(comment: Comment, listing: Listing) -> Entry:
    comment.listing = listing
    author = public_name(comment.author)
    return Entry(
        id=tag_uri(listing.site.host, comment.created_at, f"comment/{comment.pk}"),
        title=f"{author} on {listing.company.name}",
        url=page_url(comment),
        html=render_text(comment.text, max_links=MAX_LINKS),
        author=author,
        published_at=comment.created_at,
        updated_at=comment.edited_at or comment.created_at,
    )
