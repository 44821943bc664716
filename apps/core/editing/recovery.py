"""Return an editor's text when its form arrives too late: after a sign-out, or with an outdated token.

The script usually prevents this. Without it, the text would be lost with the page.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from rest_framework.authentication import CSRFCheck

from apps.core.web.error_pages import csrf_failure

View = Callable[..., HttpResponse]
Request = TypeVar("Request", bound=HttpRequest)
# Form fields besides the texts. The token is the only one that is not returned.
_CARRIED = ("opened", "save")


def recovers_form(labels: Callable[[Request], Mapping[str, str]]) -> Callable[[View], View]:
    """Decorate an editor's page: it checks sign-in and token here, so that a refusal can return the text.

    `labels` names the texts of the form. Texts that the form did not have are left out.
    """

    def decorate(view: View) -> View:
        signed_in = login_required(view)

        # `_refusal` still checks the token.
        @csrf_exempt
        @wraps(view)
        def checked(request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
            refusal = _refusal(request, labels) if request.method == "POST" else None
            return refusal or signed_in(request, *args, **kwargs)

        return checked

    return decorate


def _refusal(request: Request, labels: Callable[[Request], Mapping[str, str]]) -> HttpResponse | None:
    try:
        sent = request.POST
    except RequestDataTooBig:
        limit = (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) // 1024
        return render(request, "editing/too_large.html", {"limit": limit}, status=413)
    reason = _why_not_trusted(request)
    if reason and request.headers.get("Origin") != f"{request.scheme}://{request.get_host()}":
        # Another website's text must not be shown as the person's own.
        return csrf_failure(request, reason)
    if not reason and request.user.is_authenticated:
        return None
    context = {
        "texts": [
            {"name": name, "label": label, "text": sent[name]}
            for name, label in labels(request).items()
            if name in sent
        ],
        "kept": [(name, sent[name]) for name in _CARRIED if name in sent],
        "is_signed_out": not request.user.is_authenticated,
        "address": request.path,
    }
    return render(request, "editing/recover.html", context, status=403)


def _why_not_trusted(request: HttpRequest) -> str:
    """Return why Django's check considers the request forged, or an empty string."""
    check = CSRFCheck(_nothing)
    check.process_request(request)
    return str(check.process_view(request, _nothing, (), {}) or "")


def _nothing(*_: object) -> HttpResponse:
    return HttpResponse()
