"""How long one owner's fast website waits while another owner's slow ones are read, and how late periodic tasks run.

Starts `manage.py up`, drafts a fast website alone for its normal time, then the slow websites of one account, and once
two are being read a fast one of another account. Badges are looked for meanwhile on websites that never answer in time.
A task is late by what lies between two of its ends beyond its interval, by the log of the processes.

usage: python -m tests.benchmarks.crawl_turns [--sites 10] [--seconds 6] [--badges 20] [--window 240]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2

from config.local.places import addresses
from config.settings import CELERY_BEAT_SCHEDULE
from tests.leftovers import bare_environment
from tests.pages_server import Answer, PagesServer
from tests.running import PROJECT, Running, running
from tests.waiting import PATIENCE_SECONDS, wait_for

_UNLIMITED = {"RATE_LIMIT_PER_KEY": "0", "RATE_LIMIT_PER_ADDRESS": "0"}
_LINKS = "".join(f'<a href="/{name}">{name}</a> ' for name in ("about", "pricing", "faq", "team", "contact", "docs"))
_TEXT = (
    "Acme reads the time sheets of your team and writes one invoice for each client, on the day it was promised. " * 5
)
_MAKE_KEY = """
import django; django.setup()
from tests.factories import UserFactory, api_key
print(api_key(UserFactory.create(email="slow@example.com", password=None)))
"""
_LOOK_FOR_BADGES = """
import sys, django; django.setup()
from apps.launches import tasks
from tests.factories import CompanyFactory, ListingFactory
for website in sys.argv[1:]:
    ListingFactory.create(company=CompanyFactory.create(website=website), status="awaiting_badge", plan="free")
