"""Paying on the page of a provider that is on another origin, as a buyer does it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import httpx2
import pytest

from tests.browser.conftest import visit
from tests.browser.playwright import Browser, Page, expect
from tests.faults.shop import week
from tests.providers import stripe_server
from tests.providers.stripe_server import StripeServer
from tests.running import Running, running
from tests.waiting import PATIENCE_SECONDS

KEY, SECRET = "sk_" + "a1" * 12, "whsec_" + "b2" * 12


@dataclass(frozen=True)
class Shop:
    slipway: Running
    stripe: StripeServer
    weeks: Iterator[int]

    def order(self) -> dict[str, Any]:
        """A new order of the demo owner: the billboard, each time in another week, since places are few."""
        with httpx2.Client(
            base_url=f"{self.slipway.up['api_url']}/",
            headers={"Authorization": f"Bearer {self.slipway.api_key}"},
            timeout=PATIENCE_SECONDS,
        ) as api:
            [listing, *_] = [item for item in api.get("me/listings").json()["items"] if item["status"] == "live"]
            wanted = {"product": "billboard", "listing_id": listing["id"], "weeks": [week(next(self.weeks))]}
            answer = api.post("orders/checkout", json={"items": [wanted]})
        assert answer.status_code == 201, answer.text
        placed: dict[str, Any] = answer.json()
        return placed


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with stripe_server.run(secret=SECRET, account_key=KEY) as stripe:
        settings = {
            "STRIPE_SECRET_KEY": KEY,
            "STRIPE_WEBHOOK_SECRET": SECRET,
            "STRIPE_API_URL": stripe.url,
            "STRIPE_PAGE_ORIGIN": stripe.url,
        }
        with running(tmp_path_factory.mktemp("paying") / "data", private_hosts=[], settings=settings) as slipway:
            stripe.webhook_url = f"{slipway.base_url}/webhooks/stripe"
            yield Shop(slipway, stripe, count(1))


@pytest.fixture(params=["script", "no script"])
def page(request: pytest.FixtureRequest, browser: Browser, shop: Shop) -> Iterator[Page]:
    with visit(browser, shop.slipway.base_url, script=request.param == "script") as opened:
        yield opened


def press_pay(page: Page, shop: Shop, placed: dict[str, Any]) -> None:
    """Fill in the checkout page, take over the total and press Pay; ends on the provider's page."""
    page.goto(placed["checkout_url"])
    for label, value in {"Name": "Ada Example", "Address": "1 Example Street", "City": "Berlin"}.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("Country").select_option("DE")
    page.get_by_label(re.compile("Card or wallet")).check()
    page.get_by_role("button", name="Update total").click()
    expect(page.locator("#totals")).to_contain_text("VAT")
    page.get_by_label(re.compile("Card or wallet")).check()
    page.get_by_label(re.compile("I accept")).check()
    page.get_by_role("button", name=re.compile("^Pay ")).click()
    page.wait_for_url(f"{shop.stripe.url}/c/pay/**")
    expect(page.get_by_role("heading", level=1)).to_have_text("Stripe stand-in")


def status_of(shop: Shop, placed: dict[str, Any]) -> str:
    headers = {"Authorization": f"Bearer {shop.slipway.api_key}"}
    answer = httpx2.get(
        f"{shop.slipway.up['api_url']}/orders/{placed['number']}", headers=headers, timeout=PATIENCE_SECONDS
    )
    return str(answer.json()["status"])


@pytest.mark.parametrize("is_telling", [True, False], ids=["told by the webhook", "found out on the return"])
def test_paying_on_another_origin(page: Page, shop: Shop, is_telling: bool) -> None:
    shop.stripe.is_telling = is_telling
    placed = shop.order()
    press_pay(page, shop, placed)
    page.get_by_role("button", name="Pay").click()
    page.wait_for_url(f"{shop.slipway.base_url}/**")
    expect(page.get_by_role("main")).to_contain_text(placed["number"])
    expect(page.get_by_role("main")).to_contain_text(re.compile("paid", re.IGNORECASE))
    assert status_of(shop, placed) == "paid"


def test_turning_back_from_the_providers_page(page: Page, shop: Shop) -> None:
    placed = shop.order()
    press_pay(page, shop, placed)
    page.get_by_role("button", name="Cancel").click()
    # Browsers carry the fragment of the provider's address along.
    expect(page).to_have_url(re.compile(re.escape(placed["checkout_url"])))
    expect(page.get_by_role("button", name=re.compile("^Pay "))).to_be_visible()
    assert status_of(shop, placed) == "processing"
