"""The last spot of a week, requested by several people in parallel; real threads on PostgreSQL."""

import threading
from collections import Counter
from functools import partial

import pytest
from django.db import connection, transaction

from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.closing import queue_promise
from apps.launches.models import LaunchWeek, Standing
from apps.launches.services import launch, queue, reschedule, rollover
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.factories import CompanyFactory, ListingFactory, UserFactory, complete_profile
from tests.launches.badge_results import found
from tests.racing import run_at_once
from tests.waiting import wait_until_blocked

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(transactional_db: None) -> Site:
    return Site.objects.get(is_default=True)


def week_with(site: Site, ahead: int, *, free: int = 0, paid: int = 0) -> str:
    name = str(launch_weeks.current_week() + ahead)
    LaunchWeek.objects.create(site=site, iso_week=name, free_places=free, paid_places=paid)
    return name


def pay(listing: Listing, ahead: int | None) -> str:
    week = None if ahead is None else launch_weeks.current_week() + ahead
    return launch.launch_paid(listing=listing, week=week).launch_week


def test_of_two_owners_for_the_last_free_spot_one_gets_the_next_week(site: Site) -> None:
    first = week_with(site, 4, free=1)
    listings = [ListingFactory.create(status="awaiting_badge", plan="free") for _ in range(4)]
    for listing in listings:
        complete_profile(listing.company.owner)
        Listing.objects.filter(pk=listing.pk).update(badge_seen_at="2026-01-01T00:00Z")
    weeks = run_at_once(*[partial(lambda one: queue.queue_if_ready(listing=one).launch_week, one) for one in listings])
    assert Counter(weeks) == {first: 1, str(launch_weeks.current_week() + 5): 3}


@pytest.mark.slow
def test_the_promise_is_what_is_given_right_after_also_when_many_come(site: Site) -> None:
    Site.objects.update(free_places_per_week=2)
    listings = [ListingFactory.create(status="awaiting_badge", plan="free") for _ in range(7)]
    for listing in listings:
        complete_profile(listing.company.owner)
    weeks = run_at_once(*[partial(lambda one: found(one).launch_week, one) for one in listings])
    first = launch_weeks.current_week() + 4
    assert Counter(weeks) == {str(first): 2, str(first + 1): 2, str(first + 2): 2, str(first + 3): 1}
    offer = queue_promise(Site.objects.get(pk=site.pk)).free
    assert offer == launch_weeks.Offer(first + 3, 1)
    last = ListingFactory.create(status="awaiting_badge", plan="free")
    complete_profile(last.company.owner)
    assert found(last).launch_week == str(offer.week)


def test_checks_that_end_at_once_queue_a_listing_once(site: Site) -> None:
    listing = ListingFactory.create(status="awaiting_badge", plan="free")
    complete_profile(listing.company.owner)
    week = str(launch_weeks.current_week() + 4)
    assert run_at_once(*[lambda: found(listing).launch_week for _ in range(4)]) == [week] * 4
    assert launch_weeks.places(site, first=launch_weeks.current_week() + 4, count=1)[0].free_left == 19


def test_of_two_for_the_last_spot_of_a_chosen_week_one_is_refused_with_the_next(site: Site) -> None:
    week = week_with(site, 3, paid=1)
    listings = [ListingFactory.create() for _ in range(4)]
    outcomes = run_at_once(*[partial(pay, listing, 3) for listing in listings])
    assert Counter(outcomes) == {week: 1, "week_full": 3}
    assert Listing.objects.filter(launch_week=week).count() == 1
    loser = listings[outcomes.index("week_full")]
    with pytest.raises(launch_weeks.WeekFull, match=str(launch_weeks.current_week() + 4)):
        pay(loser, 3)
    loser.refresh_from_db()
    assert (loser.status, loser.plan, loser.launch_week) == ("draft", "none", "")


def test_of_parallel_launches_only_as_many_as_there_are_spots_are_live(site: Site) -> None:
    week = week_with(site, 0, paid=2)
    outcomes = run_at_once(*[partial(pay, ListingFactory.create(), None) for _ in range(5)])
    assert Counter(outcomes) == {week: 2, "week_full": 3}
    assert Listing.objects.filter(status="live").count() == Standing.objects.count() == 2


def test_moves_across_each_other_neither_block_nor_overfill(site: Site) -> None:
    one, two = week_with(site, 5, paid=2), week_with(site, 6, paid=2)
    listings = [
        ListingFactory.create(status="scheduled", plan="paid", launch_week=week) for week in (one, two, one, two)
    ]
    # Both weeks are full: the first to move makes room for nobody but the next.
    LaunchWeek.objects.filter(iso_week=two).update(paid_places=3)

    def move(listing: Listing, week: str) -> str:
        target = Week.parse(week)
        return reschedule.move_launch(listing=listing, week=target, by=in_browser(listing.company.owner)).launch_week

    run_at_once(*[partial(move, listing, two if listing.launch_week == one else one) for listing in listings] * 3)
    taken = Counter(Listing.objects.values_list("launch_week", flat=True))
    assert sum(taken.values()) == 4
    assert taken[one] <= 2
    assert taken[two] <= 3


def test_a_move_and_the_turn_at_once_leave_one_launch(site: Site) -> None:
    now = launch_weeks.current_week()
    listing = ListingFactory.create(status="scheduled", plan="paid", launch_week=str(now))

    def move() -> str:
        return reschedule.move_launch(listing=listing, week=now + 1, by=in_browser(listing.company.owner)).launch_week

    def publish() -> str:
        return str(rollover.roll_over_week())

    moved, published = run_at_once(move, publish)
    listing.refresh_from_db()
    assert (moved, published, listing.status) in {(str(now + 1), "0", "scheduled"), ("not_movable", "1", "live")}


@pytest.mark.parametrize(
    ("is_own", "expected", "status"),
    [(True, "https://kept.example", "awaiting_badge"), (False, "not_launchable", "draft")],
)
def test_a_listing_that_another_company_took_over_meanwhile(
    site: Site, is_own: bool, expected: str, status: str
) -> None:
    listing = ListingFactory.create()
    by = listing.company.owner
    keep = CompanyFactory.create(website="https://kept.example", owner=by if is_own else UserFactory.create())
    outcome: list[str] = []

    def choose() -> None:
        try:
            outcome.append(launch.choose_free_listing(listing=listing, by=in_browser(by)).listing.company.website)
        except launch.NotLaunchable as error:
            outcome.append(error.code)
        finally:
            connection.close()

    thread = threading.Thread(target=choose)
    with transaction.atomic():
        Listing.objects.filter(pk=listing.pk).update(company=keep)
        thread.start()
        wait_until_blocked()
    thread.join()
    listing.refresh_from_db()
    assert (outcome, listing.status) == ([expected], status)


def test_a_payment_and_the_queue_in_parallel_take_one_spot(site: Site) -> None:
    listing = ListingFactory.create(status="awaiting_badge", plan="free")
    complete_profile(listing.company.owner)
    run_at_once(partial(pay, listing, 2), lambda: found(listing).launch_week)
    listing.refresh_from_db()
    assert (listing.status, listing.plan) == ("scheduled", "paid")
    assert listing.launch_week == str(launch_weeks.current_week() + 2)
    assert launch_weeks.places(site, first=launch_weeks.current_week() + 4, count=1)[0].free_left == 20
