"""Error pages: each says what happened, what to do, and where else to go."""

import sys
from typing import Any

from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import ObjectDoesNotExist, RequestDataTooBig
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import empty
from django.utils.http import url_has_allowed_host_and_scheme

from apps.core.api.problems import problem, problem_response
from apps.core.request.outages import Outage, outage_behind
from apps.core.request.request_ids import current_request_id

_OAUTH_CALLS = ("/oauth/token", "/oauth/register", "/oauth/revoke")
# Clients of these paths read problem documents.
_PROGRAMS = ("/api/", "/webhooks/")
# Parts of the names of fields whose values are never shown again.
_SECRET = ("password", "token", "code", "secret")
# Attribute of the response to a form that was refused for its token.
IS_REFUSED_FORM = "is_refused_form"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        limit = (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) // 1024
        return render(request, "editing/too_large.html", {"limit": limit}, status=413)
    return _page(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404)


def too_large(request: HttpRequest, *, most_bytes: int) -> HttpResponse:
    """Respond to a file that was refused unread. The browser's back button returns to the form."""
    return _page(request, 413, most=most_bytes // 2**20)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """A rate limit of allauth was reached. Most of them last a minute."""
    response = _page(request, 429)
    response["Retry-After"] = "60"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Respond to an unexpected error, without the database, which may be the cause.

    Also handles errors of middleware. An outage often appears there first, where the session is read.
    """
    error = sys.exception()
    if error is not None and (outage := outage_behind(error)):
        return unavailable(request, outage)
    if request.path.startswith("/api/"):
        return problem_response(problem(500, "The error was logged with this request_id.", instance=request.path))
    return _plain_page(500, _site_words(request))


def unavailable(request: HttpRequest, outage: Outage) -> HttpResponse:
    """Respond 503 during an outage. OAuth token requests get the format of RFC 6749, section 5.2."""
    if request.path in _OAUTH_CALLS:
        told = {"error": "temporarily_unavailable", "error_description": outage.detail}
        response: HttpResponse = JsonResponse(told, status=503)
    elif request.path.startswith(_PROGRAMS) or request.path == settings.MCP_PATH:
        response = problem_response(problem(503, outage.detail, instance=request.path))
    else:
        # Don't ask a database that is down again, because that may take as long again.
        response = _plain_page(503, _site_words(request) if outage.server == "Valkey" or _has_site(request) else {})
    response["Retry-After"] = str(outage.retry_after)
    response["Cache-Control"] = "no-store"
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Handle a form that was open too long or came from elsewhere, and return the text typed into ours.

    A sign-in form that was open while its visitor signed in elsewhere leads on.
    """
    if request.path in {reverse("account_login"), reverse("account_signup")} and request.user.is_authenticated:
        wanted = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME, "")
        is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
        return redirect(wanted if is_ours else settings.LOGIN_REDIRECT_URL)
    response = _page(request, 403, "403_csrf", texts=_written(request), form_address=_form_address(request))
    setattr(response, IS_REFUSED_FORM, True)
    return response


def is_own_form(request: HttpRequest) -> bool:
    """Return whether this site's page sent the form. Another website's text must not be shown as the person's own."""
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"


def is_secret(name: str) -> bool:
    """Return whether a field's value is never shown again."""
    return any(part in name for part in _SECRET)


def is_typed(text: str) -> bool:
    """Return whether somebody would miss a text: it has more than one word, or may, in a script without spaces."""
    return len(text.split()) > 1 or not text.isascii()


def _site_words(request: HttpRequest) -> dict[str, Any]:
    """Return what the page's frame needs of the site. Empty if the site can't be looked up now."""
    # Set by a middleware of an app above, and looked up when first used.
    site: Any = getattr(request, "site", None)
    try:
        shown = ("name", "hue", "tagline", "color", "logo_key", "picture_key")
        return {name: getattr(site, name) for name in shown}
    except (AttributeError, DatabaseError, InterfaceError, ObjectDoesNotExist):
        return {}


def _has_site(request: HttpRequest) -> bool:
    """Return whether the site is already loaded."""
    site: Any = getattr(request, "site", None)
    return getattr(site, "_wrapped", site) not in (None, empty)


def _form_address(request: HttpRequest) -> str:
    """Return the page that the browser says held the form, since the target may not be a page. Only on this site."""
    referer = request.headers.get("Referer", "")
    return referer if referer.startswith(f"{request.scheme}://{request.get_host()}/") else request.path


def _written(request: HttpRequest) -> list[dict[str, str]]:
    """Return the texts of this site's form that somebody would miss, by field name."""
    if not is_own_form(request):
        return []
    return [
        {"id": f"text-{number}", "label": name.replace("_", " ").replace("-", " ").capitalize(), "text": text}
        for number, (name, text) in enumerate(request.POST.items())
        if isinstance(text, str) and is_typed(text) and not is_secret(name)
    ]


def _plain_page(status: int, site: dict[str, Any]) -> HttpResponse:
    """Draw a page without the request, because context processors would look up its account."""
    context = {"status": status, "request_id": current_request_id(), "request": {"site": site}}
    return HttpResponse(render_to_string(f"errors/{status}.html", context), status=status)


def _page(request: HttpRequest, status: int, template: str = "", **context: Any) -> HttpResponse:
    context |= {"status": status, "request_id": current_request_id()}
    return render(request, f"errors/{template or status}.html", context, status=status)
