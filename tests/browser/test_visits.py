"""A click on a listing's website link counts once: by the browser's own ping, or else by script."""

from typing import Literal

import pytest

from tests.browser.playwright import Page, Request

_VISIT = "/listings/sundial/visit"


def told_of(page: Page) -> list[str]:
    """The methods by which the site learns of visits, from now on."""
    told: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith(_VISIT):
            told.append(request.method)

    page.context.on("request", note)
    return told


@pytest.mark.parametrize("button", ["left", "middle"])
def test_a_click_that_leads_out_is_told_once(page: Page, button: Literal["left", "middle"]) -> None:
    told = told_of(page)
    page.goto("/listings/sundial")
    link = page.locator("a[ping]").first
    asks = page.context.expect_event
    with (
        asks("request", lambda request: request.url.endswith(_VISIT)),
        asks("request", lambda request: request.url.startswith("https://")),
    ):
        link.click(button=button)
    # A second message would be on its way before the next page is here.
    page.goto("/listings/sundial")
    assert told == ["POST"]
