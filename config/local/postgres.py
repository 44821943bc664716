"""A PostgreSQL server on a unix socket: its files, its start, and leftovers of killed ones."""

import contextlib
import errno
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from signal import Signals
from urllib.parse import quote

from config.local.binaries import postgres_bin, server_account, shared_folder
from config.local.places import DATABASE, is_open_to_all
from config.supervisor.processes import Child, Program, StartError, SystemAccount, is_alive, wait_until

_START_SECONDS = 180.0
_DEFAULT_CONNECTIONS = 100
# PostgreSQL reserves 3 for superusers. The others are for people who inspect the database.
_RESERVED_CONNECTIONS = 10
_LOCALES = (
    ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C.UTF-8"),
    ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
    ("--locale=C.UTF-8",),  # before PostgreSQL 17 there is no builtin provider
    ("--no-locale",),
)
# Present until the database is created.
_DATABASE_WANTED = "slipway.wanted"
_THROWAWAY = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
)


class Postgres:
    """A server for one data directory. Its files are in `<data dir>/postgres`, or for root elsewhere (`_home`)."""

    def __init__(self, data_dir: Path, *, sockets: Path, durable: bool, connections: int = 0) -> None:
        self._data_dir = data_dir
        self._connections = connections + _RESERVED_CONNECTIONS
        self._sockets = sockets
        self._durable = durable
        self._log = data_dir / "postgres.log"
        self._account = server_account()
        self._bin = postgres_bin()
        self._files = _home(data_dir, self._account)
        stop = (Signals.SIGINT, Signals.SIGQUIT) if durable else (Signals.SIGQUIT,)
        program = Program(
            name="postgres",
            argv=self._command(),
            env=_environment(),
            cwd=Path("/"),
            stop_signals=stop,
            orphan_signal=stop[0],
            account=self._account,
            log=self._log,
        )
        self.child = Child(program, prepare=self._clear_away)

    def _command(self) -> list[str]:
        options = [
            "listen_addresses=",
            f"unix_socket_directories={self._sockets}",
            "unix_socket_permissions=0700",
            "port=5432",
            "timezone=UTC",
            "log_timezone=UTC",
            "log_min_messages=warning",
            *((f"max_connections={self._connections}",) if self._connections > _DEFAULT_CONNECTIONS else ()),
            *(() if self._durable else _THROWAWAY),
        ]
        command = [str(self._bin / "postgres"), "-D", str(self._files)]
        for option in options:
            command += ["-c", option]
        return command

    def start(self, *, check: Callable[[], None]) -> None:
        """Start the server, create its files the first time, and wait until it accepts connections.

        `check` ends the wait by raising.
        """
        if not (self._files / "PG_VERSION").exists():
            self._init()
        self.child.start()

        def settled() -> bool:
            check()
            return self.child.poll() is not None or self._answers()

        ready = wait_until(settled, seconds=_START_SECONDS)
        if not ready or self.child.poll() is not None:
            self.child.stop()
            raise StartError(f"PostgreSQL does not start. Its last words, from {self._log}:\n{tail(self._log)}")
        wanted = self._files / _DATABASE_WANTED
        if wanted.exists():
            self._create_database()
            wanted.unlink()

    def _answers(self) -> bool:
        """Return whether it is ready, as pg_ctl does: the server writes its state to the eighth line."""
        with contextlib.suppress(OSError, IndexError):
            lines = (self._files / "postmaster.pid").read_text(encoding="utf-8").splitlines()
            return lines[0] == str(self.child.pid) and lines[7].strip() == "ready"
        return False

    def _create_database(self) -> None:
        # Imported here, once per database, so that the driver uses no memory otherwise.
        import psycopg
        from psycopg import sql

        where = quote(str(self._sockets), safe="")
        address = f"postgresql://{DATABASE}@/postgres?host={where}&port=5432"
        try:
            with psycopg.connect(address, autocommit=True) as connection:
                if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                    connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
        except psycopg.Error as error:
            reason = os.strerror(errno.ENOSPC) if isinstance(error, psycopg.errors.DiskFull) else error
            raise StartError(f"PostgreSQL can't create the database: {reason}") from error

    def _init(self) -> None:
        fresh = self._files.with_name(f"{self._files.name}.new")
        problem = ""
        for locale in _LOCALES:
            # An interrupted creation is useless, because the rename is the last step.
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(mode=0o700)
            if self._account:
                os.chown(fresh, self._account.uid, self._account.gid)
            problem = self._run_initdb(fresh, locale)
            if not problem:
                (fresh / _DATABASE_WANTED).touch()
                fresh.rename(self._files)
                return
        shutil.rmtree(fresh, ignore_errors=True)
        raise StartError(f"PostgreSQL's files cannot be made: {problem}")

    def _run_initdb(self, target: Path, locale: tuple[str, ...]) -> str:
        """Create the files. Returns initdb's error or nothing."""
        command = [str(self._bin / "initdb"), "-D", str(target), "--encoding=UTF8", *locale]
        command += [f"--username={DATABASE}", "--auth-local=trust", "--auth-host=reject"]
        command += ["--no-instructions"] if self._durable else ["--no-instructions", "--no-sync"]
        log = self._data_dir / "initdb.log"
        log.unlink(missing_ok=True)
        program = Program(
            name="initdb",
            argv=command,
            env=_environment(),
            cwd=Path("/"),
            orphan_signal=Signals.SIGKILL,
            account=self._account,
            log=log,
        )
        child = Child(program)
        child.start()
        child.wait(_START_SECONDS)
        child.stop()
        return "" if child.poll() == 0 else tail(log)

    def _clear_away(self) -> None:
        """Stop a server that outlived its starter, and delete files claiming a dead one is alive."""
        note = self._files / "postmaster.pid"
        if (pid := _postmaster(self._files)) is not None:
            for number, seconds in ((Signals.SIGINT, 10.0), (Signals.SIGQUIT, 5.0), (Signals.SIGKILL, 5.0)):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
                if wait_until(lambda: not is_alive(pid), seconds=seconds):
                    break
        note.unlink(missing_ok=True)
        for name in (".s.PGSQL.5432", ".s.PGSQL.5432.lock"):
            (self._sockets / name).unlink(missing_ok=True)


