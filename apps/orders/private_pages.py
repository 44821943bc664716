"""Pages whose address is a secret."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

View = Callable[..., HttpResponse]


def private_page(view: View) -> View:
    """Keep a page out of indexes, caches and Referer headers.

    Without a Referer browsers send `Origin: null` with the page's own forms, which the CSRF check refuses. The
    check would protect nothing here: whoever can write such a request has the secret, and no cookie adds to it.
    """

    @wraps(view)
    def shown(*args: Any, **kwargs: Any) -> HttpResponse:
        response = view(*args, **kwargs)
        response["X-Robots-Tag"] = "noindex, nofollow"
        response["Referrer-Policy"] = "no-referrer"
        return response

    return csrf_exempt(never_cache(shown))
