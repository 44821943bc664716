"""Event loops with clocks that a test drives, so that no limit of a duration depends on how busy the machine is."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class DrivenLoop(asyncio.SelectorEventLoop):
    """Time passes only while all tasks wait, and then in a jump. What other threads do takes none.

    It begins at 0 seconds.
    """

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(_Skipping(self))

    def time(self) -> float:
        return self.now


class _Skipping(selectors.DefaultSelector):
    def __init__(self, loop: DrivenLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready, or move the clock to the next timer instead of waiting for it."""
        ready = super().select(None if timeout is None else 0)
        if timeout and not ready:
            self._loop.now += timeout
        return ready


class PeersLoop(asyncio.SelectorEventLoop):
    """The real time, and what servers in other threads have skipped of it."""

    skipped = 0.0

    def __init__(self) -> None:
        super().__init__(_Polling())

    def time(self) -> float:
        return super().time() + PeersLoop.skipped


class _Polling(selectors.DefaultSelector):
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait no longer than a moment, because time may have been skipped."""
        return super().select(0.01 if timeout is None else min(timeout, 0.01))


def skip(seconds: float) -> None:
    """Have time pass on every PeersLoop."""
    PeersLoop.skipped += seconds


def run(main: Coroutine[Any, Any, T]) -> T:
    """Replace `asyncio.run`, on a PeersLoop."""
    with asyncio.Runner(loop_factory=PeersLoop) as runner:
        return runner.run(main)
