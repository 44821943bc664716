from typing import Any

import pytest
from django.db import transaction
from redis.exceptions import ConnectionError as RedisConnectionError

from apps.core.models import OutgoingEmail
from apps.core.stores.valkey.counters import Limit
from apps.core.text.dates import week_label
from apps.core.text.weeks import Week
from apps.launches.badges import checks
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.closing import default_launch_week
from apps.launches.models import LaunchWeek
from apps.launches.services import queue
from apps.listings.guidance.badge_status import NO_WEEK_FREE
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, complete_profile
from tests.launches.badge_results import check_result, found


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    return ListingFactory.create(company__owner=owner.user)


def choose(client: ApiClient, listing: Listing) -> Any:
    return client.post(f"/me/listings/{listing.pk}/free", {})


def test_it_waits_for_badge_and_profile_and_says_so(owner: ApiClient, listing: Listing) -> None:
    body = choose(owner, listing).json()
    assert (body["status"], body["plan"], body["launch_week"]) == ("awaiting_badge", "free", None)
    assert [blocker["code"] for blocker in body["blockers"]] == ["badge", "profile"]
    assert "80 characters or more (it has 0)" in body["blockers"][1]["message"]
    now = launch_weeks.current_week()
    assert body["promise"] == {
        "free": {"week": str(now + 4), "places_left": 20},
        "paid": {"week": str(default_launch_week(listing.site) or now), "places_left": 10},
    }


def test_with_both_it_is_queued_weeks_ahead(owner: ApiClient, listing: Listing) -> None:
    complete_profile(listing.company.owner)
    choose(owner, listing)
    found(listing)
    body = owner.get(f"/me/listings/{listing.pk}").json()
    assert (body["status"], body["launch_week"]) == ("scheduled", str(launch_weeks.current_week() + 4))
    assert body["blockers"] == []


def test_the_profile_completed_last_queues_on_the_next_choice(owner: ApiClient, listing: Listing) -> None:
    choose(owner, listing)
    found(listing)
    assert [blocker["code"] for blocker in owner.get(f"/me/listings/{listing.pk}").json()["blockers"]] == ["profile"]
    complete_profile(listing.company.owner)
    assert choose(owner, listing).json()["status"] == "scheduled"


def test_a_full_week_leads_to_the_next(owner: ApiClient, listing: Listing) -> None:
    first = launch_weeks.current_week() + 4
    LaunchWeek.objects.create(site=listing.site, iso_week=str(first), free_places=0, paid_places=5)
    complete_profile(listing.company.owner)
    assert choose(owner, listing).json()["promise"]["free"]["week"] == str(first + 1)
    found(listing)
    listing.refresh_from_db()
    assert listing.launch_week == str(first + 1)


@pytest.mark.parametrize("state", ["absent", "unknown"])
def test_absent_and_unknown_both_wait_but_are_told_apart(owner: ApiClient, listing: Listing, state: str) -> None:
    complete_profile(listing.company.owner)
    choose(owner, listing)
    seen = check_result(listing, state)
    checks.record_check(listing=listing, result=seen)
    body = owner.get(f"/me/listings/{listing.pk}").json()
    assert body["status"] == "awaiting_badge"
    assert seen.detail in body["blockers"][0]["message"]


