"""Debian's Chromium, driven by Playwright, against the real processes."""

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.playwright import Browser, ConsoleMessage, Page
from tests.email_server import EmailServer
from tests.interop import unavailable
from tests.pages_server import PagesServer
from tests.real_pages import real_pages
from tests.running import Running, running

if TYPE_CHECKING:
    from pathlib import Path

HOST = "browser.localhost"
# Hosts of websites that are there only to be drafted from and reviewed.
REVIEWED = ("review0", "review1", "review2")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> str:
    """Path of the browser; without one the test is skipped, in CI it fails."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if found is None:
        unavailable("no browser: install Debian's package chromium, or set CHROMIUM to the path of one")
    return found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests here, which are marked for it. It ends with them: while Playwright runs, its event loop
    is in the way of every other one of the process.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def website() -> Iterator[PagesServer]:
    """Two hosts with a real page each."""
    with PagesServer() as server:
        for number, page in enumerate(real_pages(2)):
            server.serve(f"{number}.{HOST}", "/", page)
        yield server


@pytest.fixture(scope="session")
def mailbox() -> Iterator[EmailServer]:
    """Where the emails go."""
    with EmailServer() as server:
        yield server


@pytest.fixture(scope="session")
def slipway(website: PagesServer, mailbox: EmailServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data_dir: Path = tmp_path_factory.mktemp("browser") / "data"
    hosts = [website.host(f"{name}.{HOST}") for name in ("0", "1", "live", *REVIEWED)]
    settings = {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend", "EMAIL_URL": mailbox.url}
    with running(data_dir, private_hosts=hosts, settings=settings) as started:
        yield started


@pytest.fixture(params=["script", "no script"])
def page(request: pytest.FixtureRequest, browser: Browser, slipway: Running) -> Iterator[Page]:
    """A fresh visitor, once with JavaScript and once without; errors in the console fail the test."""
    yield from visit(browser, slipway.base_url, script=request.param == "script")


def _is_error(message: ConsoleMessage) -> bool:
    # A form that comes back with its problems has one of these statuses, which Chromium notes.
    is_refusal = "the server responded with a status of 409 " in message.text or "a status of 422 " in message.text
    return message.type == "error" and not is_refusal


def visit(
    browser: Browser, base_url: str, *, script: bool = True, noted: tuple[str, ...] = (), **options: Any
) -> Iterator[Page]:
    """One page of a fresh visitor; errors in the console fail the test when it is left.

    `noted` are parts of messages that Chromium writes there about what the test does on purpose, `options` go to
    `Browser.new_context`.
    """
    context = browser.new_context(base_url=base_url, java_script_enabled=script, **options)
    # Pictures of the crawled pages lie out in the world, where tests do not go.
    context.route(
        lambda url: not url.startswith(base_url),
        lambda route: route.fulfill(content_type="image/svg+xml", body='<svg xmlns="http://www.w3.org/2000/svg"/>'),
    )
    opened = context.new_page()
    errors: list[str] = []
    opened.on("console", lambda message: errors.append(message.text) if _is_error(message) else None)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert [error for error in errors if not any(part in error for part in noted)] == []
