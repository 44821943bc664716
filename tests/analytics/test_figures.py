"""Reading statistics: whole times, days without any, sources, and a week for an email."""

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine

from apps.analytics.figures import (
    Days,
    Figures,
    all_days,
    by_day,
    change_text,
    top_sources,
    total,
    totals,
    views_by_day,
)
from apps.analytics.models import DailyReferrer, DailyStatistics
from apps.analytics.weekly_email import weekly_figures
from apps.core.text.weeks import Week
from apps.listings.models import Follow, Listing
from apps.sites.models import Site
from tests.factories import ListingFactory, SiteFactory, UserFactory

if TYPE_CHECKING:
    from apps.accounts.models import User

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)  # a Wednesday
TODAY = NOW.date()


@pytest.fixture
def listing(site: Site) -> Listing:
    made: Listing = ListingFactory.create(live=True, launched_at=NOW - timedelta(days=3))
    return made


def on(listing: Listing, day: date, views: int, visitors: int = 0, clicks: int = 0, **sources: int) -> None:
    DailyStatistics.objects.create(listing=listing, day=day, views=views, visitors=visitors, clicks=clicks)
    for source, count in sources.items():
        DailyReferrer.objects.create(listing=listing, day=day, source=source, views=count)


def test_a_time_ends_today_by_utc() -> None:
    with time_machine.travel(datetime(2026, 11, 18, 23, 59, tzinfo=UTC), tick=False):
        days = Days.until_today(7)
    assert (days.first, days.last, days.count) == (date(2026, 11, 12), date(2026, 11, 18), 7)
    assert (days.before.first, days.before.last) == (date(2026, 11, 5), date(2026, 11, 11))
    assert len(list(days)) == 7


def test_totals_are_of_each_listing_and_of_its_days_alone(listing: Listing) -> None:
    other, empty = ListingFactory.create(live=True), ListingFactory.create(live=True)
    days = Days(TODAY - timedelta(days=1), TODAY)
    on(listing, TODAY, 5, 3, 1)
    on(listing, TODAY - timedelta(days=1), 7, 4, 2)
    on(listing, TODAY - timedelta(days=2), 100)
    on(other, TODAY, 2, 1)
    result = totals([listing.pk, other.pk, empty.pk], days)
    assert result == {listing.pk: Figures(12, 7, 3), other.pk: Figures(2, 1, 0), empty.pk: Figures()}
    assert total(listing, days.before) == Figures(100, 0, 0)
    assert by_day(listing, days) == {days.first: Figures(7, 4, 2), days.last: Figures(5, 3, 1)}
    assert views_by_day([listing.pk, empty.pk], days) == {listing.pk: [7, 5], empty.pk: [0, 0]}


def test_all_time_begins_with_the_launch_or_an_earlier_view(listing: Listing) -> None:
    with time_machine.travel(NOW, tick=False):
        assert all_days(listing) == Days(TODAY - timedelta(days=3), TODAY)
        on(listing, TODAY - timedelta(days=5), 1)
        assert all_days(listing).first == TODAY - timedelta(days=5)
        assert all_days(ListingFactory.create()) == Days(TODAY, TODAY)


def test_sources_the_most_first(listing: Listing) -> None:
    on(listing, TODAY, 9, a=2, b=5)
    on(listing, TODAY - timedelta(days=1), 9, a=4, c=1)
    days = Days(TODAY - timedelta(days=6), TODAY)
    assert top_sources(listing, days) == [("a", 6), ("b", 5), ("c", 1)]
    assert top_sources(listing, days, most=1) == [("a", 6)]


@pytest.mark.parametrize(
    ("value", "before", "text"),
    [(112, 100, "+12%"), (95, 100, "−5%"), (0, 4, "−100%"), (5, 5, "no change"), (5, 0, ""), (0, 0, "")]
    + [(9000, 3, "+299,900%"), (1001, 1000, "under 1% more"), (999, 1000, "under 1% less")],
)
def test_changes_in_words(value: int, before: int, text: str) -> None:
    assert change_text(value, before) == text


def test_the_weekly_figures_are_of_the_last_whole_week(site: Site) -> None:
    account = UserFactory.create()
    listing = ListingFactory.create(live=True, company__owner=account, company__name="Acme", votes=4)
    elsewhere = ListingFactory.create(live=True, company=listing.company, site=SiteFactory.create())
    ListingFactory.create(company__owner=account)
    ListingFactory.create(live=True)
    monday = date(2026, 11, 9)
    on(listing, monday, 6, 5, 1, a=3)
    on(listing, monday + timedelta(days=6), 4, 2, 1, b=4)
    on(listing, monday + timedelta(days=7), 50)
    on(listing, monday - timedelta(days=1), 8, 8)
    _follow(listing, datetime(2026, 11, 15, 23, 59, tzinfo=UTC))
    _follow(listing, datetime(2026, 11, 16, tzinfo=UTC))
    with time_machine.travel(NOW, tick=False):
        result = {one.listing.pk: one for one in weekly_figures(account)}
        assert weekly_figures(UserFactory.create()) == []
        later: Any = weekly_figures(account, week=Week.of(NOW))
    assert set(result) == {listing.pk, elsewhere.pk}
    mine = result[listing.pk]
    assert (mine.week, mine.figures, mine.before) == (Week(2026, 46), Figures(10, 7, 2), Figures(8, 8, 0))
    assert (mine.new_followers, mine.votes, list(mine.sources)) == (1, 4, [("b", 4), ("a", 3)])
    assert result[elsewhere.pk].figures == Figures()
    assert {one.listing.pk: one.figures.views for one in later}[listing.pk] == 50


def _follow(listing: Listing, at: datetime) -> None:
    follower: User = UserFactory.create()
    Follow.objects.create(listing=listing, user=follower)
    Follow.objects.filter(listing=listing, user=follower).update(created_at=at)
