"""The kits in config/deploy run what docs/operations.md says, with settings that exist."""

import re
import shlex
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.config.support import PROJECT

pytestmark = pytest.mark.unit

KITS = PROJECT / "config" / "deploy"
UNITS = sorted((KITS / "systemd").glob("*.service"))
OPERATIONS = (PROJECT / "docs" / "operations.md").read_text()
# What only the kits themselves, the images of others or the system read.
NO_SETTINGS = {
    "PATH",
    "PYTHONUNBUFFERED",
    "POSTGRES_USER",
    "POSTGRES_DB",
    "POSTGRES_PASSWORD",
    "SITE_HOSTS",
    "DEFAULT_FROM_EMAIL",
}


def documented() -> dict[str, list[str]]:
    """The words of each process's command in docs/operations.md."""
    shell = OPERATIONS.split("## Processes", 1)[1].split("```sh\n", 1)[1].split("```", 1)[0]
    lines = [re.sub(r"\s+#.*", "", line) for line in shell.replace("\\\n", " ").splitlines()]
    granian, worker, crawler, beat = [shlex.split(line) for line in lines if line.startswith(("granian", "celery"))]
    return {"web": granian, "worker": worker, "crawler": crawler, "beat": beat}


def assert_runs_as_documented(name: str, words: list[str]) -> None:
    """Programs may be in a folder, and numbers of processes and files are the kit's own."""
    expected = documented()[name]
    own = {"$(nproc)": "2"}
    assert Path(words[0]).name == expected[0]
    missing = [word for word in (own.get(word, word) for word in expected[1:]) if word not in words]
    assert missing == []


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((KITS / "compose.yaml").read_text())["services"]
    return found


def dockerfile_command() -> list[str]:
    [line] = [line for line in (KITS / "Dockerfile").read_text().splitlines() if line.startswith("CMD")]
    return list(yaml.safe_load(line.removeprefix("CMD")))


@pytest.mark.parametrize("name", ["worker", "crawler", "beat"])
def test_compose_runs_what_is_documented(name: str, services: dict[str, Any]) -> None:
    assert_runs_as_documented(name, services[name]["command"])
    assert "/tmp/heartbeat" in services[name]["healthcheck"]["test"][1]  # noqa: S108 - in the container
    assert services[name]["environment"]["HEARTBEAT_FILE"] == "/tmp/heartbeat"  # noqa: S108 - in the container


def test_the_image_serves_what_is_documented(services: dict[str, Any]) -> None:
    assert_runs_as_documented("web", dockerfile_command())
    assert "command" not in services["web"]
    assert "USER slipway" in (KITS / "Dockerfile").read_text()


@pytest.mark.parametrize("name", ["web", "worker", "crawler", "beat"])
def test_systemd_runs_what_is_documented(name: str) -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # the documented way to keep upper case
    unit.read(KITS / "systemd" / f"slipway-{name}.service")
    service = unit["Service"]
    assert_runs_as_documented(name, shlex.split(service["ExecStart"].replace("%%", "%")))
    assert service["Restart"] == "always"
    assert service["ProtectSystem"] == "strict"


def test_every_setting_of_the_kits_is_documented(services: dict[str, Any]) -> None:
    named = set(re.findall(r"^#? ?([A-Z][A-Z_]+)=", (KITS / "slipway.env.example").read_text(), re.MULTILINE))
    named |= set(re.findall(r"\b([A-Z][A-Z_]{3,})=", (KITS / "Dockerfile").read_text()))
    for service in services.values():
        named |= set(service.get("environment", {}))
    for path in UNITS:
        for line in re.findall(r"^Environment=(.*)", path.read_text(), re.MULTILINE):
            named |= {word.partition("=")[0] for word in line.split()}
    assert {name for name in named - NO_SETTINGS if f"`{name}`" not in OPERATIONS} == set()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """The programs are replaced by an existing one. Everything else is read unchanged."""
    for path in sorted((KITS / "systemd").iterdir()):
        (tmp_path / path.name).write_text(re.sub(r"/srv/slipway/\.venv/bin/\w+", "/bin/true", path.read_text()))
    units = [str(path) for path in tmp_path.iterdir()]
    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
