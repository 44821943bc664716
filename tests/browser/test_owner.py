"""What an owner does in a browser: sign in, draft from an address, submit, vote, pay."""

import re
from collections.abc import Iterator

import httpx2
import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from apps.core.weeks import Week
from tests.browser.conftest import HOST
from tests.pages_server import PagesServer
from tests.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.xdist_group("browser")]

READY_MILLISECONDS = 60_000


def sign_in(page: Page, slipway: Running) -> None:
    page.get_by_label(re.compile("^Email")).fill(slipway.up["demo"]["email"])
    page.get_by_label("Password").fill(slipway.up["demo"]["password"])
    page.get_by_role("main").get_by_role("button", name="Sign in").click()


def test_from_an_address_to_a_submitted_listing(
    page: Page, slipway: Running, website: PagesServer, request: pytest.FixtureRequest
) -> None:
    number = 0 if "[script]" in request.node.name else 1
    page.goto("/")
    page.get_by_label("Address of your website").fill(website.url(f"{number}.{HOST}"))
    page.get_by_role("button", name="Draft my listing").click()
    sign_in(page, slipway)
    page.get_by_role("main").get_by_role("button", name=re.compile("Draft")).click()
    submit = page.get_by_role("button", name=re.compile("Submit"))
    expect(submit).to_be_visible(timeout=READY_MILLISECONDS)
    expect(page.get_by_role("main")).to_contain_text(website.host(f"{number}.{HOST}"))
    submit.click()
    page.goto("/account")
    expect(page.get_by_role("main").get_by_role("article").first).to_contain_text(re.compile("draft", re.IGNORECASE))


def test_a_vote_counts_and_can_be_taken_back(page: Page, slipway: Running) -> None:
    page.goto("/account/sign-in?next=/")
    sign_in(page, slipway)
    button = page.locator("button.vote").first
    before = int(re.findall(r"\d+", button.inner_text())[0])
    for expected in (before + 1, before):
        button.click()
        expect(button).to_contain_text(re.compile(rf"^\s*{expected}\b"))


@pytest.fixture
def api(slipway: Running) -> Iterator[httpx2.Client]:
    headers = {"Authorization": f"Bearer {slipway.api_key}"}
    with httpx2.Client(base_url=slipway.up["api_url"] + "/", headers=headers) as client:
        yield client


def test_paying_on_the_checkout_page(page: Page, api: httpx2.Client) -> None:
    listing = next(item for item in api.get("me/listings").json()["items"] if item["status"] == "live")
    # What is paid for cannot be bought again, so each way of running the test takes another week.
    slot = {"product": "newsletter_slot", "listing_id": listing["id"]}
    answers = (
        api.post("orders/checkout", json={"items": [{**slot, "weeks": [str(Week.of(timezone.now()) + ahead)]}]})
        for ahead in (30, 31, 32)
    )
    order = next(answer.json() for answer in answers if answer.is_success)
    page.goto(order["checkout_url"])
    expect(page.get_by_text("no money moves").first).to_be_visible()
    for label, value in {"Name": "Ada Example", "Address": "1 Quay", "Postal code": "10115", "City": "Berlin"}.items():
        page.get_by_label(label, exact=False).first.fill(value)
    page.get_by_label("Country", exact=False).first.select_option("DE")
    page.get_by_role("button", name="Update total").last.click()
    expect(page.get_by_role("main")).to_contain_text("19")
    page.get_by_label("I accept the terms").check()
    page.get_by_role("button", name=re.compile(r"Pay \$")).click()
    page.get_by_role("button", name="Pay now").click()
    expect(page.get_by_role("main")).to_contain_text(re.compile("paid", re.IGNORECASE))
    assert api.get(f"orders/{order['number']}").json()["status"] == "paid"
