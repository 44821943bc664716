"""Faults of clients: retries, guesses, odd bodies, and everybody in parallel."""

import re
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import httpx2
import pytest

from apps.orders.providers.concurrency import AT_ONCE
from tests.faults.shop import Owner, Placed, Shop
from tests.mcp.clients import session_of
from tests.racing import run_at_once
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.processes

NUMBER = r"SL-[A-HJ-NP-Z2-9]{10}"
# Several for each thread of both web processes.
CROWD = 40


def orders_of(shop: Shop, owner: Owner) -> int:
    return int(shop.one("SELECT count(*) FROM orders_order WHERE account_id = %s", owner.account_id))


def test_identical_checkouts_at_once_with_one_key_build_one_order(shop: Shop) -> None:
    owner = shop.owner("retrying")
    answers = run_at_once(*[lambda: owner.check_out(owner.gallery(), key="one")] * 50)
    built = [answer for answer in answers if answer.status_code == 201]
    refused = [answer for answer in answers if answer.status_code != 201]
    assert {answer.text for answer in built} == {built[0].text}
    assert Counter(answer.headers.get("Idempotency-Replayed") for answer in built)[None] == 1
    assert {answer.status_code for answer in refused} <= {409}
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in refused)
    assert owner.check_out(owner.gallery(), key="one").text == built[0].text
    assert orders_of(shop, owner) == 1


def test_20_identical_tool_calls_at_once_with_one_key_build_one_order(shop: Shop) -> None:
    owner = shop.owner("assisted")
    numbers: list[str] = []

    async def call() -> None:
        async with session_of(shop.running.up["mcp_url"], version="2026-07-28", key=owner.key) as session:
            arguments = {"items": [owner.gallery()], "idempotency_key": "one"}
            result = await session.call_tool("create_checkout", arguments)
        body: dict[str, Any] = result.structured_content or {}
        assert not result.is_error or body["status"] == 409, result
        numbers.append(body.get("number", ""))

    async def call_20_times() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(call)

    anyio.run(call_20_times)
    assert len(numbers) == 20
    assert len(set(numbers) - {""}) == 1
    assert orders_of(shop, owner) == 1


@pytest.mark.parametrize("key", ["", "a" * 256, "ключ", "with space", "tab\tbed"])
def test_a_malformed_idempotency_key_builds_nothing(shop: Shop, key: str) -> None:
    owner = shop.owner(f"malformed-{uuid.uuid4().hex[:8]}")
    answer = owner.rest.post(
        "orders/checkout", json={"items": [owner.gallery()]}, headers=[(b"Idempotency-Key", key.encode())]
    )
    assert answer.status_code == 400
    assert orders_of(shop, owner) == 0


def test_a_key_with_another_body_or_of_another_operation_is_refused(shop: Shop) -> None:
    owner = shop.owner("reusing", listings=2)
    assert owner.check_out(owner.gallery(), key="one").status_code == 201
    other_body = owner.check_out(owner.gallery(1), key="one")
    other_operation = owner.rest.patch(
        f"me/listings/{owner.listing_ids[0]}", json={"headline": "Another"}, headers={"Idempotency-Key": "one"}
    )
    codes = [(answer.status_code, answer.json()["code"]) for answer in (other_body, other_operation)]
    assert codes == [(422, "idempotency_key_reused")] * 2
    assert orders_of(shop, owner) == 1


def test_another_credential_of_the_account_gets_the_same_answer(shop: Shop) -> None:
    owner = shop.owner("renewed")
    first = owner.check_out(owner.gallery(), key="one")
    headers = {"Authorization": f"Bearer {shop.team.do('make_key', account_id=owner.account_id)}"}
    again = owner.rest.post(
        "orders/checkout", json={"items": [owner.gallery()]}, headers={**headers, "Idempotency-Key": '"one"'}
    )
    assert (again.status_code, again.text) == (201, first.text)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert orders_of(shop, owner) == 1


def test_while_the_first_request_runs_a_second_one_is_told_to_wait(shop: Shop) -> None:
    """The row of a first request that never ends stands for it."""
    owner = shop.owner("waiting")
    with shop.transaction() as first:
        first.execute(
            "INSERT INTO core_idempotencyrecord (account_id, key, fingerprint, created_at)"
            " VALUES (%s, 'one', '', now())",
            [owner.account_id],
        )
        answer = owner.check_out(owner.gallery(), key="one")
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_key_in_use")
    assert int(answer.headers["Retry-After"]) > 0
    assert owner.check_out(owner.gallery(), key="one").status_code == 201
    assert orders_of(shop, owner) == 1


