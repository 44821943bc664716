"""A file that worker, crawler and beat touch while they work, so that supervisors can restart hung ones.

HEARTBEAT_FILE names it, one per process. A worker touches it from its main loop, so tasks can take any time. While the
broker is down, the loop waits and a thread touches the file, because a restart wouldn't help. The thread also covers
two minutes of finishing tasks after a stop. Beat touches the file on each look at its schedule.
"""

import os
import resource
import sys
import threading
import time
from pathlib import Path
from typing import Any

from celery import bootsteps
from celery.beat import PersistentScheduler
from celery.concurrency.thread import TaskPool as ThreadPool
from celery.worker import state

SECONDS = 5.0
# A running broker answers in less than a thousandth of this.
ANSWER_SECONDS = 1.0
FINISHING_SECONDS = 120.0
# Parsing strangers' pages makes a process grow. Pools of processes replace them, thread pools must exit in time.
MAX_THREADS_KIB = 1_000_000


def touch() -> None:
    """Show that this process is alive. Does nothing without HEARTBEAT_FILE."""
    if path := os.environ.get("HEARTBEAT_FILE"):
        Path(path).touch()


class WorkerHeartbeat(bootsteps.StartStopStep):
    """Touch the file from the event loop of a worker's main process."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._app, self._pool = parent.app, parent.pool
        self._is_connected = False
        self._beat_at = time.monotonic()
        self._stops_at: float | None = None
        threading.Thread(target=self._watch_broker, name="heartbeat", daemon=True).start()

    def start(self, parent: Any) -> None:
        # Losing the connection clears the timer and stops this step. The next connection restarts it.
        parent.timer.call_repeatedly(SECONDS, self._beat, (parent,))
        self._is_connected = True

    def stop(self, parent: Any) -> None:
        self._is_connected = False

    def _watch_broker(self) -> None:
        while True:
            if self._is_excused():
                touch()
            time.sleep(SECONDS)

    def _is_excused(self) -> bool:
        """Return whether the loop stands still for a good reason: no broker, or finishing the last tasks."""
        now = time.monotonic()
        if self._is_connected and now - self._beat_at < 2 * SECONDS:
            return False
        # A process of the pool that is forked meanwhile would wait for locks of this connection forever.
        has_forked = self._pool.active
        return self._is_finishing(now) or (has_forked and not self._broker_answers())

    def _is_finishing(self, now: float) -> bool:
        # Celery's exit status for a warm shutdown is 0.
        stopping: Any = state.should_stop  # its stub knows the first value alone
        if stopping is None or stopping is False:
            return False
        self._stops_at = now if self._stops_at is None else self._stops_at
        return now - self._stops_at < FINISHING_SECONDS

    def _broker_answers(self) -> bool:
        bounds = {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
        try:
            with self._app.connection_for_read(transport_options=bounds) as connection:
                connection.ensure_connection(max_retries=0)
        except Exception:
            return False
        return True

    def _beat(self, parent: Any) -> None:
        touch()
        self._beat_at = time.monotonic()
        if isinstance(parent.pool, ThreadPool) and _peak_kib() > MAX_THREADS_KIB:
            # Like SIGTERM: running tasks finish, and the supervisor starts a new process.
            state.should_stop = os.EX_OK  # type: ignore[assignment]  # its stub knows the first value alone


class HeartbeatScheduler(PersistentScheduler):
    """Beat's scheduler, which touches the file on each look at the schedule."""

    def tick(self, *args: Any, **options: Any) -> Any:
        """Send due tasks. Returns seconds until the next look."""
        touch()
        return super().tick(*args, **options)


def _peak_kib() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak
