"""Backups of a busy site in which something breaks each time: they are complete, or absent with a reason."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path

import pytest

from config.local.places import addresses
from tests.faults.disturb import Scene, open_scene
from tests.faults.load import Acknowledged, Load
from tests.faults.shop import shop_of
from tests.faults.traffic import PROMO
from tests.faults.written import Written
from tests.leftovers import PROJECT, bare_environment
from tests.running import running
from tests.waiting import wait_for

pytestmark = [pytest.mark.nightly, pytest.mark.processes]

KINDS = ("kill", "pause", "cut", "backend", "engine", "freeze", "delay")
SITES = 20


@pytest.fixture
def scene() -> Iterator[Scene]:
    with open_scene(seed=1, sites=SITES) as opened:
        yield opened


def manage(data_dir: Path, *words: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    environment = {**bare_environment(), "SLIPWAY_LOCAL": "1", "SLIPWAY_DATA_DIR": str(data_dir), **settings}
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)


def test_backups_during_faults_are_complete_or_absent(scene: Scene, tmp_path: Path) -> None:
    tmp_path.chmod(0o711)
    shop, backups = scene.shop, tmp_path / "backups"
    backups.mkdir()
    # Through the proxies, as the site.
    engines = {name: scene.settings[name] for name in ("DATABASE_URL", "REDIS_URL")}
    shop.team.do("make_promo", code=PROMO, percent_off=1000, max_uses_per_account=None)
    load = Load(shop, seed=1, sites=scene.addresses, buyers=2, listings=200, edited=10, voters=200, buyer_pause=1.0)
    before: dict[Path, Acknowledged] = {}
    kinds = scene.kinds()
    with load, ThreadPoolExecutor(1) as pool:
        wait_for(lambda: load.done.votes and load.done.drafts and load.done.milestones and load.journal.did["payment"])
        for kind in KINDS:
            load.watch()
            acknowledged, known = deepcopy(load.done), set(backups.iterdir())
            taking = pool.submit(manage, shop.running.data_dir, "backup", str(backups), **engines)
            kinds[kind]()
            wait_for(scene.is_well)
            done = taking.result()
            new = set(backups.iterdir()) - known
            if done.returncode == 0:
                [path] = new
                before[path] = acknowledged
            else:
                assert new == set(), kind
                assert done.stderr.startswith("CommandError: Backup failed: "), done.stderr
        load.finish()
    # A killed web server or a stopped worker is none of a backup's business.
    assert len(before) >= 2
    acknowledged = next(reversed(before.values()))
    for number, backup in enumerate(before):
        restored = tmp_path / str(number)
        done = manage(restored, "restore", str(backup))
        assert done.returncode == 0, done.stderr
    # They were edited again while the backup was made.
    acknowledged.headlines.clear()
    acknowledged.stories.clear()
    elsewhere = {name: value for name, value in scene.settings.items() if name not in engines}
    with (
        running(restored, private_hosts=[], settings=elsewhere) as up,
        shop_of(up, shop.provider, data_dir=restored, where=addresses(restored)) as copy,
    ):
        written = Written(copy, acknowledged)
        wait_for(written.is_settled, seconds=600, pause=1)
        assert {name: count for name, count in written.faults().items() if count} == {}
