"""The two forms the adapter is served in, and what they do when Django fails."""

import io
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from wsgiref.util import setup_testing_defaults

import orjson
import pytest

from apps.mcp.app import OnePort
from tests.mcp.clients import VERSIONS, call_message
from tests.mcp.test_transport import PING, of_version


def ask(application: OnePort, message: dict[str, Any], **environ: str) -> tuple[str, dict[str, str], bytes]:
    """One request given to a WSGI application by hand."""
    raw = orjson.dumps(message)
    sent: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/mcp",
        "HTTP_HOST": "127.0.0.1",
        "HTTP_ACCEPT": "application/json",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(raw)),
        "wsgi.input": io.BytesIO(raw),
        **environ,
    }
    setup_testing_defaults(sent)
    started: list[Any] = []
    body = b"".join(application(sent, lambda status, headers: started.extend([status, headers])))
    return started[0], dict(started[1]), body


@pytest.fixture
def one_port() -> Iterator[Callable[[Any], OnePort]]:
    made: list[OnePort] = []

    def make(django: Any) -> OnePort:
        made.append(OnePort(django, path="/mcp"))
        return made[-1]

    yield make
    for application in made:
        application.close()


def _raise(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    raise RuntimeError("kaboom")


def _break_down(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("500 Internal Server Error", [("Content-Type", "text/html")])
    return [b"<h1>kaboom</h1>"]


def _let_pass(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    assert environ["PATH_INFO"] in {"/mcp", "/elsewhere"}
    start_response("204 No Content", [])
    return []


@pytest.mark.parametrize("django", [_raise, _break_down])
@pytest.mark.parametrize("version", VERSIONS)
def test_a_failure_is_a_tool_error_that_tells_nothing(
    django: Any, version: str, one_port: Callable[[Any], OnePort]
) -> None:
    message, headers = of_version(call_message("search_listings"), version)
    environ = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    status, _, body = ask(one_port(django), message, **environ)
    result = orjson.loads(body)["result"]

    assert status == "200 OK"
    assert result["isError"] is True
    assert orjson.loads(result["content"][0]["text"])["code"] == "internal_error"
    assert b"kaboom" not in body


@pytest.mark.parametrize("django", [_raise, _break_down])
def test_a_failure_while_the_credential_is_looked_at(django: Any, one_port: Callable[[Any], OnePort]) -> None:
    status, headers, body = ask(one_port(django), PING, HTTP_AUTHORIZATION="Bearer x")

    assert status == "500 Internal Server Error"
    assert orjson.loads(body)["error"] == {"code": -32603, "message": "Internal server error"}
    assert headers["x-request-id"]


def test_the_thread_starts_with_the_first_request(one_port: Callable[[Any], OnePort]) -> None:
    application = one_port(_let_pass)
    before = set(threading.enumerate())

    assert ask(application, PING, PATH_INFO="/elsewhere")[0] == "204 No Content"
    assert set(threading.enumerate()) == before

    assert ask(application, PING)[0] == "200 OK"
    [loop] = [thread for thread in threading.enumerate() if thread.name == "mcp-loop"]
    ask(application, PING)
    assert [thread for thread in threading.enumerate() if thread.name == "mcp-loop"] == [loop]

    application.close()
    assert set(threading.enumerate()) == before
    with pytest.raises(RuntimeError, match="once per instance"):
        ask(application, PING)


@pytest.mark.parametrize(
    ("environ", "is_read"),
    [
        ({"CONTENT_LENGTH": ""}, False),
        ({"CONTENT_LENGTH": "-1"}, False),
        ({"CONTENT_LENGTH": "", "wsgi.input_terminated": "yes"}, True),
    ],
)
def test_a_body_of_unsaid_length_is_read_where_the_server_ends_it(
    environ: dict[str, str], is_read: bool, one_port: Callable[[Any], OnePort]
) -> None:
    status, _, _ = ask(one_port(_let_pass), PING, **environ)

    assert status == ("200 OK" if is_read else "400 Bad Request")


def test_as_one_wsgi_application() -> None:
    from config.wsgi import application

    assert isinstance(application, OnePort)
    # In a thread, which has no database connection that a test could be in.
    with ThreadPoolExecutor(1) as pool:
        health = pool.submit(ask, application, {}, PATH_INFO="/healthz", REQUEST_METHOD="GET").result()
    assert health[2] == b'{"status": "ok"}'
