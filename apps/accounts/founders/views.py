"""Pages to edit a founder profile, and the public photos."""

from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.actors import account_of
from apps.accounts.founders import photos, services
from apps.accounts.founders.completeness import ProfileRules, get_profile, profile_gaps
from apps.accounts.founders.forms import PhotoForm, ProfileForm
from apps.accounts.founders.services import has_page, published_stories
from apps.core.api.serializers import clean_text
from apps.core.errors import DomainError
from apps.core.request.outages import OUTAGE_SECONDS
from apps.sites.requests import SiteHttpRequest

_A_YEAR = 31_536_000


class _Forms(NamedTuple):
    """Both forms of the page. An error in one leaves the other as typed or saved."""

    texts: ProfileForm
    photo: PhotoForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: SiteHttpRequest) -> HttpResponse:
    """Show the profile and what it lacks. Saves texts and a photo chosen with them."""
    forms = _forms(request)
    if request.method != "POST":
        return _show(request, forms)
    photo_status = _save_photo(request, forms.photo) if forms.photo.has_file else 200
    status = _save_texts(request, forms.texts) if forms.texts.is_bound else 200
    if status == photo_status == 200:
        return redirect("profile")
    return _show(request, forms, status=max(status, photo_status))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def upload_photo(request: SiteHttpRequest) -> HttpResponse:
    """Save only the photo. Unsaved texts stay in their fields."""
    # After signing in, the upload is lost, so go back to the page.
    if request.method != "POST":
        return redirect("profile")
    forms = _forms(request)
    return _keep_texts(request, forms, status=_save_photo(request, forms.photo))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remove_photo(request: SiteHttpRequest) -> HttpResponse:
    """Remove the photo. Unsaved texts stay in their fields."""
    if request.method != "POST":
        return redirect("profile")
    forms = _forms(request)
    services.remove_photo(user=account_of(request))
    messages.success(request, "Photo removed")
    return _keep_texts(request, forms, status=200)


@require_safe
def photo(request: HttpRequest, folder: str, size: str, kind: str) -> HttpResponse:
    """Serve a photo's file, always as an image, cached forever."""
    try:
        content = photos.read_photo(folder, size=int(size), kind=kind)
    except FileNotFoundError:
        raise Http404 from None
    except photos.PhotosUnavailable as outage:
        headers = {"Retry-After": str(OUTAGE_SECONDS), "Cache-Control": "no-store"}
        return HttpResponse(outage.detail, status=outage.status, content_type="text/plain", headers=headers)
    headers = {
        "Cache-Control": f"public, max-age={_A_YEAR}, immutable",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(content, content_type=f"image/{photos.KINDS[kind].lower()}", headers=headers)


def _forms(request: SiteHttpRequest) -> _Forms:
    saved = get_profile(account_of(request))
    # The photo's buttons may be sent without texts.
    texts = request.POST if "bio" in request.POST else None
    files = request.FILES if request.method == "POST" else None
    rules = ProfileRules.of(request.site)
    return _Forms(ProfileForm(texts, profile=saved, rules=rules), PhotoForm(files=files, rules=rules))


def _save_texts(request: SiteHttpRequest, form: ProfileForm) -> int:
    """Save the texts. Returns the response status for this form."""
    if not form.is_valid():
        return 422
    try:
        services.update_profile(user=account_of(request), **form.texts())
    except DomainError as error:
        form.refuse(error)
        return error.status
    messages.success(request, "Profile saved")
    return 200


def _save_photo(request: SiteHttpRequest, form: PhotoForm) -> int:
    """Save the photo. Returns the response status for this form."""
    try:
        services.set_photo(user=account_of(request), data=form.content(), site=request.site)
    except DomainError as error:
        form.refuse(error.detail)
        return error.status
    messages.success(request, "Photo saved")
    return 200


def _keep_texts(request: SiteHttpRequest, forms: _Forms, *, status: int) -> HttpResponse:
    is_typed = forms.texts.is_bound and forms.texts.has_changed()
    if status == 200 and not is_typed:
        return redirect("profile")
    if is_typed:
        messages.info(request, "Your text changes below aren’t saved yet.")
    return _show(request, forms, status=status)


def _show(request: SiteHttpRequest, forms: _Forms, *, status: int = 200) -> HttpResponse:
    saved = get_profile(account_of(request))
    rules = ProfileRules.of(request.site)
    context = {
        "form": forms.texts,
        "photo_field": forms.photo["photo"],
        "profile": saved,
        "rules": rules,
        "gaps": profile_gaps(saved, site=request.site),
        "stories": published_stories(saved),
        "bio_count": len(clean_text(forms.texts["bio"].value() or "", multiline=True)),
        "most_bio": services.MAX_BIO,
        "page_url": reverse("founder", args=[saved.slug]) if has_page(saved, site=request.site) else "",
    }
    return render(request, "accounts/profile.html", context, status=status)
