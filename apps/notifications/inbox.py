"""A person's notifications: the events of their account, and what they follow: updates and founders' launches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from typing import TypeAlias

from django.db.models import BigIntegerField, F, Q, QuerySet, Subquery, Value
from django.db.models.functions import Greatest
from django.urls import reverse

from apps.accounts.models import NotificationKind, User
from apps.core.versions.models import Via
from apps.curation.models import Collection
from apps.events.models import Event, EventCounter
from apps.launches.models import Standing
from apps.listings.models import Listing, Update
from apps.listings.services.updates import live_updates, page_url
from apps.notifications.texts import TEXTS, listing_id_of, sentence
from apps.sites.models import Site

PER_PAGE = 30
# More are shown as "99+".
MOST_COUNTED = 100
# Only the account's last events are counted, so that busy programs don't slow down its pages.
MOST_SCANNED = 5000
_LAST = BigIntegerField.MAX_BIGINT
_Source: TypeAlias = Event | Update | Standing


@dataclass(frozen=True, slots=True)
class Position:
    """A place in all sources: an event by its `seq`, an update by its id, and a launch by the id of its standing."""

    event: int = _LAST
    update: int = _LAST
    launch: int = _LAST

    def __str__(self) -> str:
        return f"{self.event}-{self.update}-{self.launch}"

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Raises ValueError for anything but three numbers of the database."""
        event, update, launch = (int(part) for part in text.split("-"))
        if not all(0 <= number <= _LAST for number in (event, update, launch)):
            raise ValueError(text)
        return cls(event, update, launch)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """A sentence about what happened. `url` is a path on any site or absolute, and empty if there is no page."""

    at: datetime
    kind: NotificationKind
    text: str
    url: str
    is_unread: bool
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Notifications, newest first. `newest` marks them as read, and `older` is where the next page begins."""

    items: Sequence[Notification]
    newest: Position
    older: Position | None


def count_unread(user: User) -> int:
    """Return how many notifications are unread, at most MOST_COUNTED, in one query."""
    last = Subquery(EventCounter.objects.filter(account=user).values("last"), output_field=BigIntegerField())
    unread = _events(user).filter(seq__gt=Greatest(Value(user.events_read), last - MOST_SCANNED))
    # Ordered, so that the index is read from its end.
    events = unread.order_by("-seq").values("pk")[:MOST_COUNTED]
    updates = _updates(user).filter(pk__gt=user.updates_read).order_by().values("pk")[:MOST_COUNTED]
    launches = _launches(user).filter(pk__gt=user.launches_read).order_by().values("pk")[:MOST_COUNTED]
    return min(events.union(updates, launches, all=True).count(), MOST_COUNTED)


def list_notifications(
    user: User, *, before: Position | None = None, since: datetime | None = None, after: Position | None = None
) -> Page:
    """Return a page of a person's notifications, in four queries for any number of them, and one for collections.

    `before` is the `older` of the page before. `after` and `since` leave out what came earlier.
    """
    before, after = before or Position(), after or Position(0, 0, 0)
    events = _events(user).filter(seq__lt=before.event, seq__gt=after.event).select_related("site").order_by("-seq")
    updates = _updates(user).filter(pk__lt=before.update, pk__gt=after.update).order_by("-pk")
    launches = _launches(user).filter(pk__lt=before.launch, pk__gt=after.launch).order_by("-pk")
    if since:
        events, updates = events.filter(at__gte=since), updates.filter(created_at__gte=since)
        launches = launches.filter(launched_at__gte=since)
    # Each is in the order of their numbers, so that no page leaves out what has an earlier time and a later number.
    sources: list[list[_Source]] = [list(rows[: PER_PAGE + 1]) for rows in (events, updates, launches)]
    result = list(merge(*sources, key=_moment, reverse=True))
    page_sources = result[:PER_PAGE]
    listings, collections = _listings(user, page_sources), _collections(user, page_sources)
    numbers = {
        model: [_number(one) for one in page_sources if isinstance(one, model)] for model in (Event, Update, Standing)
    }
    seqs, updated, launched = numbers.values()
    older = Position(
        min(seqs, default=before.event), min(updated, default=before.update), min(launched, default=before.launch)
    )
    return Page(
        items=[_notification(one, user, listings, collections) for one in page_sources],
        newest=Position(
            max(seqs, default=user.events_read),
            max(updated, default=user.updates_read),
            max(launched, default=user.launches_read),
        ),
        older=older if len(result) > PER_PAGE else None,
    )


def mark_read(user: User, *, through: Position) -> None:
    """Mark everything up to a position as read. What came later stays unread."""
    User.objects.filter(pk=user.pk).update(
        events_read=Greatest(F("events_read"), through.event),
        updates_read=Greatest(F("updates_read"), through.update),
        launches_read=Greatest(F("launches_read"), through.launch),
    )


def _events(user: User) -> QuerySet[Event]:
    """Return the account's events that are notifications, without what the person did in the browser."""
    types = [name for name, text in TEXTS.items() if text.kind in user.in_app_notifications]
    result: QuerySet[Event] = Event.objects.visible_to(user).filter(type__in=types)
    return result.exclude(actor=user, via=Via.BROWSER)


