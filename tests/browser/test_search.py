"""Search while one types; what the form does without JavaScript is tested with the page."""

import re
from collections.abc import Iterator

import pytest

from tests.browser.conftest import visit
from tests.browser.playwright import Browser, Page, expect
from tests.running import Running


@pytest.fixture
def visitor(browser: Browser, slipway: Running) -> Iterator[Page]:
    """A fresh visitor with JavaScript."""
    yield from visit(browser, slipway.base_url)


def test_results_their_number_and_the_address_follow_what_is_typed(visitor: Page) -> None:
    visitor.goto("/search")
    field, status = visitor.locator("#search-query"), visitor.get_by_role("status")
    status.evaluate("node => { node.dataset.same = 'yes' }")
    field.press_sequentially("timelines")
    expect(status).to_have_text("1 listing for “timelines”")
    expect(visitor.locator("#results h2")).to_have_text(["Orbitly"])
    expect(visitor).to_have_url(re.compile(r"/search\?q=timelines"))
    # Screen readers read out what changes in a place that stays, and typing goes on.
    expect(status).to_have_attribute("data-same", "yes")
    expect(field).to_be_focused()
    visitor.get_by_label("Category").select_option("travel")
    expect(status).to_have_text("No results for “timelines” in Travel")
    visitor.reload()
    expect(field).to_have_value("timelines")
    expect(visitor.get_by_label("Category")).to_have_value("travel")


def test_the_header_suggests_while_one_types(visitor: Page) -> None:
    visitor.goto("/")
    field = visitor.get_by_role("banner").get_by_role("searchbox")
    suggested = visitor.locator("#suggestions li a")
    field.press_sequentially("timel")
    expect(suggested.first).to_contain_text("Orbitly")
    field.press("ArrowDown")
    expect(suggested.first).to_be_focused()
    visitor.keyboard.press("Escape")
    expect(field).to_be_focused()
    expect(suggested).to_have_count(0)
    field.press_sequentially("i")
    expect(suggested.first).to_contain_text("Orbitly")
    field.press("ArrowDown")
    visitor.keyboard.press("Enter")
    expect(visitor).to_have_url(re.compile("/listings/orbitly$"))
