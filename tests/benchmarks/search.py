"""How long a search takes, by kind of query, and as ratios: of its bare SQL, and of the same with fewer listings.

Fills a throwaway database twice. Each round asks every kind once over REST, inside this process, and then its SQL
statements again by psycopg, without Django; so whatever else the machine does meets both.

usage: python -m tests.benchmarks.search [--small 20000] [--large 200000] [--rounds 40]
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, islice
from typing import Any

from tests.benchmarks.database import empty_database

WORDS = 20_000
CHUNK = 2_000
_SYLLABLES = [first + vowel for first in "bcdfghjklmnprstvwz" for vowel in "aeiou"]


def vocabulary() -> list[str]:
    """Words of two to four syllables, the most frequent first; the same in every run."""
    chance = random.Random(4)  # noqa: S311  # words, not secrets
    words: dict[str, None] = {}
    while len(words) < WORDS:
        words["".join(chance.choices(_SYLLABLES, k=chance.choice([2, 3, 3, 4])))] = None
    return list(words)


@dataclass
class Times:
    """Seconds by what was measured."""

    rest: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        return statistics.median(self.bare) / statistics.median(self.rest)


def kinds(words: list[str], listings: int) -> dict[str, dict[str, str]]:
    """The query string of each kind of search."""
    common, frequent, rare = words[0], words[40], words[WORDS - 5]
    mistyped = words[400][:2] + words[400][3:2:-1] + words[400][4:] if len(words[400]) > 5 else words[400] + "x"
    deep = str(listings // 20 // 2)
    return {
        "no words": {},
        "no words, deep page": {"page": deep},
        "category": {"category": "benchmark"},
        "common word": {"q": common},
        "common word, deep page": {"q": common, "page": deep},
        "frequent word": {"q": frequent},
        "two words": {"q": f"{frequent} {words[60]}"},
        "rare word": {"q": rare},
        "name": {"q": f"{words[9000]} {words[9001]}"},
        "beginning": {"q": words[100][:3]},
        "phrase": {"q": f'"{words[1]} {words[2]}"'},
        "left out": {"q": f"{frequent} -{common}"},
        "word of low votes": {"q": "unpopular"},
        "absent word": {"q": "xqxqxqxqxq"},
        "mistyped word": {"q": mistyped},
    }


def fill(listings: int, *, words: list[str]) -> None:
    """Put live listings into the database until there are so many, and index them."""
    from django.db import connection

    from apps.listings.models import Listing

    chance = random.Random(listings)  # noqa: S311
    supply = _supply(chance, words)
    for first in range(Listing.objects.count(), listings, CHUNK):
        _create([_texts(number, supply, chance, words) for number in range(first, min(first + CHUNK, listings))])
    _index()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _create(rows: list[dict[str, Any]]) -> None:
    """A company and its listing for each row; every twentieth stands in the category."""
    from django.utils import timezone

    from apps.accounts.models import User
    from apps.listings.models import Category, Company, Listing
    from apps.sites.models import Site

    site = Site.objects.get(is_default=True)
    owner, _ = User.objects.get_or_create(email="benchmark@example.com")
    category, _ = Category.objects.get_or_create(site=site, slug="benchmark", defaults={"name": "Benchmark"})
    hosts = [f"company{row['number']}.example" for row in rows]
    companies = Company.objects.bulk_create(
        Company(owner=owner, name=row["name"], website=f"https://{host}", website_key=host)
        for row, host in zip(rows, hosts, strict=True)
    )
    live = {"site": site, "status": Listing.Status.LIVE, "plan": Listing.Plan.FREE, "launched_at": timezone.now()}
    listings = Listing.objects.bulk_create(
        Listing(
            company=company,
            slug=f"company-{row['number']}",
            launch_week=f"2026-W{row['number'] % 50 + 1:02d}",
            **live,
            **{name: row[name] for name in ("headline", "summary", "description", "votes")},
        )
        for row, company in zip(rows, companies, strict=True)
    )
    through = Listing.categories.through
    through.objects.bulk_create(through(listing=listing, category=category) for listing in listings[::20])


def _supply(chance: random.Random, words: list[str]) -> Iterator[str]:
    """Words without end, each as frequent as its rank makes it in a language (Zipf)."""
    totals = list(accumulate(1 / rank for rank in range(1, WORDS + 1)))
    while True:
        yield from chance.choices(words, cum_weights=totals, k=100_000)


def _texts(number: int, supply: Iterator[str], chance: random.Random, words: list[str]) -> dict[str, Any]:
    votes = int(chance.paretovariate(0.8)) % 5000
    return {
        "number": number,
        "name": f"{words[number % WORDS].title()} {words[(number * 7 + 1) % WORDS].title()}",
        "headline": " ".join(islice(supply, 7))[:80],
        "summary": " ".join(islice(supply, 25)) + (" unpopular" if votes <= 1 else ""),
        "description": " ".join(islice(supply, 60)),
        "votes": votes,
    }


def _index() -> None:
    from apps.listings.search import reindex_all

    began = time.monotonic()
    done = max(reindex_all(), default=0)
    sys.stdout.write(f"indexed {done} listings, {done / (time.monotonic() - began):.0f} a second\n")


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
                times[kind].rest.append(_seconds(lambda query=query: _ask(client, query)))  # type: ignore[misc]  # bound
                times[kind].bare.append(
                    _seconds(lambda kind=kind: [cursor.execute(one).fetchall() for one in statements[kind]])  # type: ignore[misc]  # bound
                )
    return times


def _ask(client: Any, query: dict[str, str]) -> None:
    answer = client.get("/api/v1/listings", query)
    if answer.status_code != 200:
        raise RuntimeError(answer.content.decode())


def _seconds(act: Callable[[], Any]) -> float:
    began = time.perf_counter()
    act()
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
    words = vocabulary()
    found = []
    for listings in (options.small, options.large):
        fill(listings, words=words)
        found.append(measure(kinds(words, listings), rounds=options.rounds))
    report(*found)


if __name__ == "__main__":
    main()
