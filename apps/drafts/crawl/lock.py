"""Lease drafts to workers: one worker per draft, fenced by the attempt number.

A worker that died or stalled until its lease ran out can no longer write: the next lease raises the attempt number, and
every write checks it. All times come from the database.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Thread
from types import TracebackType

from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from apps.drafts.models import MAX_ATTEMPTS, Draft, DraftQuerySet

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=15)
HEARTBEAT_SECONDS = 5.0
# A lost message is sent again after this time, which is longer than a crawl usually waits in the queue.
REQUEUE_AFTER = timedelta(seconds=60)
RECOVERY_BATCH = 500


class LeaseLostError(Exception):
    """Another attempt has taken over, or the draft has ended: stop without writing."""


@dataclass(frozen=True, slots=True)
class Lease:
    """One worker's right to write to one draft."""

    draft_id: int
    attempt: int

    def renew(self) -> None:
        """Extend the lease by 15 seconds. Raises LeaseLostError.

        Also extends it while the draft is canceled and the worker has not noticed yet, because no other crawl may use
        the domain before that.
        """
        self._write(Draft.objects.in_progress() | Draft.objects.cancelled_while_leased(), leased_until=Now() + LEASE)

    def report(self, *, done: int, planned: int, pages: Sequence[Mapping[str, str]] = ()) -> None:
        """Extend the lease and save the progress: the number of pages, and the outcome of each.

        Raises LeaseLostError.
        """
        progress = {"pages_done": done, "pages_planned": planned, "pages_read": list(pages)}
        self._write(Draft.objects.in_progress(), leased_until=Now() + LEASE, **progress)

    def move_to_domain(self, domain: str) -> bool:
        """Move the draft to the domain that its URL redirects to. Raises LeaseLostError.

        Returns false when another crawl reads that domain. Release the draft then: it now waits for that domain.
        """
        with transaction.atomic():
            _lock_leasing()
            is_free = not Draft.objects.leased().filter(domain=domain).exclude(pk=self.draft_id).exists()
            self._write(Draft.objects.in_progress(), domain=domain)
        return is_free

    def release(self) -> None:
        """Release the draft, because the worker has stopped for now."""
        Draft.objects.in_progress().filter(pk=self.draft_id, attempt=self.attempt).update(leased_until=None)

    def update(self, change: Callable[[Draft], None]) -> Draft:
        """Have `change` move the locked draft. Raises LeaseLostError."""
        with transaction.atomic():
            draft: Draft | None = (
                Draft.objects.in_progress().select_for_update().filter(pk=self.draft_id, attempt=self.attempt).first()
            )
            if draft is None:
                raise LeaseLostError
            change(draft)
        return draft

    def release_cancelled(self) -> None:
        """Free the domain after the worker has stopped because its draft was canceled."""
        Draft.objects.cancelled_while_leased().filter(pk=self.draft_id, attempt=self.attempt).update(leased_until=None)

    def _write(self, drafts: DraftQuerySet, **values: object) -> None:
        if not drafts.filter(pk=self.draft_id, attempt=self.attempt).update(**values):
            raise LeaseLostError


def lease_draft(draft_id: int) -> Lease | None:
    """Lease this draft. Returns None when it is leased, has ended, or its owner or domain is at the crawl limit."""
    return _lease_first(Draft.objects.filter(pk=draft_id))


def lease_next() -> Lease | None:
    """Lease the next draft. Returns None when no draft may be crawled now."""
    return _lease_first(Draft.objects.all())


def _lease_first(drafts: DraftQuerySet) -> Lease | None:
    with transaction.atomic():
        _lock_leasing()
        draft_id = drafts.crawlable().values_list("pk", flat=True).first()
        if draft_id is None:
            return None
        # The one change of a status without `move_to`, because a further attempt is no event.
        leased = (
            Draft.objects.unleased()
            .filter(pk=draft_id)
            .update(
                status=Draft.Status.CRAWLING,
                attempt=F("attempt") + 1,
                leased_until=Now() + LEASE,
                pages_done=0,
                pages_planned=0,
                pages_read=[],
            )
        )
        # Its owner may have canceled it in the meantime.
        return Lease(draft_id, Draft.objects.values_list("attempt", flat=True).get(pk=draft_id)) if leased else None


def _lock_leasing() -> None:
    """Lock leasing until the transaction ends, because each lease counts the crawls of an owner and a domain."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('draft leases', 0))")


def unblocked_by(*, domains: Collection[str], owner_id: int) -> list[int]:
    """Return one draft for each of these domains and this owner that may be crawled now that a crawl has ended."""
    waiting = Draft.objects.crawlable()
    result = [waiting.filter(domain=domain).first() for domain in sorted(domains)]
    result.append(waiting.filter(owner=owner_id).first())
    return list(dict.fromkeys(draft.pk for draft in result if draft is not None))


def next_draft_ids() -> list[int]:
    """Return the id of the next draft that may be crawled, as a list that may be empty."""
    return list(Draft.objects.crawlable().values_list("pk", flat=True)[:1])


def recover_lost() -> list[int]:
    """Release drafts whose lease ran out and find those whose message was lost. Returns ids to enqueue again.

    Drafts without attempts left fail.
    """
    with transaction.atomic():
        lost = list(
            Draft.objects.unleased()
            .exclude(leased_until=None, queued_at__gt=Now() - REQUEUE_AFTER)
            .select_for_update(skip_locked=True)
            .order_by("pk")[:RECOVERY_BATCH]
        )
        spent = [draft for draft in lost if draft.attempt >= MAX_ATTEMPTS]
        for draft in spent:
            message = "Reading the website failed 3 times. Try again later."
            fail(draft, code=Draft.Failure.UNREACHABLE, message=message)
        again = [draft.pk for draft in lost if draft.attempt < MAX_ATTEMPTS]
        Draft.objects.filter(pk__in=again).update(leased_until=None, queued_at=Now())
    return again


def fail(draft: Draft, *, code: str, message: str, website: str = "") -> None:
    """Fail a draft with a failure code and a sentence that says what to do.

    `website` is where the URL redirected, when that is the reason.
    """
    draft.move_to(Draft.Status.FAILED, error_code=code, error_message=message, website=website)


class Heartbeat:
    """Renew a lease every five seconds from a separate thread and connection."""

    def __init__(self, lease: Lease, *, seconds: float = HEARTBEAT_SECONDS) -> None:
        self._lease = lease
        self._seconds = seconds
        self._stop = Event()
        self._thread = Thread(target=self._beat, name=f"heartbeat-{lease.draft_id}", daemon=True)

    def __enter__(self) -> "Heartbeat":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._stop.wait(self._seconds):
                try:
                    self._lease.renew()
                except LeaseLostError:
                    return
                except DatabaseError:
                    logger.warning("heartbeat failed", extra={"draft_id": self._lease.draft_id}, exc_info=True)
                    connection.close()
        finally:
            connection.close()
