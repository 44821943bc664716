"""Moving a scheduled launch: as its owner, as a site admin, and in the browser."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.core.models import OutgoingEmail
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.launch_weeks import InvalidWeek, WeekFull
from apps.launches.models import LaunchWeek, Standing
from apps.launches.services import reschedule
from apps.launches.services.reschedule import NotMovable, move_launch, move_launch_by_team
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import by_team, in_browser
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory, UserFactory

pytestmark = pytest.mark.db


@pytest.fixture
def paid(site: Site) -> Listing:
    return ListingFactory.create(status="scheduled", plan="paid", launch_week=str(launch_weeks.current_week() + 3))


@pytest.fixture
def free(site: Site) -> Listing:
    return ListingFactory.create(status="scheduled", plan="free", launch_week=str(launch_weeks.current_week() + 3))


def move(listing: Listing, ahead: int) -> Listing:
    return move_launch(listing=listing, week=launch_weeks.current_week() + ahead, by=in_browser(listing.company.owner))


def test_a_paid_launch_goes_to_any_week_of_a_year(paid: Listing) -> None:
    for ahead in (1, 52, 9):
        moved = move(paid, ahead)
        assert (moved.status, moved.launch_week) == ("scheduled", str(launch_weeks.current_week() + ahead))
        assert launch_weeks.places(paid.site, first=launch_weeks.current_week() + ahead, count=1)[0].paid_left == 9
    assert launch_weeks.places(paid.site, first=launch_weeks.current_week() + 3, count=1)[0].paid_left == 10
    assert OutgoingEmail.objects.filter(to=paid.company.owner.email).count() == 3


def test_a_paid_launch_moved_to_the_current_week_is_live_at_once(paid: Listing) -> None:
    assert move(paid, 0).status == "live"
    assert Standing.objects.get().iso_week == str(launch_weeks.current_week())


def test_a_free_launch_moves_behind_the_queue_only(free: Listing) -> None:
    for ahead in (0, 1, 2):
        with pytest.raises(InvalidWeek, match=str(launch_weeks.current_week() + 4)):
            move(free, ahead)
    free.refresh_from_db()
    assert free.launch_week == str(launch_weeks.current_week() + 3)
    assert move(free, 4).launch_week == str(launch_weeks.current_week() + 4)
    assert not OutgoingEmail.objects.exclude(subject__contains="launches on").exists()


@pytest.mark.parametrize("ahead", [-1, -60, 53, 200])
def test_weeks_past_or_beyond_a_year_are_refused(paid: Listing, free: Listing, ahead: int) -> None:
    for listing in (paid, free):
        with pytest.raises(InvalidWeek):
            move(listing, ahead)
        before = listing.launch_week
        listing.refresh_from_db()
        assert listing.launch_week == before


def test_a_full_week_is_refused_names_the_next_and_keeps_the_spot(paid: Listing) -> None:
    week = launch_weeks.current_week() + 5
    LaunchWeek.objects.create(site=paid.site, iso_week=str(week), free_places=9, paid_places=0)
    with pytest.raises(WeekFull, match=str(week + 1)):
        move(paid, 5)
    paid.refresh_from_db()
    assert (paid.status, paid.launch_week) == ("scheduled", str(launch_weeks.current_week() + 3))
    assert not OutgoingEmail.objects.exists()


def test_its_own_week_is_no_move_even_when_it_is_full(paid: Listing) -> None:
    LaunchWeek.objects.create(site=paid.site, iso_week=paid.launch_week, free_places=0, paid_places=0)
    assert move(paid, 3).launch_week == paid.launch_week
    assert not OutgoingEmail.objects.exists()


@pytest.mark.parametrize("status", sorted(set(Listing.Status.values) - {"scheduled"}))
def test_only_a_scheduled_launch_is_moved(site: Site, status: str) -> None:
    fields: dict[str, Any] = {"live": True} if status == "live" else {"status": status}
    listing = ListingFactory.create(**fields)
    before = listing.launch_week
    with pytest.raises(NotMovable):
        move(listing, 6)
    listing.refresh_from_db()
    assert (listing.status, listing.launch_week) == (status, before)


def test_site_admins_move_a_free_launch_past_the_queue(free: Listing) -> None:
    team = UserFactory.create(is_staff=True)
    now = launch_weeks.current_week()
    assert move_launch_by_team(listing=free, week=now + 1, by=by_team(team)).launch_week == str(now + 1)
    with pytest.raises(InvalidWeek):
        move_launch_by_team(listing=free, week=now + 53, by=by_team(team))
    LaunchWeek.objects.create(site=free.site, iso_week=str(now + 2), free_places=0, paid_places=9)
    with pytest.raises(WeekFull):
        move_launch_by_team(listing=free, week=now + 2, by=by_team(team))
    assert move_launch_by_team(listing=free, week=now, by=by_team(team)).status == "live"


def test_the_weeks_to_choose_are_those_that_a_move_accepts(free: Listing, paid: Listing) -> None:
    now = launch_weeks.current_week()
    chosen = {plan: [one.week for one in reschedule.weeks_to_choose(free.site, plan)] for plan in ("free", "paid")}
    assert (chosen["free"][0], chosen["free"][-1]) == (now + 4, now + 52)
    assert (chosen["paid"][0], chosen["paid"][-1]) == (now, now + 52)
    Site.objects.update(free_queue_weeks=60)
    assert reschedule.weeks_to_choose(Site.objects.get(pk=free.site_id), "free") == []


def test_the_page_shows_the_weeks_and_moves(client: Client, paid: Listing) -> None:
    client.force_login(paid.company.owner)
    address = reverse("move_launch", args=[paid.slug])
    page = client.get(address).content.decode()
    assert page.count('type="radio"') == 53
    assert "goes live now" in page
    answer = client.post(address, {"week": str(launch_weeks.current_week() + 7)})
    assert (answer.status_code, answer["Location"]) == (302, reverse("share_listing", args=[paid.slug]))
    paid.refresh_from_db()
    assert paid.launch_week == str(launch_weeks.current_week() + 7)


@pytest.mark.parametrize("week", ["", "x", "2026-W99", "now", "\x00", "2020-W01"])
def test_a_week_that_is_none_is_said_on_the_page(client: Client, paid: Listing, week: str) -> None:
    client.force_login(paid.company.owner)
    answer = client.post(reverse("move_launch", args=[paid.slug]), {"week": week})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    before = paid.launch_week
    paid.refresh_from_db()
    assert paid.launch_week == before


@pytest.mark.parametrize("name", ["move_launch", "launch", "badges"])
def test_the_pages_are_the_owners_alone(client: Client, paid: Listing, name: str) -> None:
    address = reverse(name, args=[paid.slug])
    assert client.get(address)["Location"].startswith("/account/sign-in")
    client.force_login(UserFactory.create())
    assert client.get(address).status_code == 404
    moved = client.post(reverse("move_launch", args=[paid.slug]), {"week": str(launch_weeks.current_week())})
    assert moved.status_code == 404
    client.force_login(paid.company.owner)
    assert client.get(address).status_code == 200
    SiteFactory.create(host="other.localhost")
    assert client.get(address, headers={"Host": "other.localhost"}).status_code in {302, 404}
    paid.refresh_from_db()
    assert (paid.status, paid.launch_week) == ("scheduled", str(launch_weeks.current_week() + 3))


# ---- by REST ----
def by_rest(client: ApiClient, listing: Listing, week: str) -> Any:
    return client.post(f"/me/listings/{listing.pk}/move", {"week": week})


@pytest.fixture
def own(owner: ApiClient, site: Site) -> Listing:
    week = str(launch_weeks.current_week() + 3)
    return ListingFactory.create(status="scheduled", plan="paid", launch_week=week, company__owner=owner.user)


def test_an_assistant_moves_a_launch(owner: ApiClient, own: Listing) -> None:
    week = str(launch_weeks.current_week() + 5)
    answer = by_rest(owner, own, week)
    assert (answer.status_code, answer.json()["status"], answer.json()["launch_week"]) == (200, "scheduled", week)
    assert by_rest(owner, own, week).status_code == 200


@pytest.mark.parametrize(("week", "pointer"), [("2026-W99", "/week"), ("soon", "/week"), ("2020-W01", None)])
def test_a_week_that_cannot_be_chosen_is_refused(
    owner: ApiClient, own: Listing, week: str, pointer: str | None
) -> None:
    answer = by_rest(owner, own, week)
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json().get("errors", [])] == ([pointer] if pointer else [])
    assert Listing.objects.get(pk=own.pk).launch_week == own.launch_week


def test_another_accounts_launch_is_not_found(other_owner: ApiClient, own: Listing) -> None:
    assert by_rest(other_owner, own, str(launch_weeks.current_week() + 5)).status_code == 404
