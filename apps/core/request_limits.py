"""How many requests a minute: by credential, and by address for those without a good one.

A request is counted once, by REST and tool calls alike, and its answer says how the counter stands
(draft-ietf-httpapi-ratelimit-headers). While Valkey does not answer, nothing is counted and all are let through.
"""

import logging
import time
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from redis import RedisError
from rest_framework.request import Request

from apps.core.clients import client_network
from apps.core.errors import TooManyRequests
from apps.core.limits import TAKE, script

logger = logging.getLogger(__name__)

WINDOW_SECONDS = 60
# Messages to /mcp that are no calls cost little, and assistants of many people may come from one address: to
# connect takes each of them three or four, and some connect anew for every call.
MESSAGES_A_REQUEST = 40
# For so long a credential that was good is known: its requests are counted before the database is asked.
_KNOWN_SECONDS = 3600
_OUTAGE_SECONDS = 5.0
_STANDING_KEY = "slipway.rate_limit"

_COUNT = f"{TAKE} return take(KEYS[1], tonumber(ARGV[1]), ARGV[2])"
# Keeps the name of a credential's counter, and counts by it.
_KNOW = f"""{TAKE}
redis.call('SET', KEYS[1], KEYS[2], 'EX', {_KNOWN_SECONDS})
return ARGV[1] ~= '0' and take(KEYS[2], tonumber(ARGV[1]), ARGV[2]) or {{1, 0, 0}}
"""
# Counts by the name that was kept; for a credential without one, looks whether its address may try another.
_ADMIT = f"""{TAKE}
local counter = redis.call('GET', KEYS[1])
if not counter then
  local left = tonumber(ARGV[2]) - tonumber(redis.call('GET', KEYS[2]) or 0)
  return {{0, left > 0 and 1 or 0, left, math.ceil(redis.call('PTTL', KEYS[2]) / 1000)}}
end
return {{1, unpack(ARGV[1] ~= '0' and take(counter, tonumber(ARGV[1]), ARGV[3]) or {{1, 0, 0}})}}
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """A counter after a request: `left` of `most` in the `seconds` that its window goes on."""

    policy: str
    most: int
    left: int
    seconds: int

    def headers(self) -> dict[str, str]:
        """RateLimit-Policy and RateLimit."""
        return {
            "RateLimit-Policy": f'"{self.policy}";q={self.most};w={WINDOW_SECONDS}',
            "RateLimit": f'"{self.policy}";r={self.left};t={self.seconds}',
        }


def count_address(request: Request) -> None:
    """Count a request without a credential; raises TooManyRequests (429)."""
    _count(request, "address", settings.RATE_LIMIT_PER_ADDRESS)


def count_message(request: Request) -> None:
    """Count a message to /mcp that is no request to the API, such as a listing; raises TooManyRequests (429)."""
    _count(request, "messages", settings.RATE_LIMIT_PER_ADDRESS * MESSAGES_A_REQUEST)


def count_wrong_credential(request: Request) -> None:
    """Count a request whose credential is no good; raises TooManyRequests (429)."""
    _count(request, "refused", settings.RATE_LIMIT_PER_ADDRESS)


def admit(request: Request, checksum: str, *, counts: bool) -> bool:
    """Count a request by the credential it shows, before that is looked up; False when it is not known.

    Raises TooManyRequests (429) when the credential's requests are used up, or when it is not known and its address
    has shown too many wrong ones: whoever tries credentials is stopped before the database is asked.
    """
    most = settings.RATE_LIMIT_PER_KEY if counts else 0
    most_refused = settings.RATE_LIMIT_PER_ADDRESS
    if not most and not most_refused:
        return True
    keys = [_of_known(checksum), _by_address(request, "refused")]
    answer = _ask(_ADMIT, keys, [most, most_refused, WINDOW_SECONDS])
    if answer is None:
        return True
    is_known, *counted = answer
    if is_known:
        _note(request, "key", most, counted)
    elif not counted[0]:
        _note(request, "refused", most_refused, counted)
    return bool(is_known)


def know(request: Request, checksum: str, name: str, *, counts: bool) -> None:
    """Keep by what name a good credential is counted, and count the request; raises TooManyRequests (429)."""
    most = settings.RATE_LIMIT_PER_KEY if counts else 0
    _note(request, "key", most, _ask(_KNOW, [_of_known(checksum), f"rate:{name}"], [most, WINDOW_SECONDS]))


def rate_limit_headers(request: HttpRequest) -> dict[str, str]:
    """The headers for the answer to a request; empty for one that was not counted."""
    standing: Standing | None = request.META.get(_STANDING_KEY)
    return standing.headers() if standing else {}


def _count(request: Request, policy: str, most: int) -> None:
    if most:
        _note(request, policy, most, _ask(_COUNT, [_by_address(request, policy)], [most, WINDOW_SECONDS]))


def _note(request: Request, policy: str, most: int, counted: list[int] | None) -> None:
    """Keep for the answer what the scripts return: whether the request is within the limit, what is left, seconds."""
    if not most or counted is None:
        return
    is_within, left, seconds = counted
    request.META[_STANDING_KEY] = Standing(policy, most, max(left, 0), max(seconds, 1))
    if not is_within:
        detail = f"More than {most} requests a minute. Wait {max(seconds, 1)} seconds."
        raise TooManyRequests(detail, retry_after=max(seconds, 1))


def _by_address(request: Request, policy: str) -> str:
    return f"rate:{policy}:{client_network(request)}"


def _of_known(checksum: str) -> str:
    return f"known:{checksum}"


class _Outage:
    """While Valkey is out, one request tries it every few seconds: an outage costs few waits and two log lines."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_on = False
        self._next_try = 0.0

    def holds_back(self) -> bool:
        """Whether a request goes on without asking."""
        if not self._is_on:
            return False
        with self._lock:
            is_too_early = time.monotonic() < self._next_try
            if not is_too_early:
                self._next_try = time.monotonic() + _OUTAGE_SECONDS
            return is_too_early

    def note(self, *, is_on: bool) -> None:
        """Take down how asking went."""
        if is_on == self._is_on:
            return
        with self._lock:
            has_changed, self._is_on = is_on != self._is_on, is_on
            self._next_try = time.monotonic() + _OUTAGE_SECONDS
        if has_changed:
            logger.warning("requests are %s", "not counted: Valkey does not answer" if is_on else "counted again")


_outage = _Outage()


def _ask(text: str, keys: list[str], arguments: list[Any]) -> list[int] | None:
    if _outage.holds_back():
        return None
    try:
        answer: list[int] = script(text)(keys=keys, args=arguments)
    except RedisError:
        _outage.note(is_on=True)
        return None
    _outage.note(is_on=False)
    return answer
