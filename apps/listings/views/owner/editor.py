"""The editor: every text and fact of a listing on one page."""

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import ValidationError

from apps.accounts.actors import actor_of
from apps.core.errors import DomainError
from apps.listings.editor.form import EditorForm
from apps.listings.editor.form_state import SPARE_FAQS, State, state_from, state_of
from apps.listings.editor.merging import EMPTY, marks_from, tokens
from apps.listings.editor.saving import Overtaken, save_form
from apps.listings.fields.labels import PLATFORMS, label_of
from apps.listings.models import Listing
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.listings.services.editing import Edit
from apps.listings.services.sections import locked_sections
from apps.sites.requests import SiteHttpRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """The form with everything that update_my_listing takes; only what was changed is saved."""
    listing = own_listing(request, slug)
    if not is_open(listing, "edit_listing"):
        return to_overview(listing)
    if request.method != "POST":
        state = state_of(listing)
        return _page(request, listing, EditorForm(state, site=listing.site), opened=tokens(state))
    typed, opened = state_from(request.POST), marks_from(request.POST.get("opened", ""))
    if "add" in request.POST:
        form = EditorForm(typed, site=listing.site, spare_faqs=SPARE_FAQS + 1)
        return _page(request, listing, form, opened=opened)
    if "take" in request.POST:
        return _with_theirs(request, listing, typed, opened, request.POST["take"])
    return _save(request, listing, typed, opened)


def _save(request: SiteHttpRequest, listing: Listing, typed: State, opened: dict[str, str]) -> HttpResponse:
    form = EditorForm(typed, site=listing.site)
    if request.POST.get("new_address", "").strip() and request.POST.get("new_platform") not in PLATFORMS:
        form.data = {**form.data, "new_address": request.POST["new_address"]}
        form.add_error("new_platform", "Choose the platform of this address.")
        return _page(request, listing, form, opened=opened, status=422)
    others = _other_sites(listing)
    chosen = [key for key in request.POST.getlist("apply_to") if key in others]
    try:
        saved = save_form(listing=listing, opened=opened, typed=typed, apply_to=chosen, by=actor_of(request))
    except Overtaken as overtaken:
        form.show_conflicts(overtaken.names, current=overtaken.current)
        now = tokens(overtaken.current)
        seen = {name: now.get(name, EMPTY) for name in overtaken.names}
        return _page(request, listing, form, opened=opened | seen, status=409)
    except (ValidationError, DomainError) as refusal:
        form.refuse(refusal)
        return _page(request, listing, form, opened=opened, status=getattr(refusal, "status", 422))
    _tell(request, saved, others)
    return redirect("edit_listing", slug=saved.listing.slug)


def _with_theirs(
    request: SiteHttpRequest, listing: Listing, typed: State, opened: dict[str, str], name: str
) -> HttpResponse:
    """The form with what stands there now in the field that was asked for; the rest as it was typed."""
    current = state_of(listing)
    if name in current or name in typed:
        typed[name] = current.get(name, "")
        opened[name] = tokens({name: typed[name]})[name]
    return _page(request, listing, EditorForm(typed, site=listing.site), opened=opened)


def _tell(request: SiteHttpRequest, saved: Edit, others: Mapping[str, str]) -> None:
    if not saved.changed and not saved.applied:
        messages.info(request, "Nothing was changed.")
    if saved.changed:
        messages.success(request, f"Saved: {_named(saved.changed)}.")
    for change in saved.applied:
        site = others.get(change.site, change.site)
        if change.changed:
            messages.success(request, f"{site}: saved there as well: {_named(change.changed)}.")
        else:
            messages.warning(request, f"{site}: nothing was changed. {change.reason}")


def _named(fields: list[str]) -> str:
    return ", ".join(label_of(name) for name in fields)


def _other_sites(listing: Listing) -> dict[str, str]:
    """Name by key of the sites on which the company is listed beside this one."""
    others = Listing.objects.filter(company=listing.company, merged_into=None).exclude(pk=listing.pk)
    return dict(others.order_by("site__name").values_list("site__key", "site__name"))


def _page(
    request: SiteHttpRequest, listing: Listing, form: EditorForm, *, opened: dict[str, str], status: int = 200
) -> HttpResponse:
    chosen = set(request.POST.getlist("apply_to"))
    context: dict[str, Any] = {
        "listing": head(listing, current="edit_listing"),
        "form": form,
        "sections": form.sections(locked_sections(listing)),
        "opened": json.dumps(opened),
        "other_sites": [
            {"key": key, "name": name, "is_chosen": key in chosen} for key, name in _other_sites(listing).items()
        ],
        "site_name": listing.site.name,
    }
    return render(request, "listings/owner/edit.html", context, status=status)
