"""Limit requests per minute: by credential, or by address for those without a valid one.

Each request counts once, REST and tool calls alike, and the response headers report the counter
(draft-ietf-httpapi-ratelimit-headers). While Valkey does not answer, nothing is counted and every request is allowed.
"""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from apps.core.request.client_ip import client_network
from apps.core.stores.valkey.circuit_breaker import CircuitBreaker
from apps.core.stores.valkey.counters import Limit, Standing

WINDOW_SECONDS = 60
# Room for the clients of many people behind one address, whose tokens expire every hour, but not for guessing.
REFUSED_A_REQUEST = 10
# Messages to /mcp that are not calls cost little, and assistants of many people may share an address. Connecting takes
# three or four messages each, and some assistants reconnect for every call.
MESSAGES_A_REQUEST = 40
# Five a second by default, for many people behind one address or a crawler that reads a whole site.
PAGES_A_REQUEST = 10
_STANDING_KEY = "slipway.rate_limit"

breaker = CircuitBreaker()


def count_credential(request: Request, counted_as: str) -> None:
    """Count a request with a valid credential. Raises TooManyRequests (429)."""
    count(request, Limit("key", settings.RATE_LIMIT_PER_KEY, WINDOW_SECONDS), counted_as)


def count_address(request: HttpRequest | Request) -> None:
    """Count a request without a credential. Raises TooManyRequests (429)."""
    _count_by_address(request, "address", 1)


def count_wrong_credential(request: Request) -> None:
    """Count a request with an invalid credential. Raises TooManyRequests (429)."""
    _count_by_address(request, "refused", REFUSED_A_REQUEST)


def count_message(request: Request) -> None:
    """Count a message to /mcp that is not an API request, such as a listing. Raises TooManyRequests (429)."""
    _count_by_address(request, "messages", MESSAGES_A_REQUEST)


def count_page(request: HttpRequest) -> None:
    """Count an expensive page. Raises TooManyRequests (429).

    The response does not report the counter, because it may be cached for everybody.
    """
    limit = Limit("pages", settings.RATE_LIMIT_PER_ADDRESS * PAGES_A_REQUEST, WINDOW_SECONDS)
    standing = breaker.call(lambda: limit.try_take(client_network(request))) if limit.count else None
    if standing is not None:
        standing.check()


def count(request: HttpRequest | Request, limit: Limit, who: str) -> None:
    """Count a request against every limit above 0. Raises TooManyRequests (429)."""
    standing = breaker.call(lambda: limit.try_take(who)) if limit.count else None
    if standing is not None:
        record(request, standing)


def record(request: HttpRequest | Request, standing: Standing) -> None:
    """Store the request's counter for the response headers. Raises TooManyRequests (429) past the limit."""
    request.META[_STANDING_KEY] = standing
    standing.check()


def is_counted(request: HttpRequest) -> bool:
    """Return whether any limit counted the request."""
    return _STANDING_KEY in request.META


def rate_limit_headers(request: HttpRequest) -> dict[str, str]:
    """Return the RateLimit-Policy and RateLimit headers of a response, empty if the request was not counted."""
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
