"""Emails to owners on the way to launch, each sent in the transaction of its cause."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from apps.accounts.models import NotificationKind
from apps.core.email.text import render_words
from apps.core.text.weeks import Week
from apps.core.web.hosts import display_host
from apps.core.web.urls import host_of
from apps.listings import emails
from apps.listings.models import Listing

# Without these an owner loses the launch week, or doesn't learn that it is lost.
_NEVER_LEFT_OUT = frozenset({"badge_missing", "week_lost"})


def notify_scheduled(listing: Listing) -> None:
    """Tell the owner that the launch week is set or was moved."""
    _notify(listing, "scheduled", key=f"scheduled-{listing.launch_week}-{_moment()}")


def notify_postponed(listing: Listing, *, missed: Week) -> None:
    """Tell the owner that the launch week passed without a rollover, and which week replaces it."""
    _notify(listing, "postponed", key=f"postponed-{missed}-{_moment()}", missed_week=missed)


def notify_live(listing: Listing) -> None:
    """Tell the owner that the listing is live."""
    _notify(listing, "live", key=f"live-{listing.launch_week}")


def notify_badge_missing(listing: Listing, *, lose_at: datetime) -> None:
    """Tell the owner that a queued listing's badge is missing. `lose_at` is the deadline."""
    host = display_host(host_of(listing.company.website))
    _notify(listing, "badge_missing", key=f"badge-missing-{_moment()}", lose_at=lose_at, host=host)


def notify_week_lost(listing: Listing, *, lost: Week, missing_since: datetime) -> None:
    """Tell the owner that the launch week is lost because the badge stayed missing."""
    _notify(listing, "week_lost", key=f"week-lost-{lost}-{_moment()}", lost_week=lost, missing_since=missing_since)


def _notify(listing: Listing, name: str, *, key: str, **more: Any) -> None:
    context = {
        "listing": listing,
        "site": listing.site,
        "is_free": listing.plan == Listing.Plan.FREE,
        "badges_url": listing.site.url(f"{listing.path}/badges"),
        "launch_url": listing.site.url(f"{listing.path}/launch"),
        **more,
    }
    if listing.week:
        context |= {"week_start": listing.week.starts_at, "week_end": listing.week.ends_at - timedelta(days=1)}
    if name in _NEVER_LEFT_OUT:
        emails.notify_owner(listing=listing, key=key, words=render_words(f"launches/emails/{name}", context))
    else:
        emails.notify_owner_optionally(
            NotificationKind.LAUNCHES, listing=listing, key=key, name=f"launches/emails/{name}", context=context
        )


def _moment() -> str:
    """Send once per occurrence: the row lock prevents duplicates, and the event can happen again."""
    return f"{timezone.now():%Y%m%dT%H%M%S%f}"
