"""Pages while something is wrong on them, as the tour does not see them: what axe has against stories and profiles."""

from tests.browser.axe import complaints
from tests.browser.conftest import remember
from tests.browser.playwright import Page, expect
from tests.browser.test_sign_in import make_account
from tests.email_server import EmailServer
from tests.faults.shop import Team
from tests.installation import Account
from tests.running import Running


def test_a_refused_photo(reader: Page, slipway: Running, account: Account, console: Team) -> None:
    console.do("make_profile", account_id=account.account_id)
    remember(reader, slipway.base_url, account.session)
    reader.goto("/account/profile")
    reader.get_by_role("button", name="Replace photo").click()
    expect(reader.get_by_text("Choose a file first.")).to_be_visible()
    assert complaints(reader) == []


def test_a_vote_that_waits_for_its_account(reader: Page, mailbox: EmailServer) -> None:
    reader.goto("/boards/community-weekly")
    reader.locator("a.vote").first.click()
    expect(reader.get_by_text("We kept your vote")).to_be_visible()
    assert complaints(reader) == []
    make_account(reader, mailbox)
    expect(reader.get_by_role("button", name="Vote for")).to_be_visible()
    assert complaints(reader) == []
