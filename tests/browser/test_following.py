"""Following a listing in a browser, with JavaScript and without."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_owner import sign_in
from tests.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.xdist_group("browser")]


def test_follow_see_it_in_the_list_and_leave(page: Page, slipway: Running) -> None:
    page.goto("/updates")
    page.locator(".update-title a").first.click()
    name = page.get_by_role("heading", level=1).inner_text()
    page.get_by_role("link", name=re.compile("^Follow updates")).click()
    sign_in(page, slipway)
    page.get_by_role("button", name=re.compile("^Follow updates")).click()
    expect(page.get_by_role("button", name=re.compile("^Following"))).to_have_attribute("aria-pressed", "true")
    page.goto("/account/following")
    page.get_by_role("button", name=f"Unfollow {name}").click()
    expect(page.get_by_role("status")).to_contain_text(f"You no longer follow {name}.")
    expect(page.get_by_role("button", name=f"Unfollow {name}")).to_have_count(0)
