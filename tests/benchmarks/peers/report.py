"""What was measured as the generated part of docs/performance.md, with plots."""

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from tests.benchmarks.peers.marks import MARKS, Run
from tests.benchmarks.peers.measure import TESTS

BEGIN, END = "<!-- measured -->", "<!-- /measured -->"
_WIDTH, _BAR, _LABELS = 640, 22, 150
_PLOTS = {"list": "performance-list.svg", "words 8": "performance-words.svg"}
_PEERS = (
    "Slipway", "raw WSGI", "Litestar", "FastAPI", "django-ninja", "DRF", "Directus",
    "Django template", "Django cache_page", "plain Django", "MCP SDK", "fastmcp",
)  # fmt: skip


def write(run: Run, docs: Path, *, command: str) -> None:
    """Put tables and plots into docs/performance.md and beside it."""
    page = docs / "performance.md"
    before, _, rest = page.read_text().partition(BEGIN)
    page.write_text(before + BEGIN + "\n\n" + markdown(run, command=command) + "\n" + END + rest.partition(END)[2])
    rates = {peer: rate for peer in _PEERS if (rate := run.median("rate", "list", peer))}
    (docs / _PLOTS["list"]).write_text(bars("Listings by votes, uncached, answers per second", rates))
    p99 = {
        f"{rows:,} listings": result for rows in run.sizes if (result := run.median("p99", "words 8", "Slipway", rows))
    }
    (docs / _PLOTS["words 8"]).write_text(bars("Search, mixed words, 8 connections, p99 in ms", p99))


def markdown(run: Run, *, command: str) -> str:
    """Everything as tables."""
    lines = [
        f"Measured by `{command}` on {os.cpu_count()} cores with Python {platform.python_version()}: medians of all "
        "rounds, with the peers measured in turn. Ratios compare results of the same round. CPU is processor time per "
        "answer: server + PostgreSQL.",
        "",
        *_marks(run),
        *(f"![{title}]({_PLOTS[key]})\n" for key, title in (("list", "List"), ("words 8", "Search"))),
    ]
    for rows in run.sizes:
        lines += [f"### {rows:,} listings", "", *_tests(run, rows), ""]
    if run.memory:
        lines += [
            "### Memory after the load",
            "",
            *_table(("", "MB (PSS)"), ((peer, f"{mb:.0f}") for peer, mb in run.memory.items())),
            "",
        ]
    for rows, times in run.addresses.items():
        slowest = sorted(times.items(), key=lambda item: -item[1])
        lines += [f"### Public addresses, {rows:,} listings, uncached", ""]
        lines += [*_table(("address", "p50 ms"), ((f"`{path}`", f"{ms:.0f}") for path, ms in slowest)), ""]
    return "\n".join(lines)


def _marks(run: Run) -> Iterator[str]:
    said = {True: "yes", False: "**no**", None: "not measured"}
    rows = []
    for mark in MARKS:
        value, cpu = mark.value(run), mark.cpu(run)
        goal = f"{'≤' if mark.is_most else '≥'} {mark.goal:g}"
        rows.append((mark.title, _figure(value), _figure(cpu), goal, said[mark.is_met(run)]))
    yield from _table(("", "measured", "by CPU time", "goal", "met"), rows)
    yield ""


def _tests(run: Run, rows: int) -> Iterator[str]:
    lines = []
    for test in TESTS:
        ours = run.median("rate", test.key, "Slipway", rows)
        for peer in _PEERS:
            rate = run.median("rate", test.key, peer, rows)
            if rate is None:
                continue
            rest = [
                run.median(what, test.key, peer, rows) or 0.0 for what in ("p50", "p99", "server_ms", "database_ms")
            ]
            times = [f"{rest[0]:.1f}", f"{rest[1]:.1f}", f"{rest[2]:.2f} + {rest[3]:.2f}"]
            ratio = _figure(ours / rate) if ours and peer != "Slipway" else ""
            lines.append((test.title, peer, f"{rate:,.0f}", *times, ratio))
    head = ("test", "", "per second", "p50 ms", "p99 ms", "CPU ms", "Slipway ÷ this")
    yield from _table(head, lines)


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"


def _table(head: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def bars(title: str, values: Mapping[str, float]) -> str:
    """Bars with their values, readable on light and dark pages."""
    most = max(values.values(), default=1.0)
    height = _BAR * (len(values) + 2)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        'font-family="sans-serif" font-size="13" fill="#777">',
        f'<text x="0" y="15" font-weight="bold">{escape(title)}</text>',
    ]
    for place, (label, value) in enumerate(values.items(), start=1):
        top, width = _BAR * place + 8, (_WIDTH - _LABELS - 70) * value / most
        color = "#2f7de1" if place == 1 else "#9aa5b1"
        lines.append(f'<text x="0" y="{top + 13}">{escape(label)}</text>')
        lines.append(f'<rect x="{_LABELS}" y="{top}" width="{width:.0f}" height="{_BAR - 6}" rx="2" fill="{color}"/>')
        lines.append(f'<text x="{_LABELS + width + 6:.0f}" y="{top + 13}">{_figure(value)}</text>')
    return "\n".join([*lines, "</svg>", ""])
