"""The two lock files agree, so that what is tested is what runs."""

import re
import tomllib

import pytest

from tests.config.support import PROJECT

pytestmark = pytest.mark.unit

PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^\s;]+)(?:\s*;\s*(.+?))?\s*\\?$", re.MULTILINE)


def pins(name: str) -> set[tuple[str, str]]:
    return {(package, version) for package, version, _ in PIN.findall((PROJECT / name).read_text())}


def test_tests_run_with_the_versions_that_run() -> None:
    run, test = pins("requirements.lock"), pins("requirements-test.lock")
    assert len(run) > 50
    assert sorted(run - test) == []


@pytest.mark.parametrize(
    ("lock", "extras"), [("requirements.lock", ["local"]), ("requirements-test.lock", ["local", "test"])]
)
def test_a_lock_has_what_is_asked_for(lock: str, extras: list[str]) -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]
    names = {re.split(r"[^A-Za-z0-9._-]", one)[0].lower().replace("_", "-") for one in wanted}
    assert names - {package for package, _ in pins(lock)} == set()


def test_a_lock_has_nothing_twice_for_the_same_python() -> None:
    for lock in ("requirements.lock", "requirements-test.lock"):
        found = [(package, marker) for package, _, marker in PIN.findall((PROJECT / lock).read_text())]
        assert len(found) == len(set(found))
