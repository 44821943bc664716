"""Put listings into collections, and take them out."""

from collections.abc import Set

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from apps.accounts.actors import Actor, only_person
from apps.accounts.models import User
from apps.core.errors import Conflict
from apps.curation.models import MAX_ITEMS, Collection, CollectionItem
from apps.curation.services.collections import create_collection
from apps.listings.models import Listing


class NotCollectable(Conflict):
    code = "not_collectable"
    title = "Listing not public"


class CollectionFull(Conflict):
    code = "collection_full"
    title = "Collection full"


@transaction.atomic
def save_listing(
    *,
    listing: Listing,
    chosen: Set[int],
    offered: Set[int],
    new_name: str = "",
    is_public: bool = False,
    by: Actor,
) -> int:
    """Put a live listing into the chosen collections of an account, and take it out of its others that were `shown`.

    With `new_name`, it also goes into a new one. Ids of other people's collections and of other sites are ignored.
    Returns how many collections of those have it now. Raises NotCollectable and CollectionFull (409), and what
    `create_collection` raises.
    """
    author = only_person(by).account
    if listing.status != Listing.Status.LIVE:
        raise NotCollectable("You can only save live listings.")
    is_new = bool(new_name.strip())
    if is_new:
        made = create_collection(site=listing.site, name=new_name, is_public=is_public, by=by)
        chosen, offered = {*chosen, made.pk}, {*offered, made.pk}
    own = Collection.objects.filter(author=author, site=listing.site, pk__in=offered)
    collections = list(own.select_for_update().order_by("pk"))
    with_it = {
        item.collection_id: item for item in CollectionItem.objects.filter(collection__in=collections, listing=listing)
    }
    for collection in collections:
        item = with_it.get(collection.pk)
        if collection.pk in chosen and item is None:
            _add(collection, listing)
        elif collection.pk not in chosen and item is not None:
            item.collection = collection
            item.delete()
            collection.changed_at = timezone.now()
            collection.save(update_fields=["changed_at"])
    return sum(collection.pk in chosen for collection in collections)


def saved_in(listing: Listing, user: User) -> set[int]:
    """Return the ids of a person's collections that have a listing."""
    result = CollectionItem.objects.filter(listing=listing, collection__author=user)
    return set(result.values_list("collection_id", flat=True))


def _add(collection: Collection, listing: Listing) -> None:
    """Add a listing at the end of a locked collection."""
    if collection.items.count() >= MAX_ITEMS:
        raise CollectionFull(f"“{collection.name}” has {MAX_ITEMS} listings. Remove one first.")
    last = collection.items.aggregate(last=Max("position"))["last"]
    CollectionItem.objects.create(collection=collection, listing=listing, position=0 if last is None else last + 1)
    collection.changed_at = collection.extended_at = timezone.now()
    collection.save(update_fields=["changed_at", "extended_at"])
