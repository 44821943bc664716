"""Who may call what, and how a client learns what is missing."""

from datetime import timedelta
from typing import Any

import httpx2
import orjson
import pytest

from apps.accounts.api_keys.services import revoke_api_key, rotate_api_key
from apps.accounts.models import ApiKey
from tests.factories import access_token, api_key
from tests.mcp.clients import VERSIONS, call_message, post
from tests.mcp.conftest import World
from tests.mcp.test_transport import PING, of_version
from tests.waiting import PATIENCE_SECONDS

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("version", VERSIONS)]
_CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _CLIENT}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
DISCOVER = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}


def ask(base_url: str, message: dict[str, Any], version: str, key: str | None = None) -> Any:
    sent, headers = of_version(message, version)
    if key:
        headers["authorization"] = f"Bearer {key}"
    return post(base_url, sent, **headers)


def by_rest(base_url: str, key: str) -> int:
    return httpx2.get(
        f"{base_url}/api/v1/me/listings", headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE_SECONDS
    ).status_code


def public_messages(version: str) -> list[dict[str, Any]]:
    opening = [DISCOVER] if version == "2026-07-28" else [INITIALIZE, PING]
    return [*opening, LIST, call_message("search_listings")]


def test_public_methods_and_tools_need_no_credential(version: str, base_url: str) -> None:
    for message in public_messages(version):
        response = ask(base_url, message, version)
        assert response.status_code == 200, response.text
        assert "result" in response.json()


def metadata_of(base_url: str) -> str:
    """The server's port is a random one, an origin has that of PUBLIC_BASE_URL."""
    host = base_url.removeprefix("http://").rpartition(":")[0]
    return f'resource_metadata="http://{host}/.well-known/oauth-protected-resource/mcp"'


def odd_messages() -> list[dict[str, Any]]:
    """Messages that are wrong in themselves, or have no answer."""
    call = call_message("search_listings")
    return [
        call_message("no_such_tool"),
        call_message("get_my_listing", {"listing_id": "x"}),
        call_message("search_listings", {"page": "2"}),
        {**call, "params": {"name": "search_listings", "arguments": [1]}},
        {**call, "params": {"name": ["search_listings"]}},
        {**call, "params": {}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call"},
        {"jsonrpc": "2.0", "id": 1, "method": "no/such/method"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
    ]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["slip_unknown", "x"])
def test_a_wrong_credential_is_refused_on_every_method(version: str, key: str, base_url: str) -> None:
    for message in [*public_messages(version), *odd_messages()]:
        response = ask(base_url, message, version, key)
        body = response.json()
        assert response.status_code == 401, (message, response.text)
        assert response.headers["www-authenticate"] == (
            'Bearer error="invalid_token", '
            'error_description="The API key or access token is invalid, expired, revoked or for another resource.", '
            f'{metadata_of(base_url)}, scope="account:read listings:write orders:write"'
        )
        assert body["id"] == message.get("id")
        assert body["error"]["code"] == -32010


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Basic eDp5"},
        {"authorization": "Bearer"},
        {"authorization": "Bearer a,Bearer b"},
    ],
)
def test_whatever_is_no_bearer_token_is_a_wrong_credential(
    version: str, headers: dict[str, str], base_url: str
) -> None:
    for message in (LIST, call_message("search_listings")):
        sent, of_the_version = of_version(message, version)
        response = post(base_url, sent, **of_the_version, **headers)
        assert response.status_code == 401
        assert 'error="invalid_token"' in response.headers["www-authenticate"]


def test_what_cannot_be_read_is_refused_for_its_credential_first(version: str, base_url: str) -> None:
    for body in (b"{", b"[]", b"1", b"{}"):
        assert post(base_url, body, mcp_protocol_version=version).status_code == 400
        assert post(base_url, body, mcp_protocol_version=version, authorization="Bearer x").status_code == 401


def test_a_token_is_good_for_its_own_resource_alone(version: str, base_url: str, world: World) -> None:
    origin = base_url.rpartition(":")[0]

    def tokens() -> list[str]:
        return [access_token(world.owner, resource=f"{origin}{path}") for path in ("/mcp", "/api/v1")]

    for_mcp, for_rest = world.committed(tokens)
    for message in (LIST, call_message("list_my_listings")):
        assert ask(base_url, message, version, for_mcp).status_code == 200
        assert ask(base_url, message, version, for_rest).status_code == 401
    assert (by_rest(base_url, for_mcp), by_rest(base_url, for_rest)) == (401, 200)


