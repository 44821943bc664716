"""The first site admin, created with a one-time link that `manage.py up` prints."""

import hashlib
import secrets
import time
from typing import Any

from allauth.account.internal.flows.login import record_authentication
from django import forms
from django.conf import settings
from django.contrib.auth import login, password_validation
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.models import User
from apps.accounts.sign_in.forms import MAX_ADDRESS_LENGTH

LIFETIME_HOURS = 24
# Only the hash is stored, so that reading the store gives nobody an admin account.
_KEY = "first-admin"
_SESSION_KEY = "first_admin"
_REMEMBERED_SECONDS = 90 * 24 * 3600


class FirstAdminForm(forms.Form):
    """Email and password of the first site admin."""

    email = forms.EmailField(
        max_length=MAX_ADDRESS_LENGTH, widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True})
    )
    password = forms.CharField(
        strip=False,
        max_length=128,
        help_text="At least 8 characters.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        if User.objects.filter(email=email).exists():
            raise forms.ValidationError("This email already has an account. Use another one.")
        return email

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if "password" in cleaned:
            try:
                password_validation.validate_password(cleaned["password"], User(email=cleaned.get("email", "")))
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned


def new_setup_path() -> str | None:
    """Return the path of a new setup link, or None if there is a site admin. Earlier links stop working."""
    if _has_admin():
        return None
    token = secrets.token_urlsafe(32)
    seconds = LIFETIME_HOURS * 3600
    cache.set(_KEY, {"digest": _digest(token), "until": int(time.time()) + seconds}, seconds)
    cache.set(_printed_key(token), True, _REMEMBERED_SECONDS)
    return reverse("first_admin_link", args=[token])


@never_cache
@require_safe
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Move the token from the URL into the session, so that no referrer and no history shows it."""
    if not _is_open(token):
        return _ended(request, token)
    request.session[_SESSION_KEY] = token
    response = redirect("first_admin")
    # Not on the page itself, whose form would then be sent without its origin.
    response["Referrer-Policy"] = "no-referrer"
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def first_admin(request: HttpRequest) -> HttpResponse:
    """Ask for the first site admin's email and password, create the account and sign in."""
    token = str(request.session.get(_SESSION_KEY, ""))
    if not _is_open(token):
        return _ended(request, token)
    form = FirstAdminForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        # Deleting succeeds for one of several requests.
        if not cache.delete(_KEY):
            return _ended(request, token)
        user = User.objects.create_superuser(form.cleaned_data["email"], form.cleaned_data["password"])
        login(request, user)
        record_authentication(request, user, method="password", email=user.email)
        return redirect("setup")
    status = 422 if form.is_bound else 200
    return render(request, "accounts/first_admin.html", {"form": form}, status=status)


def _is_open(token: str) -> bool:
    stored = cache.get(_KEY) or {"digest": "", "until": 0}
    is_right = constant_time_compare(_digest(token), stored["digest"])
    return is_right and time.time() <= stored["until"] and not _has_admin()


def _ended(request: HttpRequest, token: str) -> HttpResponse:
    """Say how to continue, but only to the holder of a link that was printed. Raises Http404 for any other token."""
    if not cache.get(_printed_key(token)):
        raise Http404
    context = {"has_admin": _has_admin(), "command": settings.COMMAND}
    return render(request, "accounts/setup_link_ended.html", context, status=410)


def _has_admin() -> bool:
    return User.objects.filter(is_staff=True).exists()


def _printed_key(token: str) -> str:
    return f"{_KEY}:{_digest(token)}"


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
