"""`.ci/release`: what it refuses, and what it leaves."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.support import PROJECT
from tests.leftovers import bare_environment

BUILT = ("apps", "config", "templates", "static", "LICENSE", "manage.py", "requirements.lock")


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=tests", "-c", "user.email=tests@example.com")
    done = subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Change")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository ready for 0.1.0, in which checks pass immediately. It has nothing to build."""
    folder = tmp_path / "checkout"
    (folder / ".ci").mkdir(parents=True)
    (folder / "config").mkdir()
    for name in ("pyproject.toml", "README.md", ".ci/release", "config/__init__.py"):
        shutil.copy(PROJECT / name, folder / name)
    for name in ("run", "supply-chain"):
        (folder / ".ci" / name).write_text('#!/bin/sh\n[ -z "${OUT:-}" ] || echo "{}" > "$OUT/sbom.cdx.json"\n')
        (folder / ".ci" / name).chmod(0o755)
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / ".gitignore").write_text(".venv\ndist\n__pycache__\n")
    git(folder, "init", "--quiet")
    commit(folder, "CHANGELOG.md", "# Changelog\n\n## 0.1.0 - 2026-11-26\n")
    return folder


def release(folder: Path, version: str = "0.1.0") -> "subprocess.CompletedProcess[str]":
    environment = {
        **bare_environment(),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "GIT_COMMITTER_NAME": "tests",
        "GIT_COMMITTER_EMAIL": "tests@example.com",
    }
    return subprocess.run(
        [".ci/release", version], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_release_is_built_and_tagged(checkout: Path) -> None:
    for part in BUILT:
        source = PROJECT / part
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, checkout / part, ignore=ignored, dirs_exist_ok=True)
        else:
            shutil.copy(source, checkout / part)
    commit(checkout, "more", "")
    done = release(checkout)
    assert done.returncode == 0, done.stderr
    made = {path.name for path in (checkout / "dist").iterdir()}
    built = {"slipway-0.1.0-py3-none-any.whl", "slipway-0.1.0.tar.gz"}
    assert made == built | {"requirements.lock", "sbom.cdx.json", "SHA256SUMS"}
    assert git(checkout, "cat-file", "-t", "v0.1.0") == "tag"
    sums = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"], cwd=checkout / "dist", capture_output=True, check=False
    )
    assert sums.returncode == 0


@pytest.mark.parametrize("version", ["1", "v0.1.0", "0.1.0rc1", "0.1.0 "])
def test_what_is_no_version(checkout: Path, version: str) -> None:
    refused(checkout, version)


def test_changes_that_are_not_committed(checkout: Path) -> None:
    (checkout / "README.md").write_text("Another text")
    refused(checkout)


def test_a_version_that_the_package_does_not_have(checkout: Path) -> None:
    commit(checkout, "CHANGELOG.md", "## 0.2.0 - 2026-11-26\n")
    refused(checkout, "0.2.0")


def test_a_version_that_the_changelog_does_not_have(checkout: Path) -> None:
    commit(checkout, "CHANGELOG.md", "## Unreleased\n")
    refused(checkout)


@pytest.mark.parametrize("tag", ["v0.1.0", "v0.10.0"])
def test_a_release_that_exists_or_is_newer(checkout: Path, tag: str) -> None:
    git(checkout, "tag", tag)
    refused(checkout, made=[tag])


def test_a_failing_check(checkout: Path) -> None:
    commit(checkout, ".ci/run", "#!/bin/sh\nexit 1\n")
    assert release(checkout).returncode == 1
    assert git(checkout, "tag") == ""


def refused(checkout: Path, version: str = "0.1.0", made: list[str] | None = None) -> None:
    done = release(checkout, version)
    assert done.returncode == 1
    assert done.stderr.startswith("Not released")
    assert git(checkout, "tag").split() == (made or [])