def test_a_key_whose_first_request_was_refused_is_free(shop: Shop) -> None:
    owner = shop.owner("refused")
    refused = owner.check_out(owner.gallery(), key="one", promo_code="no such code")
    assert (refused.status_code, refused.json()["code"]) == (422, "promo_unknown")
    answer = owner.check_out(owner.gallery(), key="one")
    assert answer.status_code == 201
    assert "Idempotency-Replayed" not in answer.headers
    assert orders_of(shop, owner) == 1


def test_double_click_and_retry_open_one_session_each_attempt(shop: Shop) -> None:
    owner = shop.owner("clicking")
    order = owner.order(owner.gallery())
    assert shop.update_total(order).status_code == 302
    # No more than find a slot for the provider if one process gets them all.
    answers = run_at_once(*[lambda: shop.press_pay(order)] * AT_ONCE)
    assert {answer.status_code for answer in answers} <= {302, 409}
    session = shop.start_paying(order)
    opened = shop.sessions(order)
    assert [one["client_reference_id"] for one in opened] == [
        f"{order.number}:{attempt}" for attempt in shop.payments(order, "attempt")
    ]
    assert [one["id"] for one in opened if one["status"] == "open"] == [session]
    shop.provider.pay(session)
    for _ in range(2):
        shop.tell_until_heard(session)
    assert (shop.state(order), shop.payments(order).count("paid")) == ("paid", 1)


def test_orders_of_others_are_not_there(shop: Shop) -> None:
    mine, other = shop.owner("private"), shop.owner("curious")
    order = mine.order(mine.gallery())
    stranger = shop.pages.get(f"{shop.running.up['api_url']}/orders/{order.number}")
    assert other.rest.get(f"orders/{order.number}").status_code == 404
    assert other.rest.get("orders").json()["items"] == []
    assert stranger.status_code == 401
    assert other.check_out(mine.gallery()).status_code == 422
    assert mine.rest.get(f"orders/{order.number}").status_code == 200
    assert orders_of(shop, other) == 0


def test_numbers_and_secrets_cannot_be_guessed(shop: Shop) -> None:
    owner = shop.owner("guessed")
    orders = [owner.order(owner.gallery()) for _ in range(5)]
    assert all(re.fullmatch(NUMBER, order.number) for order in orders)
    secrets = [order.checkout_url.rsplit("/", 1)[1] for order in orders]
    assert all(len(secret) >= 22 for secret in secrets)
    assert len({secret[:6] for secret in secrets} | {order.number[3:9] for order in orders}) == 10
    for guess in (orders[0].number, secrets[0][:-1], secrets[0] + "a", "x" * 500, "%00", "..%2f..%2fadmin"):
        assert shop.pages.get(f"{shop.base_url}/checkout/{guess}").status_code == 404
        assert shop.pages.post(f"{shop.base_url}/checkout/{guess}/pay", data={"method": "stripe"}).status_code == 404
    page = shop.pages.get(orders[0].checkout_url)
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["X-Robots-Tag"] == "noindex, nofollow"


ODD_BODIES: dict[str, Callable[[str], bytes]] = {
    "3 MB": lambda body: body.encode()[:-1] + b', "vat_number": "' + b"1" * 3_000_000 + b'"}',
    "3 MB of spaces": lambda body: body.encode() + b" " * 3_000_000,
    "10,000 levels": lambda body: body.encode()[:-1] + b', "vat_number": ' + b"[" * 10_000 + b"]" * 10_000 + b"}",
    "10,000 objects": lambda body: b'{"items":' * 10_000 + b"1" + b"}" * 10_000,
    "10,000 unclosed": lambda _: b"[" * 10_000,
    "NaN": lambda body: body.replace("}]", ', "quantity": NaN}]').encode(),
    "Infinity": lambda body: body.replace("}]", ', "quantity": -Infinity}]').encode(),
    "a huge number": lambda body: body.replace("}]", ', "quantity": 1e400}]').encode(),
    "a long number": lambda body: body.replace("}]", ', "quantity": ' + "9" * 5000 + "}]").encode(),
    "duplicate keys": lambda body: body.encode()[:-1] + b', "items": []}',
    "UTF-16": lambda body: body.encode("utf-16"),
    "UTF-32": lambda body: body.encode("utf-32"),
    "Latin-1": lambda body: body.replace("}]", ', "x": "é"}]').encode("latin-1"),
    "a lone surrogate": lambda body: body.encode()[:-1] + b', "promo_code": "\\ud800"}',
    "a NUL": lambda body: body.encode()[:-1] + b', "promo_code": "\\u0000"}',
    "two values": lambda body: (body + body).encode(),
    "a list": lambda body: f"[{body}]".encode(),
    "a string": lambda _: b'"items"',
    "nothing of JSON": lambda _: b"\xff\xfe\x00",
    "60,000 items": lambda _: b'{"items": [' + b"1," * 60_000 + b"1]}",
    "51 items": lambda body: body.replace("[{", "[" + '{"product": "launch"},' * 50 + "{").encode(),
}


