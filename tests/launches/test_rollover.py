"""The weekly turn: what is due goes live, once, whatever happened before."""

import logging
from datetime import timedelta

import pytest
import time_machine

from apps.core.models import OutgoingEmail
from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.models import LaunchWeek, LedgerEntry, Standing
from apps.launches.services import rollover
from apps.launches.votes import rankings
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.factories import ListingFactory, SiteFactory
from tests.racing import run_at_once

pytestmark = pytest.mark.db

Status = Listing.Status


def scheduled(week: Week, *, plan: str = "free", **fields: object) -> Listing:
    return ListingFactory.create(status=Status.SCHEDULED, plan=plan, launch_week=str(week), **fields)


def states(listings: list[Listing]) -> list[tuple[str, str]]:
    result = {listing.pk: listing for listing in Listing.objects.filter(pk__in=[listing.pk for listing in listings])}
    return [(result[listing.pk].status, result[listing.pk].launch_week) for listing in listings]


def test_it_publishes_what_is_due_and_runs_twice_without_harm(site: Site) -> None:
    now = launch_weeks.current_week()
    due, ahead = scheduled(now), scheduled(now + 1)
    assert rollover.roll_over_week() == 1
    assert rollover.roll_over_week() == 0
    assert states([due, ahead]) == [("live", str(now)), ("scheduled", str(now + 1))]
    assert Standing.objects.get().listing == due
    assert OutgoingEmail.objects.get().subject == f"{due.company} is live on {site}"


def test_an_outage_that_ends_within_the_week_publishes_in_that_week(site: Site) -> None:
    week = launch_weeks.current_week() + 1
    listing = scheduled(week)
    with time_machine.travel(week.ends_at - timedelta(seconds=1), tick=False):
        assert rollover.roll_over_week() == 1
    assert states([listing]) == [("live", str(week))]


def test_what_missed_its_whole_week_goes_live_now_where_there_is_a_spot(site: Site) -> None:
    now = launch_weeks.current_week()
    missed, later = [scheduled(now + 1), scheduled(now + 2)], scheduled(now + 5)
    with time_machine.travel((now + 3).starts_at + timedelta(hours=1), tick=False):
        assert rollover.roll_over_week() == 2
        assert rollover.roll_over_week() == 0
    assert states([*missed, later]) == [("live", str(now + 3))] * 2 + [("scheduled", str(now + 5))]


def test_what_missed_its_week_takes_no_spot_that_others_have(site: Site) -> None:
    now = launch_weeks.current_week()
    for ahead in (2, 3):
        LaunchWeek.objects.create(site=site, iso_week=str(now + ahead), free_places=2, paid_places=1)
    missed = [scheduled(now + 1) for _ in range(4)]
    paid = scheduled(now + 1, plan="paid")
    own = scheduled(now + 2)
    with time_machine.travel((now + 2).starts_at, tick=False):
        rollover.roll_over_week()
    assert states([own, paid]) == [("live", str(now + 2))] * 2
    assert states(missed) == [("live", str(now + 2)), *[("scheduled", str(now + 3))] * 2, ("scheduled", str(now + 4))]
    told = OutgoingEmail.objects.filter(subject__contains="moved to")
    assert sorted(email.to for email in told) == sorted(listing.company.owner.email for listing in missed[1:])
    assert f"Week {(now + 1).number}, {(now + 1).year}" in told[0].text


def test_a_capacity_lowered_below_what_is_taken_breaks_nothing(site: Site) -> None:
    now = launch_weeks.current_week()
    listings = [scheduled(now) for _ in range(3)]
    LaunchWeek.objects.create(site=site, iso_week=str(now), free_places=1, paid_places=0)
    assert launch_weeks.places(site, first=now, count=1)[0].free_left == 0
    assert rollover.roll_over_week() == 3
    assert states(listings) == [("live", str(now))] * 3


