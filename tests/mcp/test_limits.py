"""Tool calls and requests share their limits; what never reaches the API has one of its own."""

from base64 import b64encode
from typing import Any

import httpx2
import orjson
import pytest

from apps.core.api import rate_limits
from tests.mcp.clients import VERSIONS, call_message, post
from tests.mcp.conftest import World
from tests.mcp.test_authorization import LIST
from tests.mcp.test_transport import NOTIFICATION, PING, of_version
from tests.pictures import phone_photo
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db
PER_KEY, PER_ADDRESS, MESSAGES = 5, 3, 6


@pytest.fixture(autouse=True)
def _limits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATE_LIMIT_PER_KEY = PER_KEY
    settings.RATE_LIMIT_PER_ADDRESS = PER_ADDRESS
    monkeypatch.setattr(rate_limits, "MESSAGES_A_REQUEST", MESSAGES // PER_ADDRESS)
    monkeypatch.setattr(rate_limits, "REFUSED_A_REQUEST", 1)


def left(response: httpx2.Response) -> str:
    """The counter and what is left of it."""
    return response.headers["ratelimit"].rpartition(";")[0]


def ask(base_url: str, message: dict[str, Any], version: str, key: str | None = None) -> httpx2.Response:
    sent, headers = of_version(message, version)
    return post(base_url, sent, **headers, **({"authorization": f"Bearer {key}"} if key else {}))


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
def test_a_photo_of_a_phone_is_taken(version: str, base_url: str, world: World) -> None:
    encoded = b64encode(phone_photo()).decode()
    answer = ask(base_url, call_message("update_profile", {"photo_base64": encoded}), version, world.key)
    assert answer.json()["result"]["structuredContent"]["photo_url"]


@pytest.mark.parametrize(
    "message",
    [
        call_message("update_profile", {"photo_base64": "A" * 2**23}),
        call_message("update_profile", {"links": ["https://ada.example"] * 20_000}),
        call_message("create_draft", {"url": "A" * 2**20}),
        [call_message("update_profile", {"photo_base64": "A" * 2**20})],
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"name": "update_profile", "_meta": "A" * 2**20}},
    ],
    ids=["too large", "many values", "another tool", "a batch", "another method"],
)
def test_other_large_messages_are_refused(message: Any, base_url: str, world: World) -> None:
    answer = post(base_url, message, authorization=f"Bearer {world.key}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, -32600)


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_tool_calls_and_requests_are_counted_together_and_once(version: str, base_url: str, world: World) -> None:
    call, headers = call_message("list_my_listings"), {"Authorization": f"Bearer {world.key}"}

    def by_rest() -> httpx2.Response:
        return httpx2.get(f"{base_url}/api/v1/me/listings", headers=headers, timeout=PATIENCE_SECONDS)

    answers = [ask(base_url, call, version, world.key), by_rest(), ask(base_url, call, version, world.key), by_rest()]
    assert [left(answer) for answer in answers] == ['"key";r=4', '"key";r=3', '"key";r=2', '"key";r=1']
    assert answers[0].headers["ratelimit-policy"] == '"key";q=5;w=60'
    ask(base_url, call, version, world.key)

    refused = ask(base_url, call, version, world.key)
    result = refused.json()["result"]
    assert refused.status_code == 200
    assert result["isError"] is True
    problem = orjson.loads(result["content"][0]["text"])
    assert (problem["code"], problem["title"]) == ("rate_limited", "Rate limit reached")
    assert str(problem["retry_after_seconds"]) == refused.headers["retry-after"]
    assert left(refused) == '"key";r=0'
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert by_rest().status_code == 429


@pytest.mark.parametrize("version", VERSIONS)
def test_public_tools_are_counted_by_address(version: str, base_url: str) -> None:
    call = call_message("list_products")
    answers = [ask(base_url, call, version) for _ in range(PER_ADDRESS)]
    assert [left(answer) for answer in answers] == ['"address";r=2', '"address";r=1', '"address";r=0']
    told = [answer.json()["result"]["_meta"]["slipway/ratelimit"] for answer in answers]
    assert told == [answer.headers["ratelimit"] for answer in answers]
    assert ask(base_url, call, version).json()["result"]["isError"] is True
    assert httpx2.get(f"{base_url}/api/v1/products", timeout=PATIENCE_SECONDS).status_code == 429


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_messages_that_are_no_calls_have_a_wide_limit_by_address(version: str, base_url: str, world: World) -> None:
    odd = [LIST, call_message("no_such_tool"), call_message("search_listings", {"page": "2"}), NOTIFICATION]
    answers = [ask(base_url, message, version, key) for message, key in zip(odd, (None, world.key) * 2, strict=True)]
    assert [left(answer) for answer in answers] == [f'"messages";r={MESSAGES - 1 - number}' for number in range(4)]
    unreadable = post(base_url, b"{", mcp_protocol_version=version)
    assert (unreadable.status_code, left(unreadable)) == (400, '"messages";r=1')
    ask(base_url, LIST, version)

    refused = ask(base_url, LIST, version, world.key)
    assert refused.status_code == 429
    assert refused.json()["error"]["code"] == -32011
    assert orjson.loads(refused.json()["error"]["data"]["content"][0]["text"])["code"] == "rate_limited"
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    # Calls go on: they have limits of their own.
    assert left(ask(base_url, call_message("list_my_listings"), version, world.key)) == '"key";r=4'


def test_each_entry_of_a_batch_is_counted(base_url: str, world: World) -> None:
    headers = {"authorization": f"Bearer {world.key}"}
    calls = [call_message("list_my_listings", id_=number) for number in range(PER_KEY + 1)]
    response = post(base_url, calls, **headers)
    assert [entry["result"]["isError"] for entry in response.json()] == [False] * PER_KEY + [True]
    assert (response.status_code, left(response)) == (200, '"key";r=0')
    assert response.headers["retry-after"]

    response = post(base_url, [PING] * (MESSAGES + 1))
    assert ["result" in entry for entry in response.json()] == [True] * MESSAGES + [False]
    assert response.headers["retry-after"]


def test_wrong_credentials_are_counted_whatever_they_are_shown_to(base_url: str) -> None:
    wrong = {"authorization": "Bearer wrong"}
    answers = [post(base_url, LIST, **wrong), post(base_url, call_message("list_products"), **wrong)]
    answers.append(httpx2.get(f"{base_url}/api/v1/products", headers=wrong, timeout=PATIENCE_SECONDS))
    assert [answer.status_code for answer in answers] == [401, 401, 401]
    assert [left(answer) for answer in answers] == ['"refused";r=2', '"refused";r=1', '"refused";r=0']
    assert post(base_url, LIST, **wrong).status_code == 429
    assert post(base_url, call_message("list_products"), **wrong).json()["result"]["isError"] is True


def test_what_is_no_message_is_not_counted(base_url: str) -> None:
    answers = [
        httpx2.get(f"{base_url}/mcp", timeout=PATIENCE_SECONDS),
        httpx2.options(f"{base_url}/mcp", timeout=PATIENCE_SECONDS),
        post(base_url, PING, host="evil.example"),
    ]
    assert [answer.status_code for answer in answers] == [405, 204, 421]
    assert not [answer for answer in answers if "ratelimit" in answer.headers]
    assert left(post(base_url, PING)) == f'"messages";r={MESSAGES - 1}'
