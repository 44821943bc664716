"""Every kind of page of the admin: lists, with a row selected, forms to change and to add, and the setup page."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest

from tests.browser.axe import COLORS, SIZES, too_wide, violations
from tests.browser.conftest import visit
from tests.browser.playwright import Browser, Page, ViewportSize
from tests.conformance import npm
from tests.faults.shop import Team
from tests.running import Running

_DESKTOP, _PHONE = ViewportSize(width=1280, height=900), ViewportSize(width=390, height=844)
# Lists of rows whose forms have other fields when they are new. Elsewhere the form is the same, and seen once.
_OTHER_TO_ADD = {
    "/admin/accounts/user/",
    "/admin/listings/listing/",
    "/admin/listings/company/",
    "/admin/orders/promocode/",
}
# axe takes a placeholder or a title for a name, which a sighted person cannot read while typing.
_UNLABELED = """
[...document.querySelectorAll('main input, main select, main textarea')]
  .filter((one) => !['hidden', 'submit', 'button'].includes(one.type) && one.offsetParent !== null)
  .filter((one) => ![...(one.labels ?? [])].some((label) => label.textContent.trim()))
  .filter((one) => !one.getAttribute('aria-label') && !one.getAttribute('aria-labelledby'))
  .map((one) => one.id || one.name || one.outerHTML.slice(0, 80))
"""


@pytest.fixture
def admin(browser: Browser, slipway: Running, console: Team) -> Iterator[Page]:
    """The demo's admin, signed in."""
    npm.needed()
    options: dict[str, Any] = {"viewport": _DESKTOP, "reduced_motion": "reduce"}
    session = console.do("make_session", email=slipway.up["admin"]["email"])
    with visit(browser, slipway.base_url, session=session, **options) as page:
        page.goto("/admin/")
        yield page


def test_every_page_of_the_admin(admin: Page) -> None:
    lists = [str(link) for link in admin.locator("#nav-sidebar-apps a").evaluate_all("all => all.map(a => a.pathname)")]
    assert len(lists) == len({*lists}) > 30
    result: dict[str, list[str]] = {}
    bars = 0
    for address in lists:
        result[address] = _look(admin, address)
        further = [] if address in {"/admin/", "/setup"} else _pages_of(admin, address)
        # The bar of actions is the same on every list.
        if not bars and _select_row(admin):
            bars, result[f"{address}, row selected"] = 1, _axe(admin)
        result |= {path: _look(admin, path) for path in further}
    assert bars
    assert {address: what for address, what in result.items() if what} == {}


def _pages_of(page: Page, address: str) -> list[str]:
    """Where the open list leads: the form of its first row, and the form for a new one if that has other fields."""
    forms = page.locator(f'main a[href*="{address}add/"], #result_list tbody a[href*="{address}"]')
    paths: list[str] = forms.evaluate_all("all => all.map(a => a.pathname)")
    changed = [path for path in paths if path.endswith("/change/")][:1]
    is_other = not changed or address in _OTHER_TO_ADD
    return changed + [path for path in paths if path.endswith("/add/") and is_other][:1]


def _select_row(page: Page) -> bool:
    """Select the first row of the open list, which shows the bar of actions, and return whether there is one."""
    row = page.locator("#result_list tbody input.action-select").first
    if not row.count():
        return False
    row.check()
    page.locator("#changelist-actions").wait_for()
    return True


def _look(page: Page, address: str) -> list[str]:
    answer = page.goto(address, wait_until="load")
    assert answer is not None
    complaints = [] if answer.status == 200 else [f"status {answer.status}"]
    complaints += [f"unlabeled {field}" for field in page.evaluate(_UNLABELED)]
    complaints += _axe(page)
    complaints += too_wide(page)
    page.set_viewport_size(_PHONE)
    complaints += [f"{line}, phone" for line in violations(page, only=SIZES)]
    complaints += too_wide(page)
    page.set_viewport_size(_DESKTOP)
    return complaints


def _axe(page: Page) -> list[str]:
    """What axe reports in light, and about colors in dark."""
    _show(page, "light")
    light = violations(page)
    _show(page, "dark")
    return light + [f"{line}, dark" for line in violations(page, only=COLORS)]


def _show(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Switch the open page. The admin's theme reads the browser's scheme only when a page loads."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate("dark => document.documentElement.classList.toggle('dark', dark)", scheme == "dark")
