"""Send due deliveries: lease them, post them at the same time, and write what came back.

A lease expires, so that what a killed worker left is sent again under the same id. Of each object only the oldest
waiting delivery is sent, so that events about it arrive in order.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from apps.core.encryption import UnreadableSecret
from apps.core.fetch import FetchFailure
from apps.events.recording import record
from apps.webhooks import emails
from apps.webhooks.delivery import retries
from apps.webhooks.delivery.courier import ANSWER_SECONDS, Courier, Outcome, Parcel
from apps.webhooks.delivery.formats import body_of, event_of
from apps.webhooks.delivery.queueing import queue_events
from apps.webhooks.delivery.signing import signed_headers
from apps.webhooks.models import Attempt, Delivery, Endpoint

logger = logging.getLogger(__name__)

RUN_SECONDS = 20.0
MOST_AT_ONCE = 64
MOST_AT_ONCE_PER_ENDPOINT = 8
# A quarter, so that the slow endpoints of one account leave room for others.
MOST_AT_ONCE_PER_ACCOUNT = 16
LEASE = timedelta(seconds=ANSWER_SECONDS) * 3
_QUEUE_EVERY_SECONDS = 1.0
_GATHER_SECONDS = 0.05
_BUSY = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_WARN_AFTER = timedelta(hours=24)

_LEASE_OLDEST = """
WITH due AS (
    SELECT id FROM webhooks_delivery AS own
    WHERE endpoint_id = %(endpoint)s AND status = 'waiting' AND next_at <= %(now)s
    AND (leased_until IS NULL OR leased_until < %(now)s) AND (%(is_ready)s OR test_id IS NOT NULL)
    AND NOT EXISTS (
        SELECT 1 FROM webhooks_delivery AS earlier
        WHERE earlier.endpoint_id = own.endpoint_id AND earlier.status = 'waiting'
        AND earlier.object_key = own.object_key AND earlier.event_id < own.event_id
    )
    ORDER BY next_at, id LIMIT %(limit)s FOR UPDATE OF own SKIP LOCKED
)
UPDATE webhooks_delivery SET leased_until = %(until)s, first_tried_at = coalesce(first_tried_at, %(now)s)
WHERE id IN (SELECT id FROM due) AND status = 'waiting' AND (leased_until IS NULL OR leased_until < %(now)s)
RETURNING id
"""


@dataclass(frozen=True, slots=True)
class Job:
    """A leased delivery and its request. Without one it can't be sent, and `error` says why."""

    delivery_id: int
    endpoint_id: int
    account_id: int | None
    leased_until: datetime
    parcel: Parcel | None
    error: str = ""


def send_due(*, seconds: float = RUN_SECONDS, on_closing: Callable[[], object] = lambda: None) -> int:
    """Queue and send everything that is due, for at most `seconds`, and wait for the last answers.

    `on_closing` is called before that wait, so that another run can begin. Returns the number of requests.
    """
    ends_at = time.monotonic() + seconds
    queue_at, sent = 0.0, 0
    flights: dict[Future[Outcome], Job] = {}
    with Courier() as courier:
        while True:
            now = time.monotonic()
            is_open = now < ends_at
            if not is_open:
                on_closing()
            if is_open and now >= queue_at and not queue_events(seconds=_QUEUE_EVERY_SECONDS):
                queue_at = now + _QUEUE_EVERY_SECONDS
            for job in lease_due(MOST_AT_ONCE - len(flights), flying=flights.values()) if is_open else ():
                if job.parcel is None:
                    write_outcomes([(job, Outcome(error=job.error))])
                else:
                    flights[courier.send(job.parcel)] = job
                    sent += 1
            if not flights:
                # The last results may have made room for more.
                if is_open and queue_events(seconds=_QUEUE_EVERY_SECONDS):
                    continue
                return sent
            wait(flights, timeout=_QUEUE_EVERY_SECONDS, return_when=FIRST_COMPLETED)
            # Those that answer soon after the first share its statements.
            done, _ = wait(flights, timeout=_GATHER_SECONDS)
            write_outcomes([(flights.pop(flight), flight.result()) for flight in done])