def _updates(user: User) -> QuerySet[Update]:
    """Return the public updates that listings of others posted since the person follows them."""
    if NotificationKind.FOLLOWED not in user.in_app_notifications:
        return Update.objects.none()
    followed = live_updates().filter(listing__follows__user=user, listing__follows__created_at__lte=F("created_at"))
    return followed.exclude(listing__company__owner=user)


def _launches(user: User) -> QuerySet[Standing]:
    """Return the launches of live listings by founders that the person followed before."""
    if NotificationKind.FOLLOWED not in user.in_app_notifications:
        return Standing.objects.none()
    follows = "listing__company__owner__founder_profile__follows"
    result = Standing.objects.filter(
        **{f"{follows}__user": user, f"{follows}__created_at__lte": F("launched_at")},
        listing__status=Listing.Status.LIVE,
    )
    return result.select_related("listing__company__owner__founder_profile", "listing__site")


def _moment(one: _Source) -> datetime:
    return one.at if isinstance(one, Event) else one.created_at if isinstance(one, Update) else one.launched_at


def _number(one: _Source) -> int:
    return (one.seq or 0) if isinstance(one, Event) else one.pk


def _listings(user: User, sources: Sequence[_Source]) -> dict[int, Listing]:
    """Return the listings that events are about, without merged ones and those that now belong to others."""
    ids = {pk for one in sources if isinstance(one, Event) and (pk := listing_id_of(one))}
    # Comments and reviews are also about listings of others.
    events = [one for one in sources if isinstance(one, Event)]
    others = {listing_id_of(one) for one in events if TEXTS[one.type].page in {"comment", "review"}}
    seen = Q(company__owner=user) | Q(pk__in=others, status=Listing.Status.LIVE)
    result = Listing.objects.filter(seen, merged_into=None).select_related("company", "site")
    return result.in_bulk(ids) if ids else {}


def _collections(user: User, sources: Sequence[_Source]) -> dict[int, Collection]:
    """Return the collections that events are about, without those that the person no longer sees."""
    ids = [int(one.object_id) for one in sources if isinstance(one, Event) and one.object_type == "collection"]
    return Collection.objects.visible_to(user).select_related("site").in_bulk(ids) if ids else {}


def _notification(
    one: _Source, user: User, listings: Mapping[int, Listing], collections: Mapping[int, Collection]
) -> Notification:
    if isinstance(one, Update):
        return Notification(
            at=one.created_at,
            kind=NotificationKind.FOLLOWED,
            text=f"{one.listing.company.name} posted an update: {one.title}",
            url=page_url(one),
            is_unread=one.pk > user.updates_read,
            site=one.listing.site,
        )
    if isinstance(one, Standing):
        founder, company = one.listing.company.owner.founder_profile, one.listing.company
        return Notification(
            at=one.launched_at,
            kind=NotificationKind.FOLLOWED,
            text=f"{founder.real_name or 'A founder you follow'} launched {company.name}",
            url=one.listing.page_url,
            is_unread=one.pk > user.launches_read,
            site=one.listing.site,
        )
    if one.object_type == "collection":
        collection = collections.get(int(one.object_id))
        return Notification(
            at=one.at,
            kind=TEXTS[one.type].kind,
            text=sentence(one, name=collection.name if collection else "a collection"),
            url=collection.site.url(reverse(TEXTS[one.type].page, kwargs=collection.arguments)) if collection else "",
            is_unread=(one.seq or 0) > user.events_read,
            site=one.site,
        )
    listing = listings.get(listing_id_of(one) or 0)
    return Notification(
        at=one.at,
        kind=TEXTS[one.type].kind,
        text=sentence(one, name=listing.company.name if listing else one.data.get("slug") or "A listing"),
        url=_url(one, listing),
        is_unread=(one.seq or 0) > user.events_read,
        site=one.site,
    )


def _url(event: Event, listing: Listing | None) -> str:
    page = TEXTS[event.type].page
    if page in {"draft", "claim"}:
        return reverse(page, args=[event.object_id])
    if page == "order":
        return reverse(page, args=[event.object_id if event.object_type == "order" else event.data["order"]])
    if page == "own_decisions":
        return reverse(page)
    if listing is None:
        return ""
    if page in {"comment", "review"}:
        return listing.site.url(reverse(page, args=[listing.slug, event.object_id]))
    if page == "listing":
        # Only live listings are public.
        page = "listing" if listing.status == Listing.Status.LIVE else "manage_listing"
    return listing.site.url(reverse(page, args=[listing.slug]))
