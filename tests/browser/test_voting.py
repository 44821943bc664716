"""Voting on a listing's page, with JavaScript and without; the board is on the whole way."""

import re

from tests.browser.playwright import Page, expect
from tests.browser.test_sign_in import make_account
from tests.email_server import EmailServer

VOTE_FOR = re.compile("^[0-9]+ votes? for ")


def test_on_the_page_of_a_listing(signed_in: Page) -> None:
    signed_in.goto("/boards/community-weekly")
    signed_in.locator("main h2 a, main h3 a").first.click()
    wide = signed_in.get_by_role("button", name=re.compile("^Voted? · [0-9]+"))
    before = int(wide.inner_text().split()[2])
    for pressed, text in (("true", f"Voted · {before + 1}"), ("false", f"Vote · {before}")):
        wide.click()
        expect(wide).to_have_attribute("aria-pressed", pressed)
        expect(wide).to_contain_text(text)


def test_a_vote_is_kept_through_signing_up(page: Page, mailbox: EmailServer) -> None:
    page.goto("/boards/community-weekly")
    link = page.get_by_role("link", name=VOTE_FOR).first
    name = VOTE_FOR.sub("", link.text_content() or "").removesuffix(", sign in to vote")
    link.click()
    expect(page.get_by_role("heading", name=f"Create an account to vote for {name}")).to_be_visible()
    expect(page.get_by_text("We kept your vote")).to_be_visible()
    make_account(page, mailbox)
    vote = page.get_by_role("main").get_by_role("button", name="Vote for")
    expect(vote).to_be_visible()
    vote.click()
    page.wait_for_url("**/boards/community-weekly")
    expect(page.locator("[aria-pressed=true]")).to_have_count(1)
