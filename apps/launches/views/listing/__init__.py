"""What a listing's page shows: its facts with their sources, its place, its awards, and the ways on from it."""

from apps.launches.views.listing.context import listing_page, listings_to_show
from apps.launches.views.listing.head import listing_head, listing_picture

__all__ = ["listing_head", "listing_page", "listing_picture", "listings_to_show"]
