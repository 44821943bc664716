"""Follow collections, and tell followers what was added, once a day at most."""

import logging
from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import SYSTEM, Actor
from apps.accounts.models import User
from apps.core.errors import Conflict
from apps.core.stores.valkey import generations
from apps.core.stores.valkey.generations import COLLECTIONS, collection_name
from apps.curation.models import MAX_FOLLOWED, Collection, CollectionFollow
from apps.curation.services.states import lock_collection
from apps.events.recording import Subject, event_of, record_all
from apps.listings.models import Listing
from apps.listings.services.followers import FollowButton, NotFollowable
from apps.sites.models import Site

logger = logging.getLogger(__name__)

PAUSE = timedelta(days=1)
BATCH = 200


class TooManyFollowed(Conflict):
    code = "too_many_followed"
    title = "Too many collections followed"


@transaction.atomic
def follow_collection(*, collection: Collection, by: Actor) -> None:
    """Notify the account of additions from now on. Following twice is a no-op.

    Raises NotFollowable and TooManyFollowed (409).
    """
    locked = lock_collection(collection)
    if not locked.is_public or locked.author_id == by.account.pk:
        raise NotFollowable("You can only follow other people's public collections.")
    others = CollectionFollow.objects.filter(user=by.account).exclude(collection=locked)
    if others.count() >= MAX_FOLLOWED:
        raise TooManyFollowed(f"You follow {MAX_FOLLOWED} collections. Unfollow one first.")
    CollectionFollow.objects.get_or_create(collection=locked, user=by.account)
    _count(locked)


@transaction.atomic
def unfollow_collection(*, collection: Collection, by: Actor) -> None:
    """Stop notifying the account, in any status of the collection. Doing it twice is no error."""
    locked = lock_collection(collection)
    CollectionFollow.objects.filter(collection=locked, user=by.account).delete()
    _count(locked)


def collection_button(collection: Collection, user: User | AnonymousUser) -> FollowButton | None:
    """Return the follow button of a public collection, or None on one's own."""
    if not collection.is_public or collection.author_id == user.pk:
        return None
    return FollowButton(
        label="Follow updates",
        name=collection.name,
        slug=f"{collection.pk}-{collection.slug}",
        url=reverse("follow_collection", kwargs=collection.arguments),
        is_following=user.is_authenticated and collection.follows.filter(user=user).exists(),
    )


def followable_by(user: User | AnonymousUser, site: Site) -> QuerySet[Collection]:
    """Return what a visitor of a site can follow or unfollow: its visible collections, and all that they follow."""
    follows = CollectionFollow.objects.filter(collection=OuterRef("pk"), user=user.pk)
    return Collection.objects.visible_to(user).filter(site=site) | Collection.objects.filter(Exists(follows))


def followed_collections(user: User) -> QuerySet[CollectionFollow]:
    """Return the collections that an account follows on all sites, newest first, also those that aren't public now."""
    result = CollectionFollow.objects.filter(user=user)
    return result.select_related("collection__site", "collection__author__founder_profile")


def announce_additions() -> int:
    """Tell followers what was added since the last time, at least a day ago. Returns the number of collections.

    Safe to repeat and to run in several workers.
    """
    due = Collection.objects.public().filter(
        follower_count__gt=0, extended_at__gt=F("announced_at"), announced_at__lte=timezone.now() - PAUSE
    )
    ids = list(due.order_by("announced_at").values_list("pk", flat=True)[:BATCH])
    return sum(_announce(pk) for pk in ids)


@transaction.atomic
def _announce(collection_id: int) -> bool:
    locked = Collection.objects.public().select_for_update(skip_locked=True).filter(pk=collection_id).first()
    if locked is None or locked.extended_at <= locked.announced_at:
        return False
    added = locked.items.filter(added_at__gt=locked.announced_at, listing__status=Listing.Status.LIVE)
    moments = list(added.values_list("added_at", flat=True))
    # Later followers already saw the additions.
    follows = locked.follows.filter(created_at__lt=max(moments)) if moments else locked.follows.none()
    record_all(
        event_of(
            "followed_collection.extended",
            Subject("collection", locked.pk, user_id, locked.site_id, {"listings": len(moments)}),
            by=SYSTEM,
        )
        for user_id in follows.values_list("user_id", flat=True)
    )
    with generations.only(tuple):
        Collection.objects.filter(pk=locked.pk).update(announced_at=timezone.now())
    return bool(moments)


def _count(collection: Collection) -> None:
    with generations.only(lambda: [COLLECTIONS, collection_name(collection.pk)] if collection.is_public else []):
        Collection.objects.filter(pk=collection.pk).update(follower_count=collection.follows.count())
