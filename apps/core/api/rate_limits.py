"""How many requests a minute: by credential, and by address for those without a good one.

A request is counted once, by REST and tool calls alike, and its answer says how the counter stands
(draft-ietf-httpapi-ratelimit-headers). While Valkey does not answer, nothing is counted and all are let through.
"""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from apps.core.request.client_ip import client_network
from apps.core.valkey.circuit_breaker import CircuitBreaker
from apps.core.valkey.counters import Limit, Standing

WINDOW_SECONDS = 60
# Wide enough for the clients of many people behind one address, whose tokens end every hour; it stops guessing.
REFUSED_A_REQUEST = 10
# Messages to /mcp that are no calls cost little, and assistants of many people may come from one address: to
# connect takes each of them three or four, and some connect anew for every call.
MESSAGES_A_REQUEST = 40
# Five a second with the usual settings: many people behind one address, or a crawler that reads a whole site.
PAGES_A_REQUEST = 10
_STANDING_KEY = "slipway.rate_limit"

breaker = CircuitBreaker()


def count_credential(request: Request, counted_as: str) -> None:
    """Count a request with a good credential; raises TooManyRequests (429)."""
    count(request, Limit("key", settings.RATE_LIMIT_PER_KEY, WINDOW_SECONDS), counted_as)


def count_address(request: HttpRequest | Request) -> None:
    """Count a request without a credential; raises TooManyRequests (429)."""
    _count_by_address(request, "address", 1)


def count_wrong_credential(request: Request) -> None:
    """Count a request whose credential is no good; raises TooManyRequests (429)."""
    _count_by_address(request, "refused", REFUSED_A_REQUEST)


def count_message(request: Request) -> None:
    """Count a message to /mcp that is no request to the API, such as a listing; raises TooManyRequests (429)."""
    _count_by_address(request, "messages", MESSAGES_A_REQUEST)


def count_page(request: HttpRequest) -> None:
    """Count an expensive page; raises TooManyRequests (429).

    Its answer does not say how the counter stands: it may be cached for everybody.
    """
    limit = Limit("pages", settings.RATE_LIMIT_PER_ADDRESS * PAGES_A_REQUEST, WINDOW_SECONDS)
    standing = breaker.call(lambda: limit.try_take(client_network(request))) if limit.count else None
    if standing is not None:
        standing.check()


def count(request: HttpRequest | Request, limit: Limit, who: str) -> None:
    """Count a request by any limit of more than 0; raises TooManyRequests (429)."""
    standing = breaker.call(lambda: limit.try_take(who)) if limit.count else None
    if standing is not None:
        record(request, standing)


def record(request: HttpRequest | Request, standing: Standing) -> None:
    """Store the request's counter for the response headers; raise TooManyRequests (429) past the limit."""
    request.META[_STANDING_KEY] = standing
    standing.check()


def is_counted(request: HttpRequest) -> bool:
    """Whether a request was counted by any limit."""
    return _STANDING_KEY in request.META


def rate_limit_headers(request: HttpRequest) -> dict[str, str]:
    """RateLimit-Policy and RateLimit for the answer to a request; empty for one that was not counted."""
    standing: Standing | None = request.META.get(_STANDING_KEY)
    if standing is None:
        return {}
    limit = standing.limit
    return {
        "RateLimit-Policy": f'"{limit.name}";q={limit.count};w={limit.window_seconds}',
        "RateLimit": f'"{limit.name}";r={standing.left};t={standing.seconds}',
    }


def _count_by_address(request: HttpRequest | Request, name: str, times: int) -> None:
    limit = Limit(name, settings.RATE_LIMIT_PER_ADDRESS * times, WINDOW_SECONDS)
    count(request, limit, client_network(request))
