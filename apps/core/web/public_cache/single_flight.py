"""Have one thread make a response while others with the same request wait for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock

_LONGEST_SECONDS = 2.0


class SingleFlight:
    """The responses that threads of this process are making now."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._under_way: dict[str, Event] = {}

    @contextmanager
    def take(self, key: str) -> Iterator[bool]:
        """Return whether the caller must make the response. Otherwise it was made meanwhile, or took too long."""
        with self._lock:
            event = self._under_way.get(key)
            is_first = event is None
            if event is None:
                event = self._under_way[key] = Event()
        if not is_first:
            event.wait(_LONGEST_SECONDS)
            yield False
            return
        try:
            yield True
        finally:
            with self._lock:
                del self._under_way[key]
            event.set()
