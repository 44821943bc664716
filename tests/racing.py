"""Calls that run against each other, for the tests of locks."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connections

from apps.core.errors import DomainError
from tests.waiting import PATIENCE_SECONDS


def run_at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls at the same moment, each with a database connection of its own.

    Returns for each call, in their order, its result or the code of the DomainError that refused it; any other error is
    raised once all have ended.
    """
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        barrier.wait(PATIENCE_SECONDS)
        try:
            return call()
        except DomainError as error:
            return error.error_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [running.result() for running in [pool.submit(run, call) for call in calls]]


def count_outcomes(*calls: Callable[[], object]) -> Counter[str]:
    """How many of the calls that run in parallel were `done`, and how many were refused by which code."""

    def outcome(call: Callable[[], object]) -> str:
        call()
        return "done"

    return Counter(run_at_once(*[lambda call=call: outcome(call) for call in calls]))
