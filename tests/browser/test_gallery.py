"""The gallery of a listing in a browser, also where a picture's file is lost or slow."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.conftest import visit
from tests.browser.playwright import Browser, Page, Route, expect
from tests.running import Running

PATH = "/listings/sundial"
# What Chromium notes of an address that can't be reached.
REFUSED = "net::ERR_FAILED"
# Without JavaScript it is a popover.
OPEN = ".enlarged:is(:popover-open, [open])"


@pytest.fixture(params=["script", "no script"])
def phone(request: pytest.FixtureRequest, browser: Browser, slipway: Running) -> Iterator[Page]:
    """A phone; what is refused is noted in the console, and nothing else is."""
    size: Any = {"viewport": {"width": 360, "height": 740}}
    with visit(browser, slipway.base_url, script=request.param == "script", noted=(REFUSED,), **size) as page:
        yield page


def lose(page: Page) -> None:
    """Let the first screenshot that the page asks for be lost, and the next one never come."""
    asked: dict[str, int] = {}

    def serve(route: Route) -> None:
        number = asked.setdefault(route.request.url.split("/")[4], len(asked))
        if number == 0:
            route.abort()
        elif number > 1:
            route.continue_()

    page.route("**/pictures/*/*0.*", serve)


def test_lost_and_slow_pictures(phone: Page, has_script: bool) -> None:
    lose(phone)
    phone.goto(PATH, wait_until="commit")
    expect(phone.get_by_role("heading", level=1)).to_be_visible()
    shots = phone.locator(".shot")
    shots.last.scroll_into_view_if_needed()
    expect(shots).to_have_count(2 if has_script else 3)
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    heights = {round(box["height"]) for shot in shots.all() if (box := shot.bounding_box())}
    assert len(heights) == 1, "every picture keeps its room, whether it has come or not"
    shots.last.click()
    large = phone.locator(OPEN)
    expect(large).to_be_visible()
    if has_script:
        expect(large).to_contain_text("2 of 2")
        phone.keyboard.press("ArrowLeft")
        expect(large).to_have_count(1)
        expect(large).to_contain_text("1 of 2")
        large.get_by_role("button", name="Next screenshot").click()
        expect(large).to_contain_text("2 of 2")
    large.get_by_role("button", name="Close").click()
    expect(large).to_have_count(0)


def test_buttons_scroll_what_does_not_fit(browser: Browser, slipway: Running) -> None:
    with visit(browser, slipway.base_url, reduced_motion="reduce") as page:
        page.goto(PATH)
        expect(page.get_by_text("3 screenshots")).to_be_visible()
        back, on = (page.get_by_role("button", name=f"Scroll to {way} screenshots") for way in ("previous", "next"))
        expect(back).to_be_disabled()
        gallery = page.locator(".gallery")
        while gallery.evaluate("it => it.scrollLeft + it.clientWidth <= it.scrollWidth - 2"):
            before = gallery.evaluate("it => it.scrollLeft")
            on.click()
            page.wait_for_function("before => document.querySelector('.gallery').scrollLeft > before", arg=before)
        expect(on).to_be_disabled()
        expect(page.locator(".shot").last).to_be_in_viewport(ratio=0.99)
        expect(back).to_be_enabled()


def test_the_keyboard_stays_in_the_large_picture(browser: Browser, slipway: Running) -> None:
    with visit(browser, slipway.base_url) as page:
        page.goto(PATH)
        shots, large = page.locator(".shot"), page.locator(OPEN)
        shots.first.press("Enter")
        expect(large).to_contain_text("1 of 3")
        for _ in range(5):
            expect(page.locator("body :focus:not(dialog, dialog *)")).to_have_count(0)
            page.keyboard.press("Tab")
        page.mouse.wheel(0, 600)
        page.keyboard.press("End")
        expect(large).to_contain_text("3 of 3")
        page.keyboard.press("ArrowRight")
        expect(large).to_contain_text("1 of 3")
        page.keyboard.press("ArrowLeft")
        expect(large).to_contain_text("3 of 3")
        page.keyboard.press("Escape")
        expect(large).to_have_count(0)
        expect(shots.last).to_be_focused()
        assert page.evaluate("scrollY") == 0


def test_swiping_turns_the_page(browser: Browser, slipway: Running) -> None:
    touch: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    with visit(browser, slipway.base_url, **touch) as phone:
        phone.goto(PATH)
        phone.locator(".shot").first.tap()
        large = phone.locator(OPEN)
        expect(large).to_contain_text("1 of 3")
        fingers = phone.context.new_cdp_session(phone)

        def swipe(x: int, y: int, to_x: int, to_y: int) -> None:
            points = [(x + (to_x - x) * part / 5, y + (to_y - y) * part / 5) for part in range(6)]
            for place, (across, down) in enumerate(points):
                kind = "touchMove" if place else "touchStart"
                fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": across, "y": down}]})
            fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        middle = 400
        swipe(300, middle, 90, middle + 10)
        expect(large).to_contain_text("2 of 3")
        swipe(90, middle, 300, middle)
        expect(large).to_contain_text("1 of 3")
        # Neither a tap nor a finger that goes down turns it.
        swipe(200, middle, 210, middle)
        swipe(200, middle, 250, middle + 150)
        swipe(300, middle, 90, middle)
        expect(large).to_contain_text("2 of 3")
