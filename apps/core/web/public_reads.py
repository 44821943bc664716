"""Let anonymous reads of public URLs use the replica, and record what requests write."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from apps.core.stores.replica.reading import begin_reading, is_configured, note_write
from apps.core.web.views import PRIVATE_PATHS

_READING = frozenset({"GET", "HEAD"})


class ReplicaMiddleware:
    """Chooses the server that a request reads from, and retries on the other.

    Without the primary, an outdated replica is better than no page: it may well be the next primary.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not is_configured():
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with begin_reading(may_use_replica=is_public_read(request)) as reading:
            response = self.get_response(request)
        if response.status_code >= 500 and reading.other_alias:
            with begin_reading(may_use_replica=True, alias=reading.other_alias):
                return self.get_response(request)
        if request.method not in _READING or reading.has_written:
            note_write()
        return response


def is_public_read(request: HttpRequest) -> bool:
    """Return whether the response is the same for everybody: no session, no credential, no private URL."""
    is_known = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
    return request.method in _READING and not is_known and not request.path.startswith(PRIVATE_PATHS)
