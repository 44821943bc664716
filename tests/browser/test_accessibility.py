"""Pages while something is wrong on them, as the tour does not see them: what axe has against stories and profiles."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.axe import violations
from tests.browser.conftest import remember, visit
from tests.browser.playwright import Browser, Page, expect
from tests.browser.test_sign_in import make_account
from tests.browser.test_story_editor import Story, conflict, field, fresh, story
from tests.conformance import npm
from tests.email_server import EmailServer
from tests.faults.shop import Team
from tests.installation import Account
from tests.running import Running

__all__ = ["story"]

_DESKTOP, _PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
# Without motion no color is measured on its way to another one.
LOOKS: dict[str, dict[str, Any]] = {
    f"{scheme}, {size}": {"viewport": viewport, "color_scheme": scheme, "reduced_motion": "reduce"}
    for scheme, size, viewport in (("light", "desktop", _DESKTOP), ("dark", "phone", _PHONE))
}


@pytest.fixture(params=LOOKS)
def reader(request: pytest.FixtureRequest, browser: Browser, slipway: Running) -> Iterator[Page]:
    """A fresh visitor with JavaScript, in light and dark, on a large screen and on a small one."""
    npm.needed()
    with visit(browser, slipway.base_url, **LOOKS[request.param]) as page:
        yield page


def complaints(page: Page) -> list[str]:
    """Return the problems of the current page, once its styles are there."""
    page.wait_for_load_state()
    sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return violations(page) + ([f"scrolls sideways by {sideways} pixels"] if sideways > 0 else [])


def test_a_refused_photo(reader: Page, slipway: Running, account: Account, console: Team) -> None:
    console.do("make_profile", account_id=account.account_id)
    remember(reader, slipway.base_url, account.session)
    reader.goto("/account/profile")
    reader.get_by_role("button", name="Replace photo").click()
    expect(reader.get_by_text("Choose a file first.")).to_be_visible()
    assert complaints(reader) == []


def test_a_conflict_and_a_text_that_is_too_long(reader: Page, slipway: Running, story: Story) -> None:  # noqa: F811 - the fixture
    remember(reader, slipway.base_url, story.account.session)
    reader.goto(story.editor)
    theirs = fresh("Written by an assistant")
    story.put(problem=theirs)
    field(reader, "problem").fill(fresh("My own words"))
    field(reader, "milestones").fill("word " * 2001)
    expect(conflict(reader, "problem")).to_contain_text(theirs)
    expect(reader.locator("#milestones-problem")).to_contain_text("up to 10,000 characters")
    assert complaints(reader) == []
    reader.get_by_role("button", name="Save draft").click()
    expect(reader.get_by_role("alert").first).to_be_visible()
    assert complaints(reader) == []


def test_a_vote_that_waits_for_its_account(reader: Page, mailbox: EmailServer) -> None:
    reader.goto("/boards/community-weekly")
    reader.locator("a.vote").first.click()
    expect(reader.get_by_text("We kept your vote")).to_be_visible()
    assert complaints(reader) == []
    make_account(reader, mailbox)
    expect(reader.get_by_role("button", name="Vote for")).to_be_visible()
    assert complaints(reader) == []
