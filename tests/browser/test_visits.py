"""A click on a listing's website link counts once: by the browser's own ping, or else by script."""

from typing import Literal

import pytest

from tests.browser.playwright import Page, Request


@pytest.mark.parametrize("button", ["left", "middle"])
def test_a_click_that_leads_out_is_told_once(page: Page, button: Literal["left", "middle"]) -> None:
    told: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/listings/sundial/visit"):
            told.append(request.method)

    page.context.on("request", note)
    page.goto("/listings/sundial")
    with page.context.expect_event("request", lambda request: request.url.endswith("/visit")):
        page.locator("a[ping]").first.click(button=button)
    # A second message would be on its way before the next page is here.
    page.goto("/listings/sundial")
    assert told == ["POST"]
