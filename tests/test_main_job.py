"""The main job end to end: the real processes, real pages over real sockets, by REST and by MCP, to a paid launch."""

import json
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.leftovers import bare_environment
from tests.pages_server import Answer, Website
from tests.real_pages import PROJECT, real_pages
from tests.running import Running, press, running
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.processes

IN_PROGRESS = {"crawling", "drafting"}
# Every package is installed anew.
INSTALL_SECONDS = 3000
BILLING = {
    "name": "Ada Example",
    "company": "Example GmbH",
    "address": "Hauptstrasse 1",
    "postal_code": "10115",
    "city": "Berlin",
    "country": "DE",
    "terms": "on",
}
# What the programs of the README's flow say when they fail.
FAILED_COMMAND = re.compile(r"^(?:bash: (?!warning: )|curl: |grep: |sleep: |Traceback ).*", re.MULTILINE)
Measure = Callable[[str, float], None]


@pytest.fixture
def rest(slipway: Running) -> Iterator[httpx2.Client]:
    headers = {"Authorization": f"Bearer {slipway.api_key}"}
    with httpx2.Client(base_url=slipway.up["api_url"] + "/", headers=headers, timeout=PATIENCE_SECONDS) as client:
        yield client


def ok(response: httpx2.Response) -> dict[str, Any]:
    assert response.is_success, response.text
    body: dict[str, Any] = response.json()
    return body


def visit(url: str, **params: str) -> httpx2.Response:
    """What somebody without a key gets."""
    return httpx2.get(url, params=params, timeout=PATIENCE_SECONDS)


def draft_until_done(rest: httpx2.Client, draft_id: int) -> dict[str, Any]:
    def find() -> dict[str, Any] | None:
        result = ok(rest.get(f"drafts/{draft_id}"))
        return None if result["status"] in IN_PROGRESS else result

    return wait_for(find, pause=0.5)


def launch_now(listing_id: int) -> dict[str, Any]:
    """An item that goes live whenever this runs: in the next week, if this one ends before the delivery.

    `tests/launches/test_closing.py` has the week end before each step.
    """
    return {"product": "launch", "listing_id": listing_id, "week": "now"}


def pay(checkout_url: str) -> httpx2.Response:
    """Go through the checkout page and the test gateway as a person without JavaScript."""
    with httpx2.Client(timeout=PATIENCE_SECONDS) as person:
        page = person.get(checkout_url)
        assert "no money moves" in page.text
        page = press(person, page, "Update total", {**BILLING, "method": "test"})
        page = press(person, page, "Pay $", {**BILLING, "method": "test"})
        return press(person, page, "Pay now", {})


def test_by_rest(slipway: Running, rest: httpx2.Client, website: Website, measure: Measure) -> None:
    website.serve("/", real_pages(5)[0])
    began = time.monotonic()
    draft = ok(rest.post("drafts", json={"url": website.url()}))
    assert draft["status"] in {*IN_PROGRESS, "ready"}
    draft = draft_until_done(rest, draft["id"])
    sources = ok(rest.get(f"drafts/{draft['id']}", params={"include": "evidence"}))["evidence"]
    measure("seconds from create_draft to ready", time.monotonic() - began)
    assert draft["status"] == "ready", draft["error"]
    assert draft["proposal"]["name"]
    assert {row["field"] for row in sources} >= {"name", "headline", "summary"}
    assert website.paths().count("/") == 1

    listing_id = ok(rest.post(f"drafts/{draft['id']}/submit", json={}))["listing_id"]
    free = ok(rest.post(f"me/listings/{listing_id}/free", json={}))
    assert (free["status"], free["plan"]) == ("awaiting_badge", "free")
    assert [blocker["code"] for blocker in free["blockers"]] == ["badge"]

    products = {product["name"]: product for product in ok(rest.get("products"))["items"]}
    cart = {"items": [launch_now(listing_id)], "billing_country": "DE"}
    quote = ok(rest.post("orders/quote", json=cart))
    assert quote["items"][0]["unit_price_cents"] == products["launch"]["price_cents"]
    assert quote["total_cents"] == quote["net_cents"] + quote["vat"]["amount_cents"]

    first = rest.post("orders/checkout", json=cart, headers={"Idempotency-Key": "main-job"})
    again = rest.post("orders/checkout", json=cart, headers={"Idempotency-Key": "main-job"})
    order = ok(first)
    assert ok(again) == order
    assert ok(rest.get(f"orders/{order['number']}"))["status"] == "pending"
    assert pay(order["checkout_url"]).is_success
    assert_live_and_fulfilled(rest, order["number"], listing_id)
    assert ok(rest.get("orders"))["items"][0]["number"] == order["number"]
    result = ok(visit(slipway.up["api_url"] + "/listings", q=draft["proposal"]["name"]))
    assert listing_id in [item["id"] for item in result["items"]]


def wait_until_fulfilled(rest: httpx2.Client, number: str) -> None:
    wait_for(lambda: all(line["fulfilled"] for line in ok(rest.get(f"orders/{number}"))["lines"]), pause=0.5)


def assert_live_and_fulfilled(rest: httpx2.Client, number: str, listing_id: int) -> None:
    wait_until_fulfilled(rest, number)
    assert ok(rest.get(f"orders/{number}"))["status"] == "paid"
    listing = ok(rest.get(f"me/listings/{listing_id}"))
    assert (listing["status"], listing["plan"]) == ("live", "paid")
    assert visit(listing["listing_url"]).status_code == 200


