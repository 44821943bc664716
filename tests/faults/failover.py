"""Two machines behind one balancer, over a primary with a replica: each part is killed in turn, under load.

Both machines run web (with /mcp), worker, crawler and beat. The primary is killed last, and the replica promoted. Then
everything that was acknowledged is looked for. Needs haproxy (`apt-get install haproxy`).

usage: python -m tests.faults.failover --seed 1
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx2

from config.local import Engines
from config.local.places import EngineAddresses
from config.supervisor.processes import Child, Program
from config.supervisor.up import free_port
from tests.email_server import EmailServer
from tests.faults.cluster import Cluster, running_cluster
from tests.faults.disturb import START_SECONDS
from tests.faults.load import Load, serve_websites
from tests.faults.processes import WORDS
from tests.faults.shop import Shop, shop_of, taking_money
from tests.faults.traffic import PROMO
from tests.faults.truth import Truth
from tests.faults.written import Written
from tests.pages_server import PagesServer
from tests.running import Running, running
from tests.waiting import PATIENCE_SECONDS, wait_for

HOST = "127.0.0.1"
SECRET_KEY = "both machines know the same key, and nobody else does"
MACHINES = ("A", "B")
# Longer than the lease of an email whose worker died with its clock ahead, and the look for it.
SETTLED_SECONDS = 600
# Two machines with 57 each, and who looks on.
CONNECTIONS = 150
BUYERS, LISTINGS, EDITED, VOTERS, SITES = 2, 80, 12, 60, 20
_BALANCER = """
global
    maxconn 2000
defaults
    mode http
    timeout connect 2s
    timeout client 65s
    timeout server 65s
    retries 3
    option redispatch
    option httpchk GET /healthz
    default-server inter 500ms fall 2 rise 1 check
    option forwardfor
frontend site
    bind 127.0.0.1:{port}
    http-request set-header X-Forwarded-Proto http
    default_backend machines
