"""A listing as its sponsored spot shows it."""

from dataclasses import dataclass

from apps.core.web.hosts import display_host_of
from apps.listings.models import Listing


@dataclass(frozen=True, slots=True)
class SponsoredCard:
    """The content of a sponsored spot. `website` is empty if the company has none."""

    slug: str
    name: str
    page_url: str
    headline: str
    logo_key: str
    website: str
    display_host: str


def sponsored_card(listing: Listing) -> SponsoredCard:
    """Return the card of a listing that is loaded with its company."""
    company = listing.company
    return SponsoredCard(
        slug=listing.slug,
        name=company.name,
        page_url=listing.path,
        headline=listing.headline,
        logo_key=company.logo_key,
        website=company.website,
        display_host=display_host_of(company.website),
    )
