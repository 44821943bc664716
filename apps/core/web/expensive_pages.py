"""Rate limit of public pages that read a lot: search, leaderboards, feeds and sitemaps."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from apps.core.api.rate_limits import count_page
from apps.core.errors import TooManyRequests
from apps.core.web.error_pages import too_many_requests

View = Callable[..., HttpResponseBase]


def expensive_page(view: View) -> View:
    """Respond 429 with Retry-After to an address that requests too many of these pages in a minute."""

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
