"""An owner's milestones in the browser."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST
from rest_framework.exceptions import ValidationError

from apps.accounts.actors import actor_of
from apps.core.editing.forms import TypedField, TypedForm, address_input, text_area, text_input
from apps.core.errors import DomainError
from apps.core.web.pages import reporting
from apps.listings.api.requests import NewMilestoneSerializer
from apps.listings.models import Listing
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.listings.services.milestones import add_milestone, delete_milestone
from apps.listings.services.sections import locked_sections
from apps.sites.requests import SiteHttpRequest


class MilestoneForm(TypedForm):
    """An achievement with its day."""

    date = TypedField(label="Day", widget=forms.DateInput(attrs={"type": "date"}))
    title = TypedField(label="Milestone title", widget=text_input(), help_text="For example: 1,000 teams.")
    description = TypedField(required=False, widget=text_area(3))
    url = TypedField(label="Link", required=False, widget=address_input(), help_text="Where people can read more.")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def milestones(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show the listing's milestones, newest first, and the form for another one."""
    listing = own_listing(request, slug)
    if not is_open(listing, "listing_milestones"):
        return to_overview(listing)
    if request.method != "POST":
        return _page(request, listing, MilestoneForm(initial={"date": timezone.now().date().isoformat()}))
    form = MilestoneForm(request.POST)
    typed = {name: request.POST.get(name, "") for name in form.fields}
    serializer = NewMilestoneSerializer(data={name: text for name, text in typed.items() if text.strip()})
    try:
        serializer.is_valid(raise_exception=True)
        added = add_milestone(listing=listing, by=actor_of(request), **serializer.validated_data)
    except (ValidationError, DomainError) as refusal:
        form.refuse(refusal)
        return _page(request, listing, form, status=getattr(refusal, "status", 422))
    messages.success(request, f"“{added.title}” added")
    return redirect("listing_milestones", slug=slug)


@login_required
@require_POST
def delete(request: SiteHttpRequest, slug: str, milestone_id: int) -> HttpResponse:
    """Remove a milestone. A second request does nothing."""
    listing = own_listing(request, slug)
    milestone = get_object_or_404(listing.milestones, pk=milestone_id)
    with reporting(request, f"“{milestone.title}” deleted"):
        delete_milestone(milestone=milestone, by=actor_of(request))
    return redirect("listing_milestones", slug=slug)


def _page(request: SiteHttpRequest, listing: Listing, form: MilestoneForm, *, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {
        "listing": head(listing, current="listing_milestones"),
        "milestones": listing.milestones.all(),
        "form": form,
        "locked": locked_sections(listing).get("milestones"),
    }
    return render(request, "listings/owner/milestones.html", context, status=status)
