"""How long a search takes, by kind of query, and as ratios: of its bare SQL, and of the same with fewer listings.

Fills a throwaway database twice (tests.benchmarks.fill). Each round asks every kind once over REST, inside this
process, and then its SQL statements again by psycopg, without Django; so whatever else the machine does meets both.

usage: python -m tests.benchmarks.search [--small 20000] [--large 200000] [--rounds 40]
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from apps.core.text.weeks import Week
from tests.benchmarks.database import empty_database
from tests.benchmarks.fill import fill, print_line
from tests.benchmarks.listings import make, vocabulary


@dataclass
class Times:
    """Seconds by what was measured."""

    rest: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        return statistics.median(self.bare) / statistics.median(self.rest)


def kinds(listings: int) -> dict[str, dict[str, str]]:
    """The query string of each kind of search, with words from frequent to rare."""
    words = vocabulary()
    common, frequent, rare = words[0], words[40], words[-5]
    mistyped = words[400][:2] + words[400][3:2:-1] + words[400][4:] if len(words[400]) > 5 else words[400] + "x"
    deep = str(listings // 20 // 2)
    return {
        "no words": {},
        "no words, deep page": {"page": deep},
        "category": {"category": "design"},
        "common word": {"q": common},
        "common word, deep page": {"q": common, "page": deep},
        "frequent word": {"q": frequent},
        "two words": {"q": f"{frequent} {words[60]}"},
        "rare word": {"q": rare},
        "name": {"q": make(9000, now=Week(2026, 1), categories=1).name},
        "beginning": {"q": words[100][:3]},
        "phrase": {"q": f'"{words[1]} {words[2]}"'},
        "left out": {"q": f"{frequent} -{common}"},
        "word of low votes": {"q": "unpopular"},
        "absent word": {"q": "xqxqxqxqxq"},
        "mistyped word": {"q": mistyped},
    }


def measure(searches: dict[str, dict[str, str]], *, rounds: int) -> dict[str, Times]:
    """Seconds of every kind of search over REST, and of its statements alone."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client()
    times = {kind: Times() for kind in searches}
    statements: dict[str, list[str]] = {}
    for kind, query in searches.items():
        with CaptureQueriesContext(connection) as captured:
            _ask(client, query)
        statements[kind] = [one["sql"] for one in captured.captured_queries]
    with connection.connection.cursor() as cursor:
        for _ in range(rounds):
            for kind, query in searches.items():
                times[kind].rest.append(_seconds(_ask, client, query))
                times[kind].bare.append(_seconds(_execute, cursor, statements[kind]))
    return times


def _ask(client: Any, query: dict[str, str]) -> None:
    answer = client.get("/api/v1/listings", query)
    if answer.status_code != 200:
        raise RuntimeError(answer.content.decode())


def _execute(cursor: Any, statements: list[str]) -> None:
    for one in statements:
        cursor.execute(one).fetchall()


def _seconds(act: Callable[..., Any], *args: Any) -> float:
    began = time.perf_counter()
    act(*args)
    return time.perf_counter() - began


def report(small: dict[str, Times], large: dict[str, Times]) -> None:
    """One line for each kind: milliseconds with many listings, the share that is SQL, the growth from few to many."""
    sys.stdout.write(f"{'':24}{'p50 ms':>9}{'p99 ms':>9}{'bare/REST':>11}{'large/small p99':>17}\n")
    for kind, times in large.items():
        p50, p99 = statistics.median(times.rest), _p99(times.rest)
        growth = p99 / _p99(small[kind].rest)
        sys.stdout.write(f"{kind:24}{p50 * 1000:9.1f}{p99 * 1000:9.1f}{times.ratio:11.2f}{growth:17.2f}\n")


def _p99(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=100, method="inclusive")[98]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", type=int, default=20_000)
    parser.add_argument("--large", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    with empty_database(RATE_LIMIT_PER_ADDRESS="0", LOG_LEVEL="WARNING", ALLOWED_HOSTS="testserver"):
        _run(options)


def _run(options: argparse.Namespace) -> None:
    result = []
    for listings in (options.small, options.large):
        fill(listings, say=print_line)
        result.append(measure(kinds(listings), rounds=options.rounds))
    report(*result)


if __name__ == "__main__":
    main()
