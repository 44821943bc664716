"""The page of one draft: its progress, then every field beside its evidence, to be corrected, saved and submitted."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from rest_framework.exceptions import ValidationError

from apps.accounts.actors import actor_of
from apps.accounts.requests import account_of
from apps.core.errors import DomainError
from apps.drafts.models import Draft
from apps.drafts.review.findings import Finding
from apps.drafts.review.form import ReviewForm
from apps.drafts.review.rows import Review
from apps.drafts.review.saving import save_review, submit_review
from apps.drafts.review.state import picked, state_from, state_of, with_picked
from apps.drafts.services import guidance
from apps.drafts.services.drafts import AlreadySubmitted, DraftNotReady
from apps.listings.editor.form_state import State
from apps.listings.editor.merging import EMPTY, marks_from, tokens
from apps.listings.editor.saving import Overtaken
from apps.listings.fields.labels import PLATFORMS
from apps.listings.models import Category, Company
from apps.sites.requests import SiteHttpRequest


@login_required
@require_safe
def detail(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Progress of a draft, then its proposal beside the evidence; polled by htmx while it is being made."""
    draft = _own(request, pk)
    if draft.rereads_id and draft.status == Draft.Status.READY:
        return redirect("draft_differences", pk=draft.pk)
    if not draft.is_editable:
        return _page(request, draft, None)
    state = state_of(draft)
    return _page(request, draft, ReviewForm(state, draft=draft), opened=tokens(state))


@login_required
@require_POST
def save(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Keep the corrections for later; nothing is submitted."""
    return _edited(request, pk, kind="save")


@login_required
@require_POST
def submit(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Make the draft a listing, with the owner's corrections."""
    return _edited(request, pk, kind="submit")


def _edited(request: SiteHttpRequest, pk: int, *, kind: Literal["save", "submit"]) -> HttpResponse:
    draft = _own(request, pk)
    if draft.rereads_id:
        return redirect("draft", pk=draft.pk)
    opened, typed, picks = marks_from(request.POST.get("opened", "")), state_from(request.POST), {}
    if "take" in request.POST:
        return _with_theirs(request, draft, typed, opened, request.POST["take"])
    picks = picked(draft, request.POST)
    typed, problems = with_picked(typed, picks, opened=opened)
    left = {name: finding for name, finding in picks.items() if name in problems}
    added = request.POST.get("add", "")
    form = ReviewForm(typed, draft=draft, spare_faqs=added == "faq", spare_milestones=added == "milestone")
    if added:
        return _page(request, draft, form, opened=opened, picks=left)
    if request.POST.get("new_address", "").strip() and request.POST.get("new_platform") not in PLATFORMS:
        form.data = {**form.data, "new_address": request.POST["new_address"]}
        problems["new_platform"] = "Choose the platform of this address."
    if problems:
        for name, problem in problems.items():
            form.add_error(name.replace("socials.", "social_"), problem)
        return _page(request, draft, form, opened=opened, picks=left, status=422)
    return _stored(request, draft, form, typed, opened, kind)


def _stored(
    request: SiteHttpRequest, draft: Draft, form: ReviewForm, typed: State, opened: dict[str, str], kind: str
) -> HttpResponse:
    store: Callable[..., Any] = save_review if kind == "save" else submit_review
    try:
        done = store(draft=draft, opened=opened, typed=typed, by=actor_of(request))
    except AlreadySubmitted:
        messages.error(request, "The draft was submitted before, and stays as it was. Change its listing instead.")
        return redirect("draft", pk=draft.pk)
    except Overtaken as overtaken:
        form.show_conflicts(overtaken.names, current=overtaken.current)
        now = tokens(overtaken.current)
        seen = {name: now.get(name, EMPTY) for name in overtaken.names}
        return _page(request, draft, form, opened=opened | seen, status=409)
    except (ValidationError, DomainError) as refusal:
        return _refused(request, draft, form, opened, refusal)
    if kind == "save":
        messages.success(request, "Saved. Nothing is submitted yet." if done else "Nothing was changed.")
    return redirect("draft", pk=draft.pk)


def _refused(
    request: SiteHttpRequest,
    draft: Draft,
    form: ReviewForm,
    opened: dict[str, str],
    refusal: ValidationError | DomainError,
) -> HttpResponse:
    """The form with the problems beside its fields; of a draft that is not ready, what it is instead."""
    status = getattr(refusal, "status", 422)
    if isinstance(refusal, DraftNotReady):
        messages.error(request, refusal.detail)
        draft.refresh_from_db()
        return _page(request, draft, None, status=status)
    form.refuse(refusal)
    return _page(request, draft, form, opened=opened, status=status)


def _with_theirs(
    request: SiteHttpRequest, draft: Draft, typed: State, opened: dict[str, str], name: str
) -> HttpResponse:
    """The form with what stands there now in the field that was asked for; the rest as it was typed."""
    current = state_of(draft)
    if name in current or name in typed:
        typed[name] = current.get(name, "")
        opened[name] = tokens({name: typed[name]})[name]
    return _page(request, draft, ReviewForm(typed, draft=draft), opened=opened)


def _own(request: SiteHttpRequest, pk: int) -> Draft:
    drafts = Draft.objects.visible_to(account_of(request))
    return get_object_or_404(drafts.select_related("site", "listing__company", "listing__site"), pk=pk)


def _leads_to(draft: Draft, listed: Company) -> dict[str, Any]:
    """The listed website that the address led to; of the account's own also its listing."""
    is_own = listed.owner_id == draft.owner_id
    listing = listed.listings.filter(site=draft.site).first() if is_own else None
    return {"website": draft.website, "is_own": is_own, "listing": listing}


def _page(
    request: SiteHttpRequest,
    draft: Draft,
    form: ReviewForm | None,
    *,
    opened: Mapping[str, str] | None = None,
    picks: Mapping[str, Finding] | None = None,
    status: int = 200,
) -> HttpResponse:
    categories = form.categories if form else {}
    if draft.status == Draft.Status.SUBMITTED:
        categories = dict(Category.objects.filter(site=draft.site).values_list("slug", "name"))
    listing, listed = draft.listing, guidance.listed_company(draft)
    context = {
        "draft": draft,
        "error": guidance.error_of(draft),
        "leads_to": _leads_to(draft, listed) if listed else None,
        "listing": {
            "name": listing.company.name,
            "slug": listing.slug,
            "page_url": listing.page_url,
            "is_given_away": guidance.is_given_away(draft),
        }
        if listing
        else None,
        "form": form,
        "opened": json.dumps(dict(opened or {})),
        "review": Review(draft, form, picks=picks or {}, categories=categories),
        "pages_read": guidance.pages_of(draft),
    }
    return render(request, "drafts/detail.html", context, status=status)
