"""Lock collections and move them between their states."""

from typing import Any

from django.utils import timezone

from apps.accounts.actors import Actor, only_person
from apps.core.errors import Conflict, Forbidden
from apps.curation.models import Collection

Status = Collection.Status


class CollectionGone(Conflict):
    code = "collection_gone"
    title = "Collection deleted"


def lock_collection(collection: Collection) -> Collection:
    """Lock a collection with its items. Raises CollectionGone (409)."""
    locked = Collection.objects.select_for_update().filter(pk=collection.pk).first()
    if locked is None:
        raise CollectionGone("The collection was just deleted.")
    return locked


def lock_own(collection: Collection, by: Actor) -> Collection:
    """Do the same for its author. Raises Forbidden (403) for anybody else."""
    author = only_person(by).account
    locked = lock_collection(collection)
    if locked.author_id != author.pk:
        raise Forbidden("Only the author can change a collection.")
    return locked


def move(collection: Collection, status: Collection.Status, *names: str, **changes: Any) -> None:
    """Move a locked or new collection with other columns. Followers hear of what is added from then on.

    Raises IllegalTransition (409).
    """
    if status == Status.PUBLIC and not collection.is_public:
        now = timezone.now()
        changes |= {"published_at": collection.published_at or now, "announced_at": now}
    collection.move_to(status, *names, **changes)
