"""Sending requests from the API reference, with a key made for it."""

from collections.abc import Iterator

import pytest

from tests.browser.conftest import visit
from tests.browser.demo_owner import sign_in
from tests.browser.playwright import Browser, Page, expect
from tests.running import Running


@pytest.fixture
def reader(browser: Browser, slipway: Running) -> Iterator[Page]:
    """A fresh visitor with JavaScript."""
    yield from visit(browser, slipway.base_url)


def test_an_owner_creates_a_test_key_and_sends_a_request_with_it(reader: Page, slipway: Running) -> None:
    reader.goto("/account/sign-in?next=/reference/list_my_listings")
    sign_in(reader, slipway)
    reader.get_by_role("link", name="Create a test key").click()
    if reader.get_by_label("Password").count():
        reader.get_by_label("Password").fill(slipway.up["demo"]["password"])
        reader.get_by_role("button", name="Confirm").click()
    reader.get_by_role("button", name="Create key").click()
    back = reader.get_by_role("link", name="Try list_my_listings")
    back.wait_for()
    # The page's script hands over the key.
    reader.wait_for_load_state()
    back.click()
    expect(reader.get_by_label("API key")).not_to_have_value("")
    reader.get_by_label("per_page").fill("1")
    reader.get_by_role("button", name="Send request").click()
    expect(reader.locator("[data-status]")).to_have_text("200 OK")
    expect(reader.locator("[data-answer] code")).to_contain_text('"per_page": 1')


def test_the_menu_filters_and_the_language_stays_chosen(reader: Page) -> None:
    reader.goto("/reference/list_products")
    reader.get_by_role("searchbox", name="Search operations and fields").press_sequentially("milest")
    expect(reader.locator(".reference-menu a[data-text]:visible")).to_have_text(["add_milestone", "delete_milestone"])
    reader.locator(".languages").get_by_text("TypeScript").click()
    expect(reader.locator(".sample:visible")).to_contain_text("await fetch(")
    reader.goto("/reference/get_order")
    expect(reader.locator(".sample:visible")).to_contain_text("await fetch(")