def lease_due(most: int, *, flying: Iterable[Job] = ()) -> Iterator[Job]:
    """Lease the next due deliveries, a few of each account and endpoint, those that waited longest first.

    `flying` are the caller's requests without an answer yet.
    """
    if most <= 0:
        return
    now = timezone.now()
    due = Delivery.objects.filter(endpoint=OuterRef("pk"), status=Delivery.Status.WAITING, next_at__lte=now)
    is_ready = Q(status=Endpoint.Status.ACTIVE) & (Q(waits_until=None) | Q(waits_until__lte=now))
    ready = Endpoint.objects.in_use().filter(is_ready & Exists(due) | Exists(due.filter(test_id__isnull=False)))
    of_account = Counter(job.account_id for job in flying)
    # In random order, so that none is always the last.
    for endpoint in ready.order_by("?"):
        left = most if endpoint.account_id is None else MOST_AT_ONCE_PER_ACCOUNT - of_account[endpoint.account_id]
        if left <= 0:
            continue
        leased = _lease(endpoint, most=min(most, left, _free_of(endpoint, now)), now=now)
        of_account[endpoint.account_id] += len(leased)
        most -= len(leased)
        yield from leased
        if most <= 0:
            return


def _free_of(endpoint: Endpoint, now: datetime) -> int:
    flying: int = Delivery.objects.filter(
        endpoint=endpoint, status=Delivery.Status.WAITING, leased_until__gte=now
    ).count()
    most = 1 if endpoint.failures >= retries.FAILURES_BEFORE_REST else MOST_AT_ONCE_PER_ENDPOINT
    return max(most - flying, 0)


def _lease(endpoint: Endpoint, *, most: int, now: datetime) -> list[Job]:
    is_ready = endpoint.is_active and (endpoint.waits_until is None or endpoint.waits_until <= now)
    values: dict[str, Any] = {
        "endpoint": endpoint.pk,
        "now": now,
        "until": now + LEASE,
        "limit": most,
        "is_ready": is_ready,
    }
    with connection.cursor() as cursor:
        cursor.execute(_LEASE_OLDEST, values)
        ids = [pk for (pk,) in cursor.fetchall()]
    result: Sequence[Delivery] = Delivery.objects.filter(pk__in=ids).select_related("event__site").order_by("pk")
    return [_job(delivery, endpoint, now) for delivery in result]


def _job(delivery: Delivery, endpoint: Endpoint, now: datetime) -> Job:
    job = partial(Job, delivery.pk, endpoint.pk, endpoint.account_id, now + LEASE)
    event = event_of(delivery, endpoint)
    if event is None:
        return job(None, "event_deleted")
    body = body_of(event, endpoint)
    try:
        signed = signed_headers(endpoint, id_=event.key, body=body, now=timezone.now())
    except UnreadableSecret:
        logger.warning("a webhook's secret can't be read: SECRET_KEY has changed", extra={"endpoint": endpoint.pk})
        return job(None, "secret_unreadable")
    headers = {**signed, "Content-Type": "application/json"}
    return job(Parcel(endpoint.pk, endpoint.url, headers, body))


@transaction.atomic(savepoint=False)
def write_outcomes(outcomes: Sequence[tuple[Job, Outcome]]) -> None:
    """Add attempts to the log, and decide what follows. Without its lease a result is dropped."""
    # Endpoints come first, as when one is deleted or its events are queued again, and all in one order.
    endpoints = Endpoint.objects.select_for_update(no_key=True).order_by("pk")
    of_pk = {endpoint.pk: endpoint for endpoint in endpoints.filter(pk__in={job.endpoint_id for job, _ in outcomes})}
    waiting = Delivery.objects.select_for_update(of=("self",)).filter(status=Delivery.Status.WAITING).order_by("pk")
    leased = waiting.in_bulk([job.delivery_id for job, _ in outcomes])
    now = timezone.now()
    attempts, noted = [], set()
    for job, outcome in outcomes:
        endpoint, delivery = of_pk.get(job.endpoint_id), leased.get(job.delivery_id)
        if endpoint is None or delivery is None or delivery.leased_until != job.leased_until:
            continue
        attempts.append(_attempt(delivery, outcome, now))
        if not delivery.is_test and _note(endpoint, outcome, now):
            noted.add(endpoint)
        result = {"endpoint": endpoint.pk, "delivery": delivery.pk, "status": outcome.status_code or outcome.error}
        logger.info("sent a webhook", extra=result)
    Attempt.objects.bulk_create(attempts)
    Delivery.objects.bulk_create(
        [attempt.delivery for attempt in attempts],
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["status", "attempts_made", "next_at", "leased_until", "done_at"],
    )
    for endpoint in noted:
        endpoint.save(update_fields=["failures", "failing_since", "waits_until", "warned_at", "status"])


