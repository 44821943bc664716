"""Read collections as visitors see them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Count, Exists, OuterRef, QuerySet, Window
from django.db.models.functions import RowNumber

from apps.accounts.models import FounderProfile, User
from apps.contributions.names import public_name
from apps.curation.models import Collection, CollectionItem, CollectionQuerySet
from apps.listings.models import Listing
from apps.sites.models import Site

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

# With fewer live listings, a collection is in no list and not for search engines.
MIN_LISTED = 3
SHOWN_ON_LISTING = 3
_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Who made a collection. `page_url` is empty without a founder page on the site."""

    name: str
    profile: FounderProfile | None
    page_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A collection in a list, with its first live listings. `more` counts the others."""

    collection: Collection
    author_name: str
    listings: list[Listing]
    count: int

    @property
    def more(self) -> int:
        return self.count - len(self.listings)


def listed_collections(site: Site) -> CollectionQuerySet:
    """Return the public collections of a site with enough live listings for lists and search engines."""
    third = live_items().filter(collection=OuterRef("pk")).order_by("pk")[MIN_LISTED - 1 : MIN_LISTED]
    result: CollectionQuerySet = Collection.objects.public().filter(Exists(third), site=site)
    return result.select_related("author__founder_profile")


def live_items() -> QuerySet[CollectionItem]:
    """Return the items that visitors see."""
    return CollectionItem.objects.filter(listing__status=Listing.Status.LIVE)


def items_of(collection: Collection) -> QuerySet[CollectionItem]:
    """Return a collection's live listings in order."""
    return live_items().filter(collection=collection).order_by("position", "pk")


def tiles(collections: Sequence[Collection]) -> list[Tile]:
    """Return collections for a list, with one query for their listings."""
    counted = live_items().filter(collection__in=collections)
    rows = counted.annotate(
        place=Window(RowNumber(), partition_by="collection", order_by=["position", "pk"]),
        of_collection=Window(Count("pk"), partition_by="collection"),
    )
    listings: dict[int, list[Listing]] = defaultdict(list)
    counts: dict[int, int] = {}
    named = rows.filter(place__lte=_NAMED).select_related("listing__company").order_by("collection", "place")
    for item in named if collections else ():
        listings[item.collection_id].append(item.listing)
        counts[item.collection_id] = item.of_collection
    return [
        Tile(
            collection=collection,
            author_name=public_name(collection.author),
            listings=listings[collection.pk],
            count=counts.get(collection.pk, 0),
        )
        for collection in collections
    ]


class Collected(TypedDict):
    """What `with_collected` adds to a listing."""

    is_collected: bool


def with_collected(listings: QuerySet[Listing]) -> "QuerySet[WithAnnotations[Listing, Collected]]":
    """Annotate listings with whether they are in a collection, private or public."""
    return listings.annotate(is_collected=Exists(CollectionItem.objects.filter(listing=OuterRef("pk"))))


def collections_with(listing: "WithAnnotations[Listing, Collected]") -> list[dict[str, str]]:
    """Return the most followed public collections with a listing, for its page. At most one query."""
    if not listing.is_collected:
        return []
    rows = Collection.objects.public().filter(items__listing=listing).select_related("author__founder_profile")
    return [
        {"name": row.name, "path": row.path, "author_name": public_name(row.author)}
        for row in rows.order_by("-follower_count", "-pk")[:SHOWN_ON_LISTING]
    ]


def author_of(collection: Collection) -> Author:
    """Return a collection's author, with a link to their founder page if they have one on the site."""
    user: User = collection.author
    profile = getattr(user, "founder_profile", None)
    own = Listing.objects.public().filter(site=collection.site_id, company__owner=user)
    has_page = bool(profile and profile.slug) and own.exists()
    return Author(
        name=public_name(user), profile=profile, page_url=profile.path if profile is not None and has_page else ""
    )
