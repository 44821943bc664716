"""Collect a week's newsletter: booked slots, launches and updates."""

from dataclasses import dataclass

from apps.core.text.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.boards import launched_weeks
from apps.launches.leaderboards.periods import Board, period_around
from apps.launches.leaderboards.ranking import ranked
from apps.launches.models import Standing, VoteLedger
from apps.listings.models import Listing, Update
from apps.listings.services.updates import live_updates
from apps.orders.products.kinds.newsletter_slot import NewsletterSlot
from apps.orders.products.placements.booking import shown_listings
from apps.sites.models import Site

MOST_LAUNCHES = 30
MOST_UPDATES = 10
WEEKS_OFFERED = 12


@dataclass(frozen=True, slots=True)
class Issue:
    """The newsletter of a week, which can grow until the week ends. Lists are in display order."""

    site: Site
    week: Week
    sponsored: list[Listing]
    standings: list[Standing]
    launch_count: int
    updates: list[Update]

    @property
    def is_current(self) -> bool:
        return self.week == current_week()

    @property
    def is_final(self) -> bool:
        """Return whether the week's ranks no longer change."""
        return all(standing.is_final for standing in self.standings)

    @property
    def is_empty(self) -> bool:
        return not (self.sponsored or self.standings or self.updates)

    @property
    def path(self) -> str:
        return f"/newsletter/{self.week}"

    @property
    def page_url(self) -> str:
        return self.site.url(self.path)


def issue_of(site: Site, week: Week) -> Issue:
    """Return the newsletter of a site's week. Takes a fixed number of queries."""
    standings = ranked(site, period_around(Board.WEEKLY, week))
    posted = live_updates().filter(listing__site=site, created_at__gte=week.starts_at, created_at__lt=week.ends_at)
    return Issue(
        site=site,
        week=week,
        sponsored=shown_listings(site, NewsletterSlot.name, week=week),
        standings=standings[:MOST_LAUNCHES],
        launch_count=standings.count(),
        updates=list(posted[:MOST_UPDATES]),
    )


def past_weeks(site: Site) -> list[Week]:
    """Return the latest earlier weeks with launches, newest first. One query."""
    now = current_week()
    return [week for week in launched_weeks(site) if week < now][:WEEKS_OFFERED]


def is_settled(site: Site, week: Week) -> bool:
    """Return whether a week is over and counted, so that its newsletter is final."""
    open_boards = VoteLedger.objects.filter(site=site, iso_week=str(week), closed_at__isnull=True)
    return week < current_week() and not open_boards.exists()
