"""When a worker whose main loop stands still counts as alive all the same."""

import time
from types import SimpleNamespace
from typing import Any

import pytest
from celery import bootsteps
from celery.worker import state

from config.supervisor import heartbeat
from config.supervisor.heartbeat import WorkerHeartbeat


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The step of a worker that has not connected yet, and its thread, which does nothing."""
    monkeypatch.setattr(WorkerHeartbeat, "_watch_broker", lambda self: None)
    monkeypatch.setattr(bootsteps.StartStopStep, "__init__", lambda *_, **__: None)
    monkeypatch.setattr(state, "should_stop", None)
    return WorkerHeartbeat(SimpleNamespace(app=None, pool=SimpleNamespace(active=True)))


@pytest.mark.parametrize("is_connected", [True, False], ids=["looping", "connecting"])
@pytest.mark.parametrize("answers", [True, False])
def test_a_loop_that_stands_still_is_excused_only_while_the_broker_is_away(
    worker: Any, monkeypatch: pytest.MonkeyPatch, *, is_connected: bool, answers: bool
) -> None:
    worker._is_connected = is_connected
    worker._beat_at = time.monotonic() - 3 * heartbeat.SECONDS
    monkeypatch.setattr(worker, "_broker_answers", lambda: answers)
    assert worker._is_excused() is not answers


def test_the_broker_is_asked_only_once_the_pool_has_forked(worker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is forked while another thread connects keeps the library's locks for ever."""
    monkeypatch.setattr(worker, "_broker_answers", lambda: False)
    worker._pool.active = False
    assert not worker._is_excused()
    worker._pool.active = True
    assert worker._is_excused()


def test_a_worker_that_was_told_to_stop_has_two_minutes(worker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_broker_answers", lambda: True)
    monkeypatch.setattr(state, "should_stop", 0)
    assert worker._is_excused()
    worker._stops_at -= heartbeat.FINISHING_SECONDS
    assert not worker._is_excused()
