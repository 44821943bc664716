"""The public page of a listing, and voting in the browser."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.analytics.counting import count_view
from apps.core.api import rate_limits
from apps.core.errors import TooManyRequests
from apps.core.request.client_ip import client_neighborhood
from apps.core.stores.valkey.counters import Limit
from apps.core.stores.valkey.generations import company_name, founder_name, listing_name
from apps.core.web.forms import EmailForm
from apps.core.web.public_cache import belongs_to
from apps.core.web.urls import next_path
from apps.launches.leaderboards.cards import voted_by
from apps.launches.services import reminders
from apps.launches.views.listing import listing_head, listing_page, listing_picture, listings_to_show
from apps.launches.votes import voting
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.preview_images import preview_answer

# The ledger keeps an entry of each vote and withdrawal forever, and the site's other voters wait meanwhile.
VOTES_AN_HOUR = Limit("votes", 300, 3600, events="votes")


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
        return _upcoming(request, slug) or redirect(_merged_into(request, slug), permanent=True)
    company = listing.company
    belongs_to(request, listing_name(listing.pk), company_name(company.pk), founder_name(company.owner_id))
    page = listing_page(listing, user=request.user)
    belongs_to(request, *(page["comments"]["names"] if page["comments"] else ()))
    response = render(request, "listings/detail.html", {"listing": page, **listing_head(listing, page)})
    count_view(request, listing)
    return response


@require_safe
def listing_image(request: SiteHttpRequest, slug: str) -> HttpResponseBase:
    """Serve the preview image of a live listing."""
    shown = Listing.objects.public().filter(site=request.site, merged_into=None).with_details()
    return preview_answer(request, listing_picture(get_object_or_404(shown, slug=slug)))


@login_required(login_url="account_signup")
@require_http_methods(["GET", "HEAD", "POST"])
def vote(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Vote for a listing, or take the vote back. htmx gets the new button, a plain form a redirect.

    GET is for people who pressed the button before they signed in: one more press votes.
    """
    listing = get_object_or_404(Listing.objects.public().filter(site=request.site).select_related("company"), slug=slug)
    back = next_path(request, listing.path)
    if request.method != "POST":
        return _ask_for_vote(request, listing, back)
    is_htmx = request.headers.get("HX-Request") == "true"
    by = actor_of(request)
    try:
        if standing := rate_limits.breaker.call(lambda: VOTES_AN_HOUR.try_take(str(by.account.pk))):
            standing.check()
        voted = voting.toggle_vote(listing=listing, by=by, network=client_neighborhood(request))
    except (voting.NotVotable, voting.VotingClosed, voting.VoteDismissed, TooManyRequests) as error:
        messages.error(request, error.detail)
        there = reverse("home") if isinstance(error, voting.NotVotable) else back
        return HttpResponse(status=204, headers={"HX-Redirect": there}) if is_htmx else redirect(there)
    if not is_htmx:
        name = listing.company.name
        messages.success(request, f"You voted for {name}." if voted else f"Your vote for {name} was withdrawn.")
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


def _ask_for_vote(request: SiteHttpRequest, listing: Listing, back: str) -> HttpResponse:
    """Return the page with the button for this vote, or go on where there is nothing left to press."""
    if listing.pk in voted_by(account_of(request), [listing.pk]) or not voting.takes_votes(listing):
        return redirect(back)
    shown = {
        "name": listing.company.name,
        "slug": listing.slug,
        "headline": listing.headline,
        "logo_key": listing.company.logo_key,
        "path": listing.path,
    }
    return render(request, "listings/vote.html", {"listing": shown, "next_url": back})


def _upcoming(request: SiteHttpRequest, slug: str) -> HttpResponse | None:
    """Return the coming soon page of a listing before its launch, or None for any other."""
    upcoming = Listing.objects.upcoming().filter(site=request.site, slug=slug, merged_into=None)
    listing = upcoming.select_related("company", "site").first()
    return coming_soon(request, listing) if listing else None


def coming_soon(request: SiteHttpRequest, listing: Listing, *, form: EmailForm | None = None) -> HttpResponse:
    """Show a listing before its launch, with the form for an email at the launch."""
    shown = {
        "name": listing.company.name,
        "slug": listing.slug,
        "headline": listing.headline,
        "logo_key": listing.company.logo_key,
        "week": listing.week,
    }
    context = {
        "listing": shown,
        "form": form or EmailForm(),
        "is_reminded": reminders.is_reminded(listing, request.user),
    }
    return render(request, "listings/coming_soon.html", context, status=422 if form else 200)


def _merged_into(request: SiteHttpRequest, slug: str) -> str:
    merged = Listing.objects.filter(site=request.site, slug=slug).select_related("merged_into").first()
    into = merged and merged.merged_into
    if not into or into.status not in Listing.WITH_PAGE:
        raise Http404
    return into.path
