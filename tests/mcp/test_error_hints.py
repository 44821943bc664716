"""Errors say what to send instead: the same sentence by REST and as a tool."""

from dataclasses import dataclass
from typing import Any

import httpx2
import orjson
import pytest
from django.utils import timezone

from apps.core.text.weeks import Week
from apps.orders.pricing import promos
from tests.mcp.clients import VERSIONS, call_message, post
from tests.mcp.conftest import World
from tests.mcp.test_transport import of_version
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db

MISSING = 2_000_000_000


@dataclass(frozen=True)
class Refused:
    """A call with one mistake: the pointer of the error, and what it has to say."""

    tool: str
    method: str
    path: str
    body: dict[str, Any]
    pointer: str
    hint: str


def _quote(*, pointer: str, hint: str, **item: Any) -> Refused:
    return Refused("quote_order", "POST", "/orders/quote", {"items": [item]}, pointer, hint)


def _cart(body: dict[str, Any], *, pointer: str, hint: str) -> Refused:
    slot = {"product": "newsletter_slot", "weeks": ["2026-W50"]}
    return Refused("quote_order", "POST", "/orders/quote", {"items": [slot], **body}, pointer, hint)


def _edit(body: dict[str, Any], *, pointer: str, hint: str) -> Refused:
    return Refused("update_my_listing", "PATCH", "/me/listings/{listing_id}", body, pointer, hint)


REFUSED = [
    _quote(
        product="launch", week="2026-12-07", pointer="/items/0/week", hint="Use an ISO week such as 2026-W50 or now."
    ),
    _quote(
        product="newsletter_slot",
        weeks=["2026-12-07"],
        pointer="/items/0/weeks/0",
        hint="Use an ISO week such as 2026-W50.",
    ),
    Refused("search_listings", "GET", "/listings", {"week": "2026-12-07"}, "/week", "ISO week such as 2026-W50."),
    Refused(
        "search_listings", "GET", "/listings", {"category": "AI & Data"}, "/category", "Use one of: ai, analytics, "
    ),
    Refused("list_events", "GET", "/events", {"types": "sale"}, "/types", "Use one of: draft, listing, order, "),
    _cart({"billing_country": "Germany"}, pointer="/billing_country", hint="Use a two-letter code such as DE."),
    _cart({"billing_country": "france"}, pointer="/billing_country", hint="Use a two-letter code such as FR."),
    _edit({"fields": {"country": "Germany"}}, pointer="/fields/country", hint="Use a two-letter code such as DE."),
    _quote(product="lunch", pointer="/items/0/product", hint="Use one of: launch, billboard, "),
    _edit({"fields": {"pricing_model": "cheap"}}, pointer="/fields/pricing_model", hint="Use one of: free, freemium, "),
    Refused("list_my_orders", "GET", "/orders", {"status": "done"}, "/status", "Use one of: pending, processing, "),
    _edit({"fields": {"categories": ["aii"]}}, pointer="/fields/categories/0", hint="Use one of: ai, analytics, "),
    _edit({"socials": ["https://x.com/acme"]}, pointer="/socials", hint='Send an object, such as {"github": "https://'),
    _edit({"headlin": "Plans"}, pointer="/headlin", hint="Unknown key headlin."),
    _edit({"fields": {"headlin": "Plans"}}, pointer="/fields/headlin", hint="Did you mean headline?"),
    _edit({"headline": "Plans"}, pointer="/headline", hint="Send headline inside `fields`."),
    _edit({"fields": {"faqs": []}}, pointer="/fields/faqs", hint="Send faqs beside `fields`, not in it."),
    _cart({"product": "launch"}, pointer="/product", hint="Send product in each entry of `items`."),
    Refused(
        "list_products", "GET", "/products", {"page": "2"}, "/page", "Unknown key page. Use one of: include, site."
    ),
    Refused(
        "list_interview_questions",
        "GET",
        "/interview-questions",
        {"q": "2"},
        "/q",
        "Unknown key q. Use one of: site.",
    ),
]
UNKNOWN_IDS = [
    ("get_my_listing", "GET", f"/me/listings/{MISSING}", {"listing_id": MISSING}, "list_my_listings"),
    ("get_badges", "GET", f"/me/listings/{MISSING}/badges", {"listing_id": MISSING}, "list_my_listings"),
    ("get_order", "GET", "/orders/SL-AAAAAAAAAA", {"number": "SL-AAAAAAAAAA"}, "list_my_orders"),
    ("get_draft", "GET", f"/drafts/{MISSING}", {"id": MISSING}, "create_draft"),
    (
        "delete_milestone",
        "DELETE",
        "/me/listings/{listing_id}/milestones/" + str(MISSING),
        {"milestone_id": MISSING},
        "get_my_listing",
    ),
]