@asynccontextmanager
async def assistant(slipway: Running) -> Any:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {slipway.api_key}"}, timeout=PATIENCE_SECONDS) as http,
        Client(streamable_http_client(slipway.up["mcp_url"], http_client=http)) as client,
    ):
        yield client


async def use(client: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    body: dict[str, Any] = result.structured_content
    return body


def test_by_mcp(slipway: Running, rest: httpx2.Client, website: Website) -> None:
    website.serve("/", real_pages(5)[1])

    async def to_checkout() -> tuple[int, dict[str, Any]]:
        async with assistant(slipway) as client:
            draft = await use(client, "create_draft", url=website.url())
            await anyio.to_thread.run_sync(draft_until_done, rest, draft["id"])
            draft = await use(client, "get_draft", id=draft["id"])
            assert draft["status"] == "ready", draft["error"]
            listing_id = (await use(client, "submit_draft", id=draft["id"]))["listing_id"]
            waiting = await use(client, "choose_free_listing", listing_id=listing_id)
            assert waiting["status"] == "awaiting_badge"
            assert "launch" in [product["name"] for product in (await use(client, "list_products"))["items"]]
            items = [launch_now(listing_id)]
            quote = await use(client, "quote_order", items=items)
            assert (quote["vat"]["treatment"], quote["vat"]["amount_cents"]) == ("unknown_country", None)
            return listing_id, await use(client, "create_checkout", items=items, idempotency_key="main-job-mcp")

    async def afterwards(listing_id: int, number: str) -> None:
        async with assistant(slipway) as client:
            assert (await use(client, "get_order", number=number))["status"] == "paid"
            assert number in [order["number"] for order in (await use(client, "list_my_orders"))["items"]]
            assert (await use(client, "get_my_listing", listing_id=listing_id))["status"] == "live"
            mine = await use(client, "list_my_listings", per_page=100)
            result = await use(client, "search_listings", per_page=100)
            for answer in (mine, result):
                assert listing_id in [item["id"] for item in answer["items"]]

    listing_id, order = anyio.run(to_checkout)
    assert pay(order["checkout_url"]).is_success
    assert_live_and_fulfilled(rest, order["number"], listing_id)
    anyio.run(afterwards, listing_id, order["number"])


def test_the_readmes_flow_works_as_pasted(
    slipway: Running, rest: httpx2.Client, website: Website, tmp_path: Path
) -> None:
    website.serve("/", real_pages(5)[4])
    told = tmp_path / ".slipway/up.json"
    told.parent.mkdir()
    told.write_text(json.dumps(slipway.up))
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", _readme_command(PROJECT, "flow")],
        cwd=tmp_path,
        env={**bare_environment(), "WEBSITE": website.url()},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    # Bash goes on after what fails in a condition or inside of an argument.
    assert FAILED_COMMAND.findall(ran.stderr) == [], ran.stderr
    changed, total_cents, checkout_url, status = ran.stdout.splitlines()
    assert (changed, status) == ("['headline']", "pending")
    assert int(total_cents) > 0
    assert pay(checkout_url).is_success
    number = ok(rest.get("orders"))["items"][0]["number"]
    wait_until_fulfilled(rest, number)


def test_a_crawler_killed_in_the_middle_of_a_crawl_loses_no_draft(
    slipway: Running, rest: httpx2.Client, website: Website
) -> None:
    page, gate = real_pages(5)[2], threading.Event()
    website.serve("/", lambda before: Answer(page, gate=None if before else gate))
    draft_id = ok(rest.post("drafts", json={"url": website.url()}))["id"]
    wait_for(lambda: "/" in website.paths())
    wait_for(slipway.kill("crawler@"))
    draft = draft_until_done(rest, draft_id)
    gate.set()
    assert draft["status"] == "ready", draft["error"]
    assert website.paths().count("/") == 2


def test_a_killed_web_server_comes_back_and_the_draft_goes_on(
    slipway: Running, rest: httpx2.Client, website: Website
) -> None:
    website.serve("/", real_pages(5)[3])
    draft_id = ok(rest.post("drafts", json={"url": website.url()}))["id"]
    is_back = slipway.kill("granian")
    wait_for(lambda: is_back() and _answers(slipway))
    assert draft_until_done(rest, draft_id)["status"] == "ready"


def _answers(slipway: Running) -> bool:
    try:
        return visit(f"{slipway.base_url}/healthz").is_success
    except httpx2.TransportError:
        return False


@pytest.mark.nightly
@pytest.mark.timeout(2 * INSTALL_SECONDS)
def test_a_fresh_clone_starts_with_the_readmes_command(tmp_path: Path, measure: Measure) -> None:
    clone = tmp_path / "clone"
    began = time.monotonic()
    subprocess.run(["git", "clone", "-q", "--no-local", str(PROJECT), str(clone)], check=True)
    command = _readme_command(clone, "run")
    shell = (
        "/bin/bash",
        "-c",
        command.replace(".venv/bin/python manage.py up", 'exec .venv/bin/python manage.py up "$@"'),
        "up",
    )
    with running(tmp_path / "data", private_hosts=[], command=shell, cwd=clone, start_seconds=INSTALL_SECONDS):
        measure("seconds from a fresh clone to the first page", time.monotonic() - began)
        assert [log.read_text() for log in tmp_path.glob("data/logs/errors-*")] == []


def _readme_command(project: Path, name: str) -> str:
    after = (project / "README.md").read_text().split(f"<!-- {name} -->", 1)[1]
    return after.split("```sh\n", 1)[1].split("\n```", 1)[0]
