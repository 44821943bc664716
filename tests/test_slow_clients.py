"""What clients that send their bodies slowly do to others: nothing, without a proxy in front."""

import select
import socket
from contextlib import ExitStack
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.running import Running
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.processes

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
TARGETS = [
    ("/mcp", JSON),
    ("/api/v1/orders/quote", JSON),
    ("/account/profile", "multipart/form-data; boundary=x"),
    ("/webhooks/stripe", JSON),
    ("/account/sign-in", FORM),
]
CLIENTS = 64
PROBES = ("/healthz", "/search?q=a")


def _open(slipway: Running, target: tuple[str, str], *, length: int = 5000, begin: bytes = b"{") -> socket.socket:
    path, content_type = target
    netloc = urlsplit(slipway.base_url)
    made = socket.create_connection((netloc.hostname, netloc.port), timeout=PATIENCE_SECONDS)
    head = f"POST {path} HTTP/1.1\r\nHost: {netloc.netloc}\r\nContent-Type: {content_type}\r\nContent-Length: {length}"
    made.sendall(f"{head}\r\n\r\n".encode() + begin)
    return made


def test_slow_bodies_silence_nobody_and_are_given_up(slipway: Running) -> None:
    targets = [TARGETS[number % len(TARGETS)] for number in range(CLIENTS)]
    waiting: list[socket.socket] = []
    with ExitStack() as stack:

        def others_are_answered_meanwhile() -> bool:
            """False if some were given up before all probes were answered, as on a busy machine."""
            waiting[:] = [stack.enter_context(_open(slipway, target)) for target in targets]
            for path in PROBES:
                assert httpx2.get(slipway.base_url + path, timeout=PATIENCE_SECONDS).status_code == 200
            return not select.select(waiting, [], [], 0)[0]

        wait_for(others_are_answered_meanwhile)
        answers = [made.recv(65536) for made in waiting]
    assert {answer.split(b" ")[1] for answer in answers} == {b"408"}
    _, _, body = answers[targets.index(("/api/v1/orders/quote", JSON))].partition(b"\r\n\r\n")
    problem = httpx2.Response(408, content=body).json()
    assert (problem["code"], problem["status"]) == ("too_slow", 408)
    assert problem["request_id"]


@pytest.mark.parametrize(("size", "content_type"), [(270_000, JSON), (7 * 2**20, "multipart/form-data; boundary=x")])
def test_a_body_past_the_limit_is_refused_before_all_of_it_has_arrived(
    size: int, content_type: str, slipway: Running
) -> None:
    # Of the large one nothing is waited for; the small one is read, so that the connection can be used again.
    begin = b"x" * 270_000 if content_type == JSON else b"x"
    with _open(slipway, ("/api/v1/drafts", content_type), length=size, begin=begin) as made:
        assert made.recv(4096).startswith(b"HTTP/1.1 413 " if size > 2**20 else b"HTTP/1.1 401 ")
