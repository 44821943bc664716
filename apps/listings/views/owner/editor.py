"""The editor: every text and fact of a listing on one page."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import ValidationError

from apps.accounts.actors import actor_of
from apps.core.editing.forms import take_saved
from apps.core.editing.marks import marks_of, read_marks
from apps.core.editing.merge import StaleFormError
from apps.core.errors import DomainError
from apps.listings.editor.document import ListingDocument
from apps.listings.editor.form import ListingForm
from apps.listings.editor.form_state import SPARE_FAQS, state_from, state_of
from apps.listings.fields.labels import label_of
from apps.listings.models import Listing
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.listings.services.editing import Edit
from apps.listings.services.sections import locked_sections
from apps.sites.requests import SiteHttpRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show the form with everything that update_my_listing takes. Only changed fields are saved."""
    listing = own_listing(request, slug)
    if not is_open(listing, "edit_listing"):
        return to_overview(listing)
    if request.method != "POST":
        state = state_of(listing)
        return _page(request, listing, ListingForm(state, opened=marks_of(state), site=listing.site))
    typed, opened = state_from(request.POST), read_marks(request.POST.get("opened", ""))
    if "take_saved" in request.POST:
        take_saved(request.POST["take_saved"], saved=state_of(listing), typed=typed, opened=opened)
    is_adding = "add" in request.POST
    spare = SPARE_FAQS + 1 if is_adding else SPARE_FAQS
    form = ListingForm(typed, opened=opened, site=listing.site, spare_faqs=spare)
    if is_adding or "take_saved" in request.POST:
        return _page(request, listing, form)
    if not form.check_platform(request.POST):
        return _page(request, listing, form, status=422)
    others = _other_sites(listing)
    chosen = [key for key in request.POST.getlist("apply_to") if key in others]
    try:
        saved = ListingDocument(listing, actor_of(request), chosen).save(typed=typed, opened=opened)
    except (StaleFormError, ValidationError, DomainError) as refusal:
        return _page(request, listing, form, status=form.refuse_edit(refusal))
    _announce(request, saved, others)
    return redirect("edit_listing", slug=saved.listing.slug)


def _announce(request: SiteHttpRequest, saved: Edit, others: Mapping[str, str]) -> None:
    if not saved.changed and not saved.applied:
        messages.info(request, "No changes")
    if saved.changed:
        messages.success(request, f"Saved: {_named(saved.changed)}.")
    for change in saved.applied:
        site = others.get(change.site, change.site)
        if change.changed:
            messages.success(request, f"{site}: also saved: {_named(change.changed)}.")
        else:
            messages.warning(request, f"{site}: not saved. {change.reason}")


def _named(fields: list[str]) -> str:
    return ", ".join(label_of(name) for name in fields)


def _other_sites(listing: Listing) -> dict[str, str]:
    """Return the company's other sites, name by key."""
    others = Listing.objects.filter(company=listing.company, merged_into=None).exclude(pk=listing.pk)
    return dict(others.order_by("site__name").values_list("site__key", "site__name"))


def _page(request: SiteHttpRequest, listing: Listing, form: ListingForm, *, status: int = 200) -> HttpResponse:
    chosen = set(request.POST.getlist("apply_to"))
    context: dict[str, Any] = {
        "listing": head(listing, current="edit_listing"),
        "form": form,
        "sections": form.sections(locked_sections(listing)),
        "opened": form.marks,
        "other_sites": [
            {"key": key, "name": name, "is_chosen": key in chosen} for key, name in _other_sites(listing).items()
        ],
        "site_name": listing.site.name,
    }
    return render(request, "listings/owner/edit.html", context, status=status)
