"""The public pages of launches: the coming weeks, a listing, and voting in the browser."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.requests import account_of
from apps.core.templatetags.look import week_dates, week_label
from apps.launches import calendar, votes
from apps.launches.listing_page import listing_page
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest

WEEKS_SHOWN = 12


@require_safe
def weeks(request: SiteHttpRequest) -> HttpResponse:
    """The coming weeks with the places that are left."""
    promise = calendar.queue_promise(request.site)
    upcoming = calendar.places(request.site, first=calendar.current_week(), count=WEEKS_SHOWN)
    context = {
        "weeks": [
            {
                "label": week_label(places.week),
                "dates_text": week_dates(places.week),
                "launch_count": places.free_total + places.paid_total - places.free_left - places.paid_left,
                "free_places_left": places.free_left,
                "paid_places_left": places.paid_left,
            }
            for places in upcoming
        ],
        "next_free_week": week_label(promise.free.week if promise.free else None),
        "next_paid_week": week_label(promise.paid.week if promise.paid else None),
    }
    return render(request, "launches/weeks.html", context)


@require_safe
def detail(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """A listing's page: for everybody while it is live, for its owner and the site team always.

    The address of a listing that was merged leads to the one it was merged into.
    """
    shown = Listing.objects.filter(site=request.site).with_details()
    if not request.user.is_authenticated:
        shown = shown.public()
    elif not request.user.is_staff:
        shown = shown.filter(Q(status=Listing.Status.LIVE) | Q(company__owner=request.user))
    listing = shown.filter(slug=slug, merged_into=None).first()
    if listing is None:
        return redirect(_merged_into(request, slug), permanent=True)
    context = {"listing": listing_page(listing, user=request.user), "canonical_url": listing.page_url}
    return render(request, "listings/detail.html", context)


@login_required
@require_POST
def vote(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Vote for a listing, or take the vote back; htmx gets the new button, a plain form goes back."""
    listing = get_object_or_404(Listing.objects.public().filter(site=request.site).select_related("company"), slug=slug)
    back = _next(request, listing)
    is_htmx = request.headers.get("HX-Request") == "true"
    try:
        voted = votes.toggle_vote(listing=listing, by=account_of(request))
    except (votes.NotVotable, votes.VotingClosed) as error:
        messages.error(request, error.detail)
        there = reverse("home") if isinstance(error, votes.NotVotable) else back
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


def _next(request: HttpRequest, listing: Listing) -> str:
    target = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(target, allowed_hosts=None)
    return target if is_ours and target.startswith("/") else listing.path


def _merged_into(request: SiteHttpRequest, slug: str) -> str:
    merged = Listing.objects.filter(site=request.site, slug=slug).select_related("merged_into").first()
    if merged is None or merged.merged_into is None or merged.merged_into.status != Listing.Status.LIVE:
        raise Http404
    return merged.merged_into.path
