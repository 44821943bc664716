"""Ask VIES, the Commission's register, whether a VAT number is valid. Never call it inside a transaction."""

import asyncio
import json
import logging
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any

import httpx2
from django.conf import settings
from django.core.cache import cache

from apps.core.fetch.tls import service_tls
from apps.orders.countries import EU, vat_country
from apps.orders.tax.vat import NumberCheck, NumberStatus, Seller, VatNumber, parse_number

logger = logging.getLogger(__name__)

DEADLINE_SECONDS = 5.0
TIMEOUT = httpx2.Timeout(4.0, connect=2.0)
MAX_ANSWER_BYTES = 64 * 1024
# A slow register must not hold all threads of the web server. Beyond this number, lookups are skipped for now.
MAX_IN_FLIGHT = 2
_in_flight = BoundedSemaphore(MAX_IN_FLIGHT)
_REMEMBER_SECONDS = {NumberStatus.VALID: 3600, NumberStatus.INVALID: 600, NumberStatus.UNAVAILABLE: 15}
# VIES's userError values for a completed lookup. Anything else is a failure of some register.
_LOOKED_UP = {None, "", "VALID", "INVALID", "INVALID_INPUT"}
_WRONG_REQUESTER = "INVALID_REQUESTER_INFO"


class WrongRequesterError(ValueError):
    """VIES rejects the seller's own number, without which it gives no consultation number."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The response of VIES. The consultation number proves the check and is given to registered sellers only."""

    status: NumberStatus
    consultation_number: str = ""


def check_number(typed: str, *, country: str | None, seller: Seller) -> NumberCheck | None:
    """Check a customer's VAT number: its form first, then with VIES. None without a number.

    Results are cached: an hour if valid, ten minutes if not, seconds if VIES did not respond.
    """
    if not typed.strip():
        return None
    if not country or vat_country(country) not in EU:
        return NumberCheck(typed, NumberStatus.NOT_CHECKED)
    number = parse_number(typed, country=country)
    if number is None:
        return NumberCheck(typed, NumberStatus.INVALID)
    answer = _remembered(number, seller)
    return NumberCheck(str(number), answer.status, number.country, answer.consultation_number)


def _remembered(number: VatNumber, seller: Seller) -> Answer:
    key = f"vies:{number}:{seller.vat_number}"
    stored: list[str] | None = cache.get(key)
    if stored is not None:
        return Answer(NumberStatus(stored[0]), stored[1])
    answer = ask(number, seller)
    cache.set(key, [str(answer.status), answer.consultation_number], _REMEMBER_SECONDS[answer.status])
    return answer


def ask(number: VatNumber, seller: Seller) -> Answer:
    """Look a number up in VIES once: valid, invalid or unavailable, whatever goes wrong."""
    requester = parse_number(seller.vat_number, country=seller.country) if seller.vat_number else None
    if not _in_flight.acquire(blocking=False):
        return Answer(NumberStatus.UNAVAILABLE)
    try:
        return _ask(number, requester)
    finally:
        _in_flight.release()


def _ask(number: VatNumber, requester: VatNumber | None) -> Answer:
    body = {"countryCode": number.prefix, "vatNumber": number.digits}
    if requester:
        body |= {"requesterMemberStateCode": requester.prefix, "requesterNumber": requester.digits}
    try:
        return _read(json.loads(asyncio.run(_send("POST", "check-vat-number", body))))
    except (httpx2.HTTPError, TimeoutError, ValueError) as error:
        if requester and isinstance(error, WrongRequesterError):
            logger.exception("VIES rejects the seller's own VAT number", extra={"number": str(requester)})
            return _ask(number, None)
        logger.warning("VIES didn't respond", extra={"country": number.prefix, "error": repr(error)[:200]})
        return Answer(NumberStatus.UNAVAILABLE)


def registers_out() -> list[str]:
    """Return the countries whose register VIES can't reach now. Raises OSError, HTTPError or ValueError without it."""
    status = json.loads(asyncio.run(_send("GET", "check-status")))
    return [str(each["countryCode"]) for each in status["countries"] if each["availability"] != "Available"]


async def _send(method: str, path: str, body: dict[str, str] | None = None) -> bytes:
    """Return the raw response.

    Asynchronous, because only then a deadline covers name, connection, head and body together.
    """
    url = f"{settings.VIES_URL.rstrip('/')}/{path}"
    headers = {"Accept-Encoding": "identity"}
    async with (
        asyncio.timeout(DEADLINE_SECONDS),
        httpx2.AsyncClient(verify=service_tls(), timeout=TIMEOUT, headers=headers) as client,
        client.stream(method, url, json=body, follow_redirects=False) as response,
    ):
        if response.status_code != 200:
            raise ValueError(f"status {response.status_code}")
        read = bytearray()
        async for chunk in response.aiter_raw():
            read += chunk
            if len(read) > MAX_ANSWER_BYTES:
                raise ValueError("a long answer")
    return bytes(read)


def _read(answer: Any) -> Answer:
    if not isinstance(answer, dict):
        raise ValueError("no answer at all")
    problems = f"{answer.get('errorWrappers') or ''}{answer.get('userError') or ''}"
    if _WRONG_REQUESTER in problems:
        raise WrongRequesterError(_WRONG_REQUESTER)
    is_valid = answer.get("valid", answer.get("isValid"))
    if answer.get("errorWrappers") or not isinstance(is_valid, bool) or answer.get("userError") not in _LOOKED_UP:
        raise ValueError("an error of a register")
    consultation = str(answer.get("requestIdentifier") or "")[:60]
    return Answer(NumberStatus.VALID if is_valid else NumberStatus.INVALID, consultation)
