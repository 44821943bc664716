"""Continue without a server while it does not answer."""

import logging
import time
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from redis import RedisError

logger = logging.getLogger(__name__)
T = TypeVar("T")

_COUNTING = ("requests are not counted", "requests are counted again")


class CircuitBreaker:
    """While a server is down, one request tries it every few seconds: an outage costs few waits and two log lines."""

    def __init__(
        self,
        *,
        log_as: tuple[str, str] = _COUNTING,
        server: str = "Valkey",
        errors: tuple[type[Exception], ...] = (RedisError,),
        pause_seconds: float = 5.0,
    ) -> None:
        """`log_as` is the log's wording for the beginning and the end of an outage. The errors say which."""
        self._log_as = log_as
        self._server = server
        self._pause_seconds = pause_seconds
        self._errors = errors
        self._lock = Lock()
        self._is_open = False
        self._next_try = 0.0

    def call(self, command: Callable[[], T]) -> T | None:
        """Run a command and return its result, or None while the server is unavailable."""
        if self._is_open and not self._is_time_to_try():
            return None
        try:
            result = command()
        except self._errors:
            self._note(is_open=True)
            return None
        if self._is_open:
            self._note(is_open=False)
        return result

    def _is_time_to_try(self) -> bool:
        with self._lock:
            is_time = time.monotonic() >= self._next_try
            if is_time:
                self._next_try = time.monotonic() + self._pause_seconds
            return is_time

    def _note(self, *, is_open: bool) -> None:
        with self._lock:
            has_changed, self._is_open = is_open != self._is_open, is_open
            self._next_try = time.monotonic() + self._pause_seconds
        if has_changed:
            out, back = self._log_as
            logger.warning(f"{out}: {self._server} does not answer" if is_open else back)
