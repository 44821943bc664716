"""What /mcp does with HTTP and JSON-RPC themselves, on a real port."""

import gzip
from typing import Any

import httpx2
import orjson
import pytest

from apps.mcp.transport import MAX_MESSAGE_BYTES
from tests.mcp.clients import VERSIONS, call_message, post
from tests.mcp.conftest import World
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db
PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}
NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/initialized"}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def of_version(message: dict[str, Any], version: str) -> tuple[dict[str, Any], dict[str, str]]:
    """A message with the headers, and for the newest version the envelope, that it needs."""
    headers = {"mcp_protocol_version": version}
    if version != "2026-07-28":
        return message, headers
    params = message.get("params", {})
    headers["mcp_method"] = message["method"]
    if "name" in params:
        headers["mcp_name"] = str(params["name"])
    return {**message, "params": {**params, "_meta": MODERN}}, headers


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD"])
@pytest.mark.parametrize("version", VERSIONS)
def test_only_post_is_allowed(method: str, version: str, base_url: str) -> None:
    headers = {"mcp-protocol-version": version, "accept": "text/event-stream"}
    response = httpx2.request(method, f"{base_url}/mcp", headers=headers, timeout=PATIENCE_SECONDS)

    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


def test_everything_else_is_djangos(base_url: str) -> None:
    assert httpx2.get(f"{base_url}/healthz", timeout=PATIENCE_SECONDS).json() == {"status": "ok"}
    assert httpx2.get(f"{base_url}/api/v1/nothing", timeout=PATIENCE_SECONDS).json()["code"] == "not_found"
    assert httpx2.post(f"{base_url}/mcp//", timeout=PATIENCE_SECONDS).status_code == 404
    assert httpx2.post(f"{base_url}/mcp/x", timeout=PATIENCE_SECONDS).status_code == 404


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_a_slash_more_changes_nothing(method: str, base_url: str, world: World) -> None:
    asked: dict[str, Any] = {
        "json": call_message("list_my_listings"),
        "headers": {"accept": "application/json", "authorization": f"Bearer {world.key}"},
    }
    answers = [httpx2.request(method, f"{base_url}/mcp{end}", **asked, timeout=PATIENCE_SECONDS) for end in ("", "/")]
    assert [answer.status_code for answer in answers] == [{"GET": 405, "POST": 200, "OPTIONS": 204}[method]] * 2
    assert answers[0].content == answers[1].content


MEDIA_TYPES: dict[str, tuple[str | None, str | None]] = {
    "capitals": ("APPLICATION/JSON", "Application/JSON, Text/Event-Stream"),
    "charset": ("application/json; charset=utf-8", "application/json"),
    "charset in capitals": ("Application/Json;Charset=UTF-8", "text/event-stream;q=0.5, APPLICATION/JSON;q=0.9"),
    "whatever": ("application/json", "*/*"),
    "any kind of it": ("application/json", "Application/*"),
    "no word": ("application/json", None),
    "an empty word": ("application/json", ""),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("sent", "accepted"), [pytest.param(*case, id=name) for name, case in MEDIA_TYPES.items()])
def test_media_types_have_no_case(sent: str, accepted: str | None, version: str, base_url: str) -> None:
    response = post_raw(base_url, version, {"content-type": sent, "accept": accepted})
    assert response.status_code == 200, response.text
    assert response.json()["result"]["tools"]


REFUSED_MEDIA_TYPES: dict[str, tuple[str | None, str | None, int, str]] = {
    "text": ("text/plain", "application/json", 415, "Content-Type: application/json"),
    "a form": ("application/x-www-form-urlencoded", "*/*", 415, "Content-Type: application/json"),
    "a longer type": ("application/jsonp", "*/*", 415, "Content-Type: application/json"),
    "no type": (None, "*/*", 415, "Content-Type: application/json"),
    "a page": ("application/json", "text/html", 406, "Accept: application/json, text/event-stream"),
    "everything but JSON": ("application/json", "application/json;q=0, text/html", 406, "Accept: application/json"),
    "no JSON": ("application/json", "*/*, Application/JSON;q=0", 406, "Accept: application/json"),
    "nothing": ("application/json", "*/*; q=0.0", 406, "Accept: application/json, text/event-stream"),
    "only streams": ("application/json", "text/event-stream", 406, "Accept: application/json, text/event-stream"),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("sent", "accepted", "status", "said"), [pytest.param(*case, id=name) for name, case in REFUSED_MEDIA_TYPES.items()]
)
def test_other_media_types_are_told_what_to_send(
    sent: str | None, accepted: str | None, status: int, said: str, version: str, base_url: str
) -> None:
    response = post_raw(base_url, version, {"content-type": sent, "accept": accepted})
    assert (response.status_code, response.headers["content-type"]) == (status, "application/json")
    assert response.json()["error"]["code"] == -32600
    assert said in response.json()["error"]["message"]


