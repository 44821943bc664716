"""Queue events for endpoints: read on in the event log and add a delivery for each wanted event.

An endpoint's cursor moves in the transaction that adds its deliveries, so that none is lost or added twice, whichever
process is killed. `seq` has no gaps in the order of commits, so nothing behind the cursor can appear later.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.utils import timezone

from apps.events.models import Event, EventCounter
from apps.webhooks.models import Cursor, Delivery, Endpoint

# A dead endpoint leaves its other events in the log, where they cost nothing.
MOST_WAITING = 5000
BATCH = 500
_ACCOUNTS_AT_ONCE = 20

# A site's endpoint looks at all accounts once in so many seconds, and otherwise at those with recent events.
_ALL_ACCOUNTS_EVERY = 60.0
# Events of long transactions commit after newer ones. What commits later still is found by the look at all accounts.
_LATE_EVENTS = 1000

_BEHIND = """
SELECT counter.account_id, coalesce(own.seq, 0), counter.last FROM events_eventcounter AS counter
LEFT JOIN webhooks_cursor AS own ON own.account_id = counter.account_id AND own.endpoint_id = %(endpoint)s
WHERE counter.last > coalesce(own.seq, 0) AND {accounts} ORDER BY counter.account_id LIMIT %(limit)s
"""
_OWN = _BEHIND.format(accounts="counter.account_id = %(account)s")
_ALL = _BEHIND.format(accounts="true")
_RECENT = _BEHIND.format(
    accounts="""counter.account_id IN (
        SELECT account_id FROM events_event WHERE site_id = %(site)s AND id > %(after)s AND account_id IS NOT NULL
    )"""
)
_NEWEST = "SELECT coalesce(max(id), 0) FROM events_event WHERE site_id = %(site)s"
_START_NOW = """
INSERT INTO webhooks_cursor (endpoint_id, account_id, seq)
SELECT %(endpoint)s, account_id, last FROM events_eventcounter
"""


def start_now(endpoint: Endpoint) -> None:
    """Begin with the next event of each account."""
    if endpoint.account_id is None:
        with connection.cursor() as cursor:
            cursor.execute(_START_NOW, {"endpoint": endpoint.pk})
        return
    last = EventCounter.objects.filter(account=endpoint.account_id).values_list("last", flat=True).first()
    Cursor.objects.create(endpoint=endpoint, account_id=endpoint.account_id, seq=last or 0)


@dataclass(frozen=True, slots=True)
class _Look:
    """When this process found a site's endpoint up to date: with all accounts, and up to which event."""

    at: float
    newest: int


_looks: dict[int, _Look] = {}


def queue_events(*, seconds: float = 10.0) -> bool:
    """Queue the next events of active endpoints for about `seconds`, at most a batch per account.

    Returns whether any were found.
    """
    ends_at = time.monotonic() + seconds
    last = EventCounter.objects.filter(account=OuterRef("account")).values("last")
    is_behind = Exists(
        Cursor.objects.filter(endpoint=OuterRef("pk"), account=OuterRef("account"), seq__lt=Subquery(last))
    )
    endpoints = Endpoint.objects.in_use().filter(Q(account=None) | is_behind, status=Endpoint.Status.ACTIVE)
    result = False
    # In random order, so that none is always left for the next time.
    for pk in endpoints.order_by("?").values_list("pk", flat=True):
        result = _queue_next(pk) or result
        if time.monotonic() >= ends_at:
            break
    return result


@transaction.atomic
def _queue_next(endpoint_id: int) -> bool:
    endpoint = _locked(endpoint_id)
    if endpoint is None or _count_waiting(endpoint) >= MOST_WAITING:
        return False
    behind, look = _behind(endpoint)
    is_up_to_date = len(behind) < _ACCOUNTS_AT_ONCE
    for account_id, seq, last in behind:
        events = list(Event.objects.filter(account=account_id, seq__gt=seq).order_by("seq")[:BATCH])
        add_deliveries(endpoint, events)
        # Old events are deleted: their numbers are behind, too.
        newest = events[-1].seq or 0 if events else 0
        is_up_to_date = is_up_to_date and len(events) < BATCH
        reached = newest if len(events) == BATCH else max(last, newest)
        Cursor.objects.update_or_create(endpoint=endpoint, account_id=account_id, defaults={"seq": reached})
    if look and is_up_to_date:
        _looks[endpoint.pk] = look
    return bool(behind)


