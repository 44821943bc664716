"""`@modelcontextprotocol/conformance authorization`: metadata, and a code for a token, with somebody who allows it."""

from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from config.supervisor.up import free_port
from tests.conformance.npm import Packages
from tests.conformance.person import Person
from tests.conformance.suite import OLDEST, SCRIPT, VERSIONS, Report, read_checks, talking
from tests.running import Running
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.processes

Allow = Callable[[str], object]


def registered(slipway: Running, redirect_uri: str) -> str:
    """The identifier of a public client that has just introduced itself."""
    metadata = {"client_name": "Conformance", "redirect_uris": [redirect_uri], "token_endpoint_auth_method": "none"}
    with httpx2.Client(timeout=PATIENCE_SECONDS) as client:
        described = client.get(f"{slipway.base_url}/.well-known/oauth-authorization-server").raise_for_status().json()
        answer = client.post(described["registration_endpoint"], json=metadata)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["client_id"])


def run(packages: Packages, slipway: Running, folder: Path, version: str, allow: Allow) -> Report:
    """The suite prints where a person has to go, and listens for the browser that comes back."""
    port = free_port("127.0.0.1", 0)
    client_id = registered(slipway, f"http://127.0.0.1:{port}/callback")
    words = ["authorization", "--url", slipway.base_url, "--resource", slipway.up["mcp_url"], "--spec-version", version]
    words += ["--client-id", client_id, "-p", str(port), "--output-dir", str(folder / "results")]
    said = ""
    with talking(packages.command(SCRIPT, *words), folder) as suite:
        assert suite.stdout is not None
        for line in suite.stdout:
            said += line
            if "code_challenge=" in line:
                allow(line.strip())
    return Report(suite.returncode, said, read_checks(folder / "results"))


@pytest.mark.parametrize("version", [OLDEST, *VERSIONS])
def test_no_failures_and_no_warnings(
    version: str,
    packages: Packages,
    slipway: Running,
    person: Person,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    def allow(url: str) -> None:
        httpx2.get(person.allow(url), timeout=PATIENCE_SECONDS).raise_for_status()

    report = run(packages, slipway, tmp_path, version, allow)
    expected = {"authorization-server-metadata", "authorization-code-grant"}
    if version >= "2025-11-25":
        expected.add("authorization-server-metadata-cimd")

    assert report.code == 0, report.output
    assert {check.name: check.status for check in report.checks} == dict.fromkeys(expected, "SUCCESS"), report.output
    totals = f"{len(report.passed)} passed, {len(report.failed)} failures and warnings"
    record_property(f"measured: conformance authorization {version}", totals)
