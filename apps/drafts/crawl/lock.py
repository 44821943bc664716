"""Who works on a draft: claims with a lease, fenced by the attempt's number.

A worker that was lost, or held up for so long that its lease ran out, can no longer write: the next claim has raised
the attempt, and every write of a worker asks for the attempt it was given. All times are the database's.
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
# A message that was lost is repeated after this time; longer than a crawl before it in the queue usually takes.
REQUEUE_AFTER = timedelta(seconds=60)
SWEEP_BATCH = 500


class LeaseLostError(Exception):
    """Another attempt has taken over, or the draft has ended: stop, and write nothing."""


@dataclass(frozen=True, slots=True)
class Lease:
    """One worker's right to write to one draft."""

    draft_id: int
    attempt: int

    def renew(self) -> None:
        """Hold the draft for another 15 seconds; raises LeaseLostError.

        Also while it is cancelled and its worker has yet to notice: nobody else reads the domain before that.
        """
        self._update(Draft.objects.in_progress() | Draft.objects.abandoned(), leased_until=Now() + LEASE)

    def report(self, *, done: int, planned: int, pages: Sequence[Mapping[str, str]] = ()) -> None:
        """Renew, and show the progress: how many pages, and what became of which; raises LeaseLostError."""
        progress = {"pages_done": done, "pages_planned": planned, "pages_read": list(pages)}
        self._update(Draft.objects.in_progress(), leased_until=Now() + LEASE, **progress)

    def enter(self, domain: str) -> bool:
        """Go over to the domain that the address has led to; raises LeaseLostError.

        False when another crawl reads there: the draft is to be put back, and waits for that domain from now on.
        """
        with transaction.atomic():
            _lock_claims()
            is_free = not Draft.objects.leased().filter(domain=domain).exclude(pk=self.draft_id).exists()
            self._update(Draft.objects.in_progress(), domain=domain)
        return is_free

    def put_back(self) -> None:
        """The worker has stopped for now: the draft is free to be claimed again."""
        Draft.objects.in_progress().filter(pk=self.draft_id, attempt=self.attempt).update(leased_until=None)

    def advance(self, change: Callable[[Draft], None]) -> Draft:
        """Let `change` move the locked draft on, and save it; raises LeaseLostError."""
        with transaction.atomic():
            draft: Draft | None = (
                Draft.objects.in_progress().select_for_update().filter(pk=self.draft_id, attempt=self.attempt).first()
            )
            if draft is None:
                raise LeaseLostError
            change(draft)
            draft.save()
        return draft

    def let_go(self) -> None:
        """The worker has stopped because its draft was cancelled: the domain is free."""
        Draft.objects.abandoned().filter(pk=self.draft_id, attempt=self.attempt).update(leased_until=None)

    def _update(self, drafts: DraftQuerySet, **values: object) -> None:
        if not drafts.filter(pk=self.draft_id, attempt=self.attempt).update(**values):
            raise LeaseLostError


def claim(draft_id: int) -> Lease | None:
    """Take this draft; None when it is held, has ended, or its owner or domain has as many crawls as it may."""
    return _claim_first(Draft.objects.filter(pk=draft_id))


def claim_next() -> Lease | None:
    """Take the draft whose turn it is; None when none may be crawled now."""
    return _claim_first(Draft.objects.all())


def _claim_first(drafts: DraftQuerySet) -> Lease | None:
    with transaction.atomic():
        _lock_claims()
        draft_id = drafts.in_turn().values_list("pk", flat=True).first()
        if draft_id is None:
            return None
        claimed = (
            Draft.objects.free()
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
        # Meanwhile its owner may have cancelled it.
        return Lease(draft_id, Draft.objects.values_list("attempt", flat=True).get(pk=draft_id)) if claimed else None


def _lock_claims() -> None:
    """Until the transaction ends, nobody else takes a draft: each claim counts the crawls of an owner and a domain."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('draft claims', 0))")


def waiting_after(*, domains: Collection[str], owner_id: int) -> list[int]:
    """The drafts that may be crawled since a crawl of these domains and this owner has ended, one for each."""
    waiting = Draft.objects.in_turn()
    found = [waiting.filter(domain=domain).first() for domain in sorted(domains)]
    found.append(waiting.filter(owner=owner_id).first())
    return list(dict.fromkeys(draft.pk for draft in found if draft is not None))


def next_in_turn() -> list[int]:
    """The draft whose turn it is, if any may be crawled now."""
    return list(Draft.objects.in_turn().values_list("pk", flat=True)[:1])


def requeue_lost() -> list[int]:
    """Free the drafts whose lease ran out and find those whose message was lost; returns ids to wake workers with.

    Those with no attempt left fail.
    """
    with transaction.atomic():
        lost = list(
            Draft.objects.free()
            .exclude(leased_until=None, queued_at__gt=Now() - REQUEUE_AFTER)
            .select_for_update(skip_locked=True)
            .order_by("pk")[:SWEEP_BATCH]
        )
        spent = [draft for draft in lost if draft.attempt >= MAX_ATTEMPTS]
        for draft in spent:
            message = "Reading the website broke off three times. Try again later."
            fail(draft, code=Draft.Failure.UNREACHABLE, message=message)
            draft.save()
        again = [draft.pk for draft in lost if draft.attempt < MAX_ATTEMPTS]
        Draft.objects.filter(pk__in=again).update(leased_until=None, queued_at=Now())
    return again


def fail(draft: Draft, *, code: str, message: str, website: str = "") -> None:
    """End a draft with one of the failure codes and a sentence that says what to do. Saving is the caller's.

    `website` is where the address led, when that is the reason.
    """
    draft.move_to(Draft.Status.FAILED)
    draft.error_code = code
    draft.error_message = message
    draft.website = website


class Heartbeat:
    """Renews a lease every five seconds while its owner is busy, from a thread and a connection of its own."""

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
