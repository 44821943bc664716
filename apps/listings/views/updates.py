"""Pages of updates and following: the latest updates, the follow button, and unsubscribing."""

from collections.abc import Iterable, Set
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.accounts.models import FounderProfile
from apps.core.email.unsubscribe import UnsubscribePage, Unsubscribing
from apps.core.web.page_numbers import counted_page
from apps.core.web.urls import next_path
from apps.listings.models import Follow, Listing, Update
from apps.listings.services import followers
from apps.listings.services.updates import live_updates
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import paged_list

PER_PAGE = 20


@require_safe
def updates(request: SiteHttpRequest) -> HttpResponse:
    """The latest updates of all live listings of the site."""
    result = live_updates().filter(listing__site=request.site)
    page, rows = counted_page(request, result, per_page=PER_PAGE)
    items = [_shown(update) for update in rows]
    entries = [(f"{update['company_name']}: {update['title']}", update["page_url"]) for update in items]
    context = paged_list(request.site, page, name="Latest updates", path=reverse("updates"), entries=entries)
    return render(request, "listings/updates.html", {"updates": items, **context})


def _shown(update: Update) -> dict[str, Any]:
    listing = update.listing
    return {
        "title": update.title,
        "body": update.body,
        "page_url": f"{listing.path}#update-{update.pk}",
        "company_name": listing.company.name,
        "company_slug": listing.slug,
        "logo_key": listing.company.logo_key,
        "created_at": update.created_at,
    }


@require_http_methods(["GET", "HEAD", "POST"])
def follow(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Follow a listing, or with `unfollow` stop. htmx gets the new button, a plain form is redirected back.

    The form says which of the two is wanted, so that pressing twice does it once. A visitor without the form, such as
    after signing in, is redirected to the listing's page.
    """
    listing = get_object_or_404(Listing.objects.public().with_details(), site=request.site, slug=slug)
    if request.method != "POST":
        return redirect(listing.path)
    if not request.user.is_authenticated:
        return redirect_to_login(listing.path)
    if "unfollow" in request.POST:
        followers.unfollow(listing=listing, by=actor_of(request))
    else:
        try:
            followers.follow(listing=listing, by=actor_of(request))
        except followers.NotFollowable as error:
            messages.error(request, error.detail)
    return followed(request, followers.listing_button(listing, account_of(request)), back=listing.path)


def followed(request: SiteHttpRequest, button: followers.FollowButton | None, *, back: str) -> HttpResponse:
    """Answer a pressed follow button: the new one for htmx, otherwise a redirect to `next` or `back`."""
    back = next_path(request, back)
    if request.headers.get("HX-Request") == "true":
        return render(request, "parts/follow_button.html", {"follow": button, "next_url": back})
    return redirect(back)


def followed_rows(follows: Iterable[Follow], *, site: Site) -> list[dict[str, Any]]:
    """Return follows of `followers.followed_by` as rows of a list, with one query if there are founders."""
    rows = list(follows)
    people = {follow.founder.user_id for follow in rows if follow.founder}
    live = Listing.objects.public().filter(site=site, company__owner__in=people)
    with_page = set(live.values_list("company__owner", flat=True)) if people else set()
    founders = [_followed_founder(follow, follow.founder, with_page) if follow.founder else None for follow in rows]
    listings = [_followed_listing(follow, follow.listing, site) if follow.listing else None for follow in rows]
    return [row for pair in zip(founders, listings, strict=True) for row in pair if row]


def _followed_founder(follow: Follow, founder: FounderProfile, with_page: Set[int]) -> dict[str, Any]:
    has_page = founder.slug and founder.user_id in with_page
    return {
        "id": follow.pk,
        "name": founder.real_name or "A founder",
        "founder": founder,
        "headline": founder.role,
        "page_url": reverse("founder", args=[founder.slug]) if has_page else "",
        "site_name": "",
        "since": follow.created_at,
    }


def _followed_listing(follow: Follow, listing: Listing, site: Site) -> dict[str, Any]:
    is_live = listing.status == Listing.Status.LIVE
    is_here = listing.site_id == site.pk
    return {
        "id": follow.pk,
        "name": listing.company.name,
        "slug": listing.slug,
        "logo_key": listing.company.logo_key,
        "headline": listing.headline,
        "page_url": (listing.path if is_here else listing.page_url) if is_live else "",
        "site_name": "" if is_here else listing.site.name,
        "since": follow.created_at,
    }


@login_required
@require_POST
def unfollow(request: SiteHttpRequest, follow_id: int) -> HttpResponse:
    """Unfollow a listing or a founder from the list, whatever its status. Doing it twice is no error."""
    follow = followers.followed_by(account_of(request)).filter(pk=follow_id).first()
    if follow and follow.founder:
        followers.unfollow_founder(founder=follow.founder, by=actor_of(request))
        messages.success(request, f"Unfollowed {follow.founder.real_name or 'the founder'}")
    elif follow and follow.listing:
        followers.unfollow(listing=follow.listing, by=actor_of(request))
        messages.success(request, f"Unfollowed {follow.listing.company.name}")
    return redirect(next_path(request, reverse("following")))


def _unsubscribing(listing_id: int, user_id: int) -> Unsubscribing:
    listing = Listing.objects.select_related("company", "site").filter(pk=listing_id).first()
    links = [("What you follow", reverse("following"))]
    if listing and listing.status == Listing.Status.LIVE:
        links.insert(0, ("View listing", listing.page_url))
    name = listing.company.name if listing else ""
    return Unsubscribing(
        title="Update emails",
        is_subscribed=Follow.objects.filter(listing=listing_id, user=user_id).exists(),
        question=format_html("Stop emails from <bdi>{}</bdi>?", name),
        reason="You get its updates because you follow it. You can follow it again at any time.",
        done=format_html("You won't get updates from <bdi>{}</bdi> any more.", name)
        if listing
        else "The listing you followed no longer exists. You won't get more emails about it.",
        links=links,
    )


UNSUBSCRIBE_PAGE = UnsubscribePage(
    followers.UNSUBSCRIBE_LINK,
    stop=lambda listing_id, user_id: followers.unsubscribe(listing_id=listing_id, user_id=user_id),
    text=_unsubscribing,
)