def test_a_token_in_the_query_is_none(version: str, base_url: str, world: World) -> None:
    sent, headers = of_version(call_message("list_my_listings"), version)
    response = httpx2.post(
        f"{base_url}/mcp?access_token={world.key}",
        json=sent,
        headers={"accept": "application/json, text/event-stream"}
        | {name.replace("_", "-"): value for name, value in headers.items()},
        timeout=PATIENCE_SECONDS,
    )
    assert response.status_code == 401
    assert "error=" not in response.headers["www-authenticate"]


@pytest.mark.parametrize("arguments", [{}, {"listing_id": 1}, {"listing_id": "../.."}, {"unknown": 1}])
def test_an_owners_tool_asks_for_a_credential(version: str, arguments: dict[str, Any], base_url: str) -> None:
    response = ask(base_url, call_message("get_my_listing", arguments, id_=5), version)
    body = response.json()
    challenge = response.headers["www-authenticate"]
    problem = orjson.loads(body["error"]["data"]["content"][0]["text"])

    assert response.status_code == 401
    scopes = 'scope="account:read listings:write orders:write"'
    assert challenge == f"Bearer {metadata_of(base_url)}, {scopes}"
    assert body["id"] == 5
    assert body["error"]["message"] == problem["detail"]
    assert problem["code"] == "not_authenticated"
    assert body["error"]["data"]["isError"] is True
    assert body["error"]["data"]["_meta"] == {"mcp/www_authenticate": [challenge]}


def test_a_credential_without_the_scope_is_not_enough(version: str, base_url: str, world: World) -> None:
    message = call_message("choose_free_listing", {"listing_id": world.listing.pk})
    response = ask(base_url, message, version, world.reading_key)
    data = response.json()["error"]["data"]
    problem = orjson.loads(data["content"][0]["text"])
    challenge = response.headers["www-authenticate"]

    assert response.status_code == 403
    assert challenge == (
        'Bearer error="insufficient_scope", error_description="This call needs the scope listings:write.", '
        f'{metadata_of(base_url)}, scope="account:read listings:write"'
    )
    assert data["_meta"] == {"mcp/www_authenticate": [challenge]}
    assert problem["code"] == "insufficient_scope"
    world.listing.refresh_from_db()
    assert world.listing.status == world.listing.Status.LIVE


@pytest.mark.parametrize("arguments", [{}, {"listing_id": "x"}, {"listing_id": "../.."}, {"idempotency_key": 5}])
def test_a_missing_scope_is_told_before_wrong_arguments(
    version: str, arguments: dict[str, Any], base_url: str, world: World
) -> None:
    response = ask(base_url, call_message("choose_free_listing", arguments), version, world.reading_key)
    problem = orjson.loads(response.json()["error"]["data"]["content"][0]["text"])

    assert response.status_code == 403
    assert problem["code"] == "insufficient_scope"


def test_a_revoked_key_is_refused_at_once_by_both(version: str, base_url: str, world: World) -> None:
    key = world.committed(lambda: api_key(world.owner))
    assert ask(base_url, call_message("list_my_listings"), version, key).status_code == 200
    assert by_rest(base_url, key) == 200

    world.committed(lambda: revoke_api_key(key=ApiKey.objects.get(prefix=key[:12])))

    assert ask(base_url, call_message("list_my_listings"), version, key).status_code == 401
    assert ask(base_url, LIST, version, key).status_code == 401
    assert by_rest(base_url, key) == 401


def test_a_key_rotated_without_an_overlap_is_refused_at_once_by_both(version: str, base_url: str, world: World) -> None:
    old = world.committed(lambda: api_key(world.owner))
    row = ApiKey.objects.get(prefix=old[:12])
    _, new = world.committed(lambda: rotate_api_key(key=row, overlap=timedelta(0)))

    for key, status in ((old, 401), (new, 200)):
        assert ask(base_url, call_message("list_my_listings"), version, key).status_code == status
        assert by_rest(base_url, key) == status
