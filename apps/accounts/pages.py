"""Pages of the account area."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.forms import FounderProfileForm
from apps.accounts.founders.completeness import missing_profile_parts
from apps.accounts.models import FounderProfile, User
from apps.accounts.requests import account_of
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


@require_safe
def photo(request: HttpRequest, user_id: int) -> FileResponse:
    """A founder's photo; never served as anything but an image."""
    profile = get_object_or_404(FounderProfile, user_id=user_id)
    if not profile.photo_key:
        raise Http404
    response = FileResponse(default_storage.open(f"{profile.photo_key}/512.jpg"))
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def _photo_url(user: User) -> str:
    saved = FounderProfile.objects.filter(user=user).exclude(photo_key="").first()
    return f"/founders/{user.pk}/photo" if saved else ""
