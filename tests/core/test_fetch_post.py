"""Sending to an address that a stranger chose: nothing is followed, and only the start of the answer is read."""

import asyncio
import gzip
import logging
from collections.abc import Sequence

import pytest

from apps.core.fetch import Fetched, FetchError, FetchFailure, Limits, SafeClient
from tests.core.hostile_server import OK, PUBLIC, Handler, LeadingTo, Names, answer, forever, serve
from tests.core.test_fetch_table import REFUSED

KIB = 1024
LIMITS = Limits(connect_seconds=600, deadline_seconds=600, max_head_bytes=8 * KIB)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
BIG = b"Content-Length: 2147483648\r\n\r\n"


def send(
    handler: Handler, *, url: str = "http://good.example/hook?key=hidden", deadline: float = 600, times: int = 1
) -> tuple[list[Fetched], list[bytes], list[tuple[str, int]]]:
    """Post to a server at any public address. Returns the answers, the heads it read, and the dials."""
    book: dict[str, Sequence[Sequence[str]]] = {
        "good.example": [[PUBLIC], ["10.0.0.1"]],
        "twice.example": [[PUBLIC], [PUBLIC]],
        "lying.example": [["127.0.0.1", PUBLIC]],
        "late.example": [[PUBLIC, "169.254.169.254"]],
        "six.example": [[PUBLIC, "::ffff:10.0.0.1"]],
    }
    with serve(handler) as server:
        network = LeadingTo(server)

        async def run() -> list[Fetched]:
            async with SafeClient(
                user_agent="Test", resolver=Names(book), allow_private=frozenset(), network=network, limits=LIMITS
            ) as client:
                return [
                    await client.post(
                        url, content=b'{"a":1}', headers={"X-One": "1"}, max_bytes=4 * KIB, deadline=deadline
                    )
                    for _ in range(times)
                ]

        return asyncio.run(run()), server.requests, network.dials


def test_the_request_has_body_and_headers() -> None:
    [fetched], [head], _ = send(answer(OK))

    assert fetched.status == 200
    assert fetched.body == b"ok"
    assert head.startswith(b"POST /hook?key=hidden HTTP/1.1\r\n")
    assert b"\r\nX-One: 1\r\n" in head
    assert b"\r\nContent-Length: 7\r\n" in head


def test_no_cookie_is_sent_back() -> None:
    setting = answer(b"HTTP/1.1 200 OK\r\nConnection: close\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\n\r\n")
    _, requests, _ = send(setting, url="http://twice.example/", times=2)
    assert len(requests) == 2
    assert not any(b"cookie:" in request.lower() for request in requests)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_answer(status: int) -> None:
    location = b"HTTP/1.1 %d Moved\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n" % status
    [fetched], requests, dials = send(answer(location))

    assert fetched.status == status
    assert len(requests) == len(dials) == 1


def test_only_the_start_of_a_large_answer_is_read() -> None:
    [fetched], _, _ = send(forever(HEAD + BIG, b"x" * 64 * KIB))

    assert fetched.status == 200
    assert fetched.body == b"x" * 4 * KIB


def test_a_compressed_answer_is_cut_off_after_decoding() -> None:
    packed = gzip.compress(b"0" * 64 * KIB * KIB)
    head = HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    [fetched], _, _ = send(answer(head + packed))

    assert fetched.body == b"0" * 4 * KIB


async def _hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3600)


async def _drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + BIG)
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("handler", [_hang, _drip])
def test_the_time_for_all_of_it_is_limited(handler: Handler) -> None:
    with pytest.raises(FetchError) as failure:
        send(handler, deadline=0.4)

    assert failure.value.code is FetchFailure.TIMEOUT


def test_a_name_that_changes_to_a_private_address_is_refused() -> None:
    with pytest.raises(FetchError) as failure:
        send(answer(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"), times=2)

    assert failure.value.code is FetchFailure.PRIVATE_ADDRESS


@pytest.mark.parametrize("host", [host for hosts in REFUSED.values() for host in hosts])
def test_every_row_of_the_address_table_is_refused(host: str) -> None:
    with pytest.raises(FetchError) as failure:
        send(answer(OK), url=f"https://{host}/hook")

    assert failure.value.code in {FetchFailure.BAD_ADDRESS, FetchFailure.PRIVATE_ADDRESS}


def test_the_log_has_no_part_of_the_url_but_its_host(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(FetchError):
        send(_hang, deadline=0.2)

    assert "good.example" in caplog.text
    assert "hidden" not in caplog.text
