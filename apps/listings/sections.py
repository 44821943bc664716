"""The paid sections of a listing's page."""

from apps.listings.models import Listing


def shows(listing: Listing, section: str) -> bool:
    """Whether a paid section is visible: on paid listings, and where it was unlocked."""
    return listing.plan == Listing.Plan.PAID or section in listing.unlocked_sections
