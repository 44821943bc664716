"""The newest comments on a listing as feeds."""

from django.urls import reverse

from apps.comments.announcing import page_url
from apps.comments.models import Comment
from apps.comments.reading import public_comments
from apps.comments.services.writing import MAX_LINKS
from apps.contributions.names import public_name
from apps.contributions.reading import depends_on_authors
from apps.core.editing.rendering import render_text
from apps.listings.models import Listing
from apps.listings.views.feeds import feed_of_listing
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.feeds import ENTRIES, Entry, Feed, tag_uri


def _read_comments(request: SiteHttpRequest, listing: Listing) -> Feed:
    rows = list(public_comments(listing)[:ENTRIES])
    depends_on_authors(request, rows)
    name = listing.company.name
    return Feed(
        id=tag_uri(listing.site.host, listing.submitted_at, f"listing/{listing.pk}/comments"),
        title=f"{name}: comments",
        description=f"What people say about {name}.",
        url=listing.site.url(request.path),
        page_url=listing.site.url(reverse("comments", args=[listing.slug])),
        author=name,
        entries=[_entry(comment, listing) for comment in rows],
    )


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


comments_feed = feed_of_listing("comments_feed", _read_comments)
