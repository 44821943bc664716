from typing import Any

import pytest
from django.db import transaction
from redis.exceptions import ConnectionError as RedisConnectionError

from apps.core.fetch import Fetched, FetchError, FetchFailure
from apps.core.limits import Limit
from apps.core.weeks import Week
from apps.launches import badges, calendar, queue
from apps.launches.badges import BadgeLook
from apps.launches.models import LaunchWeek
from apps.listings.models import Listing
from tests.api import ApiClient
from tests.factories import ListingFactory, complete_profile

FOUND = BadgeLook(True, "Found on https://company.example.com.")


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
    now = calendar.current_week()
    assert body["promise"] == {
        "free": {"week": str(now + 4), "places_left": 20},
        "paid": {"week": str(now), "places_left": 10},
    }


def test_with_both_it_is_queued_weeks_ahead(owner: ApiClient, listing: Listing) -> None:
    complete_profile(listing.company.owner)
    choose(owner, listing)
    queue.record_badge_look(listing=listing, look=FOUND)
    body = owner.get(f"/me/listings/{listing.pk}").json()
    assert (body["status"], body["launch_week"]) == ("scheduled", str(calendar.current_week() + 4))
    assert body["blockers"] == []


def test_the_profile_completed_last_queues_on_the_next_choice(owner: ApiClient, listing: Listing) -> None:
    choose(owner, listing)
    queue.record_badge_look(listing=listing, look=FOUND)
    assert [blocker["code"] for blocker in owner.get(f"/me/listings/{listing.pk}").json()["blockers"]] == ["profile"]
    complete_profile(listing.company.owner)
    assert choose(owner, listing).json()["status"] == "scheduled"


def test_a_full_week_leads_to_the_next(owner: ApiClient, listing: Listing) -> None:
    first = calendar.current_week() + 4
    LaunchWeek.objects.create(site=listing.site, iso_week=str(first), free_places=0, paid_places=5)
    complete_profile(listing.company.owner)
    assert choose(owner, listing).json()["promise"]["free"]["week"] == str(first + 1)
    queue.record_badge_look(listing=listing, look=FOUND)
    listing.refresh_from_db()
    assert listing.launch_week == str(first + 1)


@pytest.mark.parametrize("look", [BadgeLook(False, "There is no link."), BadgeLook(None, "We could not look.")])
def test_absent_and_could_not_look_both_wait_but_are_told_apart(
    owner: ApiClient, listing: Listing, look: BadgeLook
) -> None:
    complete_profile(listing.company.owner)
    choose(owner, listing)
    queue.record_badge_look(listing=listing, look=look)
    body = owner.get(f"/me/listings/{listing.pk}").json()
    assert body["status"] == "awaiting_badge"
    assert look.detail in body["blockers"][0]["message"]


def test_choosing_looks_for_the_badge(
    owner: ApiClient,
    listing: Listing,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr("apps.launches.tasks.check_badge.delay", asked.append)
    with django_capture_on_commit_callbacks(execute=True):
        choose(owner, listing)
    assert asked == [listing.pk]


def test_the_owners_website_is_looked_at_ten_times_an_hour(
    owner: ApiClient,
    listing: Listing,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr("apps.launches.tasks.check_badge.delay", asked.append)
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


def test_a_badge_that_was_found_is_kept_when_every_week_is_full(
    owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object) -> None:
        raise calendar.WeekFull("Every week is full.")

    complete_profile(listing.company.owner)
    choose(owner, listing)
    monkeypatch.setattr(calendar, "lock_first_place", full)
    with pytest.raises(calendar.WeekFull):
        queue.record_badge_look(listing=listing, look=FOUND)
    listing.refresh_from_db()
    assert listing.badge_seen_at is not None


def test_many_full_weeks_cost_few_queries(listing: Listing, django_assert_max_num_queries: Any) -> None:
    first = calendar.current_week() + 4
    LaunchWeek.objects.bulk_create(
        LaunchWeek(site=listing.site, iso_week=str(first + ahead), free_places=0, paid_places=0) for ahead in range(40)
    )
    with transaction.atomic(), django_assert_max_num_queries(12):
        assert calendar.lock_first_place(listing.site, first, "free") == first + 40


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


@pytest.mark.parametrize(
    ("html", "is_there"),
    [
        ('<a href="https://slipway.example/listings/x">badge</a>', True),
        ('<a rel="nofollow" href="//slipway.example"><img src="badge.svg"></a>', True),
        ("<A HREF='https://SLIPWAY.example/'>badge</A>", True),
        ('<!-- <a href="https://slipway.example/">badge</a> -->', False),
        ("<script>'<a href=\"https://slipway.example/\">'</script>", False),
        ('<a href="https://slipway.example.evil.test/">badge</a>', False),
        ('<a href="https://other.example/?u=https://slipway.example">badge</a>', False),
        ('<img src="https://slipway.example/badge.svg">', False),
        ("<a href='http://[::1'>broken</a>", False),
    ],
)
def test_only_a_real_anchor_counts(html: str, is_there: bool) -> None:
    found = badges.links_to(
        f"<p>Acme</p>{html}".encode(), base="https://acme.example/", target="https://slipway.example"
    )
    assert found is is_there


def test_what_is_no_page_says_nothing_about_the_badge(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Fetched("https://acme.example/", 200, {"content-type": "text/html"}, "text/html", b"", 1)
    monkeypatch.setattr(badges, "fetch_page", lambda url: page)
    assert badges.look_for_badge(listing).is_present is None


def test_a_site_that_cannot_be_read_says_nothing_about_the_badge(
    listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(url: str, **kwargs: object) -> None:
        raise FetchError(FetchFailure.UNREACHABLE)

    monkeypatch.setattr(badges, "fetch_page", refuse)
    assert badges.look_for_badge(listing).is_present is None


def test_weeks_have_their_year() -> None:
    assert str(Week.parse("2026-W53") + 1) == "2027-W01"
