"""The calls that the API reference offers to copy run as they stand."""

import os
import shutil
import subprocess
import sys

import pytest

from apps.sites.guide import KEY_VARIABLE, Addresses
from apps.sites.reference import operations
from tests.mcp.conftest import World

pytestmark = pytest.mark.django_db


def commands(name: str, base_url: str) -> list[list[str]]:
    """The call of an operation in Python, by MCP, and with curl and Node.js where they are installed."""
    unread = dict.fromkeys(("openapi", "mcp_metadata", "rest_metadata", "server_metadata"), "")
    addresses = Addresses(origin=base_url, mcp=f"{base_url}/mcp", rest=f"{base_url}/api/v1", **unread)
    texts = {way.name: way.text for way in operations.call_snippets(name, addresses=addresses)}
    result = [[sys.executable, "-c", texts[way]] for way in ("Python", "MCP in Python")]
    if shutil.which("curl"):
        result.append(["sh", "-c", texts["curl"].replace("curl ", "curl -sS ", 1)])
    if shutil.which("node"):
        # The calls in TypeScript are JavaScript, too: they name no types.
        result.append(["node", "--input-type=module", "--eval", texts["TypeScript"]])
    return result


@pytest.mark.slow
def test_they_run_with_the_key_in_the_environment(world: World, base_url: str) -> None:
    environment = {**os.environ, KEY_VARIABLE: world.key}
    running = [
        (command, subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        for name in ("search_listings", "list_my_listings")
        for command in commands(name, base_url)
    ]
    for command, process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, (command, err)
        assert "per_page" in out, (command, out, err)
