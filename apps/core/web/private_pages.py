"""Pages with a secret URL."""

from collections.abc import Callable, Iterable

from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt

View = Callable[..., HttpResponse]


def private_page(view: View) -> View:
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
        response._csp_update = {"form-action": added}  # type: ignore[attr-defined]  # noqa: SLF001 - the middleware's own channel for a view's wishes
    return response
