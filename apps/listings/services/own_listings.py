"""What an account reads of its own listings."""

from apps.accounts.actors import Actor
from apps.core.errors import NotFound
from apps.listings.models import Listing, ListingQuerySet


def list_my_listings(*, by: Actor) -> ListingQuerySet:
    """Every listing the account owns, in any status and on all sites, newest first."""
    own: ListingQuerySet = Listing.objects.visible_to(by.account)
    return own.with_details().order_by("-id")


def get_my_listing(*, listing_id: int, by: Actor) -> Listing:
    """One of the account's listings with everything its owner sees; raises NotFound (404) for any other number."""
    listing = Listing.objects.visible_to(by.account).with_everything().filter(pk=listing_id).first()
    if listing is None:
        raise NotFound("There is nothing at this address.", next_steps=["list_my_listings says which there are."])
    return listing
