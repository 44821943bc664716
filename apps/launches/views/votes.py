"""Voting in the browser."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from apps.accounts.actors import account_of, actor_of
from apps.accounts.sign_in.views import intent_of
from apps.core.api import rate_limits
from apps.core.errors import TooManyRequests
from apps.core.request.client_ip import client_neighborhood
from apps.core.stores.valkey.counters import Limit
from apps.core.web.urls import next_path
from apps.launches.leaderboards.cards import voted_by
from apps.launches.votes import voting
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest

# The ledger keeps an entry of each vote and withdrawal forever, and the site's other voters wait meanwhile.
VOTES_AN_HOUR = Limit("votes", 300, 3600, events="votes")


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
    state = {
        "name": listing.company.name,
        "slug": slug,
        "votes": listing.current_votes,
        "voted": voted,
        "is_open": True,
        "is_own": listing.company.owner_id == request.user.pk,
    }
    context = {"listing": state, "wide": request.POST.get("wide"), "next_url": back}
    return render(request, "launches/parts/vote_button.html", context)


@intent_of("vote")
def _intent(request: SiteHttpRequest, slug: str) -> str:
    listing = Listing.objects.public().filter(site=request.site, slug=slug).select_related("company").first()
    return f"vote for {listing.company.name}" if listing else "vote"


def _ask_for_vote(request: SiteHttpRequest, listing: Listing, back: str) -> HttpResponse:
    """Return the page with the button for this vote, or go on where there is nothing left to press."""
    if listing.pk in voted_by(account_of(request), [listing.pk]) or not voting.takes_votes(
        status=listing.status, launch_week=listing.launch_week
    ):
        return redirect(back)
    context = {
        "name": listing.company.name,
        "slug": listing.slug,
        "headline": listing.headline,
        "logo_key": listing.company.logo_key,
        "path": listing.path,
    }
    return render(request, "launches/vote.html", {"listing": context, "next_url": back})
