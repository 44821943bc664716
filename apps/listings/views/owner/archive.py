"""Archive a listing permanently, in the browser."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from apps.accounts.actors import account_of, actor_of
from apps.core.web.pages import reporting
from apps.listings.models import Listing
from apps.listings.services import moderation
from apps.sites.requests import SiteHttpRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Explain that archiving is final and what stays. The form on the page archives."""
    own = Listing.objects.visible_to(account_of(request)).with_details()
    listing = get_object_or_404(own, site=request.site, slug=slug)
    if request.method == "POST":
        with reporting(request, f"{listing.company} archived on {listing.site}"):
            moderation.archive_listing(listing=listing, by=actor_of(request))
        return redirect("dashboard")
    if problem := moderation.why_not("archive", listing):
        messages.error(request, problem)
        return redirect("dashboard")
    return render(request, "listings/archive.html", {"listing": listing})