tasks.check_due_badges()
"""
# Longer than a look for a badge waits.
_NEVER_SECONDS = 15.0
# Due several times while somebody watches.
FREQUENT = [str(entry["task"]) for entry in CELERY_BEAT_SCHEDULE.values() if float(str(entry["schedule"])) <= 15]


@dataclass(frozen=True)
class Result:
    """Seconds that the fast website took alone and beside the slow ones, and each periodic task's worst lateness.

    `overtaken` counts the slow websites that were still being read when the fast one was ready, `runs` how often each
    periodic task ended meanwhile or after, and `looks` the websites that were asked for a badge.
    """

    alone: float
    beside: float
    late: Mapping[str, float]
    most_at_once: int
    looks: int
    overtaken: int
    runs: Mapping[str, int]

    def table(self) -> str:
        rows = [
            f"fast website alone          {self.alone:7.1f} s",
            f"fast website beside others  {self.beside:7.1f} s",
            f"slow websites read at once  {self.most_at_once:7}",
            f"looks for a badge           {self.looks:7}",
        ]
        worst = sorted(self.late.items(), key=lambda item: -item[1])
        return "\n".join([*rows, "late", *(f"  {name:<40} {seconds:7.1f} s" for name, seconds in worst)])


def serve_website(server: PagesServer, host: str, *, seconds: float) -> None:
    """A website of seven pages, each of which takes so many seconds."""
    for path in ("/", *(f"/{name}" for name in ("about", "pricing", "faq", "team", "contact", "docs"))):
        html = (
            f"<html><head><title>{host} {path}</title></head><body><h1>{host} {path}</h1>{_LINKS}<p>{_TEXT}</p></body>"
        )
        server.serve(host, path, Answer(html.encode(), delay_seconds=seconds))


def measure(folder: Path, *, sites: int, seconds: float, badges: int, window: float = 0.0) -> Result:
    """Run it once. Watches from the first slow draft on for `window` seconds, and until it has seen all.

    That is each frequent task and a look for each badge, or the end of the last slow draft.
    """
    slow = [f"slow{number}.localhost" for number in range(sites)]
    silent = [f"silent{number}.localhost" for number in range(badges)]
    with PagesServer() as server:
        for host in slow:
            serve_website(server, host, seconds=seconds)
        for host in silent:
            server.serve(host, "/", Answer(b"<h1>At last</h1>", delay_seconds=_NEVER_SECONDS))
        for host in ("alone.localhost", "warm.localhost", "beside.localhost"):
            serve_website(server, host, seconds=0.0)
        hosts = [
            server.host(host) for host in (*slow, *silent, "alone.localhost", "warm.localhost", "beside.localhost")
        ]
        with ExitStack() as stack:
            slipway = stack.enter_context(running(folder / "data", private_hosts=hosts, settings=_UNLIMITED))
            fast = stack.enter_context(_client(slipway, slipway.api_key))
            _seconds_to_ready(fast, server.url("warm.localhost"))
            alone = _seconds_to_ready(fast, server.url("alone.localhost"))
            other = stack.enter_context(_client(slipway, _run(_MAKE_KEY, folder / "data", slipway)))
            logs = folder / "data" / "logs"
            # Each has run before somebody looks whether it is late.
            wait_for(lambda: not set(FREQUENT) - _ends(logs).keys())
            began = time.time()
            _run(_LOOK_FOR_BADGES, folder / "data", slipway, *(server.url(host, "/") for host in silent))
            drafts = [
                other.post("drafts", json={"url": server.url(host)}).raise_for_status().json()["id"] for host in slow
            ]
            wait_for(lambda: len(_asked(server, slow)) >= 2)
            beside = _seconds_to_ready(fast, server.url("beside.localhost"))

            def read() -> int:
                """How many slow websites are still being read."""
                answers = [other.get(f"drafts/{draft}").raise_for_status().json() for draft in drafts]
                return sum(answer["status"] not in ("ready", "failed") for answer in answers)

            def has_seen_all() -> bool:
                is_over = not set(FREQUENT) - _runs(logs, began).keys() and len(_asked(server, silent)) == badges
                return time.time() - began > window and (is_over or not read())

            overtaken = read()
            wait_for(has_seen_all, seconds=window + PATIENCE_SECONDS, pause=1)
            late = lateness(_ends(logs), since=began, until=time.time())
            runs = _runs(logs, began)
        at_once = _most_at_once(server, slow)
    return Result(alone, beside, late, at_once, len(_asked(server, silent)), overtaken, runs)


def _asked(server: PagesServer, hosts: Sequence[str]) -> set[str]:
    """Which of these websites were asked for something."""
    return {request.host for request in list(server.seen)} & {*hosts}


def _runs(logs: Path, since: float) -> Counter[str]:
    """How often each task ended since a moment."""
    return Counter(task for task, moments in _ends(logs).items() for at in moments if at > since)


def _ends(logs: Path) -> dict[str, list[float]]:
    """When each task ended, by the log of the processes."""
    ends: dict[str, list[float]] = {}
    # A log that has grown goes on in a fresh file.
    lines = [line for path in logs.glob("*.log*") for line in path.read_text().splitlines()]
    for line in lines:
        _, _, text = line.partition("{")
        if "succeeded in" not in text:
            continue
        try:
            entry = json.loads("{" + text)
        except json.JSONDecodeError:
            # Emails of local mode are long lines, and long lines of two processes may run into each other.
            continue
        name = entry["message"].split("[", 1)[0].removeprefix("Task ")
        ends.setdefault(name, []).append(datetime.fromisoformat(entry["time"]).timestamp())
    return ends


def lateness(ends: Mapping[str, Sequence[float]], *, since: float, until: float) -> dict[str, float]:
    """By how many seconds each periodic task of a minute or less was late at worst between two moments."""
    late = {}
    for entry in CELERY_BEAT_SCHEDULE.values():
        interval = float(str(entry["schedule"]))
        if interval <= 60:
            late[str(entry["task"])] = _worst(ends.get(str(entry["task"]), []), interval, since=since, until=until)
    return late


def _worst(ends: Sequence[float], interval: float, *, since: float, until: float) -> float:
    before = max((at for at in ends if at < since), default=since)
    moments = [before, *(at for at in ends if since <= at <= until), until]
    return max(later - earlier - interval for earlier, later in zip(moments, moments[1:], strict=False))


def _most_at_once(server: PagesServer, hosts: Sequence[str]) -> int:
    """How many of these websites were at most read at a time, by the first and last request to each."""
    times = {host: [request.at for request in server.seen if request.host == host] for host in hosts}
    spans = [(min(at), max(at)) for at in times.values() if at]
    return max(sum(first <= start <= last for first, last in spans) for start, _ in spans)


def _client(slipway: Running, key: str) -> httpx2.Client:
    headers = {"Authorization": f"Bearer {key}"}
    return httpx2.Client(base_url=slipway.up["api_url"] + "/", headers=headers, timeout=PATIENCE_SECONDS)


def _seconds_to_ready(client: httpx2.Client, url: str) -> float:
    began = time.monotonic()
    draft: dict[str, Any] = client.post("drafts", json={"url": url}).raise_for_status().json()

    def is_done() -> bool:
        result = client.get(f"drafts/{draft['id']}").raise_for_status().json()
        assert result["status"] != "failed", result
        return bool(result["status"] == "ready")

    wait_for(is_done, seconds=600)
    return time.monotonic() - began


def _run(script: str, data_dir: Path, slipway: Running, *words: str) -> str:
    """Run lines of Python on the running Slipway's data; what they print."""
    where = addresses(data_dir)
    env = {
        **bare_environment(),
        "DATABASE_URL": where.database_url,
        "REDIS_URL": where.redis_url,
        "SLIPWAY_DATA_DIR": str(data_dir.resolve()),
        "SLIPWAY_LOCAL": "1",
        "PUBLIC_BASE_URL": slipway.base_url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    made = subprocess.run(
        [sys.executable, "-c", script, *words], cwd=PROJECT, env=env, capture_output=True, text=True, check=True
    )
    return made.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=6.0, help="that each answer of a slow website takes")
    parser.add_argument("--badges", type=int, default=20, help="websites without an answer that may have a badge")
    parser.add_argument("--window", type=float, default=240.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="slipway-turns-") as folder:
        Path(folder).chmod(0o711)
        result = measure(
            Path(folder), sites=options.sites, seconds=options.seconds, badges=options.badges, window=options.window
        )
    sys.stdout.write(result.table() + "\n")


if __name__ == "__main__":
    main()