def _postmaster(files: Path) -> int | None:
    """Return the running server's PID, or None if postmaster.pid names none, or no `postgres`."""
    try:
        pid = int((files / "postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return None
    if pid <= 1 or not is_alive(pid):
        return None
    process = Path(f"/proc/{pid}")
    if not process.exists():
        listing = subprocess.run(  # noqa: S603 - a number is the only argument
            ["/bin/ps", "-p", str(pid), "-o", "command="], capture_output=True, text=True, check=False
        )
        return pid if "postgres" in listing.stdout and str(files) in listing.stdout else None
    try:
        if (process / "comm").read_text(encoding="utf-8").strip() != "postgres":
            return None
        # A server runs in its own folder. In another folder it isn't ours, whatever an old file says.
        return pid if (process / "cwd").readlink() == files.resolve() else None
    except FileNotFoundError:
        return None
    except PermissionError:
        raise StartError(f"{files} is in use by process {pid} of another user.") from None


def _environment() -> dict[str, str]:
    """Return the environment without PG… variables, which would redirect the programs, and with plain messages."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PG", "LC_", "LANG"))}
    return {**env, "LC_ALL": "C"}


def has_files(data_dir: Path) -> bool:
    """Return whether a server of this data directory was ever started."""
    return (data_dir / "postgres" / "PG_VERSION").exists() or (data_dir / "postgres.path").exists()


def remove_files(data_dir: Path) -> None:
    """Delete the files of a server that has stopped, with its folder outside the data directory."""
    note = data_dir / "postgres.path"
    if note.exists():
        shutil.rmtree(Path(note.read_text(encoding="utf-8").strip()).parent)
        note.unlink()
    shutil.rmtree(data_dir / "postgres", ignore_errors=True)


def _home(data_dir: Path, account: SystemAccount | None) -> Path:
    """Return the files' folder: in the data directory, or for root with a closed parent in a folder outside.

    A closed parent is never opened. The folder outside is recorded in `postgres.path` and kept, even if the parent is
    opened later.
    """
    inside, note = data_dir / "postgres", data_dir / "postgres.path"
    if account is None:
        return inside
    if note.exists():
        outside = Path(note.read_text(encoding="utf-8").strip())
        if not outside.parent.is_dir():
            raise StartError(
                f"PostgreSQL's files were in {outside.parent}, which no longer exists. Remove {note} to start over."
            )
        return outside
    if is_open_to_all(data_dir):
        return inside
    _remove_forgotten_homes()
    folder = _new_home(data_dir)
    if (inside / "PG_VERSION").exists():
        shutil.copytree(inside, folder / "postgres")
        _give(folder / "postgres", account)
    note.write_text(f"{folder / 'postgres'}\n", encoding="utf-8")
    (folder / "origin").write_text(f"{data_dir.resolve()}\n", encoding="utf-8")
    return folder / "postgres"


def _new_home(data_dir: Path) -> Path:
    # Temporary files must not pile up in a permanent folder.
    temporary = Path(tempfile.gettempdir()).resolve()
    parent = temporary if data_dir.resolve().is_relative_to(temporary) else shared_folder()
    folder = Path(tempfile.mkdtemp(prefix="slipway-home-", dir=parent))
    # Owned by root, so that root's writes can't be redirected. The server has its own folder inside.
    folder.chmod(0o711)
    return folder


def _give(top: Path, account: SystemAccount) -> None:
    for path in (top, *top.rglob("*")):
        os.chown(path, account.uid, account.gid, follow_symlinks=False)


def _remove_forgotten_homes() -> None:
    """Delete folders in the temporary folder whose data directory is gone."""
    for folder in Path(tempfile.gettempdir()).resolve().glob("slipway-home-*"):
        with contextlib.suppress(OSError, StartError):
            origin = Path((folder / "origin").read_text(encoding="utf-8").strip())
            if not origin.exists() and _postmaster(folder / "postgres") is None:
                shutil.rmtree(folder)


def tail(log: Path, *, lines: int = 12) -> str:
    """Return the end of a log, for an error message."""
    try:
        return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
    except FileNotFoundError:
        return "(nothing)"