def test_choosing_checks_for_the_badge(
    owner: ApiClient,
    listing: Listing,
    asked: list[int],
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        choose(owner, listing)
    assert asked == [listing.pk]


@pytest.mark.slow
def test_the_owners_website_is_checked_ten_times_an_hour(
    owner: ApiClient,
    listing: Listing,
    asked: list[int],
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        answers = [choose(owner, listing).status_code for _ in range(15)]
    assert answers == [200] * 15
    assert len(asked) == 10


def test_a_broker_that_is_down_does_not_undo_the_choice(
    owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def refuse(listing_id: int) -> None:
        raise ConnectionError

    monkeypatch.setattr("apps.launches.tasks.check_badge.delay", refuse)
    with django_capture_on_commit_callbacks(execute=True):
        assert choose(owner, listing).status_code == 200
    listing.refresh_from_db()
    assert listing.status == Listing.Status.AWAITING_BADGE


def test_an_outage_of_valkey_does_not_undo_the_choice(
    owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(limit: Limit, who: str) -> None:
        raise RedisConnectionError

    monkeypatch.setattr(Limit, "take", refuse)
    assert choose(owner, listing).json()["status"] == "awaiting_badge"


def test_that_every_week_is_full_is_said_once_and_waited_for(
    owner: ApiClient, listing: Listing, caplog: pytest.LogCaptureFixture
) -> None:
    Site.objects.update(free_places_per_week=0)
    complete_profile(listing.company.owner)
    assert choose(owner, listing).json()["promise"]["free"] is None
    for _ in range(3):
        found(listing)
        assert queue.queue_ready() == 0
    listing.refresh_from_db()
    assert (listing.status, listing.badge_state) == ("awaiting_badge", "found")
    assert listing.badge_result == NO_WEEK_FREE
    assert [record.name for record in caplog.records if record.levelname == "WARNING"] == [queue.logger.name]
    body = owner.get(f"/me/listings/{listing.pk}").json()
    assert body["blockers"] == []
    assert NO_WEEK_FREE in body["next_steps"][0]
    Site.objects.update(free_places_per_week=1)
    assert queue.queue_ready() == 1
    listing.refresh_from_db()
    assert (listing.status, listing.badge_result) == ("scheduled", "")


def test_a_profile_completed_later_queues_without_another_choice(
    owner: ApiClient, listing: Listing, django_assert_num_queries: Any
) -> None:
    choose(owner, listing)
    found(listing)
    with django_assert_num_queries(1):
        assert queue.queue_ready() == 0
    profile = complete_profile(listing.company.owner)
    profile.bio = " " * 100
    profile.save()
    assert queue.queue_ready() == 0
    profile.bio = "b" * listing.site.profile_min_bio_characters
    profile.save()
    assert queue.queue_ready() == 1
    listing.refresh_from_db()
    assert (listing.status, listing.launch_week) == ("scheduled", str(launch_weeks.current_week() + 4))


def test_one_that_cannot_be_queued_does_not_stop_the_others(
    owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete_profile(listing.company.owner)
    others = [ListingFactory.create(company__owner=listing.company.owner) for _ in range(2)]
    Listing.objects.update(status="awaiting_badge", plan="free", badge_seen_at="2026-01-01T00:00Z")
    schedule = queue.schedule

    def fail_once(*, listing: Listing, week: Week) -> Listing:
        if listing.pk == others[0].pk:
            raise RuntimeError("broken")
        return schedule(listing=listing, week=week)

    monkeypatch.setattr(queue, "schedule", fail_once)
    assert queue.queue_ready() == 2
    others[0].refresh_from_db()
    assert (others[0].status, others[0].launch_week) == ("awaiting_badge", "")


def test_the_owner_is_told_when_the_week_is_fixed(owner: ApiClient, listing: Listing) -> None:
    complete_profile(listing.company.owner)
    choose(owner, listing)
    found(listing)
    found(listing)
    email = OutgoingEmail.objects.get()
    assert email.to == listing.company.owner.email
    week = launch_weeks.current_week() + 4
    assert week_label(week) in email.text
    assert f"{listing.page_url}/launch" in email.text


def test_many_full_weeks_cost_few_queries(listing: Listing, django_assert_max_num_queries: Any) -> None:
    first = launch_weeks.current_week() + 4
    LaunchWeek.objects.bulk_create(
        LaunchWeek(site=listing.site, iso_week=str(first + ahead), free_places=0, paid_places=0) for ahead in range(40)
    )
    with transaction.atomic(), django_assert_max_num_queries(12):
        assert launch_weeks.lock_first_place(listing.site, first, "free") == first + 40


@pytest.mark.parametrize("status", ["in_review", "rejected", "archived", "suspended"])
def test_in_other_statuses_it_is_refused_and_nothing_changes(owner: ApiClient, listing: Listing, status: str) -> None:
    suspended_from = "live" if status == "suspended" else ""
    Listing.objects.filter(pk=listing.pk).update(status=status, suspended_from=suspended_from)
    answer = choose(owner, listing)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_launchable")
    listing.refresh_from_db()
    assert (listing.status, listing.plan) == (status, "none")


def test_another_owners_listing_is_not_there(other_owner: ApiClient, listing: Listing) -> None:
    assert choose(other_owner, listing).status_code == 404
    listing.refresh_from_db()
    assert listing.status == "draft"


def test_weeks_have_their_year() -> None:
    assert str(Week.parse("2026-W53") + 1) == "2027-W01"
