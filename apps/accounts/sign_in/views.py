"""allauth's pages with this site's changes."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from allauth.account import views as account
from allauth.account.decorators import reauthentication_required
from allauth.account.utils import passthrough_next_redirect_url
from allauth.mfa.webauthn import views as webauthn
from allauth.mfa.webauthn.internal.flows import begin_registration
from allauth.usersessions import views as sessions
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.template.response import TemplateResponse
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from django.views.generic.edit import FormView

from apps.accounts.actors import account_of
from apps.accounts.sign_in.devices import describe_browser
from apps.accounts.sign_in.passkeys import passkey_obstacle
from apps.accounts.sign_in.proof_of_work import is_proof
from apps.core.email.filebased import email_folder
from apps.sites.requests import SiteHttpRequest

View = Callable[..., HttpResponse]

# Why a page needs an account, by its name.
_REASONS = {
    "vote": "Each person has one vote. We kept your vote. Confirm it next.",
    "new_collection": "Your collections belong to your account.",
    "save_to_collections": "Listings are saved in collections, which belong to your account.",
}
# What asks again who is at the browser, by the name of the page, and the page before it.
_SENSITIVE = {
    "api_key_new": ("create an API key", "api_keys"),
    "api_key_rotate": ("rotate an API key", "api_keys"),
    "account_email": ("change your email address", "account_email"),
    "account_set_password": ("set a password", "mfa_index"),
    "authorize": ("connect an app", settings.LOGIN_REDIRECT_URL),
    "delete_account": ("delete your account", "own_data"),
    "mfa_activate_totp": ("set up an authenticator app", "mfa_index"),
    "mfa_add_webauthn": ("add a passkey", "mfa_index"),
    "mfa_deactivate_totp": ("remove your authenticator app", "mfa_index"),
    "mfa_download_recovery_codes": ("download your recovery codes", "mfa_index"),
    "mfa_generate_recovery_codes": ("create recovery codes", "mfa_index"),
    "mfa_remove_webauthn": ("remove a passkey", "mfa_index"),
    "mfa_view_recovery_codes": ("see your recovery codes", "mfa_index"),
    "own_data_download": ("download your data", "own_data"),
    "remove_sign_in": ("disconnect a sign-in", "mfa_index"),
}


# What people are about to do on a page, by its name. Each takes the request and the arguments of the page's URL.
_INTENTS: dict[str, Callable[..., str]] = {}
_Describe = TypeVar("_Describe", bound=Callable[..., str])


def intent_of(name: str) -> Callable[[_Describe], _Describe]:
    """Register what describes why people open the page of this name, such as `vote for Acme`."""

    def register(describe: _Describe) -> _Describe:
        _INTENTS[name] = describe
        return describe

    return register


def page(view: View) -> View:
    """Respond as other pages do: uncached, 422 for an invalid form, and with the requirements of passkeys."""

    @wraps(view)
    def shown(request: SiteHttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if isinstance(response, TemplateResponse) and response.context_data is not None:
            context = response.context_data
            forms = [context.get(name) for name in ("form", "webauthn_form")]
            if any(form is not None and form.errors for form in forms):
                response.status_code = 422
            context["passkey_obstacle"] = passkey_obstacle(request)
            next_url = context.get("redirect_field_value") or ""
            context["reason"] = _reason(next_url)
            context["intent"] = _intent(request, next_url)
            context |= _asked_for(next_url)
            context["email_folder"] = email_folder()
            for options in context.get("js_data", {}).values():
                context["passkey_options"] = json.dumps(options)
        return response

    return never_cache(shown)


def _intent(request: SiteHttpRequest, next_url: str) -> str:
    name, arguments = _page_of(next_url)
    return _INTENTS[name](request, **arguments) if name in _INTENTS else ""


def _reason(next_url: str) -> str:
    """Explain why the action needs an account and that nothing is lost. Empty for other pages."""
    name, _ = _page_of(next_url)
    if name == "draft_new":
        [website] = parse_qs(urlsplit(next_url).query).get("url", [""])[:1]
        note = f" We kept {website}." if website else ""
        return f"Your draft is private and belongs to your account.{note}"
    return _REASONS.get(name, "")


def _asked_for(next_url: str) -> dict[str, str]:
    """Return what the person is about to do, and the page that canceling leads to."""
    purpose, back = _SENSITIVE.get(_page_of(next_url)[0], ("open a protected page", settings.LOGIN_REDIRECT_URL))
    return {"purpose": purpose, "back_url": resolve_url(back)}


def _page_of(url: str) -> tuple[str, dict[str, Any]]:
    """Return the name of one of our pages, and the arguments of its URL. Empty for any other URL."""
    try:
        wanted = urlsplit(url)
        match = None if wanted.netloc else resolve(wanted.path)
    except (ValueError, Resolver404):
        match = None
    return (match.url_name or "", match.kwargs) if match else ("", {})


class PasskeySignInPage(webauthn.LoginWebAuthnView):
    """Return to signing in with `next` after a failed passkey."""

    def form_invalid(self, form: Any) -> HttpResponse:
        response: HttpResponse = super().form_invalid(form)
        return redirect(passthrough_next_redirect_url(self.request, response["Location"], REDIRECT_FIELD_NAME))


class PasskeyAgainPage(webauthn.ReauthenticateWebAuthnView):
    """Let a failed passkey be tried again."""

    def form_invalid(self, form: Any) -> HttpResponse:
        super().form_invalid(form)
        return redirect(self.passthrough_next_url(reverse("mfa_reauthenticate_webauthn")))


# Otherwise somebody at an open browser could choose a password, and confirm with it.
set_password: View = login_required(reauthentication_required(account.password_set))


class NewPasskeyPage(webauthn.AddWebAuthnView):
    """Ask the browser for a discoverable passkey that can sign in alone."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = FormView.get_context_data(self, **kwargs)
        options = begin_registration(self.request, account_of(self.request), passwordless=True)
        return {**context, "js_data": {"creation_options": options}}


class SessionsPage(sessions.ListUserSessionsView):
    """List where the account is signed in."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        result = sorted(context["sessions"], key=lambda session: (session.is_current(), session.last_seen_at))
        rows = [
            {
                "pk": session.pk,
                "device": describe_browser(session.user_agent),
                "address": session.ip,
                "began_at": session.created_at,
                "last_seen_at": session.last_seen_at,
                "is_current": session.is_current(),
            }
            for session in reversed(result)
        ]
        return {**context, "sessions": rows}


@login_required
@require_POST
def prove(request: HttpRequest) -> HttpResponse:
    """Take the proof of work of an account that signed up without."""
    if is_proof(request.POST.get("proof", "")):
        account = account_of(request)
        account.needs_proof = False
        account.save(update_fields=["needs_proof"])
    return HttpResponse(status=204)


@login_required
@require_POST
def end_session(request: HttpRequest, session_id: int) -> HttpResponse:
    """End one of the account's other sessions."""
    others = UserSession.objects.filter(user=account_of(request)).exclude(session_key=request.session.session_key)
    session = get_object_or_404(others, pk=session_id)
    session.end()
    messages.success(request, f"{describe_browser(session.user_agent)} signed out")
    return redirect("usersessions_list")
