"""What choosing the free plan says of the badge check that it starts, in the API and on the owner's pages."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.models import IdempotencyRecord
from apps.core.request import waiting
from apps.core.text.dates import date_text
from apps.core.text.weeks import Week
from apps.launches.badges import checks
from apps.launches.services import queue
from apps.listings.models import Listing
from apps.listings.services.editing import update_my_listing
from tests.api import ApiClient
from tests.factories import ListingFactory, complete_profile
from tests.launches.badge_results import absent, check_result, found
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.db

EARLIER = datetime(2026, 11, 2, 9, 5, tzinfo=UTC)


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    complete_profile(owner.account)
    return ListingFactory.create(company__owner=owner.user)


@pytest.fixture
def waiting_listing(listing: Listing) -> Listing:
    """One that was checked without success on November 2."""
    Listing.objects.update(status="awaiting_badge", plan="free")
    checks.record_check(listing=listing, result=check_result(listing, "absent", at=EARLIER))
    listing.refresh_from_db()
    return listing


def choose(client: ApiClient, listing: Listing, **headers: str) -> Any:
    return client.post(f"/me/listings/{listing.pk}/free", {}, **headers)


@pytest.fixture
def polls(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How often, and for how long, a request has waited for its check."""
    seen: list[float] = []

    def sleep(seconds: float) -> None:
        seen.append(seconds)
        time.sleep(seconds)

    monkeypatch.setattr(checks, "WAIT_SECONDS", PATIENCE_SECONDS)
    monkeypatch.setattr(waiting, "time", SimpleNamespace(monotonic=time.monotonic, sleep=sleep))
    return seen


def worker(monkeypatch: pytest.MonkeyPatch, work: Callable[[Listing], object], *, polls: list[float]) -> None:
    """Replaces the worker: runs a check in its own thread, once a request waits for it."""

    def run(pk: int) -> None:
        wait_for(lambda: bool(polls))
        try:
            with transaction.atomic():
                # The caller that waits holds no lock on it.
                Listing.objects.select_for_update(nowait=True).get(pk=pk)
            work(Listing.objects.select_related("company", "site").get(pk=pk))
        finally:
            connection.close()

    def send(pk: int) -> None:
        threading.Thread(target=run, args=[pk]).start()

    monkeypatch.setattr("apps.launches.tasks.check_badge.delay", send)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("key", [None, "key-1"])
def test_it_waits_for_the_check_and_tells_what_it_found(
    owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch, polls: list[float], key: str | None
) -> None:
    worker(monkeypatch, found, polls=polls)
    headers = {"Idempotency_Key": key} if key else {}
    body = choose(owner, listing, **headers).json()
    assert (body["status"], body["badge_check"]["status"]) == ("scheduled", "found")
    assert body["badge_check"]["checked_at"] >= body["submitted_at"]
    assert (body["badge_check"]["started_at"], body["badge_check"]["retry_after_seconds"]) == (None, None)
    if key:
        replayed = choose(owner, listing, **headers)
        assert replayed["Idempotency-Replayed"] == "true"
        assert replayed.json() == body


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_answer_waits_for_the_queue_as_well(
    owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch, polls: list[float]
) -> None:
    schedule = queue.schedule

    def schedule_slowly(*, listing: Listing, week: Week) -> Listing:
        before = len(polls)
        wait_for(lambda: len(polls) > before + 1)
        return schedule(listing=listing, week=week)

    monkeypatch.setattr(queue, "schedule", schedule_slowly)
    worker(monkeypatch, found, polls=polls)
    body = choose(owner, listing).json()
    assert (body["status"], body["badge_check"]["status"]) == ("scheduled", "found")


