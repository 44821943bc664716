"""The end of the current week, for late buyers, who get only the rest of it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from apps.core.text.dates import moment_text, time_left, week_label
from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.launch_weeks import Offer
from apps.listings.models import Listing
from apps.sites.models import Site


@dataclass(frozen=True, slots=True)
class RunningWeek:
    """The current week and when it closes. `is_closing` is true in its last days, whose number the site sets."""

    week: Week
    closes_at: datetime
    is_closing: bool

    @property
    def hours_left(self) -> int:
        """Return the whole hours until it closes."""
        return int((self.closes_at - timezone.now()).total_seconds()) // 3600

    @property
    def text(self) -> str:
        """`Week 47 closes in 12 hours, on 22 November 2026, 23:59 UTC.`"""
        last = self.closes_at - timedelta(minutes=1)
        return f"{week_label(self.week)} closes in {time_left(self.closes_at)}, on {moment_text(last)}."


@dataclass(frozen=True, slots=True)
class QueuePromise:
    """Return the choices before choosing a plan, or None if no upcoming week has a spot."""

    free: Offer | None
    paid: Offer | None


def running_week(site: Site) -> RunningWeek:
    """Return the current week by the site's settings."""
    week = launch_weeks.current_week()
    starts_closing = week.ends_at - timedelta(days=site.closing_days)
    return RunningWeek(week, week.ends_at, is_closing=timezone.now() >= starts_closing)


def default_launch_week(site: Site) -> Week | None:
    """Return the default week of a paid launch, or None for now.

    While the current week closes, this is the next full week with a spot.
    """
    running = running_week(site)
    if not running.is_closing:
        return None
    return launch_weeks.first_week_with_place(site, running.week + 1, Listing.Plan.PAID)


def queue_promise(site: Site) -> QueuePromise:
    """Return the first weeks that a free and a paid launch would get now, the paid one by default.

    Takes two queries each while spots aren't scarce.
    """
    running = running_week(site)
    paid = launch_weeks.first_offer(site, running.week + int(running.is_closing), Listing.Plan.PAID)
    return QueuePromise(
        free=launch_weeks.first_offer(site, launch_weeks.first_free_week(site), Listing.Plan.FREE),
        paid=paid if paid and paid.week <= launch_weeks.last_to_choose() else None,
    )
