"""The pages of MCP Apps inside a host that plays the other side of their messages."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from apps.mcp.widgets import DRAFT, ORDER, contents
from tests.browser.conftest import visit
from tests.browser.playwright import Browser, FrameLocator, Page
from tests.waiting import wait_for

HOST = """<iframe sandbox="allow-scripts"></iframe><script>
window.asked = [];
const answers = ANSWERS;
addEventListener("message", ({ source, data }) => {
  if (data.id === undefined) {
    if (data.method === "ui/notifications/initialized")
      source.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: answers.first }, "*");
    return;
  }
  window.asked.push([data.method, data.params]);
  const result = data.method === "tools/call" ? answers[data.params.name] : { hostContext: { theme: "dark" } };
  source.postMessage({ jsonrpc: "2.0", id: data.id, result }, "*");
});
document.querySelector("iframe").srcdoc = PAGE;
</script>"""
PLACE = {"page_url": "https://acme.example/", "source": "og", "selector": "h1", "confidence": 0.9}
READ = {
    **PLACE,
    "field": "headline",
    "value": "Invoices that write themselves",
    "snippet": "<img src=x onerror='parent.postMessage(1)'>",
    "runners_up": [{**PLACE, "value": "Invoices for teams", "snippet": ""}],
}
DRAFT_READY = {
    "id": 5,
    "url": "https://acme.example/",
    "status": "ready",
    "proposal": {"name": "Acme", "headline": READ["value"]},
    "warnings": [],
}


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab in which no page asks the network for anything."""
    asked_for: list[str] = []
    with visit(browser, "about:blank") as page:
        page.on("request", lambda request: asked_for.append(request.url))
        yield page
    assert asked_for == []


def show(tab: Page, uri: str, answers: dict[str, Any]) -> FrameLocator:
    """Load a page as a host does, and return its frame."""
    wrapped = {name: {"structuredContent": answer} for name, answer in answers.items()}
    page = json.dumps(contents()[uri].text).replace("</", "<\\/")
    tab.set_content(HOST.replace("ANSWERS", json.dumps(wrapped)).replace("PAGE", page))
    return tab.frame_locator("iframe")


def asked(tab: Page, method: str) -> list[Any]:
    return [params for name, params in tab.evaluate("window.asked") if name == method]


def test_the_draft_is_reviewed_and_submitted_in_its_page(tab: Page) -> None:
    full = {**DRAFT_READY, "evidence": [READ]}
    frame = show(
        tab, DRAFT, {"first": DRAFT_READY, "get_draft": full, "update_draft": full, "submit_draft": {"listing_id": 9}}
    )
    frame.get_by_label("Readings of headline").select_option("Invoices for teams")
    frame.get_by_role("button", name="Submit listing").click()

    def calls() -> list[tuple[str, Any]]:
        return [(call["name"], call["arguments"]) for call in asked(tab, "tools/call")]

    # Messages to the host arrive after the click.
    wait_for(lambda: ("submit_draft", {"id": 5}) in calls())
    assert ("update_draft", {"id": 5, "fields": {"headline": "Invoices for teams"}}) in calls()
    assert frame.locator("img").count() == 0
    assert frame.get_by_text("<img src=x").count() == 1


def test_the_order_shows_its_total_and_opens_the_checkout_through_the_host(tab: Page) -> None:
    line = {"title": "Launch", "listing_name": "Acme", "quantity": 1, "net_cents": 9900, "discount_cents": 0}
    order = {
        "number": "SL-1",
        "status": "pending",
        "currency": "usd",
        "items": [line],
        "discount_cents": 0,
        "vat": {"rate": 19, "country": "DE", "amount_cents": 1881},
        "total_cents": 11781,
        "expires_at": "2026-11-24T09:30:00Z",
        "checkout_url": "https://launch.example/checkout/x",
    }
    frame = show(tab, ORDER, {"first": order})
    frame.get_by_role("button", name="Open checkout").click()

    assert "$117.81" in frame.locator("main").inner_text()
    wait_for(lambda: asked(tab, "ui/open-link"))
    assert asked(tab, "ui/open-link") == [{"url": order["checkout_url"]}]
    assert [params["protocolVersion"] for params in asked(tab, "ui/initialize")] == ["2026-01-26"]
