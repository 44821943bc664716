"""Workers that come together, die, or are held up: every draft ends once."""

import os
import sys
import threading
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.utils import timezone

from apps.drafts import tasks
from apps.drafts.crawl import job, lock
from apps.drafts.crawl.lock import Heartbeat, Lease, LeaseLostError
from apps.drafts.models import MAX_ATTEMPTS, Draft
from apps.drafts.services import creation
from apps.drafts.services import drafts as expiry
from apps.sites.models import Site
from tests.drafts.conftest import HOSTS, page
from tests.drafts.factories import DraftFactory, by, leased
from tests.factories import UserFactory
from tests.faults.processes import started
from tests.pages_server import Answer, PagesServer
from tests.racing import run_at_once
from tests.waiting import wait_for

pytestmark = pytest.mark.django_db

AGO = timedelta(minutes=2)
# Its lease lasts an hour, which a busy machine doesn't outlast.
CRAWLER = (
    "import sys, django; from datetime import timedelta; django.setup(); from apps.drafts.crawl import job, lock\n"
    "lock.LEASE = timedelta(hours=1); job.run(int(sys.argv[1]))"
)


@pytest.fixture
def draft(db: None) -> Draft:
    return DraftFactory.create()


def expire_lease(draft: Draft) -> None:
    Draft.objects.filter(pk=draft.pk).update(leased_until=timezone.now() - timedelta(seconds=1))


def test_a_lease_lasts_fifteen_seconds(draft: Draft) -> None:
    assert timedelta(seconds=15) == lock.LEASE
    before = timezone.now()
    lease = leased(draft)
    after = timezone.now()
    assert lease == Lease(draft.pk, 1)
    assert lock.lease_draft(draft.pk) is None
    draft.refresh_from_db()
    assert draft.leased_until is not None
    assert before <= draft.leased_until - lock.LEASE <= after
    lease.report(done=2, planned=5)
    draft.refresh_from_db()
    assert (draft.pages_done, draft.pages_planned, draft.attempt) == (2, 5, 1)


def test_after_the_lease_another_worker_takes_over_and_the_first_may_not_write(draft: Draft) -> None:
    first = leased(draft)
    expire_lease(draft)
    second = leased(draft)
    assert second.attempt == 2
    for write in (
        first.renew,
        lambda: first.report(done=1, planned=1),
        lambda: first.update(lambda row: row.move_to(Draft.Status.DRAFTING)),
    ):
        with pytest.raises(LeaseLostError):
            write()
    second.update(lambda row: row.move_to(Draft.Status.DRAFTING))
    draft.refresh_from_db()
    assert (draft.status, draft.pages_done) == (Draft.Status.DRAFTING, 0)


def test_a_finished_draft_cannot_be_leased_or_written() -> None:
    draft = DraftFactory.create()
    lease = leased(draft)
    lease.update(lambda row: lock.fail(row, code="unreachable", message="Gone."))
    assert lock.lease_draft(draft.pk) is None
    with pytest.raises(LeaseLostError):
        lease.renew()
    assert lock.lease_draft(DraftFactory.create(ready=True).pk) is None
    assert lock.lease_draft(0) is None


def test_one_domain_is_read_by_one_worker(draft: Draft) -> None:
    neighbour = DraftFactory.create(domain=draft.domain)
    stranger = DraftFactory.create()
    lease = leased(draft)
    assert lock.lease_draft(neighbour.pk) is None
    assert lock.lease_draft(stranger.pk) is not None
    lease.update(lambda row: lock.fail(row, code="unreachable", message="Gone."))
    assert lock.unblocked_by(domains={draft.domain}, owner_id=draft.owner_id) == [neighbour.pk]
    neighbour.refresh_from_db()
    assert neighbour.attempt == 0
    assert lock.lease_draft(neighbour.pk) is not None


def test_the_sweep_wakes_workers_for_lost_drafts(draft: Draft, sent: list[int]) -> None:
    forgotten = DraftFactory.create(queued_at=timezone.now() - AGO)
    waiting = DraftFactory.create()
    held = DraftFactory.create(queued_at=timezone.now() - AGO)
    leased(held)
    leased(draft)
    expire_lease(draft)
    tasks.recover_drafts()
    assert sorted(sent) == sorted([draft.pk, forgotten.pk])
    tasks.recover_drafts()
    assert len(sent) == 2, "a draft that was just queued is left alone"
    waiting.refresh_from_db()
    assert waiting.attempt == 0


def test_the_sweep_sends_no_more_messages_than_there_are_threads(sent: list[int], settings: Any) -> None:
    settings.CRAWL_THREADS = 3
    DraftFactory.create_batch(5, queued_at=timezone.now() - AGO)
    tasks.recover_drafts()
    tasks.recover_drafts()
    assert len(sent) == 3


