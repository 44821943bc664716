"""Tests that need other vendors' software: skipped on a machine without it, red in CI."""

import re

import pytest

from tests import interop
from tests.config.support import PROJECT


@pytest.fixture
def _no_playwright(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interop, "_is_installed", lambda name: name != "playwright")


@pytest.mark.usefixtures("_no_playwright")
def test_a_missing_package_skips_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=f"^run {re.escape(interop.INSTALL)}, which has playwright$"):
        interop.require()


@pytest.mark.usefixtures("_no_playwright")
def test_a_missing_package_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="which has playwright$"):
        interop.require()


@pytest.mark.parametrize("file", [".ci/run", "docs/contributing.md"])
def test_ci_and_contributors_install_them_alike(file: str) -> None:
    assert f"{interop.INSTALL}\n" in (PROJECT / file).read_text()


@pytest.mark.interop
def test_a_plain_pytest_leaves_out_what_needs_them(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("slow")
