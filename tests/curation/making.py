"""Collections as the services make them."""

from typing import Any

from apps.accounts.models import User
from apps.curation.models import Collection
from apps.curation.services.collections import create_collection
from apps.curation.services.items import save_listing
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.factories import ListingFactory


def make_collection(
    author: User, name: str = "Quiet tools", *, number: int = 0, is_public: bool = True, description: str = ""
) -> Collection:
    """A collection on the default site with some live listings."""
    site = Site.objects.get(is_default=True)
    made = create_collection(site=site, name=name, description=description, is_public=is_public, by=in_browser(author))
    put_into(made, *ListingFactory.create_batch(number, live=True))
    return Collection.objects.get(pk=made.pk)


def put_into(collection: Collection, *listings: Listing) -> None:
    for listing in listings:
        by = in_browser(collection.author)
        save_listing(listing=listing, chosen={collection.pk}, offered={collection.pk}, by=by)


def ids(collection: Collection) -> list[int]:
    """The ids of the items in order."""
    return list(collection.items.values_list("pk", flat=True))


def texts_of(collection: Collection) -> dict[str, Any]:
    return {"name": collection.name, "description": collection.description, "is_public": collection.is_public}


def archive(*listings: Listing) -> None:
    for listing in listings:
        listing.refresh_from_db()
        listing.move_to(Listing.Status.ARCHIVED)
