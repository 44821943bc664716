"""The limit of open files, and how many connections fit below it."""

import resource

import pytest

from config.serving.open_files import MOST_CONNECTIONS, connections_that_fit, raise_limit

INFINITY = resource.RLIM_INFINITY


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The limits of a process that exists only here; the last entry counts."""
    result = [(1024, 1024)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: result[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: result.append(limits))
    return result


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((1024, 524288), (9216, 524288)),
        ((1024, 4096), (4096, 4096)),
        ((1024, INFINITY), (9216, INFINITY)),
        ((65536, 65536), (65536, 65536)),
        ((INFINITY, INFINITY), (INFINITY, INFINITY)),
    ],
)
def test_the_soft_limit_is_raised(
    before: tuple[int, int], after: tuple[int, int], limits: list[tuple[int, int]]
) -> None:
    limits.append(before)
    raise_limit()
    assert limits[-1] == after


@pytest.mark.parametrize(
    ("hard", "connections"), [(524288, MOST_CONNECTIONS), (INFINITY, MOST_CONNECTIONS), (4096, 3072), (1024, 512)]
)
def test_connections_stay_below_it(hard: int, connections: int, limits: list[tuple[int, int]]) -> None:
    limits.append((512, hard))
    assert connections_that_fit() == connections
    raise_limit()
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert soft == INFINITY or connections < soft
