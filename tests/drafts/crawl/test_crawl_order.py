"""Whose draft is crawled next: owners take turns, and have two crawls at a time, or more while slots are free."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.drafts import tasks
from apps.drafts.crawl import job, lock
from apps.drafts.crawl.lock import Lease
from apps.drafts.models import Draft
from apps.launches import tasks as launch_tasks
from apps.listings import tasks as listing_tasks
from apps.sites.models import Site
from config.celery import app
from tests.drafts.factories import DraftFactory
from tests.factories import UserFactory
from tests.pages_server import PagesServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def busy(db: None) -> User:
    """An owner who asked for five websites before anybody else."""
    owner = UserFactory.create()
    DraftFactory.create_batch(5, owner=owner, created_at=timezone.now() - timedelta(minutes=1))
    return owner


@pytest.fixture(autouse=True)
def shared(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Set how many crawls are shared, beyond those of each owner; none at first."""

    def share(count: int) -> None:
        monkeypatch.setattr("apps.drafts.models.SHARED_CRAWLS", count)

    share(0)
    return share


def owner_of(lease: Lease | None) -> User | None:
    return None if lease is None else Draft.objects.get(pk=lease.draft_id).owner


def end(lease: Lease | None) -> None:
    assert lease is not None
    lease.update(lambda row: lock.fail(row, code="unreachable", message="Gone."))


def test_an_owner_has_two_crawls_at_a_time(busy: User) -> None:
    first = lock.lease_next()
    assert [owner_of(first), owner_of(lock.lease_next())] == [busy, busy]
    assert lock.lease_next() is None
    waiting = Draft.objects.in_progress().filter(leased_until=None).first()
    assert waiting is not None
    assert lock.lease_draft(waiting.pk) is None
    end(first)
    assert owner_of(lock.lease_next()) == busy


def test_an_owner_has_more_crawls_while_slots_are_free(busy: User, shared: Callable[[int], None]) -> None:
    shared(4)
    assert [owner_of(lock.lease_next()) for _ in range(4)] == [busy] * 4
    assert lock.lease_next() is None
    late = DraftFactory.create_batch(3, owner=UserFactory.create())
    assert [owner_of(lock.lease_next()) for _ in range(2)] == [late[0].owner] * 2
    assert lock.lease_next() is None


def test_an_owner_with_fewer_crawls_comes_first(busy: User) -> None:
    late = DraftFactory.create()
    assert owner_of(lock.lease_next()) == busy
    assert owner_of(lock.lease_next()) == late.owner
    assert owner_of(lock.lease_next()) == busy


def test_owners_take_turns_where_there_is_room_for_one_crawl(busy: User) -> None:
    other = UserFactory.create()
    DraftFactory.create_batch(2, owner=other)
    order = []
    for _ in range(5):
        lease = lock.lease_next()
        order.append(owner_of(lease))
        end(lease)
    assert order == [busy, other, busy, other, busy]


def test_the_oldest_of_an_owner_s_drafts_is_next(busy: User) -> None:
    oldest = DraftFactory.create(owner=busy, created_at=timezone.now() - timedelta(hours=1))
    # The sweep has asked for it again since.
    Draft.objects.filter(pk=oldest.pk).update(queued_at=timezone.now())
    lease = lock.lease_next()
    assert lease is not None
    assert lease.draft_id == oldest.pk


def test_a_lease_that_ran_out_frees_its_owner_s_place(busy: User) -> None:
    lost = lock.lease_next()
    lock.lease_next()
    assert lost is not None
    Draft.objects.filter(pk=lost.draft_id).update(leased_until=timezone.now() - timedelta(seconds=1))
    again = lock.lease_next()
    assert again == Lease(lost.draft_id, 2)


def test_a_busy_domain_holds_up_neither_its_owner_nor_others(busy: User) -> None:
    first = lock.lease_next()
    assert first is not None
    held = Draft.objects.get(pk=first.draft_id).domain
    Draft.objects.in_progress().filter(leased_until=None).update(domain=held)
    other = DraftFactory.create(domain=held, created_at=timezone.now() - timedelta(hours=1))
    free = DraftFactory.create(owner=busy)
    assert lock.lease_next() == Lease(free.pk, 1)
    assert lock.lease_next() is None
    end(first)
    assert lock.lease_next() == Lease(other.pk, 1)


@pytest.mark.slow
def test_the_end_of_a_crawl_wakes_who_waited_for_its_owner_and_for_its_domain(
    acme: PagesServer, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.crawl_draft, "delay", sent.append)
    owner = UserFactory.create()
    url = acme.url("acme.localhost", "/")
    draft = DraftFactory.create(owner=owner, url=url, website_key="acme.localhost", domain="acme.localhost")
    same_owner, same_domain = DraftFactory.create(owner=owner), DraftFactory.create(domain="acme.localhost")
    stranger = DraftFactory.create()
    tasks.crawl_draft(stranger.pk)
    draft.refresh_from_db()
    assert draft.status == Draft.Status.READY, "it is not the message that says whose turn it is"
    assert sorted(sent) == sorted([same_owner.pk, same_domain.pk])


def test_a_message_too_many_does_nothing() -> None:
    assert job.run_next() == []


def test_strangers_websites_have_queues_of_their_own() -> None:
    def queue(task: Any) -> str:
        return str(app.amqp.router.route({}, task.name)["queue"].name)

    assert queue(tasks.crawl_draft) == "crawls"
    assert queue(launch_tasks.check_badge) == queue(listing_tasks.check_claim) == "checks"
    assert queue(tasks.recover_drafts) == app.conf.task_default_queue == "celery"


def test_crawls_leave_a_quarter_of_the_threads_free(monkeypatch: pytest.MonkeyPatch) -> None:
    slots = tasks.CrawlSlots(16)
    assert [slots.acquire() for _ in range(13)] == [True] * 12 + [False]
    slots.release()
    assert slots.acquire()
    small = tasks.CrawlSlots(1)
    assert (small.acquire(), small.acquire()) == (True, False)


def test_a_message_without_a_free_place_is_dropped_and_the_end_of_any_crawl_makes_up_for_it(
    busy: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.crawl_draft, "delay", sent.append)
    monkeypatch.setattr(tasks, "slots", tasks.CrawlSlots(1))
    late = DraftFactory.create()
    nested: list[str] = []

    def crawl() -> list[int]:
        if not nested:
            nested.append("message of another")
            end(lock.lease_next())
            tasks.crawl_draft(late.pk)
            assert sent == [], "it neither crawled nor woke anybody"
        return []

    monkeypatch.setattr(job, "run_next", crawl)
    tasks.crawl_draft(0)
    assert sent == [late.pk]
