"""Debian's Chromium, driven by Playwright, against the real processes."""

import asyncio
import os
import shutil
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.browser.playwright import Browser, ConsoleMessage, Page, WebError
from tests.certificates import make_certificate
from tests.conformance import npm
from tests.core.hostile_server import serve
from tests.installation import Account
from tests.interop import unavailable
from tests.running import Running
from tests.waiting import PATIENCE_SECONDS

PATIENCE_MILLISECONDS = round(1000 * PATIENCE_SECONDS)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

_SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
_PICTURE = b"HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\nContent-Length: %d\r\n\r\n%s" % (len(_SVG), _SVG)

_DESKTOP, _PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
# Without motion no color is measured on its way to another one.
_LOOKS: dict[str, dict[str, Any]] = {
    f"{scheme}, {size}": {"viewport": viewport, "color_scheme": scheme, "reduced_motion": "reduce"}
    for scheme, size, viewport in (("light", "desktop", _DESKTOP), ("dark", "phone", _PHONE))
}

# For a test that is about a script alone.
with_script = pytest.mark.parametrize("page", ["script"], indirect=True)


def chromium() -> str:
    """Path of the browser; without one the test is skipped, in CI it fails. The shell draws no windows around pages,
    so that a test takes a third of the processor time.
    """
    names = ("chromium-headless-shell", "chromium")
    result = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if result is None:
        unavailable("no browser: install Debian's package chromium-headless-shell, or set CHROMIUM to a browser's path")
    return result


@pytest.fixture(scope="package")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server that has an empty picture at each address, in place of all hosts that are not on loopback:
    pictures of crawled pages lie there, and the websites of listings.
    """
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(make_certificate(tmp_path_factory.mktemp("world"), "world.example"))

    async def show(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(_PICTURE)
        await writer.drain()

    with serve(show, tls=tls) as server:
        yield server.port


@pytest.fixture(scope="package")
def browser(world: int) -> Iterator[Browser]:
    """One browser for all tests here, which are marked for it. It ends with them: while Playwright runs, its event loop
    is in the way of every other one of the process.
    """
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MILLISECONDS)
    # Routes of Playwright would do as well, but each page would load its styles anew.
    elsewhere = f"MAP * 127.0.0.1:{world}, EXCLUDE 127.0.0.1, EXCLUDE localhost"
    flags = [*FLAGS, "--ignore-certificate-errors", f"--host-resolver-rules={elsewhere}"]
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=flags)
        yield launched
        launched.close()


@pytest.fixture(params=["script", "no script"])
def page(request: pytest.FixtureRequest, browser: Browser, slipway: Running) -> Iterator[Page]:
    """A fresh visitor, once with JavaScript and once without."""
    with visit(browser, slipway.base_url, script=request.param == "script") as opened:
        yield opened


@pytest.fixture
def has_script(request: pytest.FixtureRequest) -> bool:
    """Whether the visitor has JavaScript."""
    return "no script" not in request.node.name


@pytest.fixture
def signed_in(page: Page, slipway: Running, account: Account) -> Page:
    """Who has the account, signed in, once with JavaScript and once without."""
    remember(page, slipway.base_url, account.session)
    return page


@pytest.fixture(params=_LOOKS)
def reader(request: pytest.FixtureRequest, browser: Browser, slipway: Running) -> Iterator[Page]:
    """A fresh visitor with JavaScript, in light and dark, on a large screen and on a small one."""
    npm.needed()
    with visit(browser, slipway.base_url, **_LOOKS[request.param]) as page:
        yield page


def remember(page: Page, base_url: str, session: str) -> None:
    """Make this the browser of a session that is signed in."""
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": base_url}])


@contextmanager
def visit(
    browser: Browser,
    base_url: str,
    *,
    script: bool = True,
    noted: tuple[str, ...] = (),
    session: str = "",
    **options: Any,
) -> Iterator[Page]:
    """A page of a fresh visitor, or of who has this session. An error in the console of any page of theirs fails the
    test, with the addresses of the page and of what it asked for.

    `noted` are parts of messages that Chromium writes there about what the test does on purpose, `options` go to
    `Browser.new_context`.
    """
    context = browser.new_context(base_url=base_url, java_script_enabled=script, **options)
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    errors: list[str] = []

    def note(text: str, page: Page | None, at: str = "") -> None:
        if not any(part in text for part in noted):
            errors.append(f"{page.url if page else 'a page that is gone'}: {text} {at}".rstrip())

    def listen(message: ConsoleMessage) -> None:
        if _is_error(message):
            note(message.text, message.page, message.location["url"])

    def catch(problem: WebError) -> None:
        note(str(problem.error), problem.page)

    context.on("console", listen)
    context.on("weberror", catch)
    opened = context.new_page()
    if session:
        remember(opened, base_url, session)
    try:
        yield opened
    except BaseException as error:
        for line in errors:
            error.add_note(f"In the console of {line}")
        raise
    finally:
        context.close()
    assert not errors, "\n".join(errors)


def _is_error(message: ConsoleMessage) -> bool:
    # A form that comes back with its problems has one of these statuses, which Chromium notes.
    is_refusal = "the server responded with a status of 409 " in message.text or "a status of 422 " in message.text
    return message.type == "error" and not is_refusal
