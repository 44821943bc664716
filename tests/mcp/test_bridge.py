"""The request that Django gets for a call, and its answer."""

import asyncio
import threading
from typing import Any

import orjson
import pytest

from apps.mcp.bridge import Answer, Call, DjangoBridge, call_of
from apps.mcp.registry import Tool
from tests.mcp.test_registry import an_operation, parameter, read

HEADERS = {
    "host": "directory.example",
    "authorization": "Bearer secret",
    "accept-language": "de",
    "x-request-id": "0123456789abcdef",
    "traceparent": "00-1-2-01",
    "x-forwarded-proto": "https",
    "cookie": "sessionid=1",
    "user-agent": "a client",
    "slipway.audience": "/api/v1",
}


def run(call: Call, application: Any, headers: list[tuple[bytes, bytes]] | None = None) -> Answer:
    bridge = DjangoBridge(application)
    scope = {
        "scheme": "http",
        "client": ("192.0.2.7", 4711),
        "server": ("127.0.0.1", 8000),
        "headers": headers or [(name.encode(), value.encode()) for name, value in HEADERS.items()],
    }
    try:
        return asyncio.run(bridge.run(call, scope))
    finally:
        bridge.close()


def environ_of(call: Call) -> dict[str, Any]:
    seen: dict[str, Any] = {}

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.update(environ, body=environ["wsgi.input"].read())
        start_response("200 OK", [])
        return []

    run(call, application)
    return seen


def tool(*, body: bool = False) -> Tool:
    schema = {"type": "object", "properties": {"title": {"type": "string"}}}
    operation = an_operation(
        parameters=[
            parameter("number", "path", required=True),
            parameter("page", "query", kind="integer"),
            parameter("Idempotency-Key", "header"),
        ]
    ) | ({"requestBody": {"content": {"application/json": {"schema": schema}}}} if body else {})
    return read(operation, method="put", path="/api/v1/things/{number}/part")


def test_only_named_headers_go_on() -> None:
    environ = environ_of(Call("GET", "/api/v1/things"))

    assert {name for name in environ if name.startswith("HTTP_")} == {
        "HTTP_HOST",
        "HTTP_AUTHORIZATION",
        "HTTP_ACCEPT_LANGUAGE",
        "HTTP_X_REQUEST_ID",
        "HTTP_TRACEPARENT",
        "HTTP_X_FORWARDED_PROTO",
    }
    assert environ["HTTP_AUTHORIZATION"] == "Bearer secret"
    assert environ["REMOTE_ADDR"] == "192.0.2.7"
    assert environ["wsgi.url_scheme"] == "http"


def test_two_credentials_are_put_together_into_one_that_is_none() -> None:
    seen: dict[str, Any] = {}

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.update(environ)
        start_response("200 OK", [])
        return []

    run(Call("GET", "/"), application, headers=[(b"authorization", b"Bearer a"), (b"authorization", b"Bearer b")])

    assert seen["HTTP_AUTHORIZATION"] == "Bearer a,Bearer b"


def test_the_audience_is_that_of_mcp() -> None:
    assert environ_of(Call("GET", "/"))["slipway.audience"] == "/mcp"


def test_a_body_goes_on_untouched() -> None:
    body = {"number": 1.0, "big": 2**70, "text": "1", "nothing": None, "umlaut": "ä", "half": "\ud800"}
    environ = environ_of(Call("POST", "/api/v1/things", body=body))

    assert environ["CONTENT_TYPE"] == "application/json"
    assert int(environ["CONTENT_LENGTH"]) == len(environ["body"])
    assert environ["body"] == (
        b'{"number":1.0,"big":1180591620717411303424,"text":"1","nothing":null,"umlaut":"\\u00e4","half":"\\ud800"}'
    )


def test_no_body_is_not_an_empty_one() -> None:
    environ = environ_of(Call("POST", "/api/v1/things"))

    assert "CONTENT_TYPE" not in environ
    assert environ["body"] == b""


def test_query_values_are_plain_text() -> None:
    query = {"page": 2, "exact": True, "q": "a b&c=ü", "share": 1.5}

    assert environ_of(Call("GET", "/", query))["QUERY_STRING"] == "page=2&exact=true&q=a%20b%26c%3D%C3%BC&share=1.5"


def test_arguments_find_their_places() -> None:
    arguments = {"number": "A-1", "page": 2, "title": "x", "idempotency_key": "k", "unknown": 1}

    assert call_of(tool(body=True), arguments) == Call(
        "PUT", "/api/v1/things/A-1/part", {"page": 2}, {"title": "x", "unknown": 1}, "k"
    )
    assert call_of(tool(), {"number": "A-1", "unknown": 1}) == Call(
        "PUT", "/api/v1/things/A-1/part", {"unknown": 1}, None, None
    )


@pytest.mark.parametrize("value", ["../orders", "a/b", "", "a\nb", "x" * 256])
def test_no_argument_leads_to_another_address(value: str) -> None:
    assert call_of(tool(), {"number": value}).path == "/api/v1/things/0/part"


def test_the_answer_is_read_to_its_end_and_closed() -> None:
    closed = threading.Event()

    class Body(list[bytes]):
        def close(self) -> None:
            closed.set()

    def application(environ: dict[str, Any], start_response: Any) -> Body:
        start_response("201 Created", [("Content-Type", "application/json; charset=utf-8"), ("X-One", "1")])
        return Body([b'{"id"', b":1}"])

    answer = run(Call("POST", "/"), application)

    assert (answer.status, answer.is_json, orjson.loads(answer.body)) == (201, True, {"id": 1})
    assert answer.headers["x-one"] == "1"
    assert closed.is_set()


def test_calls_run_in_a_bounded_number_of_threads() -> None:
    names: set[str] = set()

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        names.add(threading.current_thread().name)
        start_response("204 No Content", [])
        return []

    async def many() -> None:
        await asyncio.gather(*(bridge.run(Call("GET", "/"), {"scheme": "http", "headers": []}) for _ in range(40)))

    bridge = DjangoBridge(application)
    asyncio.run(many())
    bridge.close()

    assert 1 <= len(names) <= 4
    assert threading.main_thread().name not in names
