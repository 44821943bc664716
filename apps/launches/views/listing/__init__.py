"""A listing's page: facts with sources, rank, awards and links."""

from apps.launches.views.listing.context import listing_page, listings_to_show
from apps.launches.views.listing.head import listing_head, listing_picture

__all__ = ["listing_head", "listing_page", "listing_picture", "listings_to_show"]
