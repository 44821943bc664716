"""Where local mode keeps its files, and the addresses derived from the data directory."""

import argparse
import contextlib
import fcntl
import hashlib
import os
import secrets
import stat
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from django.core.exceptions import ImproperlyConfigured

from config.supervisor.processes import StartError, SystemAccount

# The maximum length of a unix socket path (sun_path without its final zero).
_LONGEST_SOCKET_PATH = 107 if sys.platform == "linux" else 103
_LONGEST_SOCKET_NAME = ".s.PGSQL.5432"
DATABASE = "slipway"


@dataclass(frozen=True)
class EngineAddresses:
    """Addresses in the form of DATABASE_URL and REDIS_URL."""

    database_url: str
    redis_url: str


def data_dir_from(arguments: Sequence[str]) -> str | None:
    """Return `--data-dir` from a command line, which settings need before it is parsed."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--data-dir")
    given: str | None = parser.parse_known_args(arguments)[0].data_dir
    return given


def addresses(data_dir: Path) -> EngineAddresses:
    """Return where a data directory's engines listen. Starts nothing and reads no files."""
    folder = socket_dir(data_dir)
    where = quote(str(folder), safe="/")
    return EngineAddresses(
        database_url=f"postgresql://{DATABASE}@/{DATABASE}?host={where}&port=5432",
        redis_url=f"unix://{where}/valkey.sock",
    )


def socket_dir(data_dir: Path) -> Path:
    """Return the sockets' folder, in the temporary folder because socket paths are limited."""
    name = hashlib.sha256(f"{os.geteuid()}:{data_dir.resolve()}".encode()).hexdigest()[:12]
    for parent in (Path(tempfile.gettempdir()).resolve(), Path("/tmp")):  # noqa: S108 - the short one there always is
        folder = parent / f"slipway-{name}"
        fits = len(os.fsencode(folder / _LONGEST_SOCKET_NAME)) <= _LONGEST_SOCKET_PATH
        if fits and (os.geteuid() != 0 or is_open_to_all(parent)):
            return folder
    raise StartError("No temp folder has a path short enough for a socket; set TMPDIR to a shorter one.")


def make_socket_dir(folder: Path, *, owner: SystemAccount | None) -> None:
    """Create the folder for its owner only. Raises StartError if someone else created one with that name."""
    uid, gid = (owner.uid, owner.gid) if owner else (os.geteuid(), os.getegid())
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        os.chown(folder, uid, gid)
    result = folder.lstat()
    if not stat.S_ISDIR(result.st_mode) or result.st_uid != uid or stat.S_IMODE(result.st_mode) != 0o700:
        raise StartError(f"{folder} is not a folder of our own; remove it, or set TMPDIR to another folder.")


def is_open_to_all(path: Path) -> bool:
    """Return whether every user can reach this path and, if it is a file, read it."""
    path = path.resolve()
    if any(not parent.stat().st_mode & stat.S_IXOTH for parent in path.parents):
        return False
    mode = path.stat().st_mode
    return bool(mode & (stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH))


def make_data_dir(data_dir: Path) -> None:
    """Create the data directory. Its files are private, but PostgreSQL's user may enter it."""
    data_dir.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)


def write_private(path: Path, text: str) -> None:
    """Write a file for its owner only, atomically."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def secret_key(data_dir: Path) -> str:
    """Return local mode's secret key, created once in the data directory with mode 0600."""
    path = data_dir / "secret_key"
    try:
        if not path.exists():
            make_data_dir(data_dir)
            fresh = data_dir / f".secret_key.{secrets.token_hex(4)}"
            write_private(fresh, secrets.token_urlsafe(50))
            # A link, not a rename: the first of two processes wins, and both read the same key.
            with contextlib.suppress(FileExistsError):
                os.link(fresh, path)
            fresh.unlink()
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(f"The data directory can't be used: {error}. Set SLIPWAY_DATA_DIR.") from error


class DirectoryLock:
    """A lock for the one process that runs engines on a data directory. The system releases it when it dies."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "up.lock"
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock if not held. Raises StartError with the holder's PID if another process has it."""
        if self._descriptor is not None:
            return
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip()
            os.close(descriptor)
            raise StartError(
                f"{self._path.parent} is in use by process {holder or 'unknown'}. "
                "Stop that one first, or give this one another folder with --data-dir."
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor = descriptor

    def release(self) -> None:
        """Release the lock. The file stays, because deleting it would allow two holders."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
