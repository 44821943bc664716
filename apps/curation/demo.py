"""Demo collections, from demo_data/collections.yaml."""

from datetime import timedelta

from apps.accounts.models import User
from apps.core.demo import Demo, read_demo_data
from apps.curation.models import Collection, CollectionFollow, CollectionItem
from apps.listings.models import Listing
from apps.sites.demo import DEFAULT
from apps.sites.models import Site

_FOLLOWERS_AT_MOST = 24


def seed(demo: Demo) -> None:
    """Add collections with their listings and followers.

    Each entry has an `author` (the key of a company, for its founder, or `owner`), a `name`, a `slug`, a note for each
    of its `listings`, and `days_ago`. Those that are not `is_public` have no followers.
    """
    readers = [user for key, user in demo.all(User).items() if key.startswith("reader")]
    for entry in read_demo_data("apps.curation", "collections"):
        at, is_public = demo.now - timedelta(days=entry["days_ago"], hours=3), entry["is_public"]
        followers = demo.random.sample(readers, demo.random.randint(2, _FOLLOWERS_AT_MOST)) if is_public else []
        collection = Collection.objects.create(
            site=demo.get(Site, DEFAULT),
            author=demo.get(User, entry["author"]),
            name=entry["name"],
            slug=entry["slug"],
            description=entry["description"].strip(),
            status=Collection.Status.PUBLIC if is_public else Collection.Status.PRIVATE,
            follower_count=len(followers),
            created_at=at,
            changed_at=at,
            published_at=at if is_public else None,
            extended_at=at,
            announced_at=at,
        )
        CollectionItem.objects.bulk_create(
            CollectionItem(
                collection=collection,
                listing=demo.get(Listing, f"{DEFAULT}/{key}"),
                note=note or "",
                position=position,
                added_at=at,
            )
            for position, (key, note) in enumerate(entry["listings"].items())
        )
        CollectionFollow.objects.bulk_create(
            CollectionFollow(collection=collection, user=user, created_at=at) for user in followers
        )
