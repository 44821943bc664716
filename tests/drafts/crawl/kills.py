"""Kill workers at random moments while they crawl, and count what became of the drafts.

The websites are played on loopback; half of them are wanted by two owners each. Real Celery workers with their
forked processes read them; whole workers, their pools and single processes are killed. A trigger of the database notes
every claim and every end, so that what a killed process did is counted too.

usage: python -m tests.drafts.crawl.kills --crawls 200 --seed 1 [--kills 40] [--lease 15] [--recover 10]
"""

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

from tests.benchmarks.database import empty_database
from tests.faults.processes import children, kill
from tests.pages_server import Answer, PagesServer
from tests.waiting import wait_for

PROJECT = Path(__file__).parents[3]
# By name their pools: one of processes, and one of threads as `manage.py up` has it for crawls.
WORKERS = {"one": "prefork", "two": "threads"}
PAGES = ("about", "pricing", "faq")
SETTLED_SECONDS = 400
BROKEN_OFF = "failed 3 times"

_HOME = """<!doctype html><html lang="en"><head><title>{name}: invoices that write themselves</title>
<meta property="og:site_name" content="{name}"></head><body><h1>Invoices that write themselves</h1>
<nav><a href="/about">About us</a> <a href="/pricing">Pricing</a> <a href="/faq">FAQ</a></nav>
<p>{text}</p></body></html>"""
_PAGE = "<html><head><title>{name}</title></head><body><h1>{name}</h1><p>{text}</p></body></html>"
_TEXT = "{name} reads the time sheets of your team and writes one invoice for each client, on the day it was promised. "

_AUDIT: LiteralString = """
CREATE TABLE crawl_audit (draft_id bigint, what text, attempt int, domain text);
CREATE FUNCTION note_crawl() RETURNS trigger AS $$
BEGIN
    IF NEW.attempt <> OLD.attempt THEN
        INSERT INTO crawl_audit VALUES (NEW.id, 'claim', NEW.attempt, NEW.domain);
        IF OLD.leased_until > statement_timestamp() THEN
            INSERT INTO crawl_audit VALUES (NEW.id, 'claimed while held', NEW.attempt, NEW.domain);
        END IF;
        IF EXISTS (SELECT 1 FROM drafts_draft d WHERE d.domain = NEW.domain AND d.id <> NEW.id
                   AND d.leased_until > statement_timestamp()) THEN
            INSERT INTO crawl_audit VALUES (NEW.id, 'two in a domain', NEW.attempt, NEW.domain);
        END IF;
    END IF;
    IF OLD.status IN ('ready', 'failed') THEN
        INSERT INTO crawl_audit VALUES (NEW.id, 'written after its end', NEW.attempt, NEW.domain);
    ELSIF NEW.status IN ('ready', 'failed') THEN
        INSERT INTO crawl_audit VALUES (NEW.id, 'end', NEW.attempt, NEW.domain);
    END IF;
    RETURN NEW;
END $$ LANGUAGE plpgsql;
CREATE TRIGGER crawl_audit AFTER UPDATE ON drafts_draft FOR EACH ROW EXECUTE FUNCTION note_crawl();
"""


@dataclass(frozen=True)
class Result:
    """What happened, and what is wrong in the end: every value of `faults` should be 0."""

    kills: Mapping[str, int]
    outcome: Mapping[str, int]
    faults: Mapping[str, int]

    def table(self) -> str:
        rows = []
        for title in ("kills", "outcome", "faults"):
            counts: Mapping[str, int] = getattr(self, title)
            rows += [title, *(f"  {name:<44} {count:>6}" for name, count in counts.items())]
        return "\n".join(rows)


