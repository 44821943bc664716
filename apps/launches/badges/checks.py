"""Schedule badge checks and apply their results: found, absent or unknown."""

import logging
import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.core.fetch import FETCH_SECONDS, WHY_CUT, Fetched, FetchError, FetchFailure, fetch_page
from apps.core.html import UnreadablePage
from apps.core.request.waiting import wait_until
from apps.core.stores.valkey.generations import only
from apps.core.web.hosts import display_url
from apps.events.recording import record
from apps.launches import emails
from apps.launches.badges.anchors import Found, find_link, origin_of
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.services import queue
from apps.listings.guidance import blockers
from apps.listings.guidance.badge_status import LEASE, NO_WEEK_FREE, needs_badge
from apps.listings.models import Listing
from apps.listings.services.locks import lock_listing

State = Listing.BadgeState

_FAILURES = {
    FetchFailure.UNREACHABLE: "we couldn't reach the website",
    FetchFailure.TIMEOUT: f"the website took over {FETCH_SECONDS:.0f} seconds to respond",
    FetchFailure.TOO_LARGE: "the page is over 2 MB",
    FetchFailure.HEADERS_TOO_LARGE: "the website's HTTP headers are over 64 KB",
    FetchFailure.TOO_MANY_REDIRECTS: "the website redirects more than 5 times",
    FetchFailure.NOT_HTML: "the URL isn't an HTML page",
    FetchFailure.PRIVATE_ADDRESS: "the URL isn't on the public internet",
    FetchFailure.BAD_ADDRESS: "the URL or a redirect is invalid",
    FetchFailure.BAD_RESPONSE: "the website sent an invalid response",
    FetchFailure.BLOCKED: "the website blocked us",
}


@dataclass(frozen=True, slots=True)
class BadgeCheckResult:
    """A check's result. `unknown` means that the website could not be checked.

    `website` is the requested URL and `at` the time before the request. `evidence` describes a page that was read:
    page_url (after redirects), status, at and links_seen, plus href and snippet of a link that was found.
    """

    website: str
    at: datetime
    state: State
    detail: str
    evidence: dict[str, Any] = field(default_factory=dict)


def find_badge(listing: Listing) -> BadgeCheckResult:
    """Fetch the company's website and look for a link to the listing's site."""
    website, at = listing.company.website, timezone.now()
    try:
        page = fetch_page(website)
        if not page.is_success:
            return _could_not_check(website, at, f"the website returned a {page.status}")
        result = _read(page, target=listing.site.base_url)
    except FetchError as error:
        return _could_not_check(website, at, _FAILURES[error.code])
    except UnreadablePage as error:
        why = f"we read only its first part, because {WHY_CUT[page.cut]}" if page.cut else f"the page is {error}"
        return _could_not_check(website, at, why)
    cut = WHY_CUT[page.cut] if page.cut else result.cut
    if result.link is None and cut:
        return _could_not_check(
            website, at, f"no link in the first part of the page, and we read no more, because {cut}"
        )
    evidence = {"page_url": page.url, "status": page.status, "at": at.isoformat(), "links_seen": result.links_seen}
    if result.link is None:
        what = "The link to {} is hidden on {}." if result.is_hidden else "No link to {} on {}."
        where = what.format(display_url(listing.site.base_url), display_url(page.url))
        detail = f"{where} Checked {result.links_seen} links."
        return BadgeCheckResult(website, at, State.ABSENT, detail, evidence)
    evidence |= {"href": result.link.href, "snippet": result.link.snippet}
    return BadgeCheckResult(website, at, State.FOUND, f"Found on {display_url(page.url)}.", evidence)


def _read(page: Fetched, *, target: str) -> Found:
    if origin_of(page.url) == origin_of(target):
        # A website that redirects to our own pages would pass with our own links.
        return Found(None, 0)
    return find_link(page.body, content_type=page.headers.get("content-type", ""), page_url=page.url, target=target)


def _could_not_check(website: str, at: datetime, why: str) -> BadgeCheckResult:
    return BadgeCheckResult(website, at, State.UNKNOWN, f"Check failed: {why}.")


logger = logging.getLogger(__name__)

Status = Listing.Status

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
CHECKS_AT_ONCE = 200
# A badge missing for a day is checked every two hours, one missing for two days every four.
BACKOFF = 12
JITTER = 0.1
# The column is small, and a higher count has no use.
MOST_FAILED_CHECKS = 30_000


def check_badge(*, listing_id: int) -> Listing:
    """Check the owner's website for the badge, and queue the listing if only the badge was missing."""
    listing = Listing.objects.select_related("company", "site").get(pk=listing_id)
    if not needs_badge(listing):
        return listing
    return record_check(listing=listing, result=find_badge(listing))


@transaction.atomic
def record_check(*, listing: Listing, result: BadgeCheckResult) -> Listing:
    """Save a check's result and queue the listing if only the badge was missing, in one transaction.

    If the listing can't be queued, the result is kept and `queue_ready` tries again.
    """
    saved = _kept(listing, result)
    if saved.status != Status.AWAITING_BADGE or not blockers.has_badge(saved):
        return saved
    try:
        with transaction.atomic():
            return queue.queue_if_ready(listing=saved)
    except Exception:
        logger.exception("a listing could not be queued", extra={"listing": listing.pk})
        return saved


