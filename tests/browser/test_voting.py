"""Voting on a listing's page and on a closed week, with JavaScript and without; the board is on the whole way."""

import re

from tests.browser.demo_owner import sign_in
from tests.browser.playwright import Page, expect
from tests.browser.test_sign_in import make_account
from tests.email_server import EmailServer
from tests.running import Running

VOTE_FOR = re.compile("^[0-9]+ votes? for ")


def test_on_the_page_of_a_listing(page: Page, slipway: Running) -> None:
    page.goto("/account/sign-in")
    sign_in(page, slipway)
    page.goto("/boards/community-weekly")
    page.locator("main h2 a, main h3 a").first.click()
    wide = page.get_by_role("button", name=re.compile("^Vote · [0-9]+"))
    before = int(wide.inner_text().split()[2])
    for pressed, votes in (("true", before + 1), ("false", before)):
        wide.click()
        expect(wide).to_have_attribute("aria-pressed", pressed)
        expect(wide).to_contain_text(f"Vote · {votes}")


def test_a_vote_is_kept_through_signing_up(page: Page, mailbox: EmailServer) -> None:
    page.goto("/boards/community-weekly")
    page.get_by_role("link", name=VOTE_FOR).first.click()
    expect(page.get_by_text("We kept your vote")).to_be_visible()
    make_account(page, mailbox)
    vote = page.get_by_role("main").get_by_role("button", name="Vote for")
    expect(vote).to_be_visible()
    vote.click()
    page.wait_for_url("**/boards/community-weekly")
    expect(page.locator("[aria-pressed=true]")).to_have_count(1)


def test_a_closed_week_shows_numbers_and_no_buttons(page: Page, slipway: Running) -> None:
    page.goto("/account/sign-in")
    sign_in(page, slipway)
    page.goto("/boards/community-weekly")
    page.get_by_role("navigation", name="Periods").get_by_role("link").first.click()
    expect(page.get_by_text("· final")).to_be_visible()
    expect(page.get_by_text(re.compile("votes? for .*, final")).first).to_be_attached()
    expect(page.get_by_role("button", name=VOTE_FOR)).to_have_count(0)
