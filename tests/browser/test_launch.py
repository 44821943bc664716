"""What an owner does on the way to the launch in a browser: take the badge's code, look for it, buy a week."""

import re

import httpx2
import pytest
from playwright.sync_api import Page, expect

from apps.core.weeks import Week
from tests.browser.test_owner import sign_in
from tests.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.xdist_group("browser")]


@pytest.fixture
def waiting(slipway: Running) -> dict[str, str]:
    """The demo owner's listing that waits for its badge."""
    headers = {"Authorization": f"Bearer {slipway.api_key}"}
    answer = httpx2.get(f"{slipway.up['api_url']}/me/listings?per_page=100", headers=headers)
    return next(item for item in answer.json()["items"] if item["slug"] == "marginalia")


def test_the_badge_and_the_launch(page: Page, slipway: Running, waiting: dict[str, str]) -> None:
    page.goto(f"/account/sign-in?next=/listings/{waiting['slug']}/manage")
    sign_in(page, slipway)
    tabs = page.get_by_role("navigation", name="This listing")
    tabs.get_by_role("link", name="Badges").click()
    main = page.get_by_role("main")
    expect(main.get_by_role("heading", level=1)).to_have_text(waiting["name"])
    code = main.locator("code").filter(has_text="<img").first
    expect(code).to_contain_text(f'<a href="{slipway.base_url}/listings/{waiting["slug"]}">')
    for scheme in ("light", "dark"):
        picture = main.get_by_role("img", name=f"Launching on Slipway, {scheme}")
        expect(picture).to_be_visible()
        drawn = page.request.get(picture.get_attribute("src") or "")
        assert (drawn.status, drawn.headers["content-type"]) == (200, "image/svg+xml; charset=utf-8")
    main.get_by_role("button", name="Look for the badge now").click()
    expect(page.get_by_role("status").filter(has_text="look for the badge soon")).to_be_visible()

    tabs.get_by_role("link", name="Launch").click()
    expect(main.get_by_role("region", name="Free")).to_contain_text("First week now")
    weeks = main.get_by_label("Launch week")
    chosen = weeks.locator("option").nth(3).get_attribute("value") or ""
    weeks.select_option(chosen)
    main.get_by_role("button", name="Buy a launch").click()
    expect(page).to_have_url(re.compile("/checkout/"))
    expect(page.get_by_role("main")).to_contain_text(f"Week {Week.parse(chosen).number}")