@transaction.atomic
def lease_due_badges() -> list[int]:
    """Return a batch of ids of listings to check now, leased to the caller until the lease runs out."""
    now = timezone.now()
    due = (
        Listing.objects.filter(
            Q(badge_check_at__lte=now) | Q(badge_check_at__isnull=True),
            plan=Listing.Plan.FREE,
            status__in=[Status.AWAITING_BADGE, Status.SCHEDULED],
        )
        .order_by("badge_check_at", "id")
        .select_for_update(skip_locked=True)
    )
    ids = list(due.values_list("pk", flat=True)[:CHECKS_AT_ONCE])
    with only(tuple):
        Listing.objects.filter(pk__in=ids).update(badge_check_at=now + LEASE)
    return ids


def _kept(listing: Listing, result: BadgeCheckResult) -> Listing:
    """Apply a result. `unknown` changes nothing, and results older than the last check are dropped."""
    listing = lock_listing(listing.pk)
    is_overtaken = listing.badge_checked_at is not None and listing.badge_checked_at > result.at
    if result.website != listing.company.website or is_overtaken:
        logger.info("a badge check came too late", extra={"listing": listing.pk})
        return listing
    is_first_absence = result.state == State.ABSENT and listing.badge_missing_since is None
    _record_state(listing, result, is_first_absence=is_first_absence)
    _note(listing, result)
    if listing.badge_check_requested_at is not None and listing.badge_check_requested_at <= result.at:
        listing.badge_check_requested_at = None
    if result.state == State.ABSENT and listing.status == Status.SCHEDULED and needs_badge(listing):
        _act_on_absence(listing, is_first=is_first_absence, at=result.at)
    listing.badge_check_at = next_check_at(listing, now=result.at)
    listing.save(
        update_fields=[
            "badge_state", "badge_seen_at", "badge_checked_at", "badge_result", "badge_evidence",
            "badge_failed_checks", "badge_missing_since", "badge_check_at", "badge_check_requested_at", "updated_at",
        ]
    )  # fmt: skip
    return listing


def _record_state(listing: Listing, result: BadgeCheckResult, *, is_first_absence: bool) -> None:
    """Record a changed state. A badge that was there is lost, even if a check failed in between."""
    if result.state == listing.badge_state:
        return
    is_lost = is_first_absence and listing.badge_seen_at is not None
    event = "badge.lost" if is_lost else f"badge.{result.state}"
    record(event, listing.event_subject(), previous_state=str(listing.badge_state))


def _note(listing: Listing, result: BadgeCheckResult) -> None:
    listing.badge_state = result.state
    listing.badge_checked_at = result.at
    if result.state != State.FOUND or listing.badge_result != NO_WEEK_FREE:
        listing.badge_result = result.detail[:200]
    if result.state == State.UNKNOWN:
        return
    listing.badge_evidence = result.evidence
    if result.state == State.FOUND:
        listing.badge_seen_at = result.at
        listing.badge_failed_checks = 0
        listing.badge_missing_since = None
    else:
        listing.badge_failed_checks = min(listing.badge_failed_checks + 1, MOST_FAILED_CHECKS)
        listing.badge_missing_since = listing.badge_missing_since or result.at


def _act_on_absence(listing: Listing, *, is_first: bool, at: datetime) -> None:
    """Release the week after the grace period. The first absence announces the deadline.

    A week that has begun is kept, because the next rollover launches the listing.
    """
    until, since, week = blockers.lose_at(listing), listing.badge_missing_since, listing.week
    if until is None or since is None or week is None or week <= current_week():
        return
    if listing.badge_failed_checks >= listing.site.badge_failed_checks and at >= until:
        listing.move_to(Status.AWAITING_BADGE, launch_week="")
        emails.notify_week_lost(listing, lost=week, missing_since=since)
        logger.info("launch week lost", extra={"listing": listing.pk, "week": str(week)})
    elif is_first:
        emails.notify_badge_missing(listing, lose_at=until)


def next_check_at(listing: Listing, *, now: datetime) -> datetime | None:
    """Return when to check next, or None if nothing is to be checked.

    A present badge is checked at the site's interval. A missing badge or an unreadable website is checked hourly at
    first, and then less and less often, down to once a day. Jitter spreads checks that began together.
    """
    if not needs_badge(listing):
        return None
    usual = listing.site.badge_check_hours * HOUR
    since = listing.badge_missing_since or listing.badge_seen_at or listing.submitted_at
    growing = min(max((now - since) / BACKOFF, HOUR), DAY)
    if listing.badge_state == State.FOUND:
        gap = usual
    elif listing.status == Status.SCHEDULED:
        gap = usual if listing.badge_state == State.ABSENT else min(growing, usual)
    else:
        gap = growing
    return now + gap * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 - spreads load, keeps no secret


WAIT_SECONDS = 10.0


def wait_for_check(listing_id: int) -> bool:
    """Wait for the requested check, and return whether it finished in time."""
    running = Listing.objects.filter(pk=listing_id, badge_check_requested_at__isnull=False)
    return wait_until(lambda: not running.exists(), seconds=WAIT_SECONDS)