def _attempt(delivery: Delivery, outcome: Outcome, now: datetime) -> Attempt:
    """Return the attempt, and change the delivery."""
    delivery.leased_until = None
    delivery.attempts_made += 1
    if outcome.is_success:
        _end(delivery, Delivery.Status.DELIVERED, now)
    elif delivery.is_test or outcome.error == "event_deleted":
        _end(delivery, Delivery.Status.FAILED, now)
    elif outcome.status_code != HTTPStatus.GONE:
        _retry(delivery, outcome.headers, now)
    return Attempt(
        delivery=delivery,
        at=now,
        status_code=outcome.status_code,
        error=outcome.error,
        elapsed_ms=outcome.elapsed_ms,
        answer=outcome.answer,
    )


def _end(delivery: Delivery, status: Delivery.Status, now: datetime) -> None:
    delivery.status = status
    delivery.done_at = now


def _retry(delivery: Delivery, headers: Mapping[str, str], now: datetime) -> None:
    at = retries.next_attempt(
        attempts_made=delivery.attempts_made,
        first_tried_at=delivery.first_tried_at or now,
        now=now,
        retry_after=retries.retry_after(headers, now=now),
    )
    if at is None:
        _end(delivery, Delivery.Status.FAILED, now)
    else:
        delivery.next_at = at


def _note(endpoint: Endpoint, outcome: Outcome, now: datetime) -> bool:
    """Count failures in a row, which make the endpoint rest, and email its owner. Returns whether it changed."""
    if outcome.is_success:
        was_failing = endpoint.failing_since is not None
        endpoint.failures = 0
        endpoint.failing_since = endpoint.waits_until = endpoint.warned_at = None
        return was_failing
    endpoint.failures += 1
    endpoint.failing_since = endpoint.failing_since or now
    pause = retries.rest(endpoint.failures)
    if outcome.status_code in _BUSY:
        pause = max(pause, retries.retry_after(outcome.headers, now=now) or timedelta(0))
    if pause:
        endpoint.waits_until = now + pause
    if outcome.status_code == HTTPStatus.GONE and endpoint.is_active:
        endpoint.status = Endpoint.Status.DISABLED
        record("webhook_endpoint.disabled", endpoint.event_subject())
        emails.tell_disabled(endpoint, now=now)
    elif endpoint.warned_at is None and now - endpoint.failing_since >= _WARN_AFTER:
        endpoint.warned_at = now
        emails.tell_failing(endpoint, error=describe(outcome))
    return True


_ERRORS: Mapping[str, str] = {
    FetchFailure.BAD_ADDRESS: "The URL isn't allowed.",
    FetchFailure.PRIVATE_ADDRESS: "The host resolves to a private address.",
    FetchFailure.UNREACHABLE: "No connection.",
    FetchFailure.TIMEOUT: "No answer within 15 seconds.",
    FetchFailure.TOO_LARGE: "The answer is too large.",
    FetchFailure.HEADERS_TOO_LARGE: "The answer's headers are too large.",
    FetchFailure.BAD_RESPONSE: "The answer isn't valid HTTP.",
    "event_deleted": "The event was deleted.",
    "secret_unreadable": "Rotate the secret to send again.",
}


def describe(outcome: Outcome | Attempt) -> str:
    """Say in a few words what came back."""
    if outcome.status_code is not None:
        return f"Status {outcome.status_code}"
    return _ERRORS.get(outcome.error, outcome.error)
