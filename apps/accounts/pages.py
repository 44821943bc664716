"""Pages of the account area."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.credentials import create_api_key, revoke_api_key
from apps.accounts.forms import ApiKeyForm, FounderProfileForm
from apps.accounts.models import ApiKey, FounderProfile, User
from apps.accounts.profiles import missing_profile_parts
from apps.accounts.requests import account_of
from apps.core.scopes import Scope
from apps.sites.requests import SiteHttpRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: SiteHttpRequest) -> HttpResponse:
    """The founder profile, with what it still lacks."""
    user = account_of(request)
    own = FounderProfile.objects.filter(user=user).first() or FounderProfile(user=user)
    form = FounderProfileForm(request.POST or None, request.FILES or None, instance=own)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Your profile is saved.")
        return redirect("profile")
    missing = missing_profile_parts(user, site=request.site)
    shown = {"photo_url": _photo_url(user), "is_complete": not missing, "missing": missing}
    status = 422 if form.is_bound else 200
    return render(request, "accounts/profile.html", {"form": form, "profile": shown}, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def api_keys(request: SiteHttpRequest) -> HttpResponse:
    """The account's API keys; POST makes one and shows its secret in this one answer."""
    user = account_of(request)
    form = ApiKeyForm(request.POST or None, user=user)
    secret, status = None, 422 if form.is_bound else 200
    if form.is_valid():
        scopes = [Scope(name) for name in form.cleaned_data["scopes"]]
        expires_at = timezone.now() + form.lifetime
        _, secret = create_api_key(user=user, name=form.cleaned_data["name"], scopes=scopes, expires_at=expires_at)
        form, status = ApiKeyForm(user=user), 201
    keys = ApiKey.objects.visible_to(user).order_by("-pk")
    return render(request, "accounts/api_keys.html", {"form": form, "keys": keys, "secret": secret}, status=status)


@login_required
@require_POST
def api_key_revoke(request: SiteHttpRequest, key_id: int) -> HttpResponse:
    """End one of the account's keys at once."""
    key = get_object_or_404(ApiKey.objects.visible_to(account_of(request)), pk=key_id)
    revoke_api_key(key=key)
    messages.success(request, f"The key {key.name} is revoked.")
    return redirect("api_keys")


@require_safe
def photo(request: HttpRequest, user_id: int) -> FileResponse:
    """A founder's photo; never served as anything but an image."""
    profile = get_object_or_404(FounderProfile, user_id=user_id)
    if not profile.photo:
        raise Http404
    response = FileResponse(profile.photo.open("rb"))
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def _photo_url(user: User) -> str:
    saved = FounderProfile.objects.filter(user=user).exclude(photo="").first()
    return f"/founders/{user.pk}/photo" if saved else ""
