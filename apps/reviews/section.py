"""The reviews on a listing's page and in its structured data."""

from collections.abc import Iterable
from typing import Any

from apps.core.stores.valkey.generations import founder_name
from apps.listings.models import Listing
from apps.reviews.reading import Reader, Shown, distribution, read_page
from apps.reviews.services.writing import why_not_reviewing
from apps.sites.models import Site
from apps.sites.seo.json_ld import Data, filled


def reviews_section(listing: Listing, reader: Reader) -> dict[str, Any]:
    """Return the context of templates/reviews/parts/section.html for a live listing. One query at most."""
    page = read_page(listing, reader=reader)
    return {
        **summary(listing, reader),
        "page": page,
        "names": names_in(page.shown),
        "own": next((one for one in page.shown if one.is_own), None),
    }


def summary(listing: Listing, reader: Reader) -> dict[str, Any]:
    """Return the numbers of a listing's reviews, and whether the reader may write one."""
    verified = sum(listing.star_counts)
    return {
        "count": listing.review_count,
        "verified_count": verified,
        "rating": listing.rating,
        "distribution": distribution(listing) if listing.rating else [],
        "is_owner": reader.pk == listing.company.owner_id,
        "is_writable": not (reader.is_authenticated and why_not_reviewing(listing, reader)),
    }


def names_in(items: Iterable[Shown]) -> set[str]:
    """Return the generations of the founders whose names are shown."""
    return {founder_name(review.author_id) for review in items if review.profile}


def rating_data(site: Site, section: dict[str, Any] | None) -> Data:
    """Describe the average and the first verified reviews for search engines, if there are enough for an average."""
    rating = section and section["rating"]
    if not section or not rating:
        return {}
    return {
        "aggregateRating": {
            "@type": "AggregateRating",
            "ratingValue": str(rating),
            "reviewCount": rating.count,
            "bestRating": 5,
            "worstRating": 1,
        },
        "review": [_described(site, one) for one in section["page"].verified if one.status == "posted"],
    }


def _described(site: Site, review: Shown) -> Data:
    return filled(
        {
            "@type": "Review",
            "reviewRating": {"@type": "Rating", "ratingValue": review.rating, "bestRating": 5, "worstRating": 1},
            "reviewBody": review.text,
            "url": site.url(review.path),
            "datePublished": review.created_at.isoformat(),
            "dateModified": review.edited_at.isoformat() if review.edited_at else None,
            "author": {"@type": "Person", "name": review.author_name},
        }
    )
