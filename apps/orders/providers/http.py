"""JSON over HTTP with a payment provider: a total deadline, a size limit, no redirects, no secrets in logs.

Never call it inside a transaction.
"""

import asyncio
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

import httpx2

from apps.core.fetch.tls import service_tls
from apps.orders.providers.gateway import GatewayError, GatewayRefusalError

logger = logging.getLogger(__name__)

DEADLINE_SECONDS = 15.0
TIMEOUT = httpx2.Timeout(10.0, connect=3.0)
MAX_ANSWER_BYTES = 1024 * 1024
# Refusals that a retry can resolve: too early, too often, or conflicting.
_PASSING = {408, 409, 425, 429}
_LARGEST = Decimal(10**12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request. `content` is the raw body. `form` and `json` are alternatives."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None = None
    form: Mapping[str, str] | None = None
    json: Any = None
    auth: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A provider's response: the status and the JSON, or None without a body."""

    status: int
    body: Any

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300

    def data(self) -> dict[str, Any]:
        """Return the body as an object. Raises GatewayError (503) for anything else."""
        if not isinstance(self.body, dict):
            raise GatewayError("The payment provider sent an invalid response.")
        return self.body

    def rows(self) -> list[dict[str, Any]]:
        """Return the body as a list of objects. Raises GatewayError (503) for anything else."""
        if not isinstance(self.body, list) or not all(isinstance(row, dict) for row in self.body):
            raise GatewayError("The payment provider sent an invalid response.")
        return self.body


def ask(provider: str, call: Call) -> Answer:
    """Send one request and return the response, including refusals (4xx).

    Raises GatewayError (503) when nobody answers in time, the response is too long, not JSON or a redirect, and for
    every status that a retry may resolve.
    """
    try:
        status, raw = asyncio.run(_send(call))
        body = json.loads(raw) if raw.strip() else None
    except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, ValueError, RecursionError) as error:
        # Only the error's type, because its text can repeat what was sent.
        logger.warning("a payment provider gave no answer", extra={"provider": provider, "error": type(error).__name__})
        raise GatewayError(f"{provider} isn't responding. Try again later.") from None
    answer = Answer(status, body)
    if not answer.is_good:
        logger.warning(
            "a payment provider refused", extra={"provider": provider, "status": status, "problem": problem_of(answer)}
        )
    if not answer.is_good and (status < 400 or status >= 500 or status in _PASSING):
        raise GatewayError(f"{provider} is temporarily unavailable. Try again later.")
    return answer


@contextmanager
def reading() -> Iterator[None]:
    """Read a provider's response. An unexpected shape becomes GatewayError (503), to be retried."""
    try:
        yield
    except (KeyError, IndexError, TypeError, AttributeError, ValueError):
        raise GatewayError("The payment provider sent an invalid response.") from None


def refuse(provider: str, answer: Answer) -> GatewayRefusalError:
    """Return the error to raise for a 4xx response: the provider will not do it."""
    return GatewayRefusalError(f"{provider} rejected the request: {problem_of(answer) or answer.status}.")


def problem_of(answer: Answer) -> str:
    """Return the provider's error code, never its message, which can repeat what was sent."""
    body = answer.body
    if isinstance(body, list):
        body = body[0] if body else None
    if not isinstance(body, dict):
        return ""
    details = body.get("details")
    first = details[0] if isinstance(details, list) and details and isinstance(details[0], dict) else {}
    code = first.get("issue") or body.get("name") or body.get("code") or body.get("error") or ""
    return code[:80] if isinstance(code, str) else ""


def page_of(provider: str, url: object, *, origins: tuple[str, ...]) -> str:
    """Return the URL of the payment page. Raises GatewayRefusalError (503) unless its origin is the provider's.

    The checkout page's policy allows only these, and browsers block others silently.
    """
    text = str(url or "")
    if not any(text.startswith(f"{origin}/") for origin in origins):
        parts = text.split("/", 3)
        extra = {"provider": provider, "leads_to": "/".join(parts[:3])[:200], "expected": origins}
        logger.error("a payment page isn't where the settings say", extra=extra)
        raise GatewayRefusalError(f"{provider} returned no payment page.")
    return text


def as_decimal(cents: int) -> str:
    """Format cents as the exact decimal text that providers take, such as 117.81."""
    return f"{cents // 100}.{cents % 100:02}"


def as_number(text: object) -> Decimal:
    """Parse a provider's amount, sent as text or number. Raises GatewayError (503) for anything else."""
    try:
        if isinstance(text, bool) or not isinstance(text, str | int | float):
            raise InvalidOperation
        number = Decimal(str(text))
        if not number.is_finite() or abs(number) > _LARGEST:
            raise InvalidOperation
    except InvalidOperation:
        raise GatewayError("The payment provider sent an invalid amount.") from None
    return number


def as_cents(number: Decimal) -> int:
    """Round an amount to whole cents, half up, because crypto has fractions of a cent."""
    return int((number * 100).quantize(Decimal(1), rounding=ROUND_HALF_UP))


async def _send(call: Call) -> tuple[int, bytes]:
    """Return status and raw response.

    Asynchronous, because only then a deadline covers connection, head and body together.
    """
    headers = {"Accept": "application/json", "Accept-Encoding": "identity", **call.headers}
    async with (
        asyncio.timeout(DEADLINE_SECONDS),
        httpx2.AsyncClient(verify=service_tls(), timeout=TIMEOUT, headers=headers, auth=call.auth) as client,
        client.stream(
            call.method, call.url, content=call.content, data=call.form, json=call.json, follow_redirects=False
        ) as response,
    ):
        read = bytearray()
        async for chunk in response.aiter_raw():
            read += chunk
            if len(read) > MAX_ANSWER_BYTES:
                raise ValueError("a long answer")
    return response.status_code, bytes(read)
