"""Servers that never end, each cut off by a limit. The pinned limits are checked apart.

Time passes here by what servers skip of it: no limit comes first because the machine is busy.
"""

import asyncio
import gzip
import math
import random
import tracemalloc
import zlib
from dataclasses import replace

import pytest

from apps.core.fetch import Fetched, FetchError, FetchFailure, Limits, SafeClient
from tests.core.hostile_server import Handler, Server, answer, forever, serve
from tests.driven_loop import run, skip

KIB = 1024
DEADLINE = 3600.0
DRIP = 1000.0
PATIENT = Limits(deadline_seconds=math.inf, connect_seconds=math.inf)

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
GZIP = HEAD + b"Content-Encoding: gzip\r\n"


def fetch(server: Server, limits: Limits, *, path: str = "/") -> Fetched:
    async def get() -> Fetched:
        async with SafeClient(user_agent="Test", allow_private=frozenset({server.host}), limits=limits) as client:
            return await client.get(f"http://{server.host}{path}")

    return run(get())


def failure(handler: Handler, limits: Limits) -> FetchError:
    with serve(handler) as server, pytest.raises(FetchError) as cut:
        fetch(server, limits)
    assert server.accepts >= 1
    return cut.value


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def compressed(size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    block = bytes(64 * KIB)
    return b"".join(packer.compress(block) for _ in range(size // len(block))) + packer.flush()


def test_the_limits_are_those_of_the_design() -> None:
    assert Limits() == Limits(
        deadline_seconds=10.0, max_redirects=5, max_body_bytes=2 * KIB * KIB, max_head_bytes=64 * KIB
    )


@pytest.mark.parametrize(
    "handler",
    [
        pytest.param(forever(b"", b"", skips=DRIP), id="silence"),
        pytest.param(forever(b"", b"H", skips=DRIP), id="status line drip"),
        pytest.param(forever(HEAD, b"X: y\r\n", skips=DRIP), id="header drip"),
        pytest.param(forever(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", skips=DRIP), id="informational drip"),
        pytest.param(forever(HEAD + b"Content-Length: 99\r\n\r\n", b"x", skips=DRIP), id="body drip"),
        pytest.param(forever(HEAD + b"\r\n", b"x", skips=DRIP), id="unframed body drip"),
        pytest.param(forever(CHUNKED, b"1\r\nx\r\n", skips=DRIP), id="chunk drip"),
        pytest.param(forever(CHUNKED + b"0\r\n", b"X: y\r\n", skips=DRIP), id="trailer drip"),
        pytest.param(forever(CHUNKED, b"0", skips=DRIP), id="chunk size drip"),
    ],
)
def test_drips_end_at_the_deadline(handler: Handler) -> None:
    error = failure(handler, replace(PATIENT, deadline_seconds=DEADLINE))

    assert error.code in {FetchFailure.TIMEOUT, FetchFailure.BAD_RESPONSE}
    assert str(error) == str(FetchError(FetchFailure.UNREACHABLE))


def test_a_deadline_is_worth_another_try() -> None:
    error = failure(forever(HEAD + b"\r\n", b"x", skips=DRIP), replace(PATIENT, deadline_seconds=DEADLINE))

    assert error.code is FetchFailure.TIMEOUT
    assert error.retryable is True


def test_the_deadline_covers_all_redirects_together() -> None:
    async def slow_redirect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        skip(DRIP)
        writer.write(b"HTTP/1.1 302 Found\r\nLocation: /on\r\nConnection: close\r\n\r\n")

    error = failure(slow_redirect, replace(PATIENT, deadline_seconds=DEADLINE))

    assert error.code is FetchFailure.TIMEOUT


ENDLESS_LIMITS = replace(PATIENT, max_body_bytes=32 * KIB, max_head_bytes=8 * KIB)


@pytest.mark.parametrize(
    "handler",
    [
        pytest.param(forever(HEAD + b"\r\n", b"x" * 1000), id="unframed body"),
        pytest.param(forever(CHUNKED, chunk(b"x" * 1000)), id="chunks"),
        pytest.param(forever(CHUNKED, chunk(b"x")), id="small chunks"),
        pytest.param(forever(CHUNKED, b"1;" + b"e" * 4000 + b"\r\nx\r\n"), id="chunk extensions"),
        pytest.param(forever(CHUNKED + b"0\r\n", b"X: y\r\n" * 100), id="trailers"),
        pytest.param(answer(HEAD + b"Content-Length: 999999999999\r\n\r\n"), id="announced size"),
        pytest.param(forever(GZIP + b"\r\n", gzip.compress(b"")), id="empty gzip members"),
        pytest.param(forever(GZIP + b"\r\n" + gzip.compress(b"")[:10], b"\0\0\0\xff\xff" * 100), id="empty blocks"),
    ],
)
def test_endless_answers_end_by_their_size(handler: Handler) -> None:
    assert failure(handler, ENDLESS_LIMITS).code is FetchFailure.TOO_LARGE


@pytest.mark.parametrize(
    "handler",
    [
        pytest.param(forever(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"), id="informational"),
        pytest.param(forever(b"", b"HTTP/1.1 100 Continue\r\nX: y\r\n\r\n" * 100), id="informational at once"),
        pytest.param(forever(HEAD, b"X: y\r\n"), id="headers"),
        pytest.param(forever(HEAD + b"X: ", b"y" * 1000), id="one header"),
        pytest.param(forever(b"HTTP/1.1 200 ", b"O" * 1000), id="reason phrase"),
        pytest.param(answer(HEAD + b"X: " + b"y" * 9 * KIB + b"\r\n\r\n"), id="big head"),
        pytest.param(answer(HEAD + b"X: y\r\n" * 1500 + b"Content-Length: 0\r\n\r\n"), id="many headers"),
    ],
)
def test_endless_heads_end_by_a_limit_of_their_own(handler: Handler) -> None:
    assert failure(handler, ENDLESS_LIMITS).code is FetchFailure.HEADERS_TOO_LARGE


def test_many_small_headers_are_no_reason_to_refuse() -> None:
    with serve(answer(HEAD + b"X: y\r\n" * 1000 + b"Content-Length: 2\r\n\r\nok")) as server:
        assert fetch(server, Limits()).body == b"ok"


def test_gzip_bombs_are_not_unfolded() -> None:
    bomb = compressed(64 * KIB * KIB)
    head = GZIP + b"Content-Length: %d\r\n\r\n" % len(bomb)

    assert len(bomb) < 100 * KIB
    tracemalloc.start()
    try:
        assert failure(answer(head, bomb), PATIENT).code is FetchFailure.TOO_LARGE
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 * KIB * KIB


@pytest.mark.parametrize(
    "body",
    [b"", b"x" * 1000, b"x" * 32 * KIB],
)
@pytest.mark.parametrize("packs", [False, True])
def test_bodies_up_to_the_limit_arrive_whole(body: bytes, packs: bool) -> None:
    sent = gzip.compress(body) if packs else body
    head = (GZIP if packs else HEAD) + b"Content-Length: %d\r\n\r\n" % len(sent)
    with serve(answer(head, sent)) as server:
        page = fetch(server, ENDLESS_LIMITS)

    assert page.body == body


def test_one_byte_more_than_the_limit_is_too_large() -> None:
    body = b"x" * (32 * KIB + 1)

    assert failure(answer(CHUNKED, chunk(body), b"0\r\n\r\n"), ENDLESS_LIMITS).code is FetchFailure.TOO_LARGE
    packed = gzip.compress(body)
    head = GZIP + b"Content-Length: %d\r\n\r\n" % len(packed)
    assert failure(answer(head, packed), ENDLESS_LIMITS).code is FetchFailure.TOO_LARGE


def test_gzip_members_and_padding_are_read_as_one_body() -> None:
    body = gzip.compress(b"one ") + gzip.compress(b"two") + bytes(100)
    with serve(
        answer(
            CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Encoding: x-gzip\r\n\r\n"),
            *(chunk(body[at : at + 1]) for at in range(len(body))),
            b"0\r\n\r\n",
        )
    ) as server:
        page = fetch(server, PATIENT)

    assert page.body == b"one two"


def test_informational_answers_before_the_real_one_are_fine() -> None:
    with serve(answer(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 3, HEAD, b"\r\nhello")) as server:
        page = fetch(server, PATIENT)

    assert (page.status, page.body) == (200, b"hello")


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.2p1\r\n",
        b"-ERR unknown command\r\n",
        b"HTTP/1.1 200 OK\r\nBroken\r\n\r\n",
        b"HTTP/1.1 999999 OK\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 5\r\n\r\n\x00\x01\x02\x03\x04",
        b"HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: \xff\xfe\r\nConnection: close\r\n\r\n",
    ],
)
def test_broken_answers_end_in_the_one_error(sent: bytes) -> None:
    error = failure(answer(sent), PATIENT)

    assert str(error) == str(FetchError(FetchFailure.UNREACHABLE))
    assert error.__cause__ is None


def test_random_bytes_raise_only_fetch_errors() -> None:
    # Seeded, so that a failure can be repeated.
    noise = random.Random(20)  # noqa: S311 - test data, no secret
    seeds = [HEAD + b"\r\nhello", CHUNKED + chunk(b"hello") + b"0\r\n\r\n", GZIP + b"\r\n" + gzip.compress(b"hello")]
    outcomes: set[str] = set()
    for _ in range(60):
        sent = bytearray(noise.choice(seeds))
        for _ in range(noise.randint(1, 8)):
            sent[noise.randrange(len(sent))] = noise.randrange(256)
        with serve(answer(bytes(sent))) as server:
            try:
                fetch(server, PATIENT)
                outcomes.add("fetched")
            except FetchError as error:
                outcomes.add(error.code)

    assert outcomes >= {"fetched", FetchFailure.BAD_RESPONSE}


@pytest.mark.parametrize(("hops", "arrives"), [(5, True), (6, False)])
def test_five_redirects_are_followed_and_no_sixth(hops: int, arrives: bool) -> None:
    async def count_down(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        left = hops - server.accepts + 1
        writer.write(
            b"HTTP/1.1 301 Moved\r\nLocation: /%d\r\nConnection: close\r\n\r\n" % left
            if left
            else HEAD + b"Connection: close\r\n\r\ndone"
        )

    with serve(count_down) as server:
        if arrives:
            page = fetch(server, PATIENT)
            assert page.body == b"done"
            assert page.url == f"http://{server.host}/1"
            assert len(page.redirects) == hops
        else:
            with pytest.raises(FetchError) as loop:
                fetch(server, PATIENT)
            assert loop.value.code is FetchFailure.TOO_MANY_REDIRECTS
            assert server.accepts == hops


def test_redirect_loops_end() -> None:
    handler = answer(b"HTTP/1.1 302 Found\r\nLocation: /\r\nConnection: close\r\n\r\n")
    with serve(handler) as server, pytest.raises(FetchError) as loop:
        fetch(server, PATIENT)

    assert loop.value.code is FetchFailure.TOO_MANY_REDIRECTS
    assert loop.value.retryable is False
    assert server.accepts == 6
