"""quote_order and create_checkout refuse the same bad input by REST and as tools, and build nothing by it."""

from collections.abc import Iterator
from typing import Any

import httpx2
import orjson
import pytest

from apps.listings.models import Listing
from apps.orders.models import Order, Product, PromoCode
from apps.sites.models import Site
from tests.mcp.clients import VERSIONS, call_message, post
from tests.mcp.conftest import World
from tests.mcp.test_transport import of_version
from tests.orders.carts import BILLING, row_counts, week
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db

PATHS = {"quote_order": "/orders/quote", "create_checkout": "/orders/checkout"}
ODD_NUMBERS: list[Any] = ["1", 1.5, "１", True, 0, -1, 2**63, [1], {}]
LAUNCH: dict[str, Any] = {"product": "launch"}
BILLBOARD: dict[str, Any] = {"product": "billboard", "weeks": [week(2)]}
SLOT: dict[str, Any] = {"product": "newsletter_slot", "weeks": [week(1)]}

BAD_ITEMS: list[tuple[dict[str, Any], str]] = [
    *[({**LAUNCH, "listing_id": odd}, "/items/0/listing_id") for odd in ODD_NUMBERS],
    *[({**SLOT, "quantity": odd}, "/items/0/quantity") for odd in ODD_NUMBERS],
    *[({**BILLBOARD, "amount_cents": odd}, "/items/0/amount_cents") for odd in ODD_NUMBERS],
    ({**BILLBOARD, "amount_cents": 29_899}, "/items/0/amount_cents"),
    ({**BILLBOARD, "options": {"amount_cents": "30000"}}, "/items/0/options/amount_cents"),
    ({**LAUNCH, "price_cents": 1}, "/items/0/price_cents"),
    ({**LAUNCH, "options": {"weak": "now"}}, "/items/0/options/weak"),
    ({**SLOT, "weeks": ["2019-W01"]}, "/items/0/weeks/0"),
    ({**SLOT, "weeks": [week(1), week(1)]}, "/items/0/weeks"),
    ({"product": "lunch"}, "/items/0/product"),
]
BAD_BODIES: list[tuple[dict[str, Any], str]] = [
    ({}, "/items"),
    ({"items": []}, "/items"),
    ({"items": [SLOT] * 51}, "/items"),
    ({"items": [SLOT], "billing_country": "ZZ"}, "/billing_country"),
    ({"items": [SLOT], "vat_number": 1}, "/vat_number"),
    ({"items": [SLOT], "promo_code": ["TEN"]}, "/promo_code"),
    ({"items": [SLOT], "total_cents": 1}, "/total_cents"),
]


@pytest.fixture
def draft(world: World) -> Iterator[Listing]:
    """The owner's live listing as a draft, for which everything can be bought."""
    Product.objects.update(is_active=True)

    def status(value: str) -> None:
        Listing.objects.filter(pk=world.listing.pk).update(status=value)

    before = world.listing.status
    world.committed(lambda: status("draft"))
    yield world.listing
    world.committed(lambda: status(before))


def by_rest(base_url: str, tool: str, body: dict[str, Any] | bytes, key: str) -> httpx2.Response:
    raw = body if isinstance(body, bytes) else orjson.dumps(body)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    return httpx2.post(f"{base_url}/api/v1{PATHS[tool]}", content=raw, headers=headers, timeout=PATIENCE_SECONDS)


def by_tool(base_url: str, tool: str, arguments: dict[str, Any], key: str) -> dict[str, Any]:
    """The problem that a tool call was refused with."""
    message, headers = of_version(call_message(tool, arguments), VERSIONS[-1])
    answer = post(base_url, message, **headers, authorization=f"Bearer {key}").json()
    result = answer["error"]["data"] if "error" in answer else answer["result"]
    assert result["isError"] is True
    problem: dict[str, Any] = orjson.loads(result["content"][0]["text"])
    return problem


def _assert_refused(base_url: str, world: World, body: dict[str, Any], pointer: str) -> None:
    before = world.committed(row_counts)
    for tool in PATHS:
        rest = by_rest(base_url, tool, body, world.key)
        assert rest.status_code == 422, rest.text
        problem = by_tool(base_url, tool, body, world.key)
        for told in (rest.json(), problem):
            pointers = [error["pointer"] for error in told["errors"]]
            assert [one for one in pointers if one == pointer or one.startswith(f"{pointer}/")], told
        assert (problem["status"], problem["code"]) == (422, rest.json()["code"])
    assert world.committed(row_counts) == before


