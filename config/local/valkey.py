"""A Valkey server on a unix socket, with its append-only file in the data directory."""

import os
import socket
from collections.abc import Callable
from pathlib import Path
from signal import Signals

from config.local.binaries import valkey_binary
from config.local.postgres import tail
from config.supervisor.processes import Child, Program, StartError, wait_until

_START_SECONDS = 180.0
# Three per test process: broker, cache, limits.
_DATABASES = 256


class Valkey:
    """A server for one data directory. Its files are in `<data dir>/valkey`."""

    def __init__(self, data_dir: Path, *, sockets: Path, durable: bool) -> None:
        self._socket = sockets / "valkey.sock"
        self._log = data_dir / "valkey.log"
        self._files = data_dir / "valkey"
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._files),
            "appendonly": "yes",
            "appendfsync": "everysec" if durable else "no",
            "save": "",
            "databases": str(_DATABASES),
            # It holds tasks, so full memory must be an error, never a silent loss.
            "maxmemory-policy": "noeviction",
            "loglevel": "warning",
        }
        words = [word for key, value in options.items() for word in (f"--{key}", value)]
        program = Program(
            name="valkey",
            argv=[str(valkey_binary()), *words],
            env=os.environ,
            cwd=Path("/"),
            stop_signals=(Signals.SIGTERM,) if durable else (Signals.SIGKILL,),
            log=self._log,
        )
        self.child = Child(program, prepare=self._clear_away)

    def begin(self) -> None:
        """Start the server. `wait` says when it answers."""
        self._files.mkdir(mode=0o700, exist_ok=True)
        self.child.start()

    def wait(self, *, check: Callable[[], None]) -> None:
        """Wait until the server answers. `check` ends the wait by raising."""

        def settled() -> bool:
            check()
            return self.child.poll() is not None or self._ask("PING") == "+PONG"

        ready = wait_until(settled, seconds=_START_SECONDS)
        if not ready or self.child.poll() is not None:
            self.child.stop()
            raise StartError(f"Valkey does not start. Its last words, from {self._log}:\n{tail(self._log)}")

    def _ask(self, command: str) -> str | None:
        """Return the answer's first line, or None if nobody listens."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(5)
            try:
                connection.connect(str(self._socket))
                connection.sendall(f"{command}\r\n".encode())
                return connection.recv(200).decode(errors="replace").split("\r\n", 1)[0]
            except OSError:
                return None

    def _clear_away(self) -> None:
        """Stop a server that outlived its starter. While this process has the lock, any running server here did."""
        if self._ask("PING") is not None:
            self._ask("SHUTDOWN NOSAVE FORCE")
            if not wait_until(lambda: self._ask("PING") is None, seconds=10):
                raise StartError(f"An earlier Valkey still listens on {self._socket} and does not stop; end it first.")
        self._socket.unlink(missing_ok=True)