def post_raw(base_url: str, version: str, headers: dict[str, str | None]) -> httpx2.Response:
    """List the tools with these headers. None leaves one out, which the HTTP library would add."""
    message, of_the_version = of_version({"jsonrpc": "2.0", "id": 3, "method": "tools/list"}, version)
    told = headers | {name.replace("_", "-"): value for name, value in of_the_version.items()}
    request = httpx2.Request("POST", f"{base_url}/mcp", content=orjson.dumps(message))
    for name, value in told.items():
        request.headers.pop(name, None)
        if value is not None:
            request.headers[name] = value
    with httpx2.Client(timeout=PATIENCE_SECONDS) as client:
        return client.send(request)


@pytest.mark.parametrize("version", ["2099-01-01", "2025-06-18, 2025-06-18", "latest", "1.0", "2026-07-28x"])
@pytest.mark.parametrize("message", [PING, NOTIFICATION, [PING], call_message("search_listings", id_=7)])
def test_an_unknown_version_is_told_the_known_ones(message: Any, version: str, base_url: str) -> None:
    response = post(base_url, message, mcp_protocol_version=version)
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (400, -32022)
    assert response.json()["id"] == (7 if isinstance(message, dict) and "id" in message else None)
    assert error["data"] == {"supported": ["2026-07-28"], "requested": version}
    assert "MCP-Protocol-Version" in error["message"]
    assert all(known in error["message"] for known in VERSIONS)


# What is wrong with a message, and the part of it that the answer says to send.
FAULTS: dict[str, tuple[dict[str, Any], int, str]] = {
    "params as an array": ({"params": []}, -32602, "params"),
    "params as a text": ({"params": "x"}, -32602, "params"),
    "params as a number": ({"params": 0}, -32602, "params"),
    "arguments as an array": ({"params": {"name": "get_profile", "arguments": []}}, -32602, "params.arguments"),
    "arguments as a text": ({"params": {"name": "get_profile", "arguments": "{}"}}, -32602, "params.arguments"),
    "no name": ({"params": {}}, -32602, "params.name"),
    "no params": ({"params": None}, -32602, "params"),
    "name as an array": ({"params": {"name": ["get_profile"]}}, -32602, "params.name"),
    "no method": ({"method": None}, -32600, "method"),
    "method as a number": ({"method": 1}, -32600, "method"),
    "an older protocol": ({"jsonrpc": "1.0"}, -32600, '"jsonrpc"'),
    "a number as the protocol": ({"jsonrpc": 2.0}, -32600, '"jsonrpc"'),
    "no ID": ({"id": None}, -32600, "id"),
    "a fraction as the ID": ({"id": 1.5}, -32600, "id"),
    "an object as the ID": ({"id": {}}, -32600, "id"),
    "a boolean as the ID": ({"id": True}, -32600, "id"),
}


@pytest.mark.parametrize("version", VERSIONS[:3])
@pytest.mark.parametrize(("changes", "code", "part"), [pytest.param(*case, id=name) for name, case in FAULTS.items()])
def test_a_faulty_message_is_told_what_to_send(
    changes: dict[str, Any], code: int, part: str, version: str, base_url: str
) -> None:
    response = post(base_url, {**call_message("get_profile", id_=9), **changes}, mcp_protocol_version=version)
    # The SDK refuses parameters of another form than its method's, once the message can be read.
    is_read = "params" in changes and isinstance(changes["params"], dict | None)
    assert response.status_code == (200 if is_read else 400)
    assert response.json()["id"] == (None if code == -32600 else 9)
    assert response.json()["error"]["code"] == code
    assert response.json()["error"]["message"].split()[1].rstrip(".:") == part


