"""Who may call what, and how a client learns what is missing."""

from typing import Any

import orjson
import pytest

from apps.accounts.models import ApiKey
from tests.factories import api_key
from tests.mcp.clients import VERSIONS, call_message, post
from tests.mcp.conftest import World
from tests.mcp.test_transport import PING, of_version

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


def public_messages(version: str) -> list[dict[str, Any]]:
    opening = [DISCOVER] if version == "2026-07-28" else [INITIALIZE, PING]
    return [*opening, LIST, call_message("search_listings")]


def test_public_methods_and_tools_need_no_credential(version: str, base_url: str) -> None:
    for message in public_messages(version):
        response = ask(base_url, message, version)
        assert response.status_code == 200, response.text
        assert "result" in response.json()


@pytest.mark.parametrize("key", ["slip_unknown", "x"])
def test_a_wrong_credential_is_refused_on_every_method(version: str, key: str, base_url: str) -> None:
    calls = [call_message("no_such_tool"), call_message("get_my_listing", {"listing_id": "x"})]
    for message in [*public_messages(version), *calls]:
        response = ask(base_url, message, version, key)
        body = response.json()
        assert response.status_code == 401, response.text
        assert 'error="invalid_token"' in response.headers["www-authenticate"]
        assert body["id"] == message["id"]
        assert body["error"]["code"] == -32010


@pytest.mark.parametrize("arguments", [{}, {"listing_id": 1}, {"listing_id": "../.."}, {"unknown": 1}])
def test_an_owners_tool_asks_for_a_credential(version: str, arguments: dict[str, Any], base_url: str) -> None:
    response = ask(base_url, call_message("get_my_listing", arguments, id_=5), version)
    body = response.json()
    challenge = response.headers["www-authenticate"]
    problem = orjson.loads(body["error"]["data"]["content"][0]["text"])

    assert response.status_code == 401
    assert challenge.startswith("Bearer")
    assert body["id"] == 5
    assert body["error"]["message"] == problem["detail"]
    assert problem["code"] == "not_authenticated"
    assert body["error"]["data"]["isError"] is True
    assert body["error"]["data"]["_meta"] == {"mcp/www_authenticate": [challenge]}


def test_a_credential_without_the_scope_is_not_enough(version: str, base_url: str, world: World) -> None:
    message = call_message("choose_free_listing", {"listing_id": world.listing.pk})
    response = ask(base_url, message, version, world.reading_key)
    problem = orjson.loads(response.json()["error"]["data"]["content"][0]["text"])

    assert response.status_code == 403
    assert response.headers["www-authenticate"].startswith("Bearer")
    assert problem["code"] == "insufficient_scope"
    world.listing.refresh_from_db()
    assert world.listing.status == world.listing.Status.LIVE


def test_a_revoked_key_is_refused_at_once(version: str, base_url: str, world: World) -> None:
    key = world.committed(lambda: api_key(world.owner))
    assert ask(base_url, call_message("list_my_listings"), version, key).status_code == 200

    world.committed(lambda: ApiKey.objects.get(prefix=key[:12]).token.delete())

    assert ask(base_url, call_message("list_my_listings"), version, key).status_code == 401
    assert ask(base_url, LIST, version, key).status_code == 401
