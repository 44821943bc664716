"""The page of one draft: its progress, then every field with its source, to edit, save and submit."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from rest_framework.exceptions import ValidationError

from apps.accounts.actors import account_of, actor_of
from apps.core.editing.forms import take_saved
from apps.core.editing.marks import State, marks_of, read_marks
from apps.core.editing.merge import StaleFormError
from apps.core.errors import DomainError
from apps.core.pictures.reading import MAX_BYTES
from apps.core.web.body_limits import with_too_large
from apps.core.web.hosts import display_host
from apps.core.web.urls import host_of
from apps.drafts.models import Draft
from apps.drafts.review.document import DraftDocument
from apps.drafts.review.findings import Finding
from apps.drafts.review.form import DraftForm
from apps.drafts.review.preview import preview_of
from apps.drafts.review.rows import Review
from apps.drafts.review.state import picked, state_from, state_of, with_picked
from apps.drafts.review.uploads import UploadsForm, arranged
from apps.drafts.services import guidance
from apps.drafts.services.drafts import DraftNotReady
from apps.drafts.services.pictures import upload_draft_picture
from apps.drafts.services.submission import AlreadySubmitted
from apps.listings.editor.picture_files import upload_answer
from apps.listings.fields.labels import label_of
from apps.listings.fields.serializers import MAX_SCREENSHOTS
from apps.listings.models import Category, Company, Listing
from apps.listings.owner_pages import is_open
from apps.listings.services.pictures.uploads import MAX_ALT
from apps.sites.requests import SiteHttpRequest

# The names of the buttons on pictures.
_ARRANGE = {"move", "remove"}


@login_required
@require_safe
def detail(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Show the progress of a draft, then its proposal with sources. htmx polls it while the draft is being made."""
    draft = _own(request, pk)
    if draft.rereads_id and draft.status == Draft.Status.READY:
        return redirect("draft_differences", pk=draft.pk)
    if request.headers.get("HX-Request") == "true" and draft.status not in Draft.IN_PROGRESS:
        # The name and the step above the progress change, too.
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    if not draft.is_editable:
        return _page(request, draft, None)
    state = state_of(draft)
    return _page(request, draft, DraftForm(state, opened=marks_of(state), draft=draft))


