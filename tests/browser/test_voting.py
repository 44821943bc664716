"""Voting in a browser, with JavaScript and without."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_owner import sign_in
from tests.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.xdist_group("browser")]

VOTE_FOR = re.compile("^[0-9]+ votes? for ")


def people(button: Locator) -> int:
    return int(button.inner_text().split()[0])


def test_vote_and_take_it_back(page: Page, slipway: Running) -> None:
    page.goto("/")
    page.get_by_role("link", name=VOTE_FOR).first.click()
    sign_in(page, slipway)
    expect(page.get_by_role("heading", level=1)).to_have_text("This week’s launches")
    button = page.get_by_role("button", name=VOTE_FOR).first
    before = people(button)
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_have_text(re.compile(f"^{before + 1} ?vote"))
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert people(button) == before + 1
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(button).to_have_text(re.compile(f"^{before} ?vote"))


def test_on_the_page_of_a_listing(page: Page, slipway: Running) -> None:
    page.goto("/account/sign-in")
    sign_in(page, slipway)
    page.goto("/")
    page.locator("main h2 a, main h3 a").first.click()
    wide = page.get_by_role("button", name=re.compile("^Vote · [0-9]+"))
    before = int(wide.inner_text().split()[2])
    for pressed, votes in (("true", before + 1), ("false", before)):
        wide.click()
        expect(wide).to_have_attribute("aria-pressed", pressed)
        expect(wide).to_contain_text(f"Vote · {votes}")


def test_a_closed_week_shows_numbers_and_no_buttons(page: Page, slipway: Running) -> None:
    page.goto("/account/sign-in")
    sign_in(page, slipway)
    page.goto("/boards/community-weekly")
    page.get_by_role("navigation", name="Periods").get_by_role("link").first.click()
    expect(page.get_by_text("· final")).to_be_visible()
    expect(page.get_by_text(re.compile("votes? for .*, final")).first).to_be_attached()
    expect(page.get_by_role("button", name=VOTE_FOR)).to_have_count(0)
