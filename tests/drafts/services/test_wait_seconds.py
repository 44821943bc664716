"""create_draft and get_draft wait for a draft's next status, for callers who ask for it."""

import threading
from typing import Any

import pytest
from django.db import connection

from apps.core.request import waiting
from apps.drafts.models import Draft
from tests.api import ApiClient
from tests.drafts.factories import DraftFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses made; the draft goes on in the first one."""
    made: list[float] = []

    def go_on(seconds: float) -> None:
        made.append(seconds)
        Draft.objects.filter(status=Draft.Status.CRAWLING).update(status=Draft.Status.DRAFTING)

    monkeypatch.setattr("apps.core.request.waiting.time.sleep", go_on)
    monkeypatch.setattr("apps.drafts.tasks.crawl_draft.apply_async", lambda *args, **options: None)
    return made


def test_reading_answers_with_the_next_status(owner: ApiClient, steps: list[float]) -> None:
    draft = DraftFactory.create(owner=owner.user)
    body = owner.get(f"/drafts/{draft.pk}", {"wait_seconds": "25"}).json()
    assert (body["status"], len(steps)) == ("drafting", 1)


def test_starting_answers_with_the_next_status_and_replays_it(owner: ApiClient, steps: list[float]) -> None:
    sent = {"url": "https://acme.example/", "wait_seconds": 25}
    answers: list[Any] = [owner.post("/drafts", sent, Idempotency_Key="once") for _ in range(2)]
    assert [(answer.status_code, answer.json()["status"]) for answer in answers] == [(201, "drafting")] * 2
    assert len(steps) == 1


def test_nobody_waits_unasked_or_for_a_draft_that_is_done(owner: ApiClient, steps: list[float]) -> None:
    running, done = DraftFactory.create(owner=owner.user), DraftFactory.create(owner=owner.user, ready=True)
    assert owner.get(f"/drafts/{running.pk}").json()["status"] == "crawling"
    assert owner.get(f"/drafts/{done.pk}", {"wait_seconds": "25"}).json()["status"] == "ready"
    assert steps == []


def test_only_so_many_wait_at_once(owner: ApiClient, steps: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    taken = threading.BoundedSemaphore(1)
    taken.acquire()
    monkeypatch.setattr(waiting, "_waiters", taken)
    draft = DraftFactory.create(owner=owner.user)
    assert owner.get(f"/drafts/{draft.pk}", {"wait_seconds": "25"}).json()["status"] == "crawling"
    assert not steps
    assert not connection.in_atomic_block


@pytest.mark.parametrize("seconds", ["26", "-1", "soon"])
def test_longer_waits_are_refused(owner: ApiClient, seconds: str) -> None:
    draft = DraftFactory.create(owner=owner.user)
    answer = owner.get(f"/drafts/{draft.pk}", {"wait_seconds": seconds})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/wait_seconds")
    assert owner.post("/drafts", {"url": "https://acme.example/", "wait_seconds": 26}).status_code == 422