def test_one_that_cannot_be_queued_keeps_what_was_found_and_says_when(
    owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*, listing: Listing, week: Week) -> Listing:
        raise RuntimeError("broken")

    choose(owner, listing)
    with monkeypatch.context() as broken:
        broken.setattr(queue, "schedule", fail)
        found(listing)
    body = owner.get(f"/me/listings/{listing.pk}").json()
    assert (body["status"], body["badge_check"]["status"], body["blockers"]) == ("awaiting_badge", "found", [])
    assert "joining the launch queue" in body["next_steps"][0]
    assert queue.queue_ready() == 1


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_after_the_wait_it_is_said_to_be_running(
    owner: ApiClient, waiting_listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "WAIT_SECONDS", 0.3)
    monkeypatch.setattr("apps.launches.tasks.check_badge.delay", lambda pk: None)
    body = choose(owner, waiting_listing, Idempotency_Key="key-1").json()
    check = body["badge_check"]
    assert (check["status"], check["retry_after_seconds"]) == ("checking", 2)
    assert check["started_at"] > check["checked_at"]
    assert check["checked_at"] == "2026-11-02T09:05:00Z"
    assert IdempotencyRecord.objects.get().status == 200
    assert owner.get(f"/me/listings/{waiting_listing.pk}").json()["badge_check"] == check
    found(waiting_listing)
    after = owner.get(f"/me/listings/{waiting_listing.pk}").json()
    assert (after["status"], after["badge_check"]["status"]) == ("scheduled", "found")