backend machines
    balance roundrobin
{servers}
"""


@dataclass(frozen=True)
class Site:
    """Everything that runs."""

    shop: Shop
    cluster: Cluster
    valkey: Child
    machines: Mapping[str, Running]
    ports: Mapping[str, int]
    emails: EmailServer
    websites: PagesServer

    def is_well(self) -> bool:
        """Whether every process is there and answers."""
        try:
            for machine in self.machines.values():
                for word in WORDS.values():
                    machine.child(word)
            asked = [httpx2.get(f"http://{HOST}:{port}/readyz", timeout=10) for port in self.ports.values()]
        except (LookupError, httpx2.TransportError):
            return False
        return all(answer.is_success for answer in asked) and self.cluster.is_in_step()


@contextmanager
def open_site(folder: Path) -> Iterator[Site]:
    """Start engines, balancer and both machines, and stop it all."""
    balancer = free_port(HOST, 0)
    ports = {name: free_port(HOST, 0) for name in MACHINES}
    with ExitStack() as stack:
        cluster = stack.enter_context(running_cluster(connections=CONNECTIONS))
        cluster.commit_on_both()
        valkey = stack.enter_context(Engines(folder / "valkey", database_url="postgresql://given"))
        provider, selling = stack.enter_context(taking_money())
        emails, websites = stack.enter_context(EmailServer()), stack.enter_context(PagesServer())
        where = EngineAddresses(cluster.primary_url, valkey.addresses.redis_url)
        settings = {
            **selling,
            "DATABASE_URL": where.database_url,
            "DATABASE_REPLICA_URL": cluster.replica_url,
            "REDIS_URL": where.redis_url,
            "PUBLIC_BASE_URL": f"http://{HOST}:{balancer}",
            "SECRET_KEY": SECRET_KEY,
            "BEHIND_PROXY": "1",
            "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "EMAIL_URL": emails.url,
        }
        stack.enter_context(_balancer(folder, balancer, ports))
        hosts = [websites.host(f"site{number}.localhost") for number in range(SITES)]
        machines = {}
        for name in MACHINES:
            demo = () if name == MACHINES[0] else ("--no-demo",)
            machines[name] = stack.enter_context(
                running(
                    folder / name,
                    private_hosts=hosts,
                    command=(sys.executable, "manage.py", "up", *demo),
                    settings=settings,
                    port=ports[name],
                    start_seconds=START_SECONDS,
                )
            )
        first = MACHINES[0]
        console = shop_of(machines[first], provider, data_dir=folder / first, where=where, SECRET_KEY=SECRET_KEY)
        shop = stack.enter_context(console)
        yield Site(shop, cluster, valkey.processes()[0], machines, ports, emails, websites)


@contextmanager
def _balancer(folder: Path, port: int, ports: Mapping[str, int]) -> Iterator[None]:
    program = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        raise SystemExit("haproxy is not installed: apt-get install haproxy")
    servers = "\n".join(f"    server {name} {HOST}:{number}" for name, number in ports.items())
    path = folder / "haproxy.cfg"
    path.write_text(_BALANCER.format(port=port, servers=servers))
    balancer = Child(
        Program(name="haproxy", argv=[program, "-db", "-f", str(path)], env=os.environ, log=folder / "haproxy.log")
    )
    balancer.start()
    try:
        yield
    finally:
        balancer.stop()


class Transcript:
    """Kills one part after the other, and says when everything was well again."""

    def __init__(self, site: Site, load: Load) -> None:
        self._site, self._load = site, load
        self._began = time.monotonic()

    def say(self, text: str) -> None:
        sys.stdout.write(f"{time.monotonic() - self._began:7.1f} s  {text}\n")
        sys.stdout.flush()

    def run(self) -> None:
        for word in WORDS:
            for name in MACHINES:
                self._kill(f"killed {word} of {name}", partial(self._kill_programs, name, word))
        self._kill("killed every process of B", partial(self._kill_programs, "B", *WORDS))
        self._kill("killed Valkey and started it again", lambda: _start_again(self._site.valkey))
        self._kill("killed the replica and started it again", lambda: _start_again(self._site.cluster.replica.child))
        self._kill("killed the primary and promoted the replica", self._fail_over)

    def _kill(self, what: str, do: Callable[[], object]) -> None:
        self._load.watch()
        before, odd = self._answered(), sum(self._load.journal.odd.values())
        began = time.monotonic()
        do()
        wait_for(self._site.is_well)
        took = time.monotonic() - began
        again = sum(self._load.journal.odd.values()) - odd
        self.say(f"{what}: well again after {took:.1f} s; {self._answered() - before} answers, {again} tried again")
        time.sleep(2)

    def _answered(self) -> int:
        return sum(self._load.journal.did.values()) + sum(self._load.done.reads.values())

    def _kill_programs(self, name: str, *words: str) -> None:
        for word in words:
            self._site.machines[name].kill(WORDS[word])

    def _fail_over(self) -> None:
        cluster = self._site.cluster
        cluster.primary.child.kill_group()
        cluster.primary.child.wait(PATIENCE_SECONDS)
        # The watcher needs a moment to be sure.
        time.sleep(2)
        cluster.promote()


def _start_again(child: Child) -> None:
    child.kill_group()
    child.wait(PATIENCE_SECONDS)
    child.start()


def fail_over_and_count(site: Site, *, seed: int) -> dict[str, dict[str, int]]:
    """Kill everything once under load; returns counts by title, and those of `faults` should all be 0."""
    shop = site.shop
    shop.team.do("make_promo", code=PROMO, percent_off=1000, max_uses_per_account=None)
    for product in ("newsletter_slot", "category_feature"):
        shop.team.do("change_product", product=product, capacity=None)
    addresses = [site.websites.url(host, "/") for host in serve_websites(site.websites, SITES)]
    load = Load(shop, seed=seed, sites=addresses, buyers=BUYERS, listings=LISTINGS, edited=EDITED, voters=VOTERS)
    with load:
        transcript = Transcript(site, load)
        time.sleep(5)
        transcript.run()
        [[on_replica]] = site.cluster.replica.sql("SELECT xact_commit FROM pg_stat_database WHERE datname = 'slipway'")
        time.sleep(5)
        load.finish()
    truth, written = Truth(shop, [owner.account_id for owner in load.buyers]), Written(shop, load.done, site.emails)
    with suppress(AssertionError):  # what is not settled is counted below
        wait_for(lambda: truth.is_settled() and written.is_settled(), seconds=SETTLED_SECONDS)
    transcript.say("everything has come to rest")
    journal = load.journal
    return {
        "traffic": {**journal.did, **{f"tried again after {what}": n for what, n in sorted(journal.odd.items())}},
        "outcome": {**truth.outcome(journal), **written.outcome(), "transactions on the replica": int(on_replica)},
        "faults": {**truth.faults(journal), **written.faults()},
    }


def table(counts: Mapping[str, Mapping[str, int]]) -> str:
    rows = []
    for title, section in counts.items():
        rows += [title, *(f"  {name:<52} {count:>6}" for name, count in section.items())]
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="slipway-failover-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        with open_site(folder) as site:
            counts = fail_over_and_count(site, seed=chosen.seed)
    sys.stdout.write(table(counts) + "\n")
    return int(any(counts["faults"].values()))


if __name__ == "__main__":
    sys.exit(main())
