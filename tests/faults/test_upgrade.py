"""This release's migrations run while the previous release serves, whose code goes on with the migrated database."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from config.local.places import addresses
from tests.faults.load import Load, serve_websites
from tests.faults.shop import Shop, shop_of, taking_money
from tests.faults.traffic import PROMO
from tests.faults.truth import Truth
from tests.faults.written import Written
from tests.interop import unavailable
from tests.leftovers import PROJECT, bare_environment
from tests.pages_server import PagesServer
from tests.running import running
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = [pytest.mark.nightly, pytest.mark.processes]

SITES = 100
# A row of each table, with every column that the code knows.
READ_EVERYTHING = "from django.apps import apps; [model._base_manager.first() for model in apps.get_models()]"


@dataclass(frozen=True)
class Installation:
    """Where the previous release's code is, and what it serves from."""

    shop: Shop
    code: Path
    data_dir: Path
    addresses: list[str]

    def manage(self, *words: str, code: Path = PROJECT) -> str:
        """Run a command of a checkout beside the running release."""
        environment = {**bare_environment(), "SLIPWAY_LOCAL": "1", "SLIPWAY_DATA_DIR": str(self.data_dir)}
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(command, cwd=code, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=PROJECT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def previous_release() -> str:
    """The release before this commit. Before the first one, the last commit that changed an existing migration:
    databases from then on are migrated.
    """
    migrations = "apps/*/migrations/0*.py"
    tag = git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^")
    result = tag or git("log", "-1", "--diff-filter=M", "--format=%H", "--", migrations)
    return result or unavailable("needs the repository's history")


@pytest.fixture(scope="module")
def previous(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the previous release's code."""
    folder = tmp_path_factory.mktemp("previous") / "slipway"
    folder.mkdir()
    archive = subprocess.run(["git", "archive", previous_release()], cwd=PROJECT, check=True, capture_output=True)
    subprocess.run(["tar", "--extract", "--directory", str(folder)], input=archive.stdout, check=True)
    return folder


@pytest.fixture(scope="module")
def installation(previous: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """The previous release, which serves and sells."""
    data_dir = tmp_path_factory.mktemp("upgrade") / "data"
    where = addresses(data_dir)
    with ExitStack() as stack:
        websites = stack.enter_context(PagesServer())
        hosts = [websites.host(name) for name in serve_websites(websites, SITES)]
        provider, settings = stack.enter_context(taking_money())
        up = stack.enter_context(running(data_dir, private_hosts=hosts, cwd=previous, settings=settings))
        shop = stack.enter_context(shop_of(up, provider, data_dir=data_dir, where=where, cwd=previous, **settings))
        yield Installation(shop, previous, data_dir, [f"http://{host}" for host in hosts])


def done_by(load: Load) -> Counter[str]:
    """How often everybody has done what they do."""
    done = load.done
    return Counter({**load.journal.did, "reads": done.reads["read: 200"], "votes": len(done.votes)})


def is_at_work(load: Load, before: Counter[str]) -> bool:
    """Whether everybody has done all that they do since then."""
    load.watch()
    assert load.journal.odd["500"] == 0, load.journal.odd
    now = done_by(load)
    steps = ("checkout", "payment", "webhook", "milestone", "update", "edit", "story", "tool call", "draft")
    return all(now[step] > before[step] for step in (*steps, "reads", "votes"))


def test_the_previous_release_serves_before_during_and_after_the_migrations(installation: Installation) -> None:
    shop = installation.shop
    shop.team.do("make_promo", code=PROMO, percent_off=1000, max_uses_per_account=None)
    for product in ("newsletter_slot", "category_feature"):
        shop.team.do("change_product", product=product, capacity=None)
    load = Load(
        shop, seed=1, sites=installation.addresses, buyers=2, listings=400, edited=10, voters=400, buyer_pause=1.0
    )
    with load:
        wait_for(lambda: is_at_work(load, Counter()))
        assert "will run" in installation.manage("upgrade_check", "--backups", str(PROJECT / "README.md"))
        installation.manage("migrate", "--no-input")
        assert "No migrations to run." in installation.manage("upgrade_check", "--backups", str(PROJECT / "README.md"))
        migrated = done_by(load)
        wait_for(lambda: is_at_work(load, migrated))
        # Processes that start anew meet the migrated database, too.
        is_back = [shop.running.kill(word) for word in ("granian", "worker@")]
        wait_for(lambda: all(each() for each in is_back))
        restarted = done_by(load)
        wait_for(lambda: is_at_work(load, restarted))
        load.finish()
    installation.manage("shell", "-c", READ_EVERYTHING, code=installation.code)
    assert httpx2.get(f"{shop.base_url}/readyz", timeout=PATIENCE_SECONDS).status_code == 200
    truth, written = Truth(shop, [owner.account_id for owner in load.buyers]), Written(shop, load.done)
    wait_for(lambda: truth.is_settled() and written.is_settled(), seconds=600, pause=1)
    broken = {**truth.faults(load.journal), **written.faults()}
    assert {name: count for name, count in broken.items() if count} == {}
    assert load.journal.odd["500"] == 0, load.journal.odd