def test_after_three_attempts_a_draft_fails(draft: Draft, sent: list[int]) -> None:
    for _ in range(MAX_ATTEMPTS):
        leased(draft)
        expire_lease(draft)
    assert lock.lease_draft(draft.pk) is None
    tasks.recover_drafts()
    draft.refresh_from_db()
    assert (draft.status, draft.error_code) == (Draft.Status.FAILED, "unreachable")
    assert draft.leased_until is None
    assert sent == []


def test_nobody_waits_for_longer_than_thirty_days(sent: list[int]) -> None:
    old = DraftFactory.create(ready=True, created_at=timezone.now() - timedelta(days=31))
    new = DraftFactory.create(ready=True, created_at=timezone.now() - timedelta(days=29))
    tasks.recover_drafts()
    old.refresh_from_db()
    new.refresh_from_db()
    assert (old.status, new.status) == (Draft.Status.EXPIRED, Draft.Status.READY)
    assert expiry.expire_drafts() == 0


def test_a_worker_that_lost_its_lease_writes_nothing(acme: PagesServer, site: Site) -> None:
    draft, _ = creation.create_draft(site=site, url=acme.url("acme.localhost"), by=by(UserFactory.create()))
    original = Lease.report

    def report(self: Lease, **progress: Any) -> None:
        Draft.objects.filter(pk=draft.pk).update(attempt=2)
        original(self, **progress)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lease, "report", report)
        job.run(draft.pk)
    draft.refresh_from_db()
    assert (draft.status, draft.attempt, draft.proposal) == (Draft.Status.CRAWLING, 2, {})


@pytest.mark.slow
def test_the_end_of_a_crawl_wakes_the_next_of_the_domain(acme: PagesServer, site: Site, sent: list[int]) -> None:
    first, _ = creation.create_draft(site=site, url=acme.url("acme.localhost"), by=by(UserFactory.create()))
    second, _ = creation.create_draft(site=site, url=acme.url("www.acme.localhost"), by=by(UserFactory.create()))
    tasks.crawl_draft(first.pk)
    assert sent == [second.pk]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_ten_workers_at_once_read_a_site_once(acme: PagesServer, site: Site) -> None:
    draft, _ = creation.create_draft(site=site, url=acme.url("acme.localhost"), by=by(UserFactory.create()))
    run_at_once(*[lambda: job.run(draft.pk)] * 10)
    draft.refresh_from_db()
    assert (draft.status, draft.attempt) == (Draft.Status.READY, 1)
    assert len(acme.paths("acme.localhost")) == len(set(acme.paths("acme.localhost")))


@pytest.mark.django_db(transaction=True)
def test_requests_for_one_domain_at_once_give_one_lease() -> None:
    drafts = DraftFactory.create_batch(8, domain="acme.example")
    leases = run_at_once(*[lambda draft=draft: lock.lease_draft(draft.pk) for draft in drafts])
    assert sum(lease is not None for lease in leases) == 1


@pytest.mark.django_db(transaction=True)
def test_a_heartbeat_keeps_a_busy_worker_s_lease() -> None:
    draft = DraftFactory.create()
    lease = leased(draft)
    expire_lease(draft)
    with Heartbeat(lease, seconds=0.01):
        wait_for(lambda: Draft.objects.leased().filter(pk=draft.pk).exists())


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_draft_survives_the_death_of_its_worker(acme: PagesServer, site: Site) -> None:
    gate = threading.Event()
    acme.serve("acme.localhost", "/pricing", Answer(page("Pricing").encode(), gate=gate))
    draft, _ = creation.create_draft(site=site, url=acme.url("acme.localhost"), by=by(UserFactory.create()))
    with crawler(draft, acme):
        wait_for(lambda: "/pricing" in acme.paths("acme.localhost"))
    draft.refresh_from_db()
    assert (draft.status, draft.attempt, draft.pages_done) == (Draft.Status.CRAWLING, 1, 2)
    gate.set()

    assert job.run(draft.pk) == [], "the dead worker's lease still runs"
    expire_lease(draft)
    assert lock.recover_lost() == [draft.pk]
    job.run(draft.pk)
    draft.refresh_from_db()
    assert (draft.status, draft.attempt) == (Draft.Status.READY, 2)
    assert acme.paths("acme.localhost").count("/") == 1, "what the dead worker has read is still in the cache"


def crawler(draft: Draft, server: PagesServer) -> AbstractContextManager[object]:
    """Crawls in a process of its own, on the test's database. It is killed at the end."""
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database.geturl(),
        "CRAWL_ALLOW_PRIVATE_HOSTS": ",".join(server.host(name) for name in HOSTS),
        "CRAWL_DELAY_SECONDS": "0",
    }
    return started([sys.executable, "-c", CRAWLER, str(draft.pk)], env=environment)
