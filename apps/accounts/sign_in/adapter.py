"""Behavior of signing up and in: the site's emails, safe redirects, and texts."""

import logging
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.stages import LoginStage
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme

from apps.accounts.crowds import network_mark
from apps.accounts.models import User
from apps.accounts.sign_in.claims import apply_claims
from apps.accounts.sign_in.devices import describe_browser
from apps.accounts.sign_in.reauthentication import has_confirmed_recently, needs_code_by_email
from apps.core.email.rendering import compose
from apps.core.email.text import render_words
from apps.core.request.client_ip import client_address, client_neighborhood, client_network
from apps.core.stores.valkey.counters import Limit

logger = logging.getLogger(__name__)

NO_ADDRESS = "0.0.0.0"  # noqa: S104 - stands for a client without an IP address, nothing is bound to it
_REAUTHENTICATION = {
    "reauthenticate": "Use your password",
    "mfa_reauthenticate": "Use a code from your authenticator app, or a recovery code",
    "mfa_reauthenticate:webauthn": "Use a passkey",
}
_CODE_BY_EMAIL = {"id": "reauthenticate_by_email", "description": "Use a code we email you"}


class AccountAdapter(DefaultAccountAdapter):
    """Adapt allauth's behavior to this site."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "duplicate_email": "This is already your address.",
        "email_password_mismatch": "Wrong email or password.",
        "email_taken": "Another account uses this address.",
        "enter_current_password": "Wrong current password.",
        "incorrect_code": "Wrong code. Copy the code from the newest email, or send a new one.",
        "incorrect_password": "Wrong password.",
        "rate_limited": "Too many attempts. Wait a moment, then try again.",
        "too_many_login_attempts": "Too many attempts. Wait 5 minutes, then try again.",
        "too_many_wrong_passwords": (
            "Too many wrong passwords for this account. Reset your password to sign in now, or try again in an hour."
        ),
    }

    def new_user(self, request: HttpRequest) -> User:
        user: User = super().new_user(request)
        user.sign_up_network = network_mark(client_neighborhood(request))
        return user

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Include the email: allauth has no public way, and limits by account alone would let strangers lock it."""
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}:{client_network(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt before its password is checked. Raises ValidationError after too many.

        allauth's limit comes first: attempts it refuses check no password and must not use up the owner's attempts.
        """
        super().pre_authenticate(request, **credentials)
        email = _email(credentials)
        if not is_known_browser(request, email) and not FROM_ANYWHERE.try_take(email).is_within:
            raise self.validation_error("too_many_wrong_passwords")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return the account with this email and password. Raises what `pre_authenticate` raises."""
        user = super().authenticate(request, **credentials)
        email = _email(credentials)
        if user is not None and not is_known_browser(request, email):
            FROM_ANYWHERE.give_back(email)
        return user

    def post_login(self, request: HttpRequest, user: Any, **about: Any) -> HttpResponse:
        if login := (about["signal_kwargs"] or {}).get("sociallogin"):
            apply_claims(request, user, login)
        response: HttpResponse = super().post_login(request, user, **about)
        remember_browser(response, user.email, is_secure=request.is_secure())
        return response

    def get_login_stages(self) -> list[str]:
        return ["apps.accounts.sign_in.adapter.KeepNext", *super().get_login_stages()]

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        methods = super().get_reauthentication_methods(user)
        result = [{**method, "description": _REAUTHENTICATION[method["id"]]} for method in methods]
        if result or not user.is_authenticated:
            return result
        return [{**_CODE_BY_EMAIL, "url": reverse("reauthenticate_by_email")}]

    def is_reauthentication_required(self, *, app: str, **about: Any) -> bool:
        """Raise ReauthenticationRequired for an account that allauth would ask nothing."""
        is_required = bool(super().is_reauthentication_required(app=app, **about))
        if is_required and needs_code_by_email(self.request.user) and not has_confirmed_recently(self.request):
            raise ReauthenticationRequired
        return is_required

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("mfa_index")

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        return reverse("account_email")

    def is_safe_url(self, url: str | None) -> bool:
        """Return whether `next` is safe: it stays on the request's host."""
        return url_has_allowed_host_and_scheme(url, {self.request.get_host()}, require_https=self.request.is_secure())

    def get_client_ip(self, request: HttpRequest) -> str:
        try:
            return str(ip_address(client_address(request)))
        except ValueError:
            return NO_ADDRESS

    def get_http_user_agent(self, request: HttpRequest) -> str:
        return describe_browser(request.headers.get("User-Agent", ""))

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Verify an account's email. Returns False if another account verified it at the same time."""
        try:
            with transaction.atomic():
                return bool(super().confirm_email(request, email_address))
        except IntegrityError:
            messages.error(request, self.error_messages["email_taken"])
            return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email in the site's name. If the email server fails, the response says so (503)."""
        site = self.request.site
        about = {
            **context,
            "email": email,
            "site": site,
            "sign_in_url": site.url(reverse("account_login")),
            "sign_up_url": site.url(reverse("account_signup")),
            "reset_url": site.url(reverse("account_reset_password")),
            "security_url": site.url(reverse("mfa_index")),
            "sessions_url": site.url(reverse("usersessions_list")),
        }
        message = compose(to=email, words=render_words(template_prefix, about, ending="_message"), site=site)
        try:
            message.send()
        except OSError:
            logger.exception("an email could not be sent")
            raise ImmediateHttpResponse(render(self.request, "account/email_failed.html", status=503)) from None

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Email an account's owner about a change. The change stays if the email fails."""
        with suppress(ImmediateHttpResponse):
            super().send_notification_mail(*args, **kwargs)


def _email(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email") or "").lower()


# Wrong passwords for an account from unknown browsers, whatever their IP addresses.
FROM_ANYWHERE = Limit("wrong-passwords", 100, 3600)
_KNOWN_BROWSER_COOKIE = "known_browser"
_KNOWN_BROWSER_SECONDS = 365 * 24 * 3600


def is_known_browser(request: HttpRequest, email: str) -> bool:
    """Return whether the account signed in from this browser within a year."""
    return constant_time_compare(request.COOKIES.get(_KNOWN_BROWSER_COOKIE, ""), _browser_mark(email))


def remember_browser(response: HttpResponse, email: str, *, is_secure: bool) -> None:
    """Mark the browser as known to the account. The mark doesn't reveal the email."""
    response.set_cookie(
        _KNOWN_BROWSER_COOKIE,
        _browser_mark(email),
        max_age=_KNOWN_BROWSER_SECONDS,
        secure=is_secure,
        httponly=True,
        samesite="Lax",
    )


def _browser_mark(email: str) -> str:
    return salted_hmac("apps.accounts.sign_in.known_browser", email.lower(), algorithm="sha256").hexdigest()


class KeepNext(LoginStage):
    """Keep `next` through sign-in. After a password reset or with a passkey, the second step would lose it."""

    key = "keep_next"

    def handle(self) -> tuple[None, bool]:
        self.login.redirect_url = self.login.redirect_url or get_next_redirect_url(self.request)
        return None, True