def _by_rest(base_url: str, world: World, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    sent: dict[str, Any] = {"params": body} if method == "GET" else {"json": body} if body else {}
    headers = {"Authorization": f"Bearer {world.key}"}
    address = f"{base_url}/api/v1{path.format(listing_id=world.listing.pk)}"
    problem: dict[str, Any] = httpx2.request(method, address, headers=headers, timeout=PATIENCE_SECONDS, **sent).json()
    return problem


def _by_tool(base_url: str, world: World, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    message, headers = of_version(call_message(tool, arguments), VERSIONS[-1])
    answer = post(base_url, message, **headers, authorization=f"Bearer {world.key}").json()
    result = answer["error"]["data"] if "error" in answer else answer["result"]
    problem: dict[str, Any] = orjson.loads(result["content"][0]["text"])
    return problem


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case.tool} {case.pointer}")
def test_a_mistake_is_answered_with_what_to_send(base_url: str, world: World, case: Refused) -> None:
    own = {"listing_id": world.listing.pk} if "{listing_id}" in case.path else {}
    for problem in (
        _by_rest(base_url, world, case.method, case.path, case.body),
        _by_tool(base_url, world, case.tool, {**own, **case.body}),
    ):
        told = {error["pointer"]: error["detail"] for error in problem["errors"]}
        assert problem["status"] == 422
        assert case.hint in told[case.pointer]
        assert "none" not in problem["detail"].lower()


@pytest.mark.parametrize(
    ("tool", "arguments", "hint"),
    [
        ("get_leaderboard", {"board": "community-yearly", "year": 2026}, 'Send a JSON string, such as "2026".'),
        ("get_leaderboard", {"board": "community-yearly", "year": [{"a": 1}]}, "Send a JSON string."),
        ("list_events", {"types": ["order.paid", "listing"]}, 'Send a JSON string, such as "order.paid,listing".'),
        ("list_events", {"after": "5"}, "Send a JSON integer, such as 5."),
        ("list_events", {"after": "five"}, "Send a JSON integer."),
        ("list_events", {"after": True}, "Send a JSON integer."),
    ],
)
def test_an_argument_of_another_kind_is_shown_as_the_right_one(
    base_url: str, world: World, tool: str, arguments: dict[str, Any], hint: str
) -> None:
    [error] = _by_tool(base_url, world, tool, arguments)["errors"]

    assert error["detail"] == hint


@pytest.mark.parametrize(("tool", "method", "path", "arguments", "lister"), UNKNOWN_IDS)
def test_an_unknown_id_names_the_tool_that_has_the_ids(
    base_url: str, world: World, tool: str, method: str, path: str, arguments: dict[str, Any], lister: str
) -> None:
    own = {"listing_id": world.listing.pk} if "{listing_id}" in path else {}
    for problem in (
        _by_rest(base_url, world, method, path, {}),
        _by_tool(base_url, world, tool, {**own, **arguments}),
    ):
        assert problem["status"] == 404
        assert lister in problem["detail"]


def test_what_is_no_id_is_named_as_what_it_is(base_url: str, world: World) -> None:
    for tool, arguments, step in (
        ("get_listing", {"slug": "no-such"}, "Call search_listings to find the slug."),
        ("get_order", {"number": "SL-AAAAAAAAAA"}, "Call list_my_orders to find the number."),
    ):
        assert _by_tool(base_url, world, tool, arguments)["next_steps"] == [step]


def test_a_negative_id_is_no_id(base_url: str, world: World) -> None:
    [error] = _by_tool(base_url, world, "get_my_listing", {"listing_id": -3})["errors"]

    assert (error["code"], error["pointer"]) == ("invalid", "/listing_id")


def test_the_promo_lock_names_promo_codes_and_a_way_around(base_url: str, world: World) -> None:
    who = str(world.owner.pk)
    item = {"product": "newsletter_slot", "listing_id": world.listing.pk, "weeks": [str(Week.of(timezone.now()) + 2)]}
    body = {"items": [item], "promo_code": "GUESS"}
    for _ in range(promos.ACCOUNT_LIMIT.count):
        promos.ACCOUNT_LIMIT.try_take(who)
    try:
        for problem in (
            _by_rest(base_url, world, "POST", "/orders/quote", body),
            _by_tool(base_url, world, "quote_order", body),
        ):
            assert problem["status"] == 429
            assert all(said in problem["detail"] for said in ("promo code", "15 minutes", "without a code"))
    finally:
        for _ in range(promos.ACCOUNT_LIMIT.count):
            promos.ACCOUNT_LIMIT.give_back(who)
