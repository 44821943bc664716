"""What a visitor without an account confirms by a link in an email: the newsletter, and the email at a launch."""

import re
import secrets

import pytest

from tests.browser.playwright import Page, expect
from tests.email_server import EmailServer

# Scheduled in the demo.
UPCOMING = "/listings/sluicegate"


@pytest.mark.parametrize(
    ("path", "button", "confirm", "end"),
    [
        ("/newsletter", "Subscribe", "Confirm subscription", "/newsletter"),
        (UPCOMING, "Notify me", "Notify me", UPCOMING),
    ],
)
def test_a_visitor_confirms_by_the_link(
    page: Page, mailbox: EmailServer, path: str, button: str, confirm: str, end: str
) -> None:
    email = f"visitor-{secrets.token_hex(4)}@example.com"
    page.goto(path)
    main = page.get_by_role("main")
    main.get_by_role("textbox", name="Email").fill(email)
    main.get_by_role("button", name=button).click()
    expect(main.get_by_role("heading", name="Check your inbox")).to_be_visible()
    [link] = re.findall(r"https?://\S+/(?:newsletter/confirm|launch-reminders)/\S+", mailbox.newest_text(email))
    page.goto(link)
    main.get_by_role("button", name=confirm).click()
    page.wait_for_url(f"**{end}")
    expect(main.get_by_role("status").first).to_be_visible()
