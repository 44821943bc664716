"""Tell people about reviews: events, which are also notifications, and emails."""

from typing import Any

from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import NotificationKind, User
from apps.accounts.notifications.services import put_optional
from apps.contributions.names import public_name
from apps.contributions.writing import subject_for
from apps.events.recording import record
from apps.reviews.models import Review


def announce(review: Review, *, by: Actor) -> None:
    """Email the listing's owner, at most once an hour about a listing. The move to `posted` is the owner's event."""
    hour = f"{timezone.now():%Y%m%d%H}"
    _email(review, review.listing.company.owner, "posted", key=f"{review.listing_id}-{hour}")


def tell_author(review: Review, action: str, *, by: Actor) -> None:
    """Notify the author of an answer or a decision."""
    record(f"own_review.{action}", subject_for(review, review.author_id), by=by)
    if action == "answered":
        _email(review, review.author, "answered", key=f"{review.pk}-answered")


def page_url(review: Review) -> str:
    """Return the absolute URL of a review."""
    return review.listing.site.url(page_path(review))


def page_path(review: Review) -> str:
    """Return the same on its site."""
    return reverse("review", args=[review.listing.slug, review.pk])


def _email(review: Review, to: User, name: str, *, key: str) -> None:
    put_optional(
        NotificationKind.COMMENTS,
        to=to,
        key=f"reviews-{name}-{key}-{to.pk}",
        name=f"reviews/emails/{name}",
        context=_context(review),
        site=review.listing.site,
    )


def _context(review: Review) -> dict[str, Any]:
    listing = review.listing
    return {
        "listing": listing,
        "site": listing.site,
        "author_name": public_name(review.author),
        "rating": review.rating,
        "is_verified": review.is_verified,
        "text": review.text,
        "answer": review.answer,
        "page_url": page_url(review),
    }
