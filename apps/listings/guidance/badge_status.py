"""The badge check as owners see it: whether one is running, and the result and time of the last one."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from apps.core.text.dates import moment_text
from apps.listings.models import Listing

Status = Listing.Status

# A check without a result after this long is lost, and due again.
LEASE = timedelta(minutes=15)
# A check takes a second or two.
POLL_SECONDS = 2
CHECKING = "checking"
# The badge result of a listing that only waits for a week with a free spot.
NO_WEEK_FREE = "Badge found. All weeks are full, so the listing is waiting for a spot."


@dataclass(frozen=True, slots=True)
class BadgeCheck:
    """The badge checks of a listing that still needs its badge.

    `status` is `checking` or the listing's badge state. `checked_at` is when the last finished check began,
    `started_at` when the running one was requested, `retry_after_seconds` when to read or ask again, if known.
    """

    status: str
    message: str
    checked_at: datetime | None
    started_at: datetime | None
    retry_after_seconds: int | None


def needs_badge(listing: Listing) -> bool:
    """Return whether the badge still matters: on the way to a free launch, and neither before nor after it."""
    return listing.plan == Listing.Plan.FREE and listing.status in Listing.UPCOMING


def is_checking(listing: Listing) -> bool:
    """Return whether a requested check is still running."""
    asked_at = listing.badge_check_requested_at
    return needs_badge(listing) and asked_at is not None and timezone.now() < asked_at + LEASE


def badge_check(listing: Listing, *, refused_for: int | None = None) -> BadgeCheck | None:
    """Return the status of a listing's badge checks. None when no launch depends on its badge.

    `refused_for` is how many seconds the hourly limit refuses new checks, for a listing that just reached it.
    """
    if not needs_badge(listing):
        return None
    running = is_checking(listing)
    message = badge_message(listing)
    if refused_for is not None:
        again_at = moment_text(timezone.now() + timedelta(seconds=refused_for))
        message = (
            f"Checked {listing.site.badge_checks_per_hour} times in the last hour. Try again after "
            f"{again_at}. {message}"
        )
    return BadgeCheck(
        status=CHECKING if running else listing.badge_state,
        message=message,
        checked_at=listing.badge_checked_at,
        started_at=listing.badge_check_requested_at if running else None,
        retry_after_seconds=POLL_SECONDS if running else refused_for,
    )


def badge_message(listing: Listing) -> str:
    """Describe the last check's result and time, and that a new one is running, if so."""
    if is_checking(listing):
        return " ".join(["Badge check in progress.", *_at(listing, "Previous check"), listing.badge_result]).strip()
    if not listing.badge_result:
        return "No badge check yet."
    return " ".join([listing.badge_result, *_at(listing, "Last check")])


def _at(listing: Listing, label: str) -> list[str]:
    return [f"{label}: {moment_text(listing.badge_checked_at)}."] if listing.badge_checked_at else []
