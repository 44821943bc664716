"""Read listings: an account's own, and public ones."""

from functools import cache
from typing import TypeVar

from apps.accounts.actors import Actor
from apps.core.api.lists.rows import Page, Read, choose
from apps.core.errors import unknown_id
from apps.core.stores.postgresql.statements import Parameter, Statement
from apps.listings.models import Listing
from apps.sites.models import Site

T = TypeVar("T")


def list_my_listings(*, by: Actor, page: int, per_page: int, read: Read[T]) -> Page[T]:
    """Return a page of the account's listings, in any status and on all sites, newest first."""
    return read(_own_listings(), {"owner": by.account.pk}, page=page, per_page=per_page)


@cache
def _own_listings() -> Statement:
    return choose(Listing.objects.visible_to(Parameter("owner")).order_by("-id"))


def get_my_listing(*, listing_id: int, by: Actor) -> Listing:
    """Return one of the account's listings with everything its owner sees. Raises NotFound (404) for any other id."""
    listing = Listing.objects.visible_to(by.account).with_everything().filter(pk=listing_id).first()
    if listing is None:
        raise unknown_id("list_my_listings", "You have no listing with this id.")
    return listing


def get_listing(*, site: Site, slug: str) -> Listing:
    """Return a site's live listing with everything its page shows. A merged slug returns the remaining listing.

    Raises NotFound (404) for any other slug.
    """
    result = Listing.objects.public().with_everything().filter(site=site)
    listing = result.filter(slug=slug).first() or result.filter(merged__slug=slug, merged__site=site).first()
    if listing is None:
        raise unknown_id("search_listings", "This site has no live listing with this slug.", kind="slug")
    return listing
