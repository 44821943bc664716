"""An event loop on which time passes only while all of its tasks wait, and then at once."""

import asyncio
import selectors
from typing import Any


class DrivenLoop(asyncio.SelectorEventLoop):
    """Begins at 0 seconds. To tasks of the loop alone: what a thread or another process does takes real time."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(_Selector(self))

    def time(self) -> float:
        return self.now


class _Selector(selectors.DefaultSelector):
    def __init__(self, loop: DrivenLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, Any]]:
        """Return what is ready, or move the clock to the next timer instead of waiting for it."""
        ready = super().select(None if timeout is None else 0)
        if timeout and not ready:
            self._loop.now += timeout
        return ready
