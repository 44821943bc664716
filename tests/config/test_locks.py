"""The lock files agree, so that what is tested is what runs, and they stay installable when new releases come out."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from itertools import chain, pairwise

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.config.support import PROJECT

# Each lock has all that the one before has.
LOCKS = {
    "requirements.lock": ["local"],
    "requirements-test.lock": ["local", "test"],
    "requirements-interop.lock": ["local", "test", "interop"],
}
PIN = re.compile(r"^[a-z0-9].*==[^\\\n]+", re.MULTILINE)


def pins(lock: str) -> list[Requirement]:
    return [Requirement(pin) for pin in PIN.findall((PROJECT / lock).read_text())]


def with_extras(requirements: Iterable[Requirement]) -> set[tuple[str, str]]:
    """Each package by its name alone and with each of its extras, as pip before 23.3 compares them: by spelling."""
    return {(canonicalize_name(one.name), extra) for one in requirements for extra in {"", *one.extras}}


def required_by(pin: Requirement) -> Iterator[Requirement]:
    """What a locked distribution requires on this Python, with the extras of its pin."""
    try:
        lines = metadata.requires(pin.name) or []
    except metadata.PackageNotFoundError:
        return  # for another Python or system
    for requirement in map(Requirement, lines):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in {"", *pin.extras}):
            yield requirement


@pytest.mark.parametrize(("lock", "wider"), list(pairwise(LOCKS)))
def test_tests_run_with_the_versions_that_run(lock: str, wider: str) -> None:
    had, has = ({(pin.name, str(pin.specifier)) for pin in pins(name)} for name in (lock, wider))
    assert len(had) > 50
    assert sorted(had - has) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_all_requirements_with_their_extras(lock: str) -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    asked = chain(project["dependencies"], *(optional[extra] for extra in LOCKS[lock]))
    locked = pins(lock)
    required = [*map(Requirement, asked), *chain.from_iterable(map(required_by, locked))]
    assert len(required) > 200
    assert sorted(with_extras(required) - with_extras(locked)) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_nothing_twice_for_the_same_python(lock: str) -> None:
    pinned = [(pin.name, str(pin.marker)) for pin in pins(lock)]
    assert len(pinned) == len(set(pinned))
