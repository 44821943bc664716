"""One question to an OpenAI-compatible endpoint, and its raw answer."""

import asyncio
from collections.abc import AsyncIterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import httpx2
import orjson
from django.conf import settings

from apps.core.fetch.tls import service_tls

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MAX_ANSWER_BYTES = 256 * 1024
CONNECT_SECONDS = 5.0
SETTING_NAMES = ("LLM_BASE_URL", "LLM_API_KEY", "LLM_MODEL")


class ModelError(Exception):
    """An unreadable response. The message describes the response, never the request."""


def is_installed() -> bool:
    """Return whether the optional `model` extra is installed."""
    return find_spec("openai") is not None


def is_configured() -> bool:
    """Return whether all settings and the extra are present."""
    return all(getattr(settings, name) for name in SETTING_NAMES) and is_installed()


def ask(*, instructions: str, data: Any, schema: dict[str, Any], seconds: float) -> str:
    """Send `data` (JSON) to the model once and return its answer in the form of `schema`. Raises ModelError.

    `seconds` cover connection, head and body together. No tools are offered, redirects are not followed, and at most
    256 KiB are read.
    """
    return _text_of(asyncio.run(_post(instructions, orjson.dumps(data).decode(), schema=schema, seconds=seconds)))


async def _post(instructions: str, content: str, *, schema: dict[str, Any], seconds: float) -> bytes:
    # Imported here: the package is an optional extra that installations without a model don't have.
    from openai import APIStatusError, OpenAIError

    try:
        async with asyncio.timeout(seconds), _client(seconds) as client:
            # The raw response, because the client builds its objects without validating the content.
            answer = await client.chat.completions.with_raw_response.create(
                model=settings.LLM_MODEL,
                messages=[{"role": "system", "content": instructions}, {"role": "user", "content": content}],
                response_format={
                    "type": "json_schema",
                    "json_schema": {"name": "wording", "strict": True, "schema": schema},
                },
            )
            return answer.http_response.content
    except TimeoutError:
        raise ModelError("no answer in time") from None
    except APIStatusError as error:
        raise ModelError(f"status {error.status_code}") from None
    except (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError) as error:
        raise ModelError(type(error.__cause__ or error).__name__) from None


def _client(seconds: float) -> "AsyncOpenAI":
    from openai import AsyncOpenAI

    timeout = httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
    return AsyncOpenAI(
        base_url=settings.LLM_BASE_URL,
        api_key=settings.LLM_API_KEY,
        max_retries=0,
        timeout=timeout,
        http_client=httpx2.AsyncClient(
            # A single exit, so that an endless response hits its limit whatever the client does with it.
            transport=_BoundedTransport(verify=service_tls()),
            timeout=timeout,
            follow_redirects=False,
            headers={"Accept-Encoding": "identity"},
        ),
    )


def _text_of(raw: bytes) -> str:
    try:
        text = orjson.loads(raw)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError):
        raise ModelError("an answer of another form") from None
    if not isinstance(text, str):
        raise ModelError("an answer without text")
    return text


class _BoundedTransport(httpx2.AsyncHTTPTransport):
    """Aborts responses that are too long, and refuses compressed ones, which were not requested."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            await response.aclose()
            raise httpx2.DecodingError("a compressed answer", request=request)
        response.stream = _BoundedStream(response.stream)
        return response


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_ANSWER_BYTES
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise httpx2.ReadError("the answer is too long")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
