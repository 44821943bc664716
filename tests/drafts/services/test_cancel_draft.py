"""Cancelling a draft: its worker stops, its domain is left alone until then, and its address is free again."""

import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.test import Client

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.errors import NotFound
from apps.drafts import tasks
from apps.drafts.crawl import job, lock
from apps.drafts.crawl.lock import Heartbeat, Lease, LeaseLostError
from apps.drafts.models import Draft
from apps.drafts.services import creation, drafts, submission
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.browsing import signed_in
from tests.drafts.conftest import page
from tests.drafts.factories import DraftFactory, by, leased
from tests.factories import ListingFactory, UserFactory
from tests.pages_server import Answer, PagesServer
from tests.racing import count_outcomes
from tests.waiting import wait_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def person(site: Site) -> User:
    return UserFactory.create(email="owner@example.com")


def cancel(draft: Draft) -> Draft:
    return drafts.cancel_draft(draft=draft, by=Actor(user=draft.owner, via="browser"))


@pytest.mark.parametrize("status", ["crawling", "drafting", "ready", "failed"])
def test_a_draft_that_has_not_ended_is_cancelled(status: str) -> None:
    draft = DraftFactory.create(**({status: True} if status in {"ready", "failed"} else {"status": status}))
    for _ in range(2):
        cancelled = cancel(draft)
        assert (cancelled.status, cancelled.finished_at is not None) == (Draft.Status.CANCELLED, True)
    draft.refresh_from_db()
    assert draft.status == Draft.Status.CANCELLED


@pytest.mark.parametrize("status", ["submitted", "expired"])
def test_what_has_ended_is_not_cancelled(status: str, person: User) -> None:
    draft = DraftFactory.create(owner=person, ready=True)
    if status == "expired":
        Draft.objects.update(status=status)
    if status == "submitted":
        submission.submit_draft(draft=draft, fields={}, by=Actor(user=person, via="browser"))
    with pytest.raises(drafts.DraftEnded, match=status):
        cancel(draft)
    draft.refresh_from_db()
    assert draft.status == status


def test_only_its_owner_cancels_a_draft() -> None:
    draft = DraftFactory.create()
    with pytest.raises(NotFound):
        drafts.cancel_draft(draft=draft, by=Actor(user=UserFactory.create(), via="browser"))
    draft.refresh_from_db()
    assert draft.status == Draft.Status.CRAWLING


def test_the_address_is_free_again_and_the_draft_is_no_listing(owner: ApiClient) -> None:
    first = owner.post("/drafts", {"url": "https://acme.example"}).json()
    cancel(Draft.objects.get())
    shown = owner.get(f"/drafts/{first['id']}").json()
    assert (shown["status"], shown["next_steps"]) == ("cancelled", ["Call create_draft again."])
    refused = owner.post(f"/drafts/{first['id']}/submit", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "draft_not_ready")
    assert "canceled" in refused.json()["detail"]
    assert owner.patch(f"/drafts/{first['id']}", {"fields": {"name": "Acme"}}).status_code == 409
    again = owner.post("/drafts", {"url": "https://acme.example"})
    assert (again.status_code, again.json()["id"] != first["id"]) == (201, True)
    assert not Listing.objects.exists()


def test_a_canceled_second_reading_begins_again_with_its_listing(owner: ApiClient) -> None:
    listing = ListingFactory.create(live=True, company__owner=owner.user)
    draft = cancel(DraftFactory.create(owner=owner.user, rereads=listing))
    steps = [f"Call recrawl_listing with listing_id {listing.pk}."]
    assert owner.get(f"/drafts/{draft.pk}").json()["next_steps"] == steps
    assert owner.post(f"/drafts/{draft.pk}/submit", {}).json()["next_steps"] == steps


def test_a_cancelled_draft_counts_for_the_hour(owner: ApiClient) -> None:
    Site.objects.update(drafts_per_hour=1)
    assert owner.post("/drafts", {"url": "https://acme.example"}).status_code == 201
    cancel(Draft.objects.get())
    assert owner.post("/drafts", {"url": "https://acme.example"}).status_code == 429


def test_no_worker_takes_a_cancelled_draft(sent: list[int]) -> None:
    draft = DraftFactory.create()
    cancel(draft)
    assert lock.lease_draft(draft.pk) is None
    assert job.run(draft.pk) == []
    tasks.recover_drafts()
    assert sent == []


def test_its_worker_writes_nothing_and_keeps_the_domain_until_it_stops() -> None:
    draft = DraftFactory.create()
    waiting = DraftFactory.create(domain=draft.domain)
    lease = leased(draft)
    cancel(draft)
    for write in (
        lambda: lease.report(done=1, planned=1),
        lambda: lease.update(lambda row: row.move_to(Draft.Status.DRAFTING)),
    ):
        with pytest.raises(LeaseLostError):
            write()
    lease.renew()
    assert lock.lease_draft(waiting.pk) is None
    lease.release_cancelled()
    with pytest.raises(LeaseLostError):
        lease.renew()
    assert lock.lease_draft(waiting.pk) is not None
    draft.refresh_from_db()
    assert (draft.status, draft.leased_until, draft.pages_done) == (Draft.Status.CANCELLED, None, 0)