@pytest.mark.parametrize("operation", ["orders/quote", "orders/checkout"])
def test_huge_deep_or_odd_json_is_refused_and_builds_nothing(shop: Shop, operation: str) -> None:
    owner = shop.owner(f"odd-{operation[7:]}")
    body = f'{{"items": [{{"product": "section_gallery", "listing_id": {owner.listing_ids[0]}}}]}}'
    result = {}
    for name, spoil in ODD_BODIES.items():
        headers = {**owner.rest.headers, "Content-Type": "application/json", "Idempotency-Key": "one"}
        # A connection each: the server closes those on which it left a body.
        address = f"{shop.running.up['api_url']}/{operation}"
        result[name] = httpx2.post(address, content=spoil(body), headers=headers, timeout=PATIENCE_SECONDS).status_code
    large = {name for name in ODD_BODIES if name.startswith("3 MB")}
    assert {result.pop(name) for name in large} == {413}
    assert set(result.values()) <= {400, 422}, result
    assert orders_of(shop, owner) == 0


def test_odd_bodies_of_tool_calls_are_refused(shop: Shop) -> None:
    owner = shop.owner("odd-tools")
    head = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create_checkout", "arguments": '
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {owner.key}",
    }
    bodies = [head + b"[" * 10_000 + b"]" * 10_000 + b"}}", head + b'"' + b"1" * 3_000_000 + b'"}}', head + b"NaN}}"]
    answers = [
        httpx2.post(shop.running.up["mcp_url"], content=body, headers=headers, timeout=PATIENCE_SECONDS)
        for body in bodies
    ]
    assert [answer.status_code for answer in answers] == [400, 413, 400]
    assert orders_of(shop, owner) == 0


def test_odd_bodies_of_messages_are_refused(shop: Shop) -> None:
    address = f"{shop.base_url}/webhooks/stripe"
    bodies = [b"", b"[" * 10_000, b"\xff\xfe", b"{}", b"null", b"1" * 3_000_000]
    statuses = [httpx2.post(address, content=body, timeout=PATIENCE_SECONDS).status_code for body in bodies]
    assert set(statuses) <= {400, 413}, statuses


@pytest.mark.parametrize("total", ["", "-1", "0", "1e3", "１００", "9" * 400, "1.0", "NaN"])
def test_odd_totals_of_the_payment_page_start_no_payment(shop: Shop, total: str) -> None:
    owner = shop.owner(f"total-{uuid.uuid4().hex[:8]}")
    order = owner.order(owner.gallery())
    shop.update_total(order)
    answer = shop.press_pay(order, total_cents=total)
    assert answer.status_code in {409, 422}
    assert shop.payments(order) == []


def test_of_many_payments_at_once_for_a_code_with_5_uses_5_are_paid(shop: Shop) -> None:
    shop.team.do("make_promo", code="FIVE", percent_off=1000, max_uses=5, max_uses_per_account=None)
    owner = shop.owner("crowd", listings=CROWD + 1)
    placed = [owner.order(owner.gallery(index), promo_code="FIVE") for index in range(CROWD)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(shop.update_total, placed))

    def unless_busy(answer: httpx2.Response) -> httpx2.Response | None:
        return None if answer.status_code == 503 else answer

    def pay(order: Placed) -> int:
        answer = wait_for(lambda: unless_busy(shop.press_pay(order)))
        if answer.status_code == 302:
            session = shop.session(order)
            shop.provider.pay(session)
            shop.tell_until_heard(session)
        else:
            assert "fully used" in answer.text
        return answer.status_code

    results = Counter(run_at_once(*[lambda order=order: pay(order) for order in placed]))
    assert results == {302: 5, 422: CROWD - 5}
    assert Counter(shop.state(order) for order in placed) == {"paid": 5, "pending": CROWD - 5}
    promo = shop.sql("SELECT used, max_uses FROM orders_promocode WHERE code = 'FIVE'")
    uses = shop.sql(
        "SELECT state, count(*) FROM orders_promouse u JOIN orders_promocode c ON c.id = u.promo_id"
        " WHERE c.code = 'FIVE' GROUP BY state"
    )
    assert (promo, uses) == ([(5, 5)], [("consumed", 5)])
    refused = owner.check_out(owner.gallery(CROWD), promo_code="FIVE")
    assert (refused.status_code, refused.json()["code"]) == (422, "promo_exhausted")
