"""Search while one types; what the form does without JavaScript is tested with the page."""

import re

import pytest

from tests.browser.conftest import with_script
from tests.browser.playwright import Page, Route, expect

pytestmark = with_script


def test_results_their_number_and_the_address_follow_what_is_typed(page: Page) -> None:
    page.goto("/search")
    field, status = page.locator("#search-query"), page.get_by_role("status")
    status.evaluate("node => { node.dataset.same = 'yes' }")
    field.press_sequentially("timelines")
    expect(status).to_have_text("1 listing for “timelines”")
    expect(page.locator("#results h2")).to_have_text(["Orbitly"])
    expect(page).to_have_url(re.compile(r"/search\?q=timelines"))
    # Screen readers read out what changes in a place that stays, and typing goes on.
    expect(status).to_have_attribute("data-same", "yes")
    expect(field).to_be_focused()
    page.get_by_label("Category").select_option("travel")
    expect(status).to_have_text("No results for “timelines” in Travel")
    page.reload()
    expect(field).to_have_value("timelines")
    expect(page.get_by_label("Category")).to_have_value("travel")


def test_the_header_suggests_while_one_types(page: Page) -> None:
    page.goto("/")
    field = page.get_by_role("banner").get_by_role("searchbox")
    suggested = page.locator("#suggestions li a")
    field.press_sequentially("timel")
    expect(suggested.first).to_contain_text("Orbitly")
    field.press("ArrowDown")
    expect(suggested.first).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_be_focused()
    expect(suggested).to_have_count(0)
    field.press_sequentially("i")
    expect(suggested.first).to_contain_text("Orbitly")
    field.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/listings/orbitly$"))


@pytest.mark.parametrize(("path", "field"), [("/", "header input[type=search]"), ("/search", "#search-query")])
def test_who_types_on_during_a_request_gets_the_last_answer_and_a_clean_console(
    page: Page, path: str, field: str
) -> None:
    page.goto(path)
    held: list[Route] = []
    page.route("**/search**", lambda route: held.append(route), times=1)
    # Counts what is to be asked for, whether or not it waits.
    page.evaluate(
        "addEventListener('htmx:confirm', () => document.documentElement.append(document.createElement('i')))"
    )
    asked = page.locator("html > i")
    page.locator(field).press_sequentially("time")
    expect(asked).to_have_count(1)
    page.locator(field).press_sequentially("lines")
    expect(asked).to_have_count(2)
    held[0].continue_()
    expect(page.locator("#suggestions, #results").get_by_text("Orbitly").first).to_be_visible()
    expect(asked).to_have_count(3)
