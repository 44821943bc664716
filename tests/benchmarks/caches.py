"""What each cache of an anonymous request saves: requests per second with it, as a ratio of those without it.

Fills a throwaway database (tests.benchmarks.fill). Each round measures a page with and without a cache in turn, and the
ratio's median and quartiles of all rounds count. The row "none" compares two equal runs: it is the noise.

usage: python -m tests.benchmarks.caches [--only process,site] [--listings 20000] [--rounds 30] [--requests 20]
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from unittest.mock import patch

from config.supervisor.processes import Child, Program
from config.supervisor.up import free_port, web_command
from tests.benchmarks.database import empty_database
from tests.benchmarks.fill import fill, print_line
from tests.benchmarks.peers.load import BadAnswerError, Request, ask, load
from tests.process_caches import Forgetful
from tests.waiting import wait_for

PROCESS = "process"
PAGES = ("/", "/api/v1/listings", "/api/v1/products")
_HOST = "127.0.0.1"
_SETTINGS = {"RATE_LIMIT_PER_ADDRESS": "0", "LOG_LEVEL": "WARNING", "ALLOWED_HOSTS": f"testserver,{_HOST}"}
# Django answers a request with a header that the process cache does not know.
_PAST_PROCESS = {"X-Unknown": "1"}

Without = Callable[[], AbstractContextManager[object]]
Rate = Callable[[str], float]


def measured(rate: Rate, without: Without, page: str, *, rounds: int) -> tuple[float, float, list[float]]:
    """Return the median rates with and without a cache, and the rounds' ratios."""
    pairs = []
    for turn in range(rounds):
        rates = {}
        for is_without in (turn % 2 == 0, turn % 2 == 1):
            with without() if is_without else nullcontext():
                rates[is_without] = rate(page)
        pairs.append((rates[False], rates[True]))
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs), [a / b for a, b in pairs]


def caches() -> dict[str, Without]:
    """Return what takes each cache away in this process, by name. All but Valkey's are behind it."""
    from apps.core.stores.valkey import generations
    from apps.core.web.public_cache import middleware as public_cache
    from apps.listings.search import queries
    from apps.sites import middleware

    return {
        "none": nullcontext,
        "Valkey": lambda: patch.object(public_cache, "cache_key_of", return_value=None),
        "generations": lambda: patch.object(generations, "_RECENT_SECONDS", -1.0),
        "site": lambda: patch.object(middleware, "_site_cache", Forgetful()),
        "search": lambda: patch.object(queries, "_count_cache", Forgetful()),
    }


def in_process(requests: int) -> Rate:
    """Return what counts how many requests a second Django answers here."""
    from django.test import Client

    client = Client()

    def rate(page: str) -> float:
        client.get(page)
        began = time.perf_counter()
        for _ in range(requests):
            if client.get(page).status_code != 200:
                raise BadAnswerError(page)
        return requests / (time.perf_counter() - began)

    return rate


@contextmanager
def web_server(folder: Path) -> Iterator[str]:
    """Run a web process of Slipway on the benchmark's database."""
    port = free_port(_HOST, 0)
    url = f"http://{_HOST}:{port}"
    env = {**os.environ, "PUBLIC_BASE_URL": url, "SLIPWAY_DATA_DIR": str(folder)}
    argv = web_command(host=_HOST, port=port, workers=1)
    child = Child(Program(name="web", argv=argv, env=env, log=folder / "web.log"))
    child.start()

    def answers() -> bool:
        try:
            return bool(ask(url, Request("/healthz")))
        except OSError:
            return False

    try:
        wait_for(answers)
        yield url
    finally:
        child.stop()


def report(cache: str, page: str, rate: float, rate_without: float, ratios: list[float]) -> None:
    low, middle, high = statistics.quantiles(ratios, n=4)
    line = f"{cache:12} {page:18} {rate:8.0f} {rate_without:8.0f}   {middle:6.2f}  ({low:.2f} to {high:.2f})\n"
    sys.stdout.write(line)
    sys.stdout.flush()


def run(options: argparse.Namespace) -> None:
    fill(options.listings, say=print_line)
    sys.stdout.write(f"{'cache':12} {'page':18} {'with':>8} {'without':>8}   {'ratio':>6}  (quartiles)\n")
    chosen = options.only.split(",")
    if PROCESS in chosen:
        with tempfile.TemporaryDirectory(prefix="slipway-benchmark-") as folder, web_server(Path(folder)) as url:
            headers: dict[str, str] = {}
            for page in PAGES:
                rates = measured(
                    lambda path: load(url, [Request(path, headers=headers)], connections=4, seconds=1).rate,
                    lambda: patch.dict(headers, _PAST_PROCESS),
                    page,
                    rounds=options.rounds,
                )
                report(PROCESS, page, *rates)
    result = caches()
    count = in_process(options.requests)
    for name in filter(result.get, chosen):
        for page in PAGES:
            with nullcontext() if name == "Valkey" else result["Valkey"]():
                report(name, page, *measured(count, result[name], page, rounds=options.rounds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="none,process,Valkey,generations,site,search")
    parser.add_argument("--listings", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--requests", type=int, default=20)
    options = parser.parse_args()
    with empty_database(**_SETTINGS):
        run(options)


if __name__ == "__main__":
    main()
