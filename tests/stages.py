"""Pytest plugin: which tests a plain `pytest` runs, in the stages of .ci/run.

Tests that take long have the mark `slow`, and cases of a large table past a few the mark `table`. Without arguments,
pytest leaves both out, and says so. A path, `-m` or `-k` chooses from all.
"""

from collections import defaultdict
from collections.abc import Generator, Sequence
from typing import Any

import pytest

FAST = "not slow and not table"
# Cases of a function that the fast stage runs: the first, the last and those evenly between.
_CASES = 6
_LEFT_OUT = pytest.StashKey[dict[str, int]]()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.stash[_LEFT_OUT] = {"table": 0, "slow": 0}
    chooses = config.args_source is pytest.Config.ArgsSource.ARGS or config.option.markexpr or config.option.keyword
    if hasattr(config, "workerinput"):
        config.option.markexpr = config.workerinput["markexpr"]
    elif not chooses:
        config.option.markexpr = FAST


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Have a worker select as this process does: it gets the arguments alone."""
    node.workerinput["markexpr"] = node.config.option.markexpr


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    cases = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    for table in cases.values():
        for index in set(range(len(table))) - _spread(len(table)):
            table[index].add_marker("table")
    return (yield)


def _spread(number: int) -> set[int]:
    if number <= _CASES:
        return set(range(number))
    return {round(step * (number - 1) / (_CASES - 1)) for step in range(_CASES)}


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    for item in items:
        item.config.stash[_LEFT_OUT]["slow" if item.get_closest_marker("slow") else "table"] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the first process how many tests a worker left out; each worker collects all of them."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash[_LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[_LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", node.config.stash[_LEFT_OUT])


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if config.option.markexpr == FAST:
        out = config.stash[_LEFT_OUT]
        left_out = f"Left out: {out['slow']:,} slow tests and {out['table']:,} further cases of tables."
        terminalreporter.write_line(f"{left_out} `.ci/run whole` runs them.")