def test_an_initialization_is_told_what_it_lacks(base_url: str) -> None:
    response = post(base_url, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
    assert response.json()["error"]["code"] == -32602
    for name in ("capabilities", "clientInfo", "protocolVersion"):
        assert f"params.{name}" in response.json()["error"]["message"]


# Where the rest of a message can be nested.
DEEP = {
    "arguments": b'"params": {"name": "get_profile", "arguments": {"a": %s}}',
    "envelope": b'"params": {"name": "get_profile", "_meta": {"a": %s}}',
    "params": b'"params": %s',
    "result": b'"params": {}, "result": %s',
}


@pytest.mark.parametrize("levels", [150, 254, 1000])
@pytest.mark.parametrize("part", DEEP)
def test_a_deep_message_is_refused_alone_and_in_a_batch(part: str, levels: int, base_url: str) -> None:
    deep = b"[" * levels + b"]" * levels
    message = b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", %s}' % (DEEP[part] % deep)
    alone, batch = post(base_url, message), post(base_url, b"[%s, %s]" % (message, deep))
    assert (alone.status_code, alone.json()["error"]["code"], alone.json()["id"]) == (400, -32602, 9)
    assert alone.json()["error"]["message"].startswith("Send ")
    assert (batch.status_code, batch.json()[0]) == (200, alone.json())
    assert batch.json()[1]["error"]["code"] == -32600


@pytest.mark.parametrize("version", VERSIONS[:3])
def test_what_libraries_write_for_integers_and_nothing_is_read(version: str, base_url: str) -> None:
    written = {**PING, "id": 7.0, "params": {"_meta": {"progressToken": None, "a": 1}}}
    answer = {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert post(base_url, written, mcp_protocol_version=version).json() == answer
    assert post(base_url, [written]).json() == [answer]


@pytest.mark.parametrize("id_", [1e300, 2.0**53, -0.5])
def test_an_id_that_is_no_exact_integer_is_refused(id_: float, base_url: str) -> None:
    error = post(base_url, {**PING, "id": id_}).json()["error"]
    assert (error["code"], error["message"].split()[1]) == (-32600, "id")


def test_a_compressed_body_is_told_to_come_without(base_url: str) -> None:
    body = gzip.compress(orjson.dumps(PING))
    refused = post(base_url, body, content_encoding="gzip")
    assert (refused.status_code, "Content-Encoding" in refused.json()["error"]["message"]) == (415, True)
    assert post(base_url, PING, content_encoding="Identity").status_code == 200


def test_a_version_without_a_value_counts_as_none(base_url: str) -> None:
    assert post(base_url, PING, mcp_protocol_version="").json() == {"jsonrpc": "2.0", "id": 7, "result": {}}


def test_params_may_be_null(base_url: str) -> None:
    assert post(base_url, {**PING, "params": None}).json() == {"jsonrpc": "2.0", "id": 7, "result": {}}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, -32700),
        (b"", 400, -32700),
        (b"[NaN]", 400, -32700),
        (b"1", 400, -32600),
        (b"{}", 400, -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600),
        (b'"{}"', 400, -32600),
        (b" " * (MAX_MESSAGE_BYTES + 1), 413, -32600),
    ],
)
@pytest.mark.parametrize("version", VERSIONS)
def test_malformed_messages(body: bytes, status: int, code: int, version: str, base_url: str) -> None:
    response = post(base_url, body, mcp_protocol_version=version)

    assert response.status_code == status
    assert response.json()["error"]["code"] == code
    assert response.json()["id"] is None
    assert "pydantic" not in response.text


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8000", "shop.localhost", "[::1]:80"])
def test_own_hosts_and_origins_are_served(host: str, base_url: str) -> None:
    response = post(base_url, PING, host=host, origin=f"http://{host}")

    assert response.json()["result"] == {}


def test_on_loopback_no_page_elsewhere_reaches_the_server(base_url: str) -> None:
    response = post(base_url, PING, origin="https://app.example")

    assert response.status_code == 403
    assert response.json()["error"]["code"] == -32600


@pytest.mark.parametrize("origin", ["https://app.example", "http://localhost:6274", "null"])
def test_elsewhere_programs_in_browsers_call_from_any_origin(origin: str, base_url: str, settings: Any) -> None:
    settings.IS_LOOPBACK = False
    response = post(base_url, PING, origin=origin)

    assert response.json()["result"] == {}
    assert response.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in response.headers
    assert post(base_url, PING, origin=origin, host="evil.example").status_code == 421


def test_a_program_in_a_browser_reads_challenges_and_limits(base_url: str) -> None:
    response = post(base_url, call_message("list_my_listings"), origin="http://localhost:6274")
    exposed = response.headers["access-control-expose-headers"].lower().split(", ")

    assert response.status_code == 401
    assert {"www-authenticate", "mcp-session-id", "retry-after", "ratelimit", "x-request-id"} <= set(exposed)
    assert "access-control-allow-origin" not in post(base_url, PING).headers