class Worker:
    """One Celery worker that is started again whenever it was killed."""

    def __init__(self, name: str, folder: Path, options: argparse.Namespace) -> None:
        self._beat_file = folder / f"beat-{name}"
        self._log = folder / f"{name}.log"
        self._is_forking = WORKERS[name] == "prefork"
        self._argv = [sys.executable, "-m", "tests.drafts.crawl.kill_worker", "--name", name, "--pool", WORKERS[name]]
        self._argv += ["--lease", str(options.lease), "--recover", str(options.recover)]
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[bytes]":
        # A killed scheduler may leave its file torn.
        for path in self._beat_file.parent.glob(f"{self._beat_file.name}*"):
            path.unlink()
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [*self._argv, "--beat-file", str(self._beat_file)],
                cwd=PROJECT,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start_again(self) -> None:
        self.process = self._start()

    def kill(self, chance: random.Random) -> str:
        """Kill a forked process, the worker without what it forked, or all together; says what."""
        if self.process.poll() is not None:
            self.process = self._start()
            return ""
        forked = children(self.process.pid)
        choice = chance.random()
        # What one of threads has forked is its scheduler alone.
        if forked and self._is_forking and choice < 0.6:
            kill(chance.choice(forked))
            return "one process of a pool"
        if choice < 0.8:
            self.process.kill()
            self.process.wait()
            # The pool's processes go on alone for a moment: they may still write.
            time.sleep(1)
            kill(*forked)
            self.process = self._start()
            return "a worker, its pool a second later"
        self.end()
        self.process = self._start()
        return "a worker with its pool"

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def kill_and_count(server: PagesServer, hosts: list[str], folder: Path, options: argparse.Namespace) -> Result:
    """Let the workers crawl while they are killed, wait until nothing is in progress, and count."""
    from django.db import connection

    from apps.drafts.models import Draft

    with connection.cursor() as cursor:
        cursor.execute(_AUDIT)
    wanted = _start_drafts(server, hosts)
    chance = random.Random(options.seed)  # noqa: S311 - a repeatable choice, no secret
    kills: Counter[str] = Counter()
    with _workers(folder, options) as workers:
        wait_for(lambda: Draft.objects.exclude(attempt=0).exists())
        for _ in range(options.kills):
            if not Draft.objects.in_progress().exists():
                break
            kills[chance.choice(workers).kill(chance) or "(a worker was down already)"] += 1
            time.sleep(chance.uniform(0.1, 2 * options.pause))
        for worker in workers:
            if worker.process.poll() is not None:
                worker.start_again()
        with contextlib.suppress(AssertionError):  # what is not settled is counted below
            wait_for(lambda: not Draft.objects.in_progress().exists(), seconds=SETTLED_SECONDS)
    return Result(dict(sorted(kills.items())), *_count(server, wanted))


@contextlib.contextmanager
def _workers(folder: Path, options: argparse.Namespace) -> Iterator[list[Worker]]:
    workers = [Worker(name, folder, options) for name in WORKERS]
    try:
        yield workers
    finally:
        for worker in workers:
            worker.end()


def _start_drafts(server: PagesServer, hosts: list[str]) -> dict[int, str]:
    """A draft of each website, and in every third case two, by different owners; the host by the draft's id."""
    from apps.drafts.services import creation
    from apps.sites.models import Site
    from tests.drafts.factories import by
    from tests.factories import UserFactory

    site = Site.objects.get(is_default=True)
    return {
        creation.create_draft(site=site, url=server.url(host, "/"), by=by(UserFactory.create()))[0].pk: host
        for host in hosts
    }


