"""Every page, with awkward texts on it: axe in light and dark, the console, a narrow phone, and the HTML itself."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, get_args

from django.urls import NoReverseMatch, reverse

from tests.browser.axe import COLORS, SIZES, squeezed, too_wide, violations
from tests.browser.conftest import visit
from tests.browser.playwright import Browser, Page, ViewportSize
from tests.browser.tour.pages import VISITS
from tests.browser.tour.places import Places, prepare
from tests.conformance import npm
from tests.running import Running, running

_Scheme = Literal["light", "dark"]
_DESKTOP, _PHONE = ViewportSize(width=1280, height=900), ViewportSize(width=360, height=740)
# Chromium notes in the console that such a page is none, which is no fault of it.
_MEETS_ERRORS = ("anyone", "owner")
_COUNTED = ("error", "warning")
_RULES = {"extends": ["html-validate:standard"], "root": True}


def test_every_page(browser: Browser, tmp_path: Path) -> None:
    packages = npm.needed()
    result: dict[str, list[str]] = {}
    pages = tmp_path / "pages"
    pages.mkdir()
    with running(tmp_path / "data", private_hosts=()) as site:
        places = prepare(tmp_path / "data")
        for visitor, names in VISITS.items():
            with _visitor(browser, site, places, visitor) as (page, console):
                for name in names:
                    html, complaints = _look(page, _address(name, places))
                    (pages / f"{visitor}.{name.replace(':', '.')}.html").write_text(html, "utf-8")
                    result[f"{name} for {visitor}"] = [*complaints, *console]
                    console.clear()
                if visitor in _MEETS_ERRORS:
                    html, result[f"not found for {visitor}"] = _look(page, "/no-such-page", status=404)
                    (pages / f"{visitor}.not_found.html").write_text(html, "utf-8")
    assert {where: what for where, what in result.items() if what} == {}
    assert _invalid(packages, pages) == []


@contextmanager
def _visitor(browser: Browser, site: Running, places: Places, visitor: str) -> Iterator[tuple[Page, list[str]]]:
    """A page of one of the visitors, and what the console says of it."""
    console: list[str] = []
    # Every message is "noted", since they are gathered here, page by page.
    session = places.cookies.get(visitor, "")
    with visit(
        browser, site.base_url, noted=("",), session=session, viewport=_DESKTOP, reduced_motion="reduce"
    ) as page:
        page.on("console", lambda message: console.append(message.text) if message.type in _COUNTED else None)
        page.on("pageerror", lambda error: console.append(str(error)))
        yield page, console


def _address(name: str, places: Places) -> str:
    usual = {"slug": "sundial"} if name != "api_operation" else {"name": "search_listings"}
    for values in (places.values.get(name, {}), usual):
        try:
            return reverse(name, kwargs=dict(values))
        except NoReverseMatch:
            continue
    return reverse(name)


def _look(page: Page, address: str, *, status: int = 200) -> tuple[str, list[str]]:
    """The HTML of a page as it came, and everything against it but the HTML."""
    page.set_viewport_size(_DESKTOP)
    answer = page.goto(address)
    assert answer is not None
    where = page.evaluate("location.pathname")
    complaints = [] if answer.status == status and where == address else [f"{answer.status} at {where}"]
    for scheme in get_args(_Scheme):
        page.emulate_media(color_scheme=scheme)
        complaints += [f"{line}, {scheme}" for line in violations(page, only=COLORS if scheme == "dark" else ())]
    page.set_viewport_size(_PHONE)
    complaints += [f"{line}, phone" for line in violations(page, only=SIZES)]
    return answer.text(), complaints + squeezed(page) + too_wide(page)


def _invalid(packages: npm.Packages, folder: Path) -> list[str]:
    """What html-validate has against the HTML of the pages: one line a problem."""
    (folder / ".htmlvalidate.json").write_text(json.dumps(_RULES))
    command = packages.command("html-validate/bin/html-validate.mjs", "--formatter", "json", "*.html")
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    files: list[dict[str, Any]] = json.loads(done.stdout)
    return [
        f"{Path(file['filePath']).name}:{problem['line']} {problem['ruleId']}: {problem['message']}"
        for file in files
        for problem in file["messages"]
    ]
