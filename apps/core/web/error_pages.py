"""Error pages: each says what happened, what to do, and where else to go."""

import sys
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import ObjectDoesNotExist, RequestDataTooBig
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render, resolve_url
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import empty
from django.utils.http import escape_leading_slashes, url_has_allowed_host_and_scheme

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
# Where forms lead that sign somebody in.
_ENTRANCES = frozenset(
    {
        "account_login",
        "account_signup",
        "mfa_authenticate",
        "mfa_login_webauthn",
        "socialaccount_signup",
        "start_sign_in",
    }
)


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
        body = {"error": "temporarily_unavailable", "error_description": outage.detail}
        response: HttpResponse = JsonResponse(body, status=503)
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

    If somebody has signed in meanwhile, a form of signing in goes on, or asks which account. A form without longer
    texts is shown again.
    """
    is_entrance = request.resolver_match is not None and request.resolver_match.url_name in _ENTRANCES
    if is_entrance and request.user.is_authenticated:
        return _choose_account(request)
    texts = _written(request)
    # Without cookies the form would be refused again, and scripts can't tell a form from an answer.
    is_htmx = request.headers.get("HX-Request") == "true"
    is_page = is_htmx or "text/html" in request.headers.get("Accept", "")
    if not texts and is_page and is_own_form(request) and settings.CSRF_COOKIE_NAME in request.COOKIES:
        messages.warning(request, "Not sent, because the form had expired. Try again.")
        if is_htmx:
            return HttpResponse(status=204, headers={"HX-Refresh": "true"})
        return redirect(page_of_form(request))
    response = _page(request, 403, "403_csrf", texts=texts, form_address=page_of_form(request))
    setattr(response, IS_REFUSED_FORM, True)
    return response


def _choose_account(request: HttpRequest) -> HttpResponse:
    """Go on as the account that is signed in if the form names it, or ask."""
    typed = (request.POST.get("login") or request.POST.get("email") or "").strip()
    wanted = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME, "")
    if not url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        wanted = resolve_url(settings.LOGIN_REDIRECT_URL)
    if typed.lower() == request.user.get_username().lower():
        return redirect(wanted)
    again = f"{reverse('account_login')}?{urlencode({REDIRECT_FIELD_NAME: wanted})}"
    return _page(request, 409, "signed_in", wanted=wanted, again=again, typed=typed if is_own_form(request) else "")


def page_of_form(request: HttpRequest) -> str:
    """Return the path of the page that held the form, because the form's target may not be a page."""
    referer = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(referer, {request.get_host()}, require_https=request.is_secure()):
        return request.get_full_path()
    parts = urlsplit(referer)
    # Two slashes would name another host.
    path = escape_leading_slashes(parts.path)
    return f"{path}?{parts.query}" if parts.query else path


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
