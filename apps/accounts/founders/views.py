"""Pages to edit a founder profile, and the public photos."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
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
from apps.core.pictures.reading import MAX_BYTES
from apps.core.pictures.storage import picture_answer
from apps.core.request.client_ip import client_address
from apps.core.web.body_limits import with_too_large
from apps.core.web.urls import next_path
from apps.sites.requests import SiteHttpRequest


class _Forms(NamedTuple):
    """Both forms of the page. An error in one leaves the other as typed or saved."""

    texts: ProfileForm
    photo: PhotoForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@with_too_large
def profile(request: SiteHttpRequest) -> HttpResponse:
    """Show the profile and what it lacks. Saves texts and a photo chosen with them."""
    if _is_too_large(request):
        return _show_too_large(request)
    forms = _forms(request)
    if request.method != "POST":
        return _show(request, forms)
    photo_status = _save_photo(request, forms.photo) if forms.photo.has_file else 200
    status = _save_texts(request, forms.texts) if forms.texts.is_bound else 200
    if status == photo_status == 200:
        return _saved(request)
    return _show(request, forms, status=max(status, photo_status))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@with_too_large
def upload_photo(request: SiteHttpRequest) -> HttpResponse:
    """Save only the photo. Unsaved texts stay in their fields."""
    if _is_too_large(request):
        return _show_too_large(request)
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
def photo(request: HttpRequest, folder: str, name: str) -> HttpResponse:
    """Serve a photo's file, cached forever."""
    return picture_answer(f"{photos.FOLDER}/{folder}", name)


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
        services.update_profile(user=account_of(request), **form.texts(), address=client_address(request))
    except DomainError as error:
        form.refuse(error)
        return error.status
    messages.success(request, "Profile saved")
    return 200


def _save_photo(request: SiteHttpRequest, form: PhotoForm) -> int:
    """Save the photo. Returns the response status for this form."""
    if not form.has_file:
        form.refuse("Choose a file first.", code="required")
        return 422
    try:
        services.set_photo(user=account_of(request), data=form.content(), site=request.site)
    except DomainError as error:
        form.refuse(error.detail, code=error.error_code)
        return error.status
    messages.success(request, "Photo saved")
    return 200


def _keep_texts(request: SiteHttpRequest, forms: _Forms, *, status: int) -> HttpResponse:
    is_typed = forms.texts.is_bound and forms.texts.has_changed()
    if status == 200 and not is_typed:
        return _saved(request)
    if is_typed:
        messages.info(request, "Your text changes below aren’t saved yet.")
    return _show(request, forms, status=status)


def _saved(request: SiteHttpRequest) -> HttpResponse:
    """Redirect to where the page was opened from, once nothing is missing, or else to the page."""
    after = next_path(request, "")
    if after and not profile_gaps(get_profile(account_of(request)), site=request.site):
        return redirect(after)
    return redirect(f"{reverse('profile')}?{urlencode({'next': after})}" if after else "profile")


def _is_too_large(request: SiteHttpRequest) -> bool:
    return bool(getattr(request, "is_too_large", False))


def _show_too_large(request: SiteHttpRequest) -> HttpResponse:
    """Show the reason beside the photo. The form was refused unread, so its texts are as saved."""
    rules = ProfileRules.of(request.site)
    photo_form = PhotoForm({}, rules=rules)
    most = MAX_BYTES // 2**20
    photo_form.refuse(f"The file is too large. Use one of up to {most} MB. Nothing was saved.", code="too_large")
    return _show(request, _Forms(_forms(request).texts, photo_form))


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
        "next_url": next_path(request, ""),
        "page_url": reverse("founder", args=[saved.slug]) if has_page(saved, site=request.site) else "",
    }
    return render(request, "accounts/profile.html", context, status=status)
