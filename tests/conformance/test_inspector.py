"""The Inspector, which is the official TypeScript client: its look at the tools, and its way to a token."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from config.supervisor.up import free_port
from tests.conformance.npm import Packages
from tests.conformance.person import Person
from tests.conformance.suite import environment, talking
from tests.mcp.test_registry import TOOLS
from tests.running import Running
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.processes

SCRIPT = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
# Between the marks of a link on a terminal.
_LINK = re.compile(r"https?://[^\s\x07\x1b]+code_challenge=[^\s\x07\x1b]+")


@pytest.mark.parametrize("era", ["legacy", "auto", "modern"])
def test_nothing_that_a_client_would_stumble_over(
    era: str, packages: Packages, slipway: Running, tmp_path: Path
) -> None:
    words = ["--cli", slipway.up["mcp_url"], "--protocol-era", era, "--method", "tools/list", "--strict"]
    done = subprocess.run(
        packages.command(SCRIPT, *words, "--format", "json"),
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )

    # Lists errors and warnings, each with its path. Empty when there are none.
    assert done.stderr == ""
    assert done.returncode == 0
    tools = json.loads(done.stdout)["result"]["tools"]
    assert {tool["name"] for tool in tools} == TOOLS.keys()


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_access_is_asked_for_once(
    era: str, packages: Packages, slipway: Running, person: Person, tmp_path: Path
) -> None:
    words = ["--cli", slipway.up["mcp_url"], "--protocol-era", era, "--method", "tools/call", "--format", "json"]
    words += ["--tool-name", "list_my_listings"]
    words += ["--callback-url", f"http://127.0.0.1:{free_port('127.0.0.1', 0)}/oauth/callback"]
    # It asks people alone, whom it knows by their terminal.
    ours, its = os.openpty()
    with talking(packages.command(SCRIPT, *words), tmp_path, stderr=its) as client:
        os.close(its)
        for line in _lines(ours):
            if link := _LINK.search(line):
                httpx2.get(person.allow(link[0]), timeout=PATIENCE_SECONDS).raise_for_status()
        assert client.stdout is not None
        result = json.loads(client.stdout.read())["result"]
    os.close(ours)

    assert client.returncode == 0
    assert person.consents == 1
    assert result["structuredContent"]["total"] > 0


def _lines(terminal: int) -> Iterator[str]:
    """What is written to a terminal, until nobody holds it any more."""
    said = b""
    while True:
        try:
            said += os.read(terminal, 4096)
        except OSError:
            return
        *lines, said = said.split(b"\n")
        yield from (line.decode() for line in lines)
