"""How long a request body is waited for, and how much of it is read."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

import pytest

from apps.core.api import schema
from apps.core.web import body_limits
from apps.core.web.body_limits import BodyCutShortError, BodyLimit, BodyReader, BodyTimeoutError, body_limit
from tests.driven_loop import DrivenLoop

LIMIT = BodyLimit(most_bytes=1000, seconds=30)
T = TypeVar("T")


async def sent(*pieces: bytes | float) -> AsyncIterator[bytes]:
    """Pieces as Granian gives them, with an empty one at the end; a number is a pause."""
    for piece in pieces:
        if isinstance(piece, bytes):
            yield piece
        else:
            await asyncio.sleep(piece)


async def _read(*pieces: bytes | float, length: int | None = None, limit: BodyLimit = LIMIT) -> tuple[bytes, int]:
    body, size = await BodyReader().read(sent(*pieces), limit=limit, length=length)
    with body:
        return body.read(), size


def run(reading: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=DrivenLoop) as runner:
        return runner.run(reading)


def test_a_body_is_put_together() -> None:
    assert run(_read(b"ab", 9.9, b"c", b"", length=3)) == (b"abc", 3)
    assert run(_read(b"ab", b"c", b"")) == (b"abc", 3)
    assert run(_read(b"")) == (b"", 0)


def test_a_body_without_progress_is_given_up() -> None:
    with pytest.raises(BodyTimeoutError):
        run(_read(b"a", 10.1, b"b", b"", length=2))


def test_a_body_that_takes_too_long_in_all_is_given_up() -> None:
    drips: list[bytes | float] = [b"a", 5.9]
    assert run(_read(*drips * 5, b"", length=5)) == (b"aaaaa", 5)
    with pytest.raises(BodyTimeoutError):
        run(_read(*drips * 6, b"", length=6))


@pytest.mark.parametrize(("pieces", "length"), [((b"a", b""), 2), ((b"a", b"", b""), None), ((b"", b""), 2)])
def test_a_body_that_breaks_off_is_no_body(pieces: tuple[bytes, ...], length: int | None) -> None:
    with pytest.raises(BodyCutShortError):
        run(_read(*pieces, length=length))


def test_what_is_past_the_limit_is_left_unread() -> None:
    body, size = run(_read(*[b"x" * 400] * 5, b"", length=2000))
    assert len(body) == size == 1200


def test_uploads_may_be_larger_and_slower(settings: Any) -> None:
    assert body_limit("multipart/form-data; boundary=x", "/search") == BodyLimit(settings.MAX_UPLOAD_BYTES, 120)
    assert body_limit("application/json", "/search") == BodyLimit(300 * 1024, 30)
    assert body_limit("", "/search") == BodyLimit(300 * 1024, 30)
    for path in ("/mcp", "/mcp/", "/api/v1/me/profile"):
        assert body_limit("application/json", path) == BodyLimit(settings.MAX_JSON_PICTURE_BYTES, 120)
    assert body_limit("application/json", "/api/v1/me/listings") == BodyLimit(300 * 1024, 30)


def test_operations_with_large_bodies_are_at_the_paths_of_the_server(settings: Any) -> None:
    specs = [(path, spec) for path, methods in schema.document()["paths"].items() for spec in methods.values()]
    large = {path: spec["x-slipway"].get("max_body_bytes") for path, spec in specs}
    assert {path: most for path, most in large.items() if most} == {
        path: settings.MAX_JSON_PICTURE_BYTES for path in settings.JSON_PICTURE_PATHS if path != settings.MCP_PATH
    }


def test_one_body_too_many_ends_the_wait_for_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limits, "MAX_WAITING", 3)
    reader, ended = BodyReader(), list[int]()

    async def wait(number: int) -> None:
        with pytest.raises(BodyTimeoutError):
            await reader.read(sent(b"a", 60), limit=LIMIT, length=2)
        ended.append(number)

    async def scenario() -> list[int]:
        waits = [asyncio.create_task(wait(number)) for number in range(5)]
        await asyncio.sleep(9)
        early = list(ended)
        await asyncio.gather(*waits)
        return early

    assert run(scenario()) == [0, 1]
    assert sorted(ended) == [0, 1, 2, 3, 4]
