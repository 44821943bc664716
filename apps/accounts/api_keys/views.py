"""Pages for API keys. A secret is shown once and never stored."""

from collections.abc import Callable

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import account_of
from apps.accounts.api_keys.forms import OVERLAPS, ApiKeyForm, RotateForm
from apps.accounts.api_keys.services import (
    KeyAlreadyMade,
    check_can_be_rotated,
    create_api_key,
    revoke_api_key,
    rotate_api_key,
)
from apps.accounts.models import ApiKey
from apps.core.api.audience import Audience, resource_of
from apps.core.api.scopes import Scope
from apps.core.errors import DomainError
from apps.sites.reference.operations import Summary, summary_of
from apps.sites.requests import SiteHttpRequest

ENDED_SHOWN = 50

View = Callable[..., HttpResponse]
# Require a recent password or passkey. A form sent too late is kept and submitted afterwards.
asks_again: Callable[[View], View] = reauthentication_required


@never_cache
@login_required
@require_safe
def api_keys(request: SiteHttpRequest) -> HttpResponse:
    """List the account's active keys, then the latest ended ones."""
    keys = ApiKey.objects.visible_to(account_of(request)).order_by("-pk")
    good = list(keys.good())
    ended = keys.exclude(pk__in=[key.pk for key in good])[:ENDED_SHOWN]
    return render(request, "accounts/api_keys.html", {"keys": good, "ended": ended})


@never_cache
@login_required
@asks_again
@require_http_methods(["GET", "HEAD", "POST"])
def api_key_new(request: SiteHttpRequest) -> HttpResponse:
    """Create a key after confirming the password or a passkey. The response shows its secret.

    `try` names an operation of the API reference: the form suggests a key for a day that may call it, and the
    response leads back there.
    """
    tried = summary_of(request.GET.get("try", ""))
    initial = (
        {"name": "API reference", "scopes": [tried.scope or Scope.ACCOUNT_READ], "lifetime": "1"} if tried else None
    )
    form = ApiKeyForm(request.POST if request.method == "POST" else None, initial=initial)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            key, secret = create_api_key(
                user=account_of(request),
                name=form.cleaned_data["name"],
                scopes=[Scope(name) for name in form.cleaned_data["scopes"]],
                expires_at=form.expires_at,
                form_token=form.cleaned_data["form_token"],
            )
        except KeyAlreadyMade as error:
            messages.warning(request, error.detail)
            return redirect("api_keys")
        except DomainError as error:
            form.add_error(None, error.detail)
            status = error.status
        else:
            return _show_once(request, key=key, secret=secret, tried=tried)
    return render(request, "accounts/api_key_new.html", {"form": form, "tried": tried}, status=status)


@never_cache
@login_required
@asks_again
@require_http_methods(["GET", "HEAD", "POST"])
def api_key_rotate(request: SiteHttpRequest, key_id: int) -> HttpResponse:
    """Rotate a key after confirming the password or a passkey."""
    key: ApiKey = get_object_or_404(ApiKey.objects.visible_to(account_of(request)), pk=key_id)
    form = RotateForm(request.POST if request.method == "POST" else None)
    try:
        check_can_be_rotated(key)
        if form.is_valid():
            new, secret = rotate_api_key(key=key, overlap=OVERLAPS[form.cleaned_data["overlap"]])
            return _show_once(request, key=new, secret=secret)
    except DomainError as error:
        messages.error(request, error.detail)
        return redirect("api_keys")
    status = 422 if form.is_bound else 200
    return render(request, "accounts/api_key_rotate.html", {"form": form, "key": key}, status=status)


@login_required
@require_POST
def api_key_revoke(request: SiteHttpRequest, key_id: int) -> HttpResponse:
    """Revoke a key immediately, without asking for the password, because revoking is urgent."""
    key: ApiKey = get_object_or_404(ApiKey.objects.visible_to(account_of(request)), pk=key_id)
    if revoke_api_key(key=key):
        messages.success(request, f"Key {key.name} revoked")
    return redirect("api_keys")


def _show_once(request: SiteHttpRequest, *, key: ApiKey, secret: str, tried: Summary | None = None) -> HttpResponse:
    # Public operations also refuse a wrong key, so the example works for testing any key.
    path = "/me/listings" if Scope.ACCOUNT_READ in key.scopes else "/products"
    context = {
        "key": key,
        "secret": secret,
        "example": f'curl -H "Authorization: Bearer $SLIPWAY_KEY" {resource_of(request, Audience.REST)}{path}',
        "tried": tried,
        "replaced": ApiKey.objects.filter(replaced_by=key).first(),
    }
    return render(request, "accounts/api_key_made.html", context, status=201)
