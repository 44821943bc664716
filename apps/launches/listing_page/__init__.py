"""A listing's page: facts with sources, rank, awards and links."""

from apps.launches.listing_page.context import listing_content, listing_page, listings_to_show
from apps.launches.listing_page.head import listing_head, listing_picture
from apps.launches.listing_page.sources import sources_from

__all__ = ["listing_content", "listing_head", "listing_page", "listing_picture", "listings_to_show", "sources_from"]
