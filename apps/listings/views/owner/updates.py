"""An owner's updates in the browser."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST
from rest_framework.exceptions import ValidationError

from apps.accounts.actors import actor_of
from apps.core.editing.forms import TypedField, TypedForm, text_area, text_input
from apps.core.errors import DomainError
from apps.core.web.pages import reporting
from apps.listings.api.updates import PostUpdateSerializer
from apps.listings.models import Listing
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.listings.services.updates import (
    BODY_LENGTH,
    TITLE_LENGTH,
    count_emailed,
    delete_listing_update,
    post_listing_update,
    posted_today,
)
from apps.sites.requests import SiteHttpRequest


class UpdateForm(TypedForm):
    """News of a listing."""

    title = TypedField(label="Headline", widget=text_input(), help_text=f"Up to {TITLE_LENGTH} characters")
    body = TypedField(
        label="What’s new",
        widget=text_area(10),
        help_text=f"Plain text, up to {BODY_LENGTH:,} characters. Leave a blank line between paragraphs.",
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_update(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Publish an update immediately on the listing and the latest updates, and email followers."""
    listing = own_listing(request, slug)
    if not is_open(listing, "new_update"):
        return to_overview(listing)
    if request.method != "POST":
        return _page(request, listing, UpdateForm())
    form = UpdateForm(request.POST)
    serializer = PostUpdateSerializer(data={name: request.POST.get(name, "") for name in form.fields})
    try:
        serializer.is_valid(raise_exception=True)
        posted = post_listing_update(listing=listing, by=actor_of(request), **serializer.validated_data)
    except (ValidationError, DomainError) as refusal:
        form.refuse(refusal)
        return _page(request, listing, form, status=getattr(refusal, "status", 422))
    messages.success(request, f"“{posted.title}” posted")
    return redirect("new_update", slug=slug)


@login_required
@require_POST
def delete(request: SiteHttpRequest, slug: str, update_id: int) -> HttpResponse:
    """Remove a posted update. A second request does nothing."""
    listing = own_listing(request, slug)
    update = get_object_or_404(listing.updates, pk=update_id)
    with reporting(request, f"“{update.title}” deleted"):
        delete_listing_update(update=update, by=actor_of(request))
    return redirect("new_update", slug=slug)


def _page(request: SiteHttpRequest, listing: Listing, form: UpdateForm, *, status: int = 200) -> HttpResponse:
    allowed = listing.site.updates_per_day
    context: dict[str, Any] = {
        "listing": head(listing, current="new_update"),
        "form": form,
        "follower_count": count_emailed(listing),
        "allowed": allowed,
        "left": max(allowed - posted_today(listing).count(), 0),
        "posted": listing.updates.all()[:5],
    }
    return render(request, "listings/owner/new_update.html", context, status=status)
