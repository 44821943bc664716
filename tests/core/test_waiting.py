"""Waiting for something else: places for all and for each account."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.core.request import waiting
from apps.core.request.waiting import wait_until

# Waiting looks at the thread's connection.
pytestmark = pytest.mark.django_db(transaction=True)


def has_place(account_id: int) -> bool:
    return wait_until(lambda: True, seconds=0, account_id=account_id)


def test_an_account_takes_only_its_share_of_the_waiting_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "_waiters", threading.BoundedSemaphore(3))
    monkeypatch.setattr(waiting, "WAITERS_OF_ACCOUNT", 2)
    monkeypatch.setattr(waiting, "POLL_SECONDS", 0.01)
    is_over, are_waiting = threading.Event(), threading.Barrier(3)

    def occupy() -> bool:
        is_first = iter([True])

        def is_done() -> bool:
            if next(is_first, False):
                are_waiting.wait(60)
            return is_over.is_set()

        return wait_until(is_done, seconds=60, account_id=1)

    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(occupy) for _ in range(2)]
        are_waiting.wait(60)
        assert not has_place(1)
        assert has_place(2)
        is_over.set()
        assert [one.result() for one in running] == [True, True]
    assert has_place(1)
