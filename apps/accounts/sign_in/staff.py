"""Require a second factor of site admins before the admin opens."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.accounts.sign_in.claims import had_second_factor
from apps.accounts.sign_in.passkeys import passkey_obstacle
from apps.core.web.middleware import GetResponse

# Pages of site admins outside the admin.
_SETUP = ("setup", "finish_setup")
_FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


class StaffSecondFactorMiddleware:
    """Shows site admins without a second factor how to set one up, instead of the admin's pages."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        match = request.resolver_match
        if not settings.STAFF_SECOND_FACTOR or not match:
            return None
        if "admin" not in match.app_names and match.url_name not in _SETUP:
            return None
        user = request.user
        if match.url_name == "logout" or not user.is_active or not user.is_staff:
            return None
        # Signing in has asked for it.
        if is_mfa_enabled(user, _FACTORS) or had_second_factor(request):
            return None
        context = {"passkey_obstacle": passkey_obstacle(request)}
        return render(request, "accounts/second_step_needed.html", context, status=403)