@pytest.mark.parametrize(("item", "pointer"), BAD_ITEMS)
def test_a_bad_item_is_refused_by_name(
    base_url: str, world: World, draft: Listing, item: dict[str, Any], pointer: str
) -> None:
    # The largest listing_id there is passes for a number, and no listing has it.
    _assert_refused(base_url, world, {"items": [{"listing_id": draft.pk, **item}]}, pointer)


@pytest.mark.parametrize(("body", "pointer"), BAD_BODIES)
def test_a_bad_body_is_refused_by_name(
    base_url: str, world: World, draft: Listing, body: dict[str, Any], pointer: str
) -> None:
    items = [{"listing_id": draft.pk, **item} for item in body.get("items", [])]
    _assert_refused(base_url, world, {**body, "items": items} if "items" in body else body, pointer)


@pytest.mark.parametrize("tool", PATHS)
@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"", 422),
        (b"{", 400),
        (b"[]", 400),
        (b"\xff", 400),
        (b'{"items":' + b"[" * 200 + b"]" * 200 + b"}", 400),
        (b'{"items":' + b'{"options":' * 50_000 + b"1" + b"}" * 50_000 + b"}", 413),
        (b'{"items":["' + b"x" * 300_000 + b'"]}', 413),
        (b'{"items":["' + b"x" * 3_000_000 + b'"]}', 413),
        (b'{"items":[{"product":"launch","listing_id":NaN}]}', 400),
        (b'{"items":[{"product":"launch","listing_id":1e400}]}', 400),
    ],
)
def test_odd_bodies_are_never_an_error_of_ours(base_url: str, world: World, tool: str, raw: bytes, status: int) -> None:
    before = world.committed(row_counts)
    assert by_rest(base_url, tool, raw, world.key).status_code == status
    assert world.committed(row_counts) == before


def test_a_quote_saves_nothing_and_equals_the_checkout(base_url: str, world: World, draft: Listing) -> None:
    before = world.committed(row_counts)
    body = {"items": [{**SLOT, "listing_id": draft.pk}], "billing_country": "DE"}
    quoted = by_rest(base_url, "quote_order", body, world.key)
    assert quoted.status_code == 200
    message, headers = of_version(call_message("quote_order", body), VERSIONS[-1])
    result = post(base_url, message, **headers, authorization=f"Bearer {world.key}").json()["result"]
    assert result["structuredContent"] == quoted.json()
    assert world.committed(row_counts) == before
    built = by_rest(base_url, "create_checkout", body, world.key)
    assert built.status_code == 201
    assert {name: built.json()[name] for name in quoted.json()} == quoted.json()
    after = world.committed(row_counts)
    changed = {name: after[name] - before[name] for name in after if after[name] != before[name]}
    assert changed == {"Order": 1, "OrderLine": 1}


@pytest.mark.slow
def test_wrong_codes_are_counted_together(base_url: str, world: World, draft: Listing) -> None:
    """Quote, checkout, payment page and tools share the counter; then the right code is refused as well."""

    def prepare() -> str:
        PromoCode.objects.create(site=Site.objects.get(is_default=True), code="RIGHT", percent_off=1000)
        return Order.objects.get(number=built["number"]).secret

    body: dict[str, Any] = {"items": [{**SLOT, "listing_id": draft.pk}]}
    built = by_rest(base_url, "create_checkout", body, world.key).json()
    page = f"{base_url}/checkout/{world.committed(prepare)}"
    before = world.committed(row_counts)

    def on_page(code: str) -> int:
        return httpx2.post(page, data={**BILLING, "promo_code": code}, timeout=PATIENCE_SECONDS).status_code

    for number in range(10):
        wrong = {**body, "promo_code": f"WRONG{number}"}
        match number % 4:
            case 0:
                assert by_rest(base_url, "quote_order", wrong, world.key).status_code == 422
            case 1:
                assert by_rest(base_url, "create_checkout", wrong, world.key).status_code == 422
            case 2:
                assert by_tool(base_url, "create_checkout", wrong, world.key)["code"] == "promo_unknown"
            case 3:
                assert on_page(f"WRONG{number}") == 422
    right = {**body, "promo_code": "right"}
    for tool in PATHS:
        locked = by_rest(base_url, tool, right, world.key)
        assert locked.status_code == 429
        assert 0 < int(locked.headers["retry-after"]) <= 900
        assert by_tool(base_url, tool, right, world.key)["status"] == 429
    assert on_page("right") == 429
    assert world.committed(row_counts) == before
    assert by_rest(base_url, "quote_order", body, world.key).status_code == 200