def _count(server: PagesServer, wanted: Mapping[int, str]) -> tuple[dict[str, int], dict[str, int]]:
    from django.db import connection

    from apps.drafts.models import Draft

    with connection.cursor() as cursor:
        cursor.execute("SELECT what, draft_id, count(*) FROM crawl_audit GROUP BY what, draft_id")
        noted: list[tuple[str, int, int]] = cursor.fetchall()
    drafts = {draft.pk: draft for draft in Draft.objects.filter(pk__in=wanted)}
    ended = Counter({pk: count for what, pk, count in noted if what == "end"})
    claims = Counter({pk: count for what, pk, count in noted if what == "claim"})
    status = Counter(draft.status for draft in drafts.values())
    given_up = [draft for draft in drafts.values() if BROKEN_OFF in draft.error_message]
    outcome: dict[str, int] = {
        "drafts": len(wanted),
        **{f"drafts {name}": count for name, count in sorted(status.items())},
        "given up after three attempts": len(given_up),
        "claimed more than once": sum(1 for count in claims.values() if count > 1),
        "claims": sum(claims.values()),
        "requests": len(server.seen),
    }
    return outcome, {
        "neither ready nor failed": len(wanted) - status["ready"] - status["failed"],
        "ended twice or written afterwards": sum(
            1
            for pk in wanted
            if ended[pk] > 1 or any(what.startswith("written") and pk == one for what, one, _ in noted)
        ),
        "claimed while held": sum(count for what, _, count in noted if what == "claimed while held"),
        "two crawls in a domain": sum(count for what, _, count in noted if what == "two in a domain"),
        "more than three claims": sum(1 for count in claims.values() if count > 3),
        "given up before three claims": sum(1 for draft in given_up if claims[draft.pk] < 3),
        "ended otherwise than the website says": sum(
            not _is_right(draft, wanted[pk]) for pk, draft in drafts.items() if draft not in given_up
        ),
        "two requests at once to a website": sum(count > 1 for count in server.most_in_flight.values()),
    }


def _is_right(draft: Any, host: str) -> bool:
    """Whether a draft that was not given up ended as its website deserves, and whole."""
    if host.startswith("gone"):
        return bool(draft.status == "failed" and "returned a 404" in draft.error_message and not draft.proposal)
    pages = [entry["reason"] for entry in draft.pages_read]
    return bool(draft.status == "ready" and draft.proposal.get("name") == name_of(host) and pages == [""] * 4)


def name_of(host: str) -> str:
    return host.partition(".")[0].capitalize()


def serve_websites(server: PagesServer, crawls: int) -> list[str]:
    """Websites for so many drafts, a host for each draft: in every third case it is that of the draft before."""
    hosts: list[str] = []
    for number in range(crawls):
        kind = "gone" if number % 10 == 4 else "acme"
        hosts.append(hosts[-1] if number % 3 == 2 else f"{kind}{number}.localhost")
    for host in dict.fromkeys(hosts):
        if host.startswith("gone"):
            server.serve(host, "/", Answer(b"<h1>Gone</h1>", status=404, delay_seconds=0.1))
            continue
        text = _TEXT.format(name=name_of(host)) * 5
        home = _HOME.format(name=name_of(host), text=text).encode()
        server.serve(host, "/", Answer(home, delay_seconds=0.1))
        for name in PAGES:
            html = _PAGE.format(name=name.capitalize(), text=f"{name}: {text}").encode()
            server.serve(host, f"/{name}", Answer(html, delay_seconds=0.1))
    return hosts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crawls", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=40, help="at most so many")
    parser.add_argument("--pause", type=float, default=1.5, help="seconds between two kills, on average")
    parser.add_argument("--lease", type=float, default=15.0)
    parser.add_argument("--recover", type=float, default=10.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="slipway-crawl-kills-") as folder, PagesServer() as server:
        hosts = serve_websites(server, options.crawls)
        allowed = ",".join(server.host(host) for host in dict.fromkeys(hosts))
        delay = {"CRAWL_ALLOW_PRIVATE_HOSTS": allowed, "CRAWL_DELAY_SECONDS": "0.1"}
        with empty_database(LOG_LEVEL="WARNING", PUBLIC_BASE_URL="http://127.0.0.1:8000", **delay):
            result = kill_and_count(server, hosts, Path(folder), options)
    sys.stdout.write(result.table() + "\n")
    return int(any(result.faults.values()))


if __name__ == "__main__":
    sys.exit(main())