def test_a_missed_launch_waits_when_every_week_is_full(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    now = launch_weeks.current_week()
    listing = scheduled(now)
    Site.objects.update(free_places_per_week=0)
    caplog.set_level(logging.ERROR)
    with time_machine.travel((now + 1).starts_at, tick=False):
        assert rollover.roll_over_week() == 0
        assert states([listing]) == [("scheduled", str(now))]
        Site.objects.update(free_places_per_week=1)
        assert rollover.roll_over_week() == 1
    assert states([listing]) == [("live", str(now + 1))]
    assert caplog.records == []


@pytest.mark.parametrize(
    ("last", "first"), [("2026-W53", "2027-W01"), ("2027-W52", "2028-W01"), ("2025-W52", "2026-W01")]
)
def test_years_end_with_52_or_53_weeks(site: Site, last: str, first: str) -> None:
    with time_machine.travel(Week.parse(last).starts_at, tick=False):
        listings = [scheduled(Week.parse(last)), scheduled(Week.parse(first))]
        assert rollover.roll_over_week() == 1
        assert launch_weeks.current_week() + 1 == Week.parse(first)
    with time_machine.travel(Week.parse(last).ends_at - timedelta(seconds=1), tick=False):
        assert rollover.roll_over_week() == 0
    with time_machine.travel(Week.parse(first).starts_at, tick=False):
        assert rollover.roll_over_week() == 1
    assert states(listings) == [("live", last), ("live", first)]


def test_leaderboards_close_before_anything_is_published(site: Site) -> None:
    now = launch_weeks.current_week()
    ListingFactory.create(live=True)
    scheduled(now + 1)
    with time_machine.travel((now + 1).starts_at, tick=False):
        assert rollover.roll_over_week() == 1
    kinds = list(LedgerEntry.objects.order_by("pk").values_list("ledger__iso_week", "kind"))
    assert kinds.index((str(now), "close")) < kinds.index((str(now + 1), "open"))


def test_one_broken_listing_does_not_stop_the_others(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = launch_weeks.current_week()
    broken, sound = scheduled(now), scheduled(now)
    enter = rankings.enter_board

    def fail_once(*, listing: Listing) -> Standing:
        if listing.pk == broken.pk:
            raise RuntimeError("broken")
        return enter(listing=listing)

    with monkeypatch.context() as patch:
        patch.setattr(rankings, "enter_board", fail_once)
        assert rollover.roll_over_week() == 1
    assert states([broken, sound]) == [("scheduled", str(now)), ("live", str(now))]
    assert [record.name for record in caplog.records if record.levelno == logging.ERROR] == [rollover.logger.name]
    assert not OutgoingEmail.objects.filter(to=broken.company.owner.email).exists()
    assert rollover.roll_over_week() == 1


def test_a_leaderboard_that_cannot_be_closed_does_not_keep_launches_back(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> int:
        raise RuntimeError("broken")

    listing = scheduled(launch_weeks.current_week())
    monkeypatch.setattr(rankings, "close_boards", fail)
    assert rollover.roll_over_week() == 1
    assert states([listing])[0][0] == "live"


def test_a_suspended_launch_is_left_alone_and_restored_ones_get_a_week(site: Site) -> None:
    now = launch_weeks.current_week()
    listing = scheduled(now)
    Listing.objects.filter(pk=listing.pk).update(status="suspended", suspended_from="scheduled")
    assert rollover.roll_over_week() == 0
    with time_machine.travel((now + 2).starts_at, tick=False):
        assert rollover.roll_over_week() == 0
        Listing.objects.filter(pk=listing.pk).update(status="scheduled", suspended_from="")
        assert rollover.roll_over_week() == 1
    assert states([listing]) == [("live", str(now + 2))]


@pytest.fixture
def crowded(transactional_db: None) -> list[Listing]:
    """Two sites with launches that are due and launches that missed their week, with little room."""
    now = launch_weeks.current_week()
    sites = [Site.objects.get(is_default=True), SiteFactory.create()]
    listings = []
    for site in sites:
        LaunchWeek.objects.create(site=site, iso_week=str(now), free_places=5, paid_places=1)
        listings += [scheduled(now + -1, site=site) for _ in range(4)]
        listings += [scheduled(now, site=site) for _ in range(4)]
    return listings


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_turns_at_once_publish_each_launch_once_and_fill_no_week_too_far(crowded: list[Listing]) -> None:
    now = launch_weeks.current_week()
    published = run_at_once(*[rollover.roll_over_week] * 4)
    live = Listing.objects.filter(status="live", launch_week=str(now))
    assert sum(published) == live.count() == 10
    assert Listing.objects.filter(status="scheduled", launch_week=str(now + 1)).count() == 6
    assert LedgerEntry.objects.filter(kind="launch").count() == Standing.objects.count() == 10
    assert OutgoingEmail.objects.count() == len(crowded)
