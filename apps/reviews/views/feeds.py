"""The newest reviews of a listing as feeds."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.contributions.names import public_name
from apps.contributions.reading import depends_on_authors
from apps.core.editing.rendering import render_text
from apps.listings.models import Listing
from apps.listings.views.feeds import feed_of_listing
from apps.reviews.announcing import page_url
from apps.reviews.models import Review
from apps.reviews.reading import public_reviews
from apps.reviews.services.writing import MAX_LINKS
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.feeds import ENTRIES, Entry, Feed, tag_uri


def _read_reviews(request: SiteHttpRequest, listing: Listing) -> Feed:
    rows = list(public_reviews(listing).order_by("-pk")[:ENTRIES])
    depends_on_authors(request, rows)
    name = listing.company.name
    return Feed(
        id=tag_uri(listing.site.host, listing.submitted_at, f"listing/{listing.pk}/reviews"),
        title=f"{name}: reviews",
        description=f"What people who use {name} say.",
        url=listing.site.url(request.path),
        page_url=listing.site.url(reverse("reviews", args=[listing.slug])),
        author=name,
        entries=[_entry(review, listing) for review in rows],
    )


def _entry(review: Review, listing: Listing) -> Entry:
    review.listing = listing
    author, proof = public_name(review.author), "verified customer" if review.is_verified else "unverified"
    stars = f"{review.rating} of 5 stars, {proof}"
    moments = (review.created_at, review.edited_at, review.answered_at, review.answer_edited_at)
    return Entry(
        id=tag_uri(listing.site.host, review.created_at, f"review/{review.pk}"),
        title=f"{author} on {listing.company.name}: {stars}",
        url=page_url(review),
        html=_html(review, listing),
        author=author,
        published_at=review.created_at,
        updated_at=max(moment for moment in moments if moment),
    )


def _html(review: Review, listing: Listing) -> SafeString:
    text = render_text(review.text, max_links=MAX_LINKS)
    if not review.answer:
        return text
    answer = render_text(review.answer, max_links=MAX_LINKS)
    heading = format_html('<p dir="auto">{} answered:</p>', listing.company.name)
    return format_html("{}\n{}\n<blockquote>{}</blockquote>", text, heading, answer)


reviews_feed = feed_of_listing("reviews_feed", _read_reviews)
