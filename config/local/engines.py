"""Start and stop both engines of a data directory."""

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
from config.supervisor.processes import Child, StartError

_THROWAWAY_PREFIX = "slipway-throwaway-"
_FORGOTTEN_AFTER = 600.0


class Engines:
    """PostgreSQL and Valkey in a data directory, which one process at a time may use.

    `durable=False` trades safety at a power failure for speed. An engine with a given address isn't started, and that
    address is returned. `throwaway=True` deletes the directory at the stop.
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
        """Prepare. PostgreSQL gets at least `connections`, or its own default if higher.

        `check` is called while the start waits and can end it by raising.
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
        """Return the engines' addresses, own or given."""
        own = addresses(self.data_dir)
        return EngineAddresses(
            database_url=self._given.database_url or own.database_url,
            redis_url=self._given.redis_url or own.redis_url,
        )

    def acquire(self) -> None:
        """Lock the data directory, creating it. Raises StartError if another process has it."""
        make_data_dir(self.data_dir)
        self._lock.acquire()

    def start(self) -> EngineAddresses:
        """Start what wasn't given, and wait until it answers. Raises StartError with the reason."""
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
        """Return the servers started here, for supervision."""
        return tuple(self._running)

    def stop(self) -> None:
        """Stop the servers, delete their sockets, and unlock the data directory."""
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
    """Return unstarted engines for a test run, without syncing, in a temporary folder deleted afterwards."""
    _remove_forgotten()
    data_dir = Path(tempfile.mkdtemp(prefix=_THROWAWAY_PREFIX))
    # This folder is new and empty, and PostgreSQL's user must be able to enter it.
    data_dir.chmod(0o711)
    return Engines(data_dir, durable=False, throwaway=True)


def _remove_forgotten() -> None:
    """Delete folders of killed test runs."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_THROWAWAY_PREFIX}*"):
        with contextlib.suppress(OSError, StartError):
            if time.time() - folder.stat().st_mtime < _FORGOTTEN_AFTER:
                continue
            lock = DirectoryLock(folder)
            lock.acquire()
            shutil.rmtree(socket_dir(folder), ignore_errors=True)
            shutil.rmtree(folder, ignore_errors=True)
            lock.release()
