"""The pages of what went wrong: each says what happened, what to do, and where else to go."""

import sys
from typing import Any

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.functional import empty

from apps.core.api.problems import problem, problem_response
from apps.core.request.outages import Outage, outage_behind
from apps.core.request.request_ids import current_request_id

_OAUTH_CALLS = ("/oauth/token", "/oauth/register", "/oauth/revoke")
# Who asks here reads problem documents.
_PROGRAMS = ("/api/", "/webhooks/")
# Parts of the names of fields whose values are never shown again.
_SECRET = ("password", "token", "code", "secret")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404)


def too_large(request: HttpRequest, *, most_bytes: int) -> HttpResponse:
    """A form with a file that is refused unread; the browser's way back leads to what was typed."""
    return _page(request, 413, most=most_bytes // 2**20)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """A limit of allauth's is used up; most of them are a minute's."""
    response = _page(request, 429)
    response["Retry-After"] = "60"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Something broke; the page is drawn without a database, which may be what broke.

    Errors of middleware come here too, and an outage is often met there first, where the session is read.
    """
    error = sys.exception()
    if error is not None and (outage := outage_behind(error)):
        return unavailable(request, outage)
    if request.path.startswith("/api/"):
        return problem_response(problem(500, "The error was logged with this request_id.", instance=request.path))
    return _plain_page(500, _site_words(request))


def unavailable(request: HttpRequest, outage: Outage) -> HttpResponse:
    """Respond that this is unavailable during an outage, to OAuth token requests as in RFC 6749, section 5.2."""
    if request.path in _OAUTH_CALLS:
        told = {"error": "temporarily_unavailable", "error_description": outage.detail}
        response: HttpResponse = JsonResponse(told, status=503)
    elif request.path.startswith(_PROGRAMS) or request.path == settings.MCP_PATH:
        response = problem_response(problem(503, outage.detail, instance=request.path))
    else:
        # A database that is out is not asked once more: that may take as long again.
        response = _plain_page(503, _site_words(request) if outage.server == "Valkey" or _has_site(request) else {})
    response["Retry-After"] = str(outage.retry_after)
    response["Cache-Control"] = "no-store"
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Handle a form that was open too long or came from elsewhere, and return the text typed into ours."""
    return _page(request, 403, "403_csrf", texts=_written(request), form_address=_form_address(request))


def _site_words(request: HttpRequest) -> dict[str, Any]:
    """What the frame of the page needs of the site; nothing of one that cannot be looked up now."""
    # Set by a middleware of an app above, and looked up when first used.
    site: Any = getattr(request, "site", None)
    try:
        return {"name": site.name, "hue": site.hue, "tagline": site.tagline}
    except (AttributeError, DatabaseError, InterfaceError, ObjectDoesNotExist):
        return {}


def _has_site(request: HttpRequest) -> bool:
    """Whether the site is at hand, without looking it up."""
    site: Any = getattr(request, "site", None)
    return getattr(site, "_wrapped", site) not in (None, empty)


def _form_address(request: HttpRequest) -> str:
    """Where the form stood, as the browser says: what it was sent to may be no page. Never another website."""
    referer = request.headers.get("Referer", "")
    return referer if referer.startswith(f"{request.scheme}://{request.get_host()}/") else request.path


def _written(request: HttpRequest) -> list[dict[str, str]]:
    """The texts of a form of this site that have more than one word, by the names of their fields."""
    if request.headers.get("Origin") != f"{request.scheme}://{request.get_host()}":
        # Another website's words are not shown as if they were the person's own.
        return []
    return [
        {"id": f"text-{number}", "label": name.replace("_", " ").replace("-", " ").capitalize(), "text": text}
        for number, (name, text) in enumerate(request.POST.items())
        if isinstance(text, str) and len(text.split()) > 1 and not any(part in name for part in _SECRET)
    ]


def _plain_page(status: int, site: dict[str, Any]) -> HttpResponse:
    """A page drawn without the request, whose account the header and context processors would look up."""
    context = {"status": status, "request_id": current_request_id(), "request": {"site": site}}
    return HttpResponse(render_to_string(f"errors/{status}.html", context), status=status)


def _page(request: HttpRequest, status: int, template: str = "", **context: Any) -> HttpResponse:
    context |= {"status": status, "request_id": current_request_id()}
    return render(request, f"errors/{template or status}.html", context, status=status)
