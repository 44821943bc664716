"""The gallery of a listing in a browser: pictures on strangers' servers, some of them slow, broken or no pictures."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import visit
from tests.running import Running

PICTURES = "https://pictures.example"
SHOTS = [f"{PICTURES}/{name}.svg" for name in ("refused", "good", "text", "slow", "tall")]
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}"><rect width="100%" height="100%"/></svg>'
# What Chromium notes of an address that can't be reached.
REFUSED = "net::ERR_FAILED"


def serve(route: Route) -> None:
    match route.request.url.removeprefix(f"{PICTURES}/"):
        case "refused.svg":
            route.abort()
        case "text.svg":
            route.fulfill(content_type="text/html", body="<h1>Not found</h1>")
        case "slow.svg":
            pass  # It never answers.
        case "good.svg":
            route.fulfill(content_type="image/svg+xml", body=_SVG.format(1600, 1000))
        case _:
            route.fulfill(content_type="image/svg+xml", body=_SVG.format(300, 9000))


@pytest.fixture
def path(slipway: Running) -> Iterator[str]:
    """The page of a listing of the demo owner that shows its gallery."""
    with httpx2.Client(base_url=slipway.up["api_url"], headers={"Authorization": f"Bearer {slipway.api_key}"}) as api:
        listings = api.get("/me/listings").raise_for_status().json()["items"]
        listing: dict[str, Any] = next(one for one in listings if one["slug"] == "sundial" and one["status"] == "live")
        address = f"/me/listings/{listing['id']}"
        api.patch(address, json={"fields": {"screenshots": SHOTS}}).raise_for_status()
        yield f"/listings/{listing['slug']}"
        # The demo's own pictures have http addresses on this machine, which an edit doesn't accept.
        api.patch(address, json={"fields": {"screenshots": []}}).raise_for_status()


@pytest.fixture(params=["script", "no script"])
def phone(request: pytest.FixtureRequest, browser: Browser, slipway: Running) -> Iterator[Page]:
    """A phone on which the pictures are served; what is refused is noted in the console, and nothing else is."""
    size: Any = {"viewport": {"width": 360, "height": 740}}
    has_script = request.param == "script"
    for opened in visit(browser, slipway.base_url, script=has_script, noted=(REFUSED,), **size):
        opened.route(lambda url: url.startswith(PICTURES), serve)
        yield opened


def test_broken_and_slow_pictures(phone: Page, path: str, request: pytest.FixtureRequest) -> None:
    phone.goto(path, wait_until="commit")
    expect(phone.get_by_role("heading", level=1)).to_be_visible()
    shots = phone.locator(".shot")
    has_script = "no script" not in request.node.name
    if has_script:
        shots.last.scroll_into_view_if_needed()
        expect(shots).to_have_count(3)
        assert phone.evaluate("document.documentElement.scrollWidth") == 360
    else:
        expect(shots).to_have_count(5)
    heights = {round(box["height"]) for shot in shots.all() if (box := shot.bounding_box())}
    assert len(heights) == 1, "every picture keeps its room, whether it has come or not"
    phone.locator(".shot:has([src$='good.svg'])").click()
    large = phone.locator(".enlarged:popover-open")
    expect(large).to_be_visible()
    if has_script:
        expect(large).to_contain_text("1 of 3")
        phone.keyboard.press("ArrowLeft")
        expect(large).to_have_count(1)
        expect(large).to_contain_text("3 of 3")
        large.get_by_role("button", name="Next screenshot").click()
        expect(large).to_contain_text("1 of 3")
    large.get_by_role("button", name="Close").click()
    expect(large).to_have_count(0)
