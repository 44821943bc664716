"""Count the reviews of listings."""

from django.db.models import Count

from apps.core.stores.valkey import generations
from apps.core.stores.valkey.generations import listing_name
from apps.listings.models import Listing


def count_reviews(listing_id: int) -> None:
    """Save how many posted reviews a locked listing has, and how many verified ones by stars.

    What its owner wrote before they owned it doesn't count. Lists show it a few seconds later, like votes.
    """
    listing = Listing.objects.select_related("company").get(pk=listing_id)
    posted = listing.reviews.filter(status="posted").exclude(author=listing.company.owner_id).order_by()
    counted = list(posted.values_list("is_verified", "rating").annotate(count=Count("pk")))
    verified = {rating: count for is_verified, rating, count in counted if is_verified}
    numbers = {
        "review_count": sum(count for _, _, count in counted),
        "star_counts": [verified.get(stars, 0) for stars in (1, 2, 3, 4, 5)],
    }
    with generations.only(lambda: [listing_name(listing_id)]):
        Listing.objects.filter(pk=listing_id).update(**numbers)
