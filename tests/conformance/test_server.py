"""`@modelcontextprotocol/conformance server`, in every version, against real servers."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conformance.npm import Packages
from tests.conformance.suite import OLDEST, VERSIONS, Report, expected_failures, expecting, run_suite
from tests.running import Running

pytestmark = pytest.mark.processes

# These look at the server alone and call no tool that the suite would have to know.
_WITHOUT_FIXTURES = {
    "2025-06-18": {"server-initialize", "ping", "tools-list"},
    "2025-11-25": {"server-initialize", "ping", "tools-list", "dns-rebinding-protection"},
    "2026-07-28": {
        "tools-list",
        "dns-rebinding-protection",
        "http-header-validation",
        "input-required-result-unsupported-methods",
        "input-required-result-validate-input",
        "server-sse-multiple-streams",
    },
}
_OLDEST = ("server-initialize", "ping", "tools-list", "tools-call-simple-text", "tools-call-error")
_FIXTURE = re.compile(r"\b(test_[a-z]\w+|json_schema_2020_12_tool)\b")
Note = Callable[[str, object], None]


def note_totals(note: Note, what: str, report: Report) -> None:
    note(f"measured: conformance {what}", f"{len(report.passed)} passed, {len(report.failed)} expected failures")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("form", ["rsgi", "wsgi"])
def test_all_that_applies_passes(
    form: str,
    version: str,
    packages: Packages,
    with_fixtures: Callable[[str], str],
    tmp_path: Path,
    record_property: Note,
) -> None:
    """The suite fails for what is not on the list of expected failures, and for what is and passes."""
    report = run_suite(packages, tmp_path / "results", "server", "--url", with_fixtures(form), *expecting(version))

    assert report.code == 0, report.output
    assert {"tools-call-simple-text", "tools-call-error"} < {check.scenario for check in report.passed}
    # The suite tolerates entries that it did not come by.
    failed = {name for check in report.failed for name in (check.scenario, check.key)}
    assert expected_failures(version).keys() - failed == set()
    note_totals(record_property, f"{version} ({form})", report)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_product_lacks_nothing_but_the_fixtures(
    version: str, packages: Packages, slipway: Running, tmp_path: Path
) -> None:
    url = slipway.up["mcp_url"]
    report = run_suite(
        packages, tmp_path / "results", "server", "--url", url, "--suite", "all", "--spec-version", version
    )
    expected = expected_failures(version)
    excused = [check for check in report.failed if {check.scenario, check.key} & expected.keys()]
    others = [check for check in report.failed if check not in excused and not _FIXTURE.search(check.message)]

    assert others == []
    failed = {check.scenario for check in report.failed}
    assert _WITHOUT_FIXTURES[version] - failed <= report.scenarios
    assert _WITHOUT_FIXTURES[version] & failed == set()


@pytest.mark.parametrize("scenario", _OLDEST)
def test_the_oldest_version(
    scenario: str, packages: Packages, with_fixtures: Callable[[str], str], tmp_path: Path
) -> None:
    words = ["server", "--url", with_fixtures("rsgi"), "--spec-version", OLDEST, "--scenario", scenario, "--force"]
    report = run_suite(packages, tmp_path / "results", *words)

    assert report.code == 0, report.output
    assert report.failed == []
    assert {check.name for check in report.passed} >= {"wire-schema-valid"}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_expected_failure_says_why(version: str) -> None:
    """Without the packages too: an entry without a reason fails in `expected_failures`."""
    assert all(len(reason.split()) >= 3 for reason in expected_failures(version).values())
