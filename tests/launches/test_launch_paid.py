import pytest

from apps.launches.calendar import launch_weeks
from apps.launches.calendar.closing import queue_promise
from apps.launches.models import LaunchWeek
from apps.launches.services import launch as services
from apps.launches.services import rollover
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.factories import ListingFactory
from tests.racing import count_outcomes

pytestmark = pytest.mark.db

Status = Listing.Status


@pytest.mark.parametrize("status", [Status.DRAFT, Status.AWAITING_BADGE])
def test_now_is_live_at_once(site: Site, status: str) -> None:
    listing = ListingFactory.create(status=status)
    launched = services.launch_paid(listing=listing, week=None)
    assert (launched.status, launched.plan) == (Status.LIVE, "paid")
    assert launched.launch_week == str(launch_weeks.current_week())
    assert launched.launched_at is not None


def test_a_chosen_week_is_kept_until_it_begins(site: Site) -> None:
    listing = ListingFactory.create()
    week = launch_weeks.current_week() + 2
    launched = services.launch_paid(listing=listing, week=week)
    assert (launched.status, launched.launch_week) == (Status.SCHEDULED, str(week))
    assert rollover.roll_over_week() == 0


def test_a_queued_free_listing_is_upgraded_and_leaves_its_spot(site: Site) -> None:
    week = launch_weeks.current_week() + 4
    listing = ListingFactory.create(status=Status.SCHEDULED, plan="free", launch_week=str(week))
    assert launch_weeks.places(site, first=week, count=1)[0].free_left == 19
    services.launch_paid(listing=listing, week=None)
    assert launch_weeks.places(site, first=week, count=1)[0].free_left == 20


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.SUSPENDED, Status.IN_REVIEW, Status.REJECTED])
def test_other_statuses_are_refused(site: Site, status: str) -> None:
    listing = ListingFactory.create(status=status)
    with pytest.raises(services.NotLaunchable):
        services.launch_paid(listing=listing, week=None)


def test_a_full_week_is_refused_and_names_the_next(site: Site) -> None:
    week = launch_weeks.current_week()
    LaunchWeek.objects.create(site=site, iso_week=str(week), free_places=1, paid_places=0)
    with pytest.raises(launch_weeks.WeekFull, match=str(week + 1)):
        services.check_paid_week(site=site, week=None)
    with pytest.raises(launch_weeks.WeekFull):
        services.launch_paid(listing=ListingFactory.create(), week=None)


def test_no_week_is_named_that_cannot_be_chosen(site: Site) -> None:
    now = launch_weeks.current_week()
    LaunchWeek.objects.bulk_create(
        LaunchWeek(site=site, iso_week=str(now + ahead), free_places=0, paid_places=0) for ahead in range(53)
    )
    assert queue_promise(site).paid is None
    assert queue_promise(site).free == launch_weeks.Offer(now + 53, 20)
    with pytest.raises(launch_weeks.WeekFull) as refusal:
        services.check_paid_week(site=site, week=None)
    assert str(now + 53) not in refusal.value.detail


@pytest.mark.parametrize(("offset", "is_fine"), [(-1, False), (0, True), (52, True), (53, False)])
def test_weeks_of_the_past_and_beyond_a_year_are_refused(site: Site, offset: int, is_fine: bool) -> None:
    week = launch_weeks.current_week() + offset
    if is_fine:
        services.check_paid_week(site=site, week=week)
    else:
        with pytest.raises(launch_weeks.InvalidWeek):
            services.check_paid_week(site=site, week=week)


@pytest.mark.django_db(transaction=True)
def test_of_eight_racing_for_the_last_spot_one_gets_it(site: Site) -> None:
    week = launch_weeks.current_week() + 1
    LaunchWeek.objects.create(site=site, iso_week=str(week), free_places=1, paid_places=1)
    listings = [ListingFactory.create() for _ in range(8)]
    outcomes = count_outcomes(
        *[lambda listing=listing: services.launch_paid(listing=listing, week=week) for listing in listings]
    )
    assert outcomes == {"done": 1, "week_full": 7}
    assert Listing.objects.filter(launch_week=str(week)).count() == 1
