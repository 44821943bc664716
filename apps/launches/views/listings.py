"""The public page of a listing, and voting in the browser."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.actors import actor_of
from apps.analytics.counting import count_view
from apps.core.valkey.generations import company_name, founder_name, listing_name
from apps.core.web.public_cache import belongs_to
from apps.core.web.urls import next_path
from apps.launches.views.listing import listing_head, listing_page, listing_picture, listings_to_show
from apps.launches.votes import voting
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.preview_images import preview_answer


@require_safe
def detail(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show a listing's page: to everyone while it is live, to its owner and site admins always.

    Before its launch visitors see a coming soon page, so that the badge's link works. A merged listing redirects to the
    kept one.
    """
    shown = listings_to_show().filter(site=request.site)
    if not request.user.is_authenticated:
        shown = shown.public()
    elif not request.user.is_staff:
        shown = shown.filter(Q(status=Listing.Status.LIVE) | Q(company__owner=request.user))
    listing = shown.filter(slug=slug, merged_into=None).first()
    if listing is None:
        return _coming_soon(request, slug) or redirect(_merged_into(request, slug), permanent=True)
    company = listing.company
    belongs_to(request, listing_name(listing.pk), company_name(company.pk), founder_name(company.owner_id))
    page = listing_page(listing, user=request.user)
    response = render(request, "listings/detail.html", {"listing": page, **listing_head(listing, page)})
    count_view(request, listing)
    return response


@require_safe
def listing_image(request: SiteHttpRequest, slug: str) -> HttpResponseBase:
    """Serve the preview image of a live listing."""
    shown = Listing.objects.public().filter(site=request.site, merged_into=None).with_details()
    return preview_answer(request, listing_picture(get_object_or_404(shown, slug=slug)))


@login_required
@require_POST
def vote(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Vote for a listing, or take the vote back. htmx gets the new button, a plain form a redirect."""
    listing = get_object_or_404(Listing.objects.public().filter(site=request.site).select_related("company"), slug=slug)
    back = next_path(request, listing.path)
    is_htmx = request.headers.get("HX-Request") == "true"
    try:
        voted = voting.toggle_vote(listing=listing, by=actor_of(request))
    except (voting.NotVotable, voting.VotingClosed) as error:
        messages.error(request, error.detail)
        there = reverse("home") if isinstance(error, voting.NotVotable) else back
        return HttpResponse(status=204, headers={"HX-Redirect": there}) if is_htmx else redirect(there)
    if not is_htmx:
        return redirect(back)
    shown = {
        "name": listing.company.name,
        "slug": slug,
        "votes": listing.current_votes,
        "voted": voted,
        "is_open": True,
        "is_own": listing.company.owner_id == request.user.pk,
    }
    context = {"listing": shown, "wide": request.POST.get("wide"), "next_url": back}
    return render(request, "parts/vote_button.html", context)


def _coming_soon(request: SiteHttpRequest, slug: str) -> HttpResponse | None:
    """Return the coming soon page of a listing before its launch, or None for any other."""
    upcoming = Listing.objects.upcoming().filter(site=request.site, slug=slug, merged_into=None)
    listing = upcoming.select_related("company", "site").first()
    if listing is None:
        return None
    shown = {
        "name": listing.company.name,
        "slug": listing.slug,
        "headline": listing.headline,
        "logo_url": listing.company.logo_url,
        "week": listing.week,
    }
    return render(request, "listings/coming_soon.html", {"listing": shown})


def _merged_into(request: SiteHttpRequest, slug: str) -> str:
    merged = Listing.objects.filter(site=request.site, slug=slug).select_related("merged_into").first()
    into = merged and merged.merged_into
    if not into or into.status not in {Listing.Status.LIVE, *Listing.UPCOMING}:
        raise Http404
    return into.path
