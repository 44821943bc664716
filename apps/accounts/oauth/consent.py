"""Consent pages of the authorization server, and the list of connected apps."""

from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from oauth2_provider.http import OAuth2ResponseRedirect

from apps.accounts.actors import account_of
from apps.accounts.clients.introductions import place_of
from apps.accounts.clients.redirects import APP_SCHEMES, host_of, is_loopback
from apps.accounts.models import Application, Connection, User
from apps.accounts.oauth.connections import connected_apps, disconnect, is_connected
from apps.accounts.oauth.documents import somebody_asks
from apps.accounts.oauth.requests import (
    AccessRequest,
    BrokenRequestError,
    RefusedRequestError,
    grant,
    keep,
    read_request,
    take,
)
from apps.accounts.sign_in.reauthentication import has_confirmed_recently
from apps.core.api.scopes import SCOPE_TEXTS
from apps.core.web.pages import POLICY_ADDED

# Prompts that signing in or this page fulfills. Kept in the URL, they would prompt again.
_FULFILLED = frozenset({"login", "create", "select_account", "none"})
_SILENT = frozenset({"consent_required", "login_required"})
_REASONS = {
    "consent_required": "The app asked for access without asking you.",
    "login_required": "The app asked for access while you're signed out.",
    "invalid_scope": "The app asked for a permission that doesn't exist here.",
    "invalid_target": "The app asked for access to another service.",
}
_LOOPBACK_SOURCES = ("http://127.0.0.1:*", "http://localhost:*")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def authorize(request: HttpRequest) -> HttpResponse:
    """Ask the account to allow a client. POST is the answer."""
    try:
        if request.method == "POST":
            return _decide(request)
        return _ask(request) if request.user.is_authenticated else _send_to_sign_in(request)
    except BrokenRequestError as broken:
        return render(request, "oauth/broken.html", {"detail": broken.detail, "advice": broken.advice}, status=400)
    except RefusedRequestError as refused:
        return _refuse(request, refused)


@login_required
@require_safe
def apps_page(request: HttpRequest) -> HttpResponse:
    """List the clients that may act for the account."""
    return render(request, "oauth/connected_apps.html", {"connected": connected_apps(account_of(request))})


@login_required
@require_POST
def app_disconnect(request: HttpRequest, connection_id: int) -> HttpResponse:
    """Disconnect an app immediately."""
    connection = get_object_or_404(Connection.objects.visible_to(account_of(request)), pk=connection_id)
    disconnect(connection=connection)
    messages.success(request, f"{connection.application.label} disconnected")
    return redirect("connected_apps")


def _send_to_sign_in(request: HttpRequest) -> HttpResponse:
    query = request.META["QUERY_STRING"]
    wanted = dict(parse_qsl(query))
    prompts = set(wanted.get("prompt", "").split())
    # Fetch an unknown metadata document only for a signed-in account.
    is_unread = wanted.get("client_id", "").lower().startswith("https://") and "none" not in prompts
    if not is_unread or Application.objects.filter(client_id=wanted["client_id"].replace("\x00", "")).exists():
        _refuse_early(query, is_silent="none" in prompts)
    page = "account_signup" if "create" in prompts else "account_login"
    return HttpResponseRedirect(f"{reverse(page)}?{urlencode({'next': _again(request)})}")


def _refuse_early(query: str, *, is_silent: bool) -> None:
    """Spare people a sign-in for a request that can't succeed.

    The client gets the error afterwards, because only then we know whether the person trusts it. A silent request is
    answered immediately.
    """
    try:
        checked = read_request(query)
    except RefusedRequestError:
        if is_silent:
            raise
    else:
        if is_silent:
            raise checked.refuse("login_required", "No one is signed in.")


def _ask(request: HttpRequest) -> HttpResponse:
    user = account_of(request)
    with somebody_asks(user):
        wanted = read_request(request.META["QUERY_STRING"])
    if "none" in wanted.prompts:
        raise wanted.refuse("consent_required", "Only the account's owner can allow access.")
    if "login" in wanted.prompts and not has_confirmed_recently(request):
        return HttpResponseRedirect(f"{reverse('account_reauthenticate')}?{urlencode({'next': _again(request)})}")
    return _consent(request, wanted, user)