@with_too_large
@login_required
@require_http_methods(["GET", "POST"])
def save(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Save the corrections without submitting."""
    return _edited(request, pk, submit=False)


@with_too_large
@login_required
@require_http_methods(["GET", "POST"])
def submit(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Submit the draft as a listing, with the owner's corrections."""
    return _edited(request, pk, submit=True)


@login_required
@require_POST
def upload(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Store one file for the script, which adds it to the form. Saving the draft names it."""
    draft = _own(request, pk)
    if not draft.is_editable:
        return JsonResponse({"detail": "This draft can’t be changed any more. Reload the page."}, status=409)
    return upload_answer(request, partial(upload_draft_picture, draft=draft, by=actor_of(request)))


@login_required
@require_POST
def preview(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Return the listing's page with what is typed in the form. Saves nothing."""
    draft = _own(request, pk)
    if not draft.is_editable:
        return HttpResponse(status=204)
    opened, typed = read_marks(request.POST.get("opened", "")), state_from(request.POST)
    typed, _ = with_picked(typed, picked(draft, request.POST), opened=opened)
    titles = dict(Category.objects.filter(site=draft.site).values_list("slug", "name"))
    return render(request, "drafts/parts/preview.html", {"preview": preview_of(draft, typed, titles=titles)})


def _edited(request: SiteHttpRequest, pk: int, *, submit: bool) -> HttpResponse:
    draft = _own(request, pk)
    # A refused form is shown at this URL, which may be opened again later.
    if getattr(request, "is_too_large", False) and draft.is_editable:
        state = state_of(draft)
        form = DraftForm(state, opened=marks_of(state), draft=draft)
        return _page(request, draft, form, uploads=UploadsForm.too_large())
    if draft.rereads_id or request.method != "POST":
        return redirect("draft", pk=draft.pk)
    opened, typed = read_marks(request.POST.get("opened", "")), state_from(request.POST)
    uploads = UploadsForm(request.POST, request.FILES)
    if "take_saved" in request.POST:
        take_saved(request.POST["take_saved"], saved=state_of(draft), typed=typed, opened=opened)
        return _page(request, draft, DraftForm(typed, opened=opened, draft=draft), uploads=uploads)
    if request.FILES and draft.is_editable and not uploads.is_refused:
        typed = uploads.store(draft, typed, by=actor_of(request))
        draft = _own(request, pk)
    if _ARRANGE & request.POST.keys():
        typed = arranged(typed, request.POST)
    picks = picked(draft, request.POST)
    typed, problems = with_picked(typed, picks, opened=opened)
    left = {name: finding for name, finding in picks.items() if name in problems}
    added = request.POST.get("add", "")
    form = DraftForm(
        typed, opened=opened, draft=draft, spare_faqs=added == "faq", spare_milestones=added == "milestone"
    )
    if added:
        return _page(request, draft, form, picks=left, uploads=uploads)
    for name, problem in problems.items():
        form.add_error(name.replace("socials.", "social_"), problem)
    if not form.check_platform(request.POST) or problems or uploads.is_refused:
        return _page(request, draft, form, picks=left, uploads=uploads, status=422)
    return _saved(request, draft, form, typed, uploads, submit=submit)


def _saved(
    request: SiteHttpRequest, draft: Draft, form: DraftForm, typed: State, uploads: UploadsForm, *, submit: bool
) -> HttpResponse:
    try:
        confirmed = request.POST.get("confirm", "")
        document = DraftDocument(draft, actor_of(request), submit, confirmed, uploads.alts(draft))
        is_changed = document.save(typed=typed, opened=form.opened)
    except AlreadySubmitted:
        messages.error(request, "This draft was already submitted. Edit the listing instead.")
        return redirect("draft", pk=draft.pk)
    except DraftNotReady as refusal:
        messages.error(request, refusal.detail)
        draft.refresh_from_db()
        return _page(request, draft, None, status=refusal.status)
    except (StaleFormError, ValidationError, DomainError) as refusal:
        return _page(request, draft, form, uploads=uploads, status=form.refuse_edit(refusal))
    if submit:
        return _submitted(request, draft)
    if "again" in request.POST:
        messages.success(request, "Draft saved. The new draft keeps what you filled in.")
        return redirect(reverse("draft_new", query={"url": draft.url}))
    # Where the owner goes on: at the next decision, or the next picture.
    place = "#decisions" if confirmed else "#arrange" if _ARRANGE & request.POST.keys() else ""
    if place:
        return redirect(f"{reverse('draft', args=[draft.pk])}{place}")
    messages.success(request, "Draft saved. Submit it when you’re ready." if is_changed else "No changes")
    return redirect("draft", pk=draft.pk)


def _submitted(request: SiteHttpRequest, draft: Draft) -> HttpResponse:
    """Redirect to choosing a launch, or, where that is closed, such as during moderation, to the submitted listing."""
    listing = Listing.objects.filter(drafts=draft, company__owner=draft.owner_id, site=request.site).first()
    if listing is None or not is_open(listing, "launch"):
        return redirect("draft", pk=draft.pk)
    messages.success(request, "Listing submitted")
    return redirect("launch", slug=listing.slug)


def _own(request: SiteHttpRequest, pk: int) -> Draft:
    drafts = Draft.objects.visible_to(account_of(request))
    return get_object_or_404(
        drafts.select_related("site", "listing__company", "listing__site").prefetch_related("pictures"), pk=pk
    )


def _leads_to(draft: Draft, listed: Company) -> dict[str, Any]:
    """Return the listed website that the URL redirected to, and its listing if the account owns it."""
    is_own = listed.owner_id == draft.owner_id
    listing = listed.listings.filter(site=draft.site).first() if is_own else None
    return {"website": draft.website, "is_own": is_own, "listing": listing}


def _page(
    request: SiteHttpRequest,
    draft: Draft,
    form: DraftForm | None,
    *,
    picks: Mapping[str, Finding] | None = None,
    uploads: UploadsForm | None = None,
    status: int = 200,
) -> HttpResponse:
    categories = form.categories if form else {}
    if draft.status == Draft.Status.SUBMITTED:
        categories = dict(Category.objects.filter(site=draft.site).values_list("slug", "name"))
    listing, listed = draft.listing, guidance.listed_company(draft)
    uploads = uploads or UploadsForm()
    preview = preview_of(draft, form.state, titles=categories) if form else None
    context = {
        "draft": draft,
        "name": draft.proposal.get("name") or display_host(host_of(draft.website or draft.url)),
        "host": display_host(host_of(draft.website or draft.url)),
        "error": guidance.error_of(draft),
        "leads_to": _leads_to(draft, listed) if listed else None,
        "listing": {
            "name": listing.company.name,
            "slug": listing.slug,
            "page_url": listing.page_url,
            "manage_url": reverse("manage_listing", args=[listing.slug]),
            "launch_url": reverse("launch", args=[listing.slug]) if listing.status == Listing.Status.DRAFT else "",
            "is_in_review": listing.status == Listing.Status.IN_REVIEW,
            "is_given_away": guidance.is_given_away(draft),
        }
        if listing
        else None,
        "form": form,
        "opened": form.marks if form else "",
        "uploads": uploads,
        "tiles": uploads.tiles(preview["screenshots"]) if preview else [],
        "max_bytes": MAX_BYTES,
        "max_screenshots": MAX_SCREENSHOTS,
        "max_alt": MAX_ALT,
        "preview": preview,
        "review": Review(draft, form, picks=picks or {}, categories=categories),
        "pages_read": guidance.pages_of(draft),
        "warnings": [{**item, "label": label_of(item["field"]) if item["field"] else ""} for item in draft.warnings],
    }
    return render(request, "drafts/detail.html", context, status=status)
