"""Who acts now: the person, API key or client of the request, or the service itself."""

from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse

from apps.accounts.actors import SYSTEM, Actor, actor_of

_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class PresentRequestMiddleware:
    """Remembers the request while it is answered, so that events know who caused them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = _request.set(request)
        try:
            return self.get_response(request)
        finally:
            _request.reset(token)


def present_actor() -> Actor:
    """Return who made the present request. Without a request or a sign-in it is the service."""
    request = _request.get()
    if request is None or not request.user.is_authenticated:
        return SYSTEM
    return actor_of(request, via="admin" if request.path.startswith("/admin/") else None)
