"""Decorators of pages, those with a secret URL and those that read a lot, and messages about what a button did."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from apps.core.api.rate_limits import count_page
from apps.core.errors import DomainError, TooManyRequests
from apps.core.web.error_pages import too_many_requests

# Attributes of a response that the middleware of the Content-Security-Policy reads.
POLICY_ADDED, POLICY_REPLACED = "_csp_update", "_csp_replace"

View = Callable[..., HttpResponseBase]
PrivateView = Callable[..., HttpResponse]


def private_page(view: PrivateView) -> PrivateView:
    """A page for anyone who has its URL. PrivateAnswerMiddleware keeps it out of indexes, caches and Referers.

    Without a Referer, browsers send `Origin: null` with the page's own forms, which the CSRF check refuses. The check
    is not needed here, because anyone who can forge such a request has the secret, and cookies add nothing.
    """
    return csrf_exempt(view)


def let_forms_lead_to(response: HttpResponse, origins: Iterable[str]) -> HttpResponse:
    """Allow the page's forms to redirect to these origins, because Chromium checks redirects after a POST, too.

    The rest of the policy stays unchanged.
    """
    added = sorted(set(origins))
    if added:
        setattr(response, POLICY_ADDED, {"form-action": added})
    return response


def expensive_page(view: View) -> View:
    """A page that reads a lot, such as search, leaderboards, feeds and sitemaps.

    It responds 429 with Retry-After to an address that requests too many of them in a minute.
    """

    @wraps(view)
    def limited(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            count_page(request)
        except TooManyRequests as error:
            response = too_many_requests(request)
            response["Retry-After"] = str(error.retry_after)
            return response
        return view(request, *args, **kwargs)

    return limited


@contextmanager
def reporting(request: HttpRequest, done: str) -> Iterator[None]:
    """Show `done` on the next page, or why the command inside refused."""
    try:
        yield
    except DomainError as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, done)
