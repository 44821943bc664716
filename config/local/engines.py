"""Both engines of a data directory, started and stopped together."""

import contextlib
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from config.local.binaries import server_account
from config.local.places import (
    DirectoryLock,
    EngineAddresses,
    addresses,
    make_data_dir,
    make_socket_dir,
    socket_dir,
)
from config.local.postgres import Postgres
from config.local.valkey import Valkey
from config.processes import Child, StartError

_THROWAWAY_PREFIX = "slipway-throwaway-"
_FORGOTTEN_AFTER = 600.0


class Engines:
    """PostgreSQL and Valkey on a data directory, which one process at a time may use.

    `durable=False` trades safety at a power cut for speed. An engine whose address is given is not started:
    that address is handed back. `throwaway=True` removes the directory at the stop.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        durable: bool = True,
        throwaway: bool = False,
        database_url: str = "",
        redis_url: str = "",
        connections: int = 0,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Start PostgreSQL with `connections`, or with its own default where that is more.

        `check` is called while the start waits, and ends it by raising.
        """
        self.data_dir = data_dir.resolve()
        self._durable = durable
        self._throwaway = throwaway
        self._connections = connections
        self._check = check
        self._given = EngineAddresses(database_url=database_url, redis_url=redis_url)
        self._lock = DirectoryLock(self.data_dir)
        self._sockets = socket_dir(self.data_dir)
        self._running: list[Child] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def addresses(self) -> EngineAddresses:
        """Where the engines listen, own or given."""
        own = addresses(self.data_dir)
        return EngineAddresses(
            database_url=self._given.database_url or own.database_url,
            redis_url=self._given.redis_url or own.redis_url,
        )

    def acquire(self) -> None:
        """Take the data directory, creating it. Raises StartError when another process has it."""
        make_data_dir(self.data_dir)
        self._lock.acquire()

    def start(self) -> EngineAddresses:
        """Start what was not given and wait until it answers. Raises StartError with the reason."""
        self.acquire()
        try:
            if not (self._given.database_url and self._given.redis_url):
                make_socket_dir(self._sockets, owner=server_account())
            valkey = None
            if not self._given.redis_url:
                valkey = Valkey(self.data_dir, sockets=self._sockets, durable=self._durable)
                self._running.append(valkey.child)
                valkey.begin()
            if not self._given.database_url:
                postgres = Postgres(
                    self.data_dir, sockets=self._sockets, durable=self._durable, connections=self._connections
                )
                self._running.append(postgres.child)
                postgres.start(check=self._check)
            if valkey is not None:
                valkey.wait(check=self._check)
        except BaseException:
            self.stop()
            raise
        return self.addresses

    def processes(self) -> tuple[Child, ...]:
        """Return the servers that were started here, for supervision."""
        return tuple(self._running)

    def stop(self) -> None:
        """Stop the servers, remove their sockets, and let go of the data directory."""
        for child in self._running:
            child.request_stop()
        for child in self._running:
            child.stop()
        self._running.clear()
        with contextlib.suppress(OSError):
            (self._sockets / "valkey.sock").unlink(missing_ok=True)
            self._sockets.rmdir()
        if self._throwaway:
            shutil.rmtree(self.data_dir, ignore_errors=True)
        self._lock.release()


def throwaway_engines() -> Engines:
    """Engines for a test run, not yet started, in a temp folder that goes with them; nothing is synced."""
    _remove_forgotten()
    data_dir = Path(tempfile.mkdtemp(prefix=_THROWAWAY_PREFIX))
    # Ours, fresh and empty: PostgreSQL's user may walk through to its own folder.
    data_dir.chmod(0o711)
    return Engines(data_dir, durable=False, throwaway=True)


def _remove_forgotten() -> None:
    """Remove folders of test runs that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_THROWAWAY_PREFIX}*"):
        with contextlib.suppress(OSError, StartError):
            if time.time() - folder.stat().st_mtime < _FORGOTTEN_AFTER:
                continue
            lock = DirectoryLock(folder)
            lock.acquire()
            shutil.rmtree(socket_dir(folder), ignore_errors=True)
            shutil.rmtree(folder, ignore_errors=True)
            lock.release()
