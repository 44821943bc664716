"""The benchmark beside peers: a run of seconds with those that are installed here, and the checks it relies on."""

from pathlib import Path

import pytest

from tests.benchmarks.peers.__main__ import options_from, run
from tests.benchmarks.peers.load import Load, Request, _lua
from tests.benchmarks.peers.marks import MARKS, Run
from tests.benchmarks.peers.measure import DifferentAnswerError, Result, compare
from tests.benchmarks.peers.report import BEGIN, END, write

_ROW = ("orbitly", "Orbitly", 3, ("design",))


@pytest.mark.nightly
@pytest.mark.processes
def test_installed_peers_answer_with_the_same_rows(tmp_path: Path) -> None:
    tmp_path.chmod(0o711)
    words = ["--installed", "--rows", "120", "--rounds", "1", "--seconds", "1", "--only", "list"]
    result = run(options_from([*words, "--data-dir", str(tmp_path / "data")]))
    assert result.compared == {
        *(("list", peer) for peer in ("Slipway", "raw WSGI", "DRF")),
        *(("search", peer) for peer in ("Slipway", "raw WSGI")),
        *(("tool", peer) for peer in ("Slipway", "MCP SDK")),
    }
    assert {(one.test, one.peer) for one in result.results} == {one for one in result.compared if one[0] == "list"}


@pytest.mark.parametrize("other", [[], [("orbitly", "Orbitly", 4, ("design",))]])
def test_other_rows_stop_the_run(other: list[tuple[str, str, int, tuple[str, ...]]]) -> None:
    with pytest.raises(DifferentAnswerError, match="Litestar answers list with"):
        compare("list", {"Slipway": [_ROW], "Litestar": other}, in_order=True)


def test_an_order_may_differ_where_it_says_nothing() -> None:
    second = ("quietly", "Quietly", 3, ())
    answers = {"Slipway": [_ROW, second], "FastAPI": [second, _ROW]}
    compare("search", answers, in_order=False)
    with pytest.raises(DifferentAnswerError):
        compare("search", answers, in_order=True)


def _result(peer: str, turn: int, rate: float, *, rows: int = 200_000, test: str = "list", p99: float = 1.0) -> Result:
    return Result(rows, turn, test, peer, rate, 1.0, p99, server_ms=2.0, database_ms=1.0)


def test_ratios_compare_the_same_round() -> None:
    rates = [("Slipway", 0, 50.0), ("DRF", 0, 10.0), ("Slipway", 1, 500.0), ("DRF", 1, 50.0), ("Slipway", 2, 80.0)]
    result = Run([_result(peer, turn, rate) for peer, turn, rate in rates])
    assert result.ratio("list", "Slipway", "DRF") == 7.5
    assert result.ratio("list", "Slipway", "Directus") is None
    assert result.cpu_ratio("list", "Slipway", "DRF") == 1.0


def test_marks_say_whether_they_are_met() -> None:
    words = [
        _result("Slipway", 0, 1.0, rows=rows, test="words 1", p99=p99)
        for rows, p99 in ((20_000, 4.0), (200_000, 6.0), (1_000_000, 20.0))
    ]
    result = Run(
        [_result("Slipway", 0, 90.0), _result("DRF", 0, 10.0), *words], memory={"Slipway": 50, "Directus": 100}
    )
    met = {mark.title: mark.is_met(result) for mark in MARKS}
    assert met["Uncached list ÷ DRF"] is True
    assert met["Web process memory ÷ Directus"] is True
    assert met["p99 of most ÷ fewest listings, 1 connection"] is False
    assert met["Vote ÷ bare insert"] is None


def test_the_report_replaces_what_was_measured_before(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    page.write_text(f"# Performance\n\n{BEGIN}\nold\n{END}\n\nThe end.\n")
    result = Run([_result("Slipway", 0, 90.0), _result("DRF", 0, 10.0)], addresses={200_000: {"/boards": 41.6}})
    write(result, tmp_path, command="python -m tests.benchmarks.peers")
    text = page.read_text()
    assert "old" not in text
    assert text.endswith("The end.\n")
    assert "| Listings by votes | DRF | 10 | 1.0 | 1.0 | 2.00 + 1.00 | 9.00 |" in text
    assert "| `/boards` | 42 |" in text
    assert ">DRF</text>" in (tmp_path / "performance-list.svg").read_text()


def test_requests_are_written_for_wrk() -> None:
    script = _lua([Request("/mcp", "POST", {"Accept": "application/json"}, '{"q": "a\\b"}'), Request("/listings")])
    assert 'wrk.format("POST", "/mcp", {["Accept"]="application/json"}, "{\\"q\\": \\"a\\\\b\\"}")' in script
    assert 'wrk.format("GET", "/listings", {}, nil)' in script


def test_a_rate_is_answers_a_second() -> None:
    assert Load(answers=30, seconds=2.0, p50=1.0, p99=2.0).rate == 15
