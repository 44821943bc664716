"""What goes on without a server that is out."""

import logging
import time
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from redis import RedisError

logger = logging.getLogger(__name__)
T = TypeVar("T")


class CounterOutage:
    """While Valkey is out, one request tries it every few seconds: an outage costs few waits and two log lines."""

    def __init__(self, *, pause_seconds: float = 5.0) -> None:
        self._pause_seconds = pause_seconds
        self._lock = Lock()
        self._is_on = False
        self._next_try = 0.0

    def ask(self, question: Callable[[], T]) -> T | None:
        """The answer to a question that may raise RedisError; None while there is none."""
        if self._is_on and not self._is_time_to_try():
            return None
        try:
            answer = question()
        except RedisError:
            self._note(is_on=True)
            return None
        if self._is_on:
            self._note(is_on=False)
        return answer

    def _is_time_to_try(self) -> bool:
        with self._lock:
            is_time = time.monotonic() >= self._next_try
            if is_time:
                self._next_try = time.monotonic() + self._pause_seconds
            return is_time

    def _note(self, *, is_on: bool) -> None:
        with self._lock:
            has_changed, self._is_on = is_on != self._is_on, is_on
            self._next_try = time.monotonic() + self._pause_seconds
        if has_changed:
            logger.warning("requests are %s", "not counted: Valkey does not answer" if is_on else "counted again")