def test_another_attempt_s_worker_lets_go_of_nothing() -> None:
    draft = DraftFactory.create()
    lease = leased(draft)
    cancel(draft)
    Lease(draft.pk, lease.attempt - 1).release_cancelled()
    draft.refresh_from_db()
    assert draft.leased_until is not None


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_crawl_stops_at_the_page_it_is_at(acme: PagesServer, site: Site) -> None:
    gate = threading.Event()
    acme.serve("acme.localhost", "/about", Answer(page("About").encode(), gate=gate))
    draft, _ = creation.create_draft(site=site, url=acme.url("acme.localhost"), by=by(UserFactory.create()))
    woken: list[int] = []
    worker = running(lambda: woken.extend(job.run(draft.pk)))
    wait_for(lambda: "/about" in acme.paths("acme.localhost"))
    cancel(draft)
    again, is_new = creation.create_draft(site=site, url=draft.url, by=by(draft.owner))
    assert is_new
    assert job.run(again.pk) == [], "the first worker has a request under way"
    gate.set()
    worker.join()
    assert woken == [again.pk]
    draft.refresh_from_db()
    assert (draft.status, draft.leased_until, draft.proposal) == (Draft.Status.CANCELLED, None, {})
    assert {"/pricing", "/faq"}.isdisjoint(acme.paths("acme.localhost"))
    job.run(again.pk)
    again.refresh_from_db()
    assert again.status == Draft.Status.READY


@pytest.mark.django_db(transaction=True)
def test_a_heartbeat_holds_the_domain_of_a_cancelled_draft() -> None:
    draft = DraftFactory.create()
    lease = leased(draft)
    cancel(draft)
    Draft.objects.update(leased_until=draft.created_at)
    with Heartbeat(lease, seconds=0.01):
        wait_for(lambda: Draft.objects.leased().filter(pk=draft.pk).exists())


@pytest.mark.django_db(transaction=True)
def test_cancelled_and_submitted_at_once_it_ends_one_way(person: User) -> None:
    by = Actor(user=person, via="browser")
    for number in range(5):
        draft = DraftFactory.create(owner=person, ready=True, url=f"https://both{number}.example/")
        outcomes = count_outcomes(
            partial(drafts.cancel_draft, draft=draft, by=by),
            partial(submission.submit_draft, draft=draft, fields={}, by=by),
        )
        draft.refresh_from_db()
        refusal = {"submitted": "draft_ended", "cancelled": "draft_not_ready"}[draft.status]
        assert outcomes == {"done": 1, refusal: 1}
        assert Listing.objects.filter(company__website_key=f"both{number}.example").exists() == (
            draft.status == "submitted"
        )


def test_the_page_cancels_and_discards(person: User) -> None:
    browser = signed_in(person)
    failed = {"failed": True}
    for values in ({}, {"ready": True}, failed, {**failed, "error_code": Draft.Failure.DUPLICATE}):
        draft = DraftFactory.create(owner=person, **values)
        address = f"/drafts/{draft.pk}"
        assert f'action="{address}/cancel"' in browser.get(address).content.decode()
        answer = browser.post(f"{address}/cancel")
        assert (answer.status_code, answer.headers["Location"]) == (302, "/drafts")
        draft.refresh_from_db()
        assert draft.status == Draft.Status.CANCELLED
        html = browser.get(address).content.decode()
        assert "Draft canceled" in html
        assert f"{address}/cancel" not in html
        assert f"/drafts/new?url={draft.url.replace(':', '%3A').replace('/', '%2F')}" in html


def test_a_second_click_and_a_late_one_do_no_harm(person: User) -> None:
    browser = signed_in(person)
    draft = DraftFactory.create(owner=person, ready=True)
    Draft.objects.update(status=Draft.Status.EXPIRED)
    answer = browser.post(f"/drafts/{draft.pk}/cancel", follow=True)
    assert "notice-bad" in answer.content.decode()
    draft.refresh_from_db()
    assert draft.status == Draft.Status.EXPIRED


def test_nobody_else_and_no_other_website_cancels(person: User) -> None:
    draft = DraftFactory.create(owner=person, ready=True)
    address = f"/drafts/{draft.pk}/cancel"
    assert signed_in(UserFactory.create()).post(address).status_code == 404
    strict = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
    strict.force_login(person)
    assert strict.post(address).status_code == 403
    assert signed_in(person).get(address).status_code == 405
    draft.refresh_from_db()
    assert draft.status == Draft.Status.READY


def test_a_discarded_rereading_changes_nothing(person: User) -> None:
    listing = ListingFactory.create(live=True, company__owner=person)
    draft = DraftFactory.create(owner=person, ready=True, rereads=listing)
    cancel(draft)
    before = listing.headline
    listing.refresh_from_db()
    assert listing.headline == before


def running(work: Callable[[], object]) -> threading.Thread:
    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_the_operation_discards_a_draft_also_when_called_twice(owner: ApiClient) -> None:
    draft = DraftFactory.create(owner=owner.user, ready=True)
    for _ in range(2):
        answer = owner.post(f"/drafts/{draft.pk}/cancel")
        assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")


def test_the_operation_refuses_ended_and_other_peoples_drafts(owner: ApiClient, other_owner: ApiClient) -> None:
    draft = DraftFactory.create(owner=owner.user, ready=True)
    assert other_owner.post(f"/drafts/{draft.pk}/cancel").status_code == 404
    Draft.objects.update(status=Draft.Status.EXPIRED)
    assert owner.post(f"/drafts/{draft.pk}/cancel").status_code == 409
    assert Draft.objects.get().status == Draft.Status.EXPIRED
