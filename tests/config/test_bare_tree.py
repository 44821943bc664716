"""The image's files in an empty folder, and no others: the kits' commands run there, under settings of production."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from config.local import Engines
from config.supervisor.processes import Child, Program
from config.supervisor.up import free_port
from tests.config.production import PRODUCTION
from tests.config.support import PROJECT
from tests.leftovers import bare_environment
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.processes

KITS = PROJECT / "config" / "deploy"
DOCKERFILE = (KITS / "Dockerfile").read_text()
TOKEN = "a token of the test"  # noqa: S105 - of the test
# What the one proxy says.
BY_HTTPS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1", "Host": "slipway.example"}


@dataclass(frozen=True)
class Site:
    """Where the web server answers, and the folder of everything that is written."""

    base_url: str
    folder: Path

    def get(self, path: str, **headers: str) -> httpx2.Response:
        return httpx2.get(self.base_url + path, headers=BY_HTTPS | headers, timeout=PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the Dockerfile copies from the project's folder."""
    folder = tmp_path_factory.mktemp("image") / "slipway"
    folder.mkdir()
    for words in re.findall(r"^COPY (?!--from)(.+)", DOCKERFILE, re.MULTILINE):
        for name in words.split()[:-1]:
            if (PROJECT / name).is_dir():
                shutil.copytree(PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(PROJECT / name, folder)
    return folder


@pytest.fixture(scope="module")
def site(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    written = tmp_path_factory.mktemp("written")
    written.chmod(0o711)
    (written / "metrics").mkdir()
    port = free_port("127.0.0.1", 0)
    services: dict[str, Any] = yaml.safe_load((KITS / "compose.yaml").read_text())["services"]
    [web] = re.findall(r"^CMD (.*)", DOCKERFILE, re.MULTILINE)
    commands = {name: list(services[name]["command"]) for name in ("worker", "crawler", "beat")}
    commands["web"] = [*yaml.safe_load(web), "--port", str(port)]
    commands["web"][commands["web"].index("0.0.0.0")] = "127.0.0.1"  # noqa: S104 - what is replaced
    commands["beat"][-1] = str(written / "celerybeat-schedule")
    programs = Path(sys.executable).parent
    path = f"{programs}:{bare_environment()['PATH']}"
    env = {**bare_environment(), "PATH": path, **PRODUCTION, "BEHIND_PROXY": "true", "METRICS_TOKEN": TOKEN}
    env |= {"SLIPWAY_LOCAL": "0", "SLIPWAY_DATA_DIR": str(written), "STATIC_ROOT": str(tree / "collected")}
    with Engines(written / "engines", durable=False) as engines, ExitStack() as started:
        env |= {"DATABASE_URL": engines.addresses.database_url, "REDIS_URL": engines.addresses.redis_url}
        for words, changes in ((["collect_changed"], {"SLIPWAY_LOCAL": "1"}), (services["migrate"]["command"][2:], {})):
            command = [sys.executable, "manage.py", *words]
            subprocess.run(command, cwd=tree, env=env | changes, check=True, capture_output=True)
        for name, (program, *words) in commands.items():
            own = {"HEARTBEAT_FILE": str(written / name), "PROMETHEUS_MULTIPROC_DIR": str(written / "metrics")}
            child = Child(
                Program(
                    name=name,
                    argv=[str(programs / program), *words],
                    env=env | own,
                    cwd=tree,
                    log=written / f"{name}.log",
                )
            )
            child.start()
            started.callback(child.stop)
        site = Site(f"http://127.0.0.1:{port}", written)
        wait_for(lambda: is_ready(site), seconds=300)
        yield site


def is_ready(site: Site) -> bool:
    try:
        return site.get("/readyz").status_code == 200
    except httpx2.TransportError:
        return False


def test_pages_have_their_static_files(site: Site) -> None:
    page = site.get("/")
    assert page.status_code == 200
    [sheet, *_] = re.findall(r'href="(/static/[^"]+\.css)"', page.text)
    assert "immutable" in site.get(sheet).headers["Cache-Control"]


def test_each_process_touches_its_file(site: Site) -> None:
    wait_for(lambda: all((site.folder / name).exists() for name in ("worker", "crawler", "beat")))


def test_metrics_have_the_numbers_of_all_web_processes_for_the_token(site: Site) -> None:
    assert site.get("/metrics").status_code in {401, 403, 404}
    site.get("/api/v1/listings")
    told = site.get("/metrics", Authorization=f"Bearer {TOKEN}")
    assert told.status_code == 200
    assert re.search(r'^slipway_requests_total\{.*route="api/v1/listings.*"\} \d', told.text, re.MULTILINE)
    assert list((site.folder / "metrics").glob("*.db"))


def test_nothing_is_written_among_the_programs(site: Site, tree: Path) -> None:
    """The image's and the pods' file system is read-only."""
    new = {path.name for path in tree.iterdir()} - set(re.findall(r"\w[\w.]*", DOCKERFILE))
    assert new - {"collected"} == set()