def _behind(endpoint: Endpoint) -> tuple[list[tuple[int, int, int]], _Look | None]:
    """Return accounts with events that aren't queued yet: their ids, the cursor and the last number.

    For a site's endpoint also what is known once these are queued: joining all accounts each second would be slow.
    """
    values = {"endpoint": endpoint.pk, "limit": _ACCOUNTS_AT_ONCE}
    with connection.cursor() as cursor:
        if endpoint.account_id is not None:
            cursor.execute(_OWN, {**values, "account": endpoint.account_id})
            return cursor.fetchall(), None
        cursor.execute(_NEWEST, {"site": endpoint.site_id})
        [newest] = cursor.fetchone()
        now, look = time.monotonic(), _looks.get(endpoint.pk)
        if look is None or now - look.at >= _ALL_ACCOUNTS_EVERY:
            cursor.execute(_ALL, values)
            return cursor.fetchall(), _Look(now, newest)
        cursor.execute(_RECENT, {**values, "site": endpoint.site_id, "after": look.newest - _LATE_EVENTS})
        return cursor.fetchall(), replace(look, newest=newest)


def _locked(endpoint_id: int) -> Endpoint | None:
    result: Endpoint | None = (
        Endpoint.objects.select_for_update(no_key=True, skip_locked=True)
        .filter(pk=endpoint_id, status=Endpoint.Status.ACTIVE)
        .first()
    )
    return result


def _count_waiting(endpoint: Endpoint) -> int:
    waiting = Delivery.objects.filter(endpoint=endpoint, status=Delivery.Status.WAITING)
    return len(waiting.order_by("object_key").values_list("pk")[:MOST_WAITING])


def add_deliveries(endpoint: Endpoint, events: Sequence[Event]) -> int:
    """Queue the events that the locked endpoint wants, and return their number. Those sent before are sent again."""
    wanted = [
        Delivery(
            endpoint=endpoint,
            event=event,
            type=event.type,
            seq=event.seq or 0,
            object_key=f"{event.object_type}:{event.object_id}",
        )
        for event in events
        if endpoint.wants(event.type) and endpoint.site_id in {None, event.site_id}
    ]
    Delivery.objects.bulk_create(
        wanted,
        update_conflicts=True,
        unique_fields=["endpoint", "event"],
        update_fields=["status", "attempts_made", "next_at", "first_tried_at", "done_at"],
    )
    return len(wanted)


def queue_again(deliveries: Sequence[int], *, endpoint: Endpoint) -> int:
    """Send deliveries of an endpoint again, under the same ids. Returns how many."""
    result = Delivery.objects.filter(endpoint=endpoint, pk__in=deliveries, event__isnull=False)
    count: int = result.update(
        status=Delivery.Status.WAITING, attempts_made=0, next_at=timezone.now(), first_tried_at=None, done_at=None
    )
    return count


def rewind(endpoint: Endpoint, *, seq: int) -> None:
    """Read the event log again after a `seq`, for an endpoint of an account."""
    Cursor.objects.filter(endpoint=endpoint, account=endpoint.account_id, seq__gt=seq).update(seq=seq)


def lag(endpoint: Endpoint) -> int:
    """Return how many events of the account aren't queued yet."""
    counters = EventCounter.objects.filter(account=endpoint.account_id)
    own = Cursor.objects.filter(endpoint=endpoint, account=OuterRef("account")).values("seq")
    result = counters.annotate(behind=F("last") - Subquery(own)).values_list("behind", flat=True).first()
    return max(result or 0, 0)
