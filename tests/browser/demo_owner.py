"""The demo owner at a browser."""

import re

from tests.browser.playwright import Page
from tests.running import Running


def sign_in(page: Page, slipway: Running) -> None:
    """Fill in the sign-in page that is open."""
    page.get_by_label(re.compile("^Email")).fill(slipway.up["demo"]["email"])
    page.get_by_label("Password").fill(slipway.up["demo"]["password"])
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
