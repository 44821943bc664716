"""Launches around Monday 00:00 UTC: none lands on a board that is over, where nobody could vote for it."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.db import connection, transaction

from apps.core.errors import DomainError
from apps.core.models import OutgoingEmail
from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.models import LaunchWeek, Standing, VoteLedger
from apps.launches.services import launch, reschedule, rollover
from apps.launches.votes import rankings
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.factories import ListingFactory
from tests.waiting import wait_until_blocked

pytestmark = pytest.mark.django_db(transaction=True)

WEEK = Week.parse("2026-W53")
NEXT = Week.parse("2027-W01")
LAST_SECOND = WEEK.ends_at - timedelta(seconds=1)


@pytest.fixture
def site(transactional_db: None) -> Site:
    site = Site.objects.get(is_default=True)
    for week in (WEEK, NEXT):
        LaunchWeek.objects.create(site=site, iso_week=str(week), free_places=1, paid_places=1)
    return site


def over_midnight(decide: Callable[[], object], *, then: Callable[[], object]) -> str:
    """Begin in the last second of the week, wait for somebody who has the week's row, and go on after `then`.

    Returns the code of the refusal, if it was one.
    """
    outcome: list[str] = []

    def run() -> None:
        try:
            decide()
            outcome.append("")
        except DomainError as error:
            outcome.append(error.error_code)
        finally:
            connection.close()

    with time_machine.travel(LAST_SECOND, tick=False) as clock:
        with transaction.atomic():
            LaunchWeek.objects.select_for_update().get(iso_week=str(WEEK))
            thread = threading.Thread(target=run)
            thread.start()
            wait_until_blocked()
            clock.move_to(NEXT.starts_at)
        thread.join()
        then()
    return outcome[0]


def stands(listing: Listing) -> tuple[str, str, bool]:
    listing.refresh_from_db()
    standing = Standing.objects.get(listing=listing)
    assert listing.launched_at is not None
    assert Week.of(listing.launched_at) == listing.week
    return (listing.status, standing.iso_week, standing.is_final)


def test_a_paid_launch_that_waited_past_the_end_is_on_the_next_leaderboard(site: Site) -> None:
    with time_machine.travel(LAST_SECOND, tick=False):
        listing = ListingFactory.create()
        ListingFactory.create(live=True)

    def pay() -> None:
        launch.launch_paid(listing=listing, week=None)

    assert over_midnight(pay, then=rollover.roll_over_week) == ""
    assert stands(listing) == ("live", str(NEXT), False)
    assert launch_weeks.places(site, first=WEEK, count=2)[0].paid_left == 1
    assert launch_weeks.places(site, first=WEEK, count=2)[1].paid_left == 0
    assert OutgoingEmail.objects.filter(to=listing.company.owner.email).count() == 1
    assert VoteLedger.objects.get(iso_week=str(WEEK)).closed_at is not None


def test_the_next_week_may_be_full(site: Site) -> None:
    with time_machine.travel(LAST_SECOND, tick=False):
        listing = ListingFactory.create()
        ListingFactory.create(status="scheduled", plan="paid", launch_week=str(NEXT))

    def pay() -> None:
        launch.launch_paid(listing=listing, week=None)

    assert over_midnight(pay, then=rollover.roll_over_week) == "week_full"
    listing.refresh_from_db()
    assert (listing.status, listing.plan, listing.launch_week) == ("draft", "none", "")


def test_a_move_to_a_week_that_ended_meanwhile_is_refused_and_the_old_spot_kept(site: Site) -> None:
    later = str(NEXT + 3)
    with time_machine.travel(LAST_SECOND, tick=False):
        listing = ListingFactory.create(status="scheduled", plan="paid", launch_week=later)

    def move() -> None:
        reschedule.move_launch(listing=listing, week=WEEK, by=in_browser(listing.company.owner))

    assert over_midnight(move, then=rollover.roll_over_week) == "invalid_week"
    listing.refresh_from_db()
    assert (listing.status, listing.launch_week) == ("scheduled", later)
    assert not Standing.objects.exists()


def test_a_listing_that_is_on_another_leaderboard_already_is_left_alone(site: Site) -> None:
    with time_machine.travel(LAST_SECOND, tick=False):
        broken, sound = (
            ListingFactory.create(status="scheduled", plan="free", launch_week=str(WEEK)) for _ in range(2)
        )
        Standing.objects.create(
            site=site, iso_week="2026-W50", listing=broken, launched_at=WEEK.starts_at, is_final=True
        )
        assert rollover.roll_over_week() == 1
        assert stands(sound) == ("live", str(WEEK), False)
    broken.refresh_from_db()
    assert broken.status == "scheduled"


def test_a_turn_that_the_end_of_the_week_overtakes_gives_another_one(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    with time_machine.travel(LAST_SECOND, tick=False) as clock:
        listing = ListingFactory.create(status="scheduled", plan="free", launch_week=str(WEEK))
        enter = rankings.enter_board

        def enter_late(*, listing: Listing) -> Standing:
            clock.move_to(NEXT.starts_at)
            return enter(listing=listing)

        monkeypatch.setattr(rankings, "enter_board", enter_late)
        assert rollover.roll_over_week() == 1
    assert stands(listing) == ("live", str(NEXT), False)