@pytest.mark.parametrize("authorization", [None, "Bearer wrong"])
def test_a_browser_may_ask_before_it_calls(authorization: str | None, base_url: str) -> None:
    headers = {"origin": "http://localhost:6274", "access-control-request-method": "POST"}
    headers |= {"authorization": authorization} if authorization else {}
    response = httpx2.options(f"{base_url}/mcp", headers=headers, timeout=PATIENCE_SECONDS)
    allowed = response.headers["access-control-allow-headers"].split(", ")

    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["access-control-allow-origin"] == "*"
    assert "POST" in response.headers["access-control-allow-methods"]
    assert {"authorization", "content-type", "mcp-protocol-version", "mcp-session-id", "mcp-method"} <= set(allowed)


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a b"])
def test_foreign_hosts_and_origins_are_refused(host: str, base_url: str) -> None:
    assert post(base_url, PING, host=host).status_code == 421
    assert post(base_url, PING, origin=f"http://{host}").status_code == 403
    assert post(base_url, PING, origin="null").status_code == 403


def test_the_request_id_is_the_same_on_both_sides(base_url: str) -> None:
    message = call_message("get_leaderboard", {"board": "nowhere"})
    response = post(base_url, message, x_request_id="from-the-client-1")
    problem = orjson.loads(response.json()["result"]["content"][0]["text"])

    assert response.headers["x-request-id"] == problem["request_id"] == "from-the-client-1"
    assert len(post(base_url, PING).headers["x-request-id"]) == 32


@pytest.mark.parametrize("version", VERSIONS)
def test_an_unknown_tool_is_a_protocol_error(version: str, base_url: str) -> None:
    message, headers = of_version(call_message("no_such_tool"), version)

    assert post(base_url, message, **headers).json()["error"]["code"] == -32602


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("params", [{"name": "search_listings", "arguments": [1]}, {"name": ["search_listings"]}])
def test_wrongly_shaped_calls_are_a_protocol_error(params: dict[str, Any], version: str, base_url: str) -> None:
    message, headers = of_version(call_message("search_listings") | {"params": params}, version)
    headers["mcp_name"] = "search_listings"

    # The newest version compares the name with its header first.
    assert post(base_url, message, **headers).json()["error"]["code"] in {-32602, -32020}


def test_a_batch_is_answered_as_one(base_url: str) -> None:
    batch = [PING, NOTIFICATION, call_message("list_interview_questions", id_=8), {"jsonrpc": "2.0"}]
    response = post(base_url, batch, mcp_protocol_version="2025-03-26")
    pong, questions, refused = response.json()

    assert response.status_code == 200
    assert pong == {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert questions["id"] == 8
    assert questions["result"]["structuredContent"]["items"]
    assert refused["error"]["code"] == -32600


def test_a_batch_needs_no_version_header(base_url: str) -> None:
    assert len(post(base_url, [PING, PING]).json()) == 2


def test_a_batch_of_notifications_has_no_answer(base_url: str) -> None:
    response = post(base_url, [NOTIFICATION])

    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize("count", [0, 21])
def test_batches_are_bounded(count: int, base_url: str) -> None:
    assert post(base_url, [PING] * count).status_code == 400
    assert len(post(base_url, [PING] * 20).json()) == 20


def test_a_batch_does_not_open_a_connection(base_url: str) -> None:
    opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}

    assert post(base_url, [PING, opening]).json()["error"]["code"] == -32600


def test_a_batch_with_a_wrong_credential_is_refused_entry_by_entry(base_url: str) -> None:
    batch = [PING, NOTIFICATION, call_message("search_listings", id_=8), call_message("no_such_tool", id_=9)]
    response = post(base_url, batch, authorization="Bearer wrong")

    assert response.status_code == 401
    assert 'error="invalid_token"' in response.headers["www-authenticate"]
    assert [(entry["id"], entry["error"]["code"]) for entry in response.json()] == [
        (7, -32010),
        (None, -32010),
        (8, -32010),
        (9, -32010),
    ]


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_newer_versions_have_no_batches(version: str, base_url: str) -> None:
    response = post(base_url, [PING], mcp_protocol_version=version)

    assert response.status_code == 400
    assert response.json()["error"]["code"] == -32600


def test_a_batch_that_needs_a_credential_says_so(base_url: str) -> None:
    response = post(base_url, [PING, call_message("list_my_listings")])

    assert response.status_code == 401
    assert response.headers["www-authenticate"].startswith("Bearer")
    assert [("result" in entry, "error" in entry) for entry in response.json()] == [(True, False), (False, True)]


@pytest.mark.parametrize("version", VERSIONS)
def test_any_process_answers_any_request(version: str, base_url: str, world: World) -> None:
    """No session is opened, none is needed, and none that a client makes up is looked at."""
    message, headers = of_version(call_message("list_my_listings"), version)
    response = post(base_url, message, **headers, authorization=f"Bearer {world.key}", mcp_session_id="made-up")

    assert response.json()["result"]["structuredContent"]["total"] == 1
    assert "mcp-session-id" not in response.headers
