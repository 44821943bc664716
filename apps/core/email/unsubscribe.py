"""Leaving emails without signing in: the button that email programs offer, and the page behind it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods


def one_click(url: str) -> dict[str, str]:
    """Headers of an email that one leaves by one POST to `url`, without cookies or a question. Source: RFC 8058."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def leaving_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view the page of a signed address in an email: its token is the proof, and only a POST changes anything.

    An email program presses the button without cookies, so there is no token against forged forms (RFC 8058).
    """

    @csrf_exempt
    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex"
        # The address acts for its reader: a link on the page must not carry it further.
        response["Referrer-Policy"] = "no-referrer"
        return response

    return shown