def _refuse(request: HttpRequest, refused: RefusedRequestError) -> HttpResponse:
    """Redirect the error to the client if the person allowed it before, otherwise show it here.

    Anyone can register a client and could make this server redirect people to any URL (RFC 9700, section 4.11.2).
    """
    user = request.user
    if isinstance(user, User) and is_connected(user=user, client_id=refused.client_id):
        return _redirect(refused.location)
    context = {
        "client": Application.objects.get(client_id=refused.client_id),
        "place": place_of(refused.redirect_uri),
        "destination": _destination(refused.redirect_uri),
        "reason": _REASONS.get(refused.error, "The app sent a request that this site doesn't understand."),
        "detail": f"{refused.error}: {refused.detail}",
        "location": refused.location,
        "again": _again(request) if refused.error in _SILENT else "",
    }
    response = render(request, "oauth/refused.html", context, status=400)
    response["Referrer-Policy"] = "no-referrer"
    return response


def _decide(request: HttpRequest) -> HttpResponse:
    user = request.user
    query = take(request.POST.get("ticket", ""), user=user) if isinstance(user, User) else None
    if query is None or not isinstance(user, User):
        raise BrokenRequestError("This page expired or was already used.")
    wanted = read_request(query)
    if request.POST.get("decision") != "allow":
        return _redirect(wanted.refuse("access_denied", "The person denied access.").location)
    chosen = [scope for scope in wanted.scopes if str(scope) in request.POST.getlist("scope")]
    if not chosen:
        return _consent(request, wanted, user, status=422)
    return _redirect(grant(wanted, scopes=chosen, user=user))


def _consent(request: HttpRequest, wanted: AccessRequest, user: User, *, status: int = 200) -> HttpResponse:
    context = {
        "client": wanted.application,
        "place": place_of(wanted.redirect_uri),
        "destination": _destination(wanted.redirect_uri),
        "is_program": is_loopback(wanted.redirect_uri) or urlsplit(wanted.redirect_uri).scheme in APP_SCHEMES,
        "scopes": [(str(scope), SCOPE_TEXTS[scope]) for scope in wanted.scopes],
        "ticket": keep(wanted, user=user),
        "again": _again(request)
        if request.method != "POST"
        else f"{reverse('oauth2_provider:authorize')}?{wanted.query}",
        "is_empty": status == 422,
    }
    response = render(request, "oauth/consent.html", context, status=status)
    setattr(response, POLICY_ADDED, {"form-action": _sources(wanted.redirect_uri)})
    return response


def _destination(redirect_uri: str) -> str:
    parts = urlsplit(redirect_uri)
    if is_loopback(redirect_uri):
        return "a program on this computer"
    return f"{parts.scheme} on this computer" if parts.scheme in APP_SCHEMES else host_of(parts)


def _sources(redirect_uri: str) -> list[str]:
    """Return the redirect targets of the form, as Content-Security-Policy sources.

    Chromium applies the form's policy to every redirect after it, including those of the client's own page, which often
    leads to another host or program. So every possible redirect URI is allowed.
    """
    parts = urlsplit(redirect_uri)
    # The policy has no syntax for IPv6 addresses.
    first = f"{parts.scheme}:" if parts.scheme in APP_SCHEMES or parts.hostname == "::1" else _origin(parts)
    return [first, "https:", *_LOOPBACK_SOURCES, *(f"{scheme}:" for scheme in sorted(APP_SCHEMES))]


def _origin(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc}"


def _again(request: HttpRequest) -> str:
    """Return this page's URL for returning after a sign-in, without the fulfilled prompts."""
    pairs = parse_qsl(request.META["QUERY_STRING"], keep_blank_values=True)
    left = [(name, " ".join(set(value.split()) - _FULFILLED) if name == "prompt" else value) for name, value in pairs]
    return f"{request.path}?{urlencode([(name, value) for name, value in left if name != 'prompt' or value])}"


def _redirect(location: str) -> HttpResponse:
    response: HttpResponse = OAuth2ResponseRedirect(location, Application().get_allowed_schemes())
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response
