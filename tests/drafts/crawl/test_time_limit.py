"""A crawl that does not end costs its own draft for good, and the others one attempt."""

import threading

import pytest
from django.db import OperationalError, connection

from apps.drafts.crawl import job, lock, time_limit
from apps.drafts.crawl.lock import Lease
from apps.drafts.models import Draft
from tests.drafts.factories import DraftFactory
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set in place of ending the process, once a hundredth of a second is over."""
    event = threading.Event()

    def end() -> None:
        connection.close()
        event.set()

    monkeypatch.setattr(time_limit, "end_process", end)
    monkeypatch.setattr(time_limit, "SECONDS", 0.01)
    return event


def crawl_without_end(ended: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        assert ended.wait(PATIENCE_SECONDS)
        raise lock.LeaseLostError

    monkeypatch.setattr(job, "_read", read)
    job.run_next()


def test_a_crawl_that_does_not_end_fails_its_draft_and_ends_the_process(
    ended: threading.Event, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    draft, other = DraftFactory.create(), DraftFactory.create()
    crawl_without_end(ended, monkeypatch)
    draft.refresh_from_db()
    other.refresh_from_db()
    assert (draft.status, draft.error_code, draft.leased_until) == (Draft.Status.FAILED, "unreachable", None)
    assert "over a minute" in draft.error_message
    assert (other.status, other.attempt) == (Draft.Status.CRAWLING, 0)
    [critical] = [record for record in caplog.records if record.levelname == "CRITICAL"]
    assert vars(critical)["draft_id"] == draft.pk


def test_the_process_ends_even_if_the_draft_cannot_be_failed(
    ended: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Draft:
        raise OperationalError("the database is away")

    DraftFactory.create()
    monkeypatch.setattr(Lease, "update", refuse)
    crawl_without_end(ended, monkeypatch)
    assert ended.is_set()


def test_the_process_ends_even_if_the_database_does_not_answer(
    ended: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(*_: object) -> None:
        assert ended.wait(PATIENCE_SECONDS)

    DraftFactory.create()
    monkeypatch.setattr(Lease, "update", hang)
    monkeypatch.setattr(time_limit, "FAILING_SECONDS", 0.01)
    crawl_without_end(ended, monkeypatch)
    assert ended.is_set()
