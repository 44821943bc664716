"""Running the same moment in several threads, each with a connection of its own."""

import threading
from collections.abc import Callable, Sequence

from django.db import connection

from apps.core.errors import DomainError


def at_once(calls: Sequence[Callable[[], str]]) -> list[str]:
    """What each call returned, or the code of its refusal, in the order of the calls."""
    outcomes = [""] * len(calls)
    barrier = threading.Barrier(len(calls))

    def run(index: int) -> None:
        barrier.wait()
        try:
            outcomes[index] = calls[index]()
        except DomainError as error:
            outcomes[index] = error.error_code
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[index]) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def wait_until_blocked() -> None:
    """Until another connection waits for this one; the test hangs, and does not pass, if none ever does."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
    with connection.cursor() as cursor:
        while not cursor.execute(waiting).fetchone()[0]:
            pass