@pytest.mark.django_db(transaction=True)
def test_only_so_many_wait_at_once(owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = threading.BoundedSemaphore(1)
    taken.acquire()
    monkeypatch.setattr(waiting, "_waiters", taken)
    # A waiting thread would look at the clock.
    monkeypatch.setattr(waiting, "time", None)
    monkeypatch.setattr("apps.launches.tasks.check_badge.delay", lambda pk: None)
    assert choose(owner, listing).json()["badge_check"]["status"] == "checking"


@pytest.mark.django_db(transaction=True)
def test_anyone_who_has_waited_makes_room(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "WAIT_SECONDS", 0.0)
    Listing.objects.update(badge_check_requested_at=timezone.now())
    for _ in range(2 * waiting.WAITERS):
        assert checks.wait_for_check(listing.pk) is False
    Listing.objects.update(badge_check_requested_at=None)
    assert checks.wait_for_check(listing.pk) is True


def test_inside_a_transaction_nobody_waits(owner: ApiClient, listing: Listing) -> None:
    Listing.objects.update(badge_check_requested_at=timezone.now())
    assert checks.wait_for_check(listing.pk) is False


def test_an_old_result_comes_with_its_time_and_the_word_that_a_new_check_runs(
    owner: ApiClient, waiting_listing: Listing
) -> None:
    before = owner.get(f"/me/listings/{waiting_listing.pk}").json()
    assert before["badge_check"]["status"] == "absent"
    assert "Nov 2, 2026, 09:05 UTC" in before["badge_check"]["message"]
    assert "Nov 2, 2026, 09:05 UTC" in before["blockers"][0]["message"]
    body = choose(owner, waiting_listing).json()
    badges = owner.get(f"/me/listings/{waiting_listing.pk}/badges").json()
    texts = [
        body["badge_check"]["message"],
        body["badge_result"],
        body["blockers"][0]["message"],
        badges["check"]["result"],
    ]
    for text in texts:
        assert "in progress" in text.partition("Nov 2, 2026, 09:05 UTC")[0]
        assert "no link" in text.partition("Nov 2, 2026, 09:05 UTC")[2]
    assert any("get_my_listing" in step for step in body["next_steps"])
    assert badges["check"]["started_at"] == body["badge_check"]["started_at"]


def test_the_first_check_has_no_result_to_tell(owner: ApiClient, listing: Listing) -> None:
    body = choose(owner, listing).json()
    assert (body["badge_check"]["status"], body["badge_check"]["checked_at"]) == ("checking", None)
    assert body["badge_check"]["message"] == body["badge_result"]


def test_a_check_that_began_before_it_was_asked_for_does_not_answer(owner: ApiClient, listing: Listing) -> None:
    before = timezone.now()
    choose(owner, listing)
    checks.record_check(listing=listing, result=check_result(listing, "absent", at=before))
    assert owner.get(f"/me/listings/{listing.pk}").json()["badge_check"]["status"] == "checking"
    absent(listing)
    assert owner.get(f"/me/listings/{listing.pk}").json()["badge_check"]["status"] == "absent"


def test_a_lost_check_ends_and_is_made_up_for(owner: ApiClient, waiting_listing: Listing, time_machine: Any) -> None:
    Listing.objects.update(badge_check_at=timezone.now() + timedelta(hours=20))
    choose(owner, waiting_listing)
    time_machine.move_to(timezone.now() + timedelta(minutes=16))
    assert checks.lease_due_badges() == [waiting_listing.pk]
    assert owner.get(f"/me/listings/{waiting_listing.pk}").json()["badge_check"]["status"] == "absent"


@pytest.mark.slow
def test_past_the_limit_it_says_when_to_ask_again(
    owner: ApiClient, waiting_listing: Listing, time_machine: Any
) -> None:
    for _ in range(10):
        choose(owner, waiting_listing)
    absent(waiting_listing)
    # The text names the minute.
    time_machine.move_to(timezone.now(), tick=False)
    check = choose(owner, waiting_listing).json()["badge_check"]
    assert (check["status"], check["started_at"]) == ("absent", None)
    assert 1 <= check["retry_after_seconds"] <= 3600
    again_at = timezone.now() + timedelta(seconds=check["retry_after_seconds"])
    assert f"Checked 10 times in the last hour. Try again after {date_text(again_at)}," in check["message"]
    assert "Last check: " in check["message"]


def test_a_moved_website_is_checked_again(owner: ApiClient, waiting_listing: Listing) -> None:
    update_my_listing(
        listing=waiting_listing,
        fields={"website": "https://moved.example"},
        by=Actor(user=waiting_listing.company.owner, via="browser"),
    )
    assert owner.get(f"/me/listings/{waiting_listing.pk}").json()["badge_check"]["status"] == "checking"


@pytest.mark.parametrize("status", ["draft", "live"])
def test_where_no_launch_needs_the_badge_there_is_nothing_to_tell(owner: ApiClient, status: str) -> None:
    listing = ListingFactory.create(company__owner=owner.user, **({"live": True} if status == "live" else {}))
    assert owner.get(f"/me/listings/{listing.pk}").json()["badge_check"] is None


@pytest.mark.parametrize("name", ["launch", "badges"])
def test_the_owners_pages_update_themselves(client: Client, waiting_listing: Listing, name: str) -> None:
    client.force_login(waiting_listing.company.owner)
    path = reverse(name, args=[waiting_listing.slug])
    client.post(reverse("choose_free", args=[waiting_listing.slug]))
    page = client.get(path).content.decode()
    polled = f"{path}?waiting=1"
    assert f'hx-get="{polled}"' in page
    assert '<noscript><meta http-equiv="refresh"' in page
    assert "reload to see" not in page
    assert client.get(polled, headers={"HX-Request": "true"}).status_code == 200
    found(waiting_listing)
    done = client.get(path, headers={"HX-Request": "true"})
    assert (done.status_code, done["HX-Refresh"]) == (204, "true")
    share = reverse("share_listing", args=[waiting_listing.slug])
    assert client.get(polled, headers={"HX-Request": "true"})["HX-Redirect"] == share
    assert "hx-get" not in client.get(path).content.decode().split("<main")[1].split("</main>")[0]


@pytest.mark.slow
def test_past_the_limit_the_page_says_so(client: Client, waiting_listing: Listing) -> None:
    client.force_login(waiting_listing.company.owner)
    for _ in range(11):
        answer = client.post(reverse("choose_free", args=[waiting_listing.slug]), follow=True)
    assert "Checked 10 times in the last hour. Try again after" in answer.content.decode()


def test_a_scheduled_launch_page_says_what_keeps_the_week(client: Client, waiting_listing: Listing) -> None:
    found(waiting_listing)
    client.force_login(waiting_listing.company.owner)
    page = client.get(reverse("launch", args=[waiting_listing.slug])).content.decode()
    assert reverse("move_launch", args=[waiting_listing.slug]) in page
