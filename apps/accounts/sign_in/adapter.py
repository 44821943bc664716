"""How signing up and in behave: emails in the site's name, addresses that may be returned to, texts for people."""

import logging
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from apps.accounts.sign_in import guessing
from apps.accounts.sign_in.devices import describe_browser
from apps.core.email.rendering import compose
from apps.core.email.text import render_words
from apps.core.request.client_ip import client_address, client_network

logger = logging.getLogger(__name__)

NO_ADDRESS = "0.0.0.0"  # noqa: S104 - stands for a client without an IP address, nothing is bound to it
_REAUTHENTICATION = {
    "reauthenticate": "Use your password",
    "mfa_reauthenticate": "Use a code from your authenticator app, or a recovery code",
    "mfa_reauthenticate:webauthn": "Use a passkey",
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is untyped
    """allauth's behaviour, where it has to be this site's."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "duplicate_email": "This is already your address.",
        "email_password_mismatch": "The email address or the password is not right.",
        "email_taken": "This address belongs to another account by now.",
        "enter_current_password": "This is not your current password.",
        "incorrect_code": "This code is not right. Copy it from the newest mail.",
        "incorrect_password": "This is not your password.",
        "rate_limited": "That was a little fast. Wait a moment, then try again.",
        "too_many_login_attempts": "Too many tries. Wait five minutes, then start again.",
        "too_many_wrong_passwords": (
            "Too many wrong passwords for this account. Reset your password to sign in now, or try again in an hour."
        ),
    }

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count by address too: allauth has no public way to say so, and by account alone a stranger locks it."""
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}:{client_network(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a try before its password is tested; raises ValidationError after too many.

        allauth's limit comes first: what it refuses tests no password, and must not use up the owner's tries.
        """
        super().pre_authenticate(request, **credentials)
        email = _email(credentials)
        if not guessing.is_known_browser(request, email) and not guessing.FROM_ANYWHERE.try_take(email).is_within:
            raise self.validation_error("too_many_wrong_passwords")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Look for the account with this address and password; raises what `pre_authenticate` raises."""
        user = super().authenticate(request, **credentials)
        email = _email(credentials)
        if user is not None and not guessing.is_known_browser(request, email):
            guessing.FROM_ANYWHERE.give_back(email)
        return user

    def post_login(self, request: HttpRequest, user: Any, **about: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **about)
        guessing.remember_browser(response, user.email, is_secure=request.is_secure())
        return response

    def get_login_stages(self) -> list[str]:
        return ["apps.accounts.sign_in.stages.KeepNext", *super().get_login_stages()]

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        methods = super().get_reauthentication_methods(user)
        return [{**method, "description": _REAUTHENTICATION[method["id"]]} for method in methods]

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("mfa_index")

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        return reverse("account_email")

    def is_safe_url(self, url: str | None) -> bool:
        """Whether a `next` may be followed: it stays on the host of the request."""
        return url_has_allowed_host_and_scheme(url, {self.request.get_host()}, require_https=self.request.is_secure())

    def get_client_ip(self, request: HttpRequest) -> str:
        try:
            return str(ip_address(client_address(request)))
        except ValueError:
            return NO_ADDRESS

    def get_http_user_agent(self, request: HttpRequest) -> str:
        return describe_browser(request.headers.get("User-Agent", ""))

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Make an address the account's own; False when another account took it at the same moment."""
        try:
            with transaction.atomic():
                return bool(super().confirm_email(request, email_address))
        except IntegrityError:
            messages.error(request, self.error_messages["email_taken"])
            return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email in the name of the request's site; when the email server fails, the answer says so (503)."""
        site = self.request.site
        about = {
            **context,
            "email": email,
            "site": site,
            "sign_in_url": site.url(reverse("account_login")),
            "sign_up_url": site.url(reverse("account_signup")),
            "reset_url": site.url(reverse("account_reset_password")),
            "security_url": site.url(reverse("mfa_index")),
        }
        message = compose(to=email, words=render_words(template_prefix, about, ending="_message"), site=site)
        try:
            message.send()
        except OSError:
            logger.exception("an email could not be sent")
            raise ImmediateHttpResponse(render(self.request, "account/email_failed.html", status=503)) from None

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Tell an account's owner what was changed; the change stands when the email cannot be sent."""
        with suppress(ImmediateHttpResponse):
            super().send_notification_mail(*args, **kwargs)


def _email(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email") or "").lower()
