"""Pages of updates and following: the latest updates, the follow button, and unsubscribing."""

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
from apps.core.email.unsubscribe import UnsubscribePage, Unsubscribing
from apps.core.web.page_numbers import counted_page, page_object, page_path, page_rows
from apps.core.web.urls import next_path
from apps.listings.models import Follow, Listing, Update
from apps.listings.services import followers
from apps.listings.services.updates import live_updates
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import list_page

PER_PAGE = 20


@require_safe
def updates(request: SiteHttpRequest) -> HttpResponse:
    """The latest updates of all live listings of the site."""
    found = live_updates().filter(listing__site=request.site)
    page, rows = counted_page(request, found, per_page=PER_PAGE)
    shown = [_shown(update) for update in rows]
    path = page_path(reverse("updates"), page)
    entries = [
        (place, f"{update['company_name']}: {update['title']}", update["page_url"])
        for place, update in enumerate(shown, start=page.first_row + 1)
    ]
    context = {
        "updates": shown,
        "page_obj": page,
        "canonical_url": request.site.url(path),
        "structured_data": list_page(request.site, name="Latest updates", path=path, entries=entries),
    }
    return render(request, "listings/updates.html", context)


def _shown(update: Update) -> dict[str, Any]:
    listing = update.listing
    return {
        "title": update.title,
        "body": update.body,
        "page_url": f"{listing.path}#update-{update.pk}",
        "company_name": listing.company.name,
        "company_slug": listing.slug,
        "logo_url": listing.company.logo_url,
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
    user = account_of(request)
    if "unfollow" in request.POST:
        followers.unfollow(listing=listing, by=actor_of(request))
    else:
        try:
            followers.follow(listing=listing, by=actor_of(request))
        except followers.NotFollowable as error:
            messages.error(request, error.detail)
    if request.headers.get("HX-Request") == "true":
        state = followers.follow_state(listing, user)
        shown = {"name": listing.company.name, "slug": listing.slug, "following": state}
        context = {"listing": shown, "next_url": next_path(request, listing.path)}
        return render(request, "parts/follow_button.html", context)
    return redirect(next_path(request, listing.path))


@login_required
@require_safe
def following_page(request: SiteHttpRequest) -> HttpResponse:
    """List what the account follows, on all sites."""
    found = followers.followed_by(account_of(request))
    page = page_object(request, total=found.count(), per_page=PER_PAGE)
    shown = [_followed(follow, request) for follow in page_rows(found, page)]
    return render(request, "listings/following.html", {"follows": shown, "page_obj": page})


def _followed(follow: Follow, request: SiteHttpRequest) -> dict[str, Any]:
    listing = follow.listing
    is_live = listing.status == Listing.Status.LIVE
    is_here = listing.site_id == request.site.pk
    return {
        "id": follow.pk,
        "name": listing.company.name,
        "slug": listing.slug,
        "logo_url": listing.company.logo_url,
        "headline": listing.headline,
        "page_url": (listing.path if is_here else listing.page_url) if is_live else "",
        "site_name": "" if is_here else listing.site.name,
        "since": follow.created_at,
    }


@login_required
@require_POST
def unfollow(request: SiteHttpRequest, follow_id: int) -> HttpResponse:
    """Unfollow a listing from the list, whatever its status. Doing it twice is no error."""
    own = Follow.objects.visible_to(account_of(request)).select_related("listing__company")
    follow = own.filter(pk=follow_id).first()
    if follow:
        followers.unfollow(listing=follow.listing, by=actor_of(request))
        messages.success(request, f"Unfollowed {follow.listing.company.name}")
    return redirect(next_path(request, reverse("following")))


def _unsubscribing(listing_id: int, user_id: int) -> Unsubscribing:
    listing = Listing.objects.select_related("company", "site").filter(pk=listing_id).first()
    links = [("What you follow", reverse("following"))]
    if listing and listing.status == Listing.Status.LIVE:
        links.insert(0, ("Go to its page", listing.page_url))
    name = listing.company.name if listing else ""
    return Unsubscribing(
        title="Emails about updates",
        is_subscribed=Follow.objects.filter(listing=listing_id, user=user_id).exists(),
        question=format_html("Stop emails from <bdi>{}</bdi>?", name),
        reason="You get its updates by email because you follow it. You can follow it again at any time.",
        done=format_html("No more updates from <bdi>{}</bdi> come to you by email.", name)
        if listing
        else "The listing that you followed is gone, and no more emails come of it.",
        links=links,
    )


UNSUBSCRIBE_PAGE = UnsubscribePage(
    followers.UNSUBSCRIBE_LINK,
    stop=lambda listing_id, user_id: followers.unsubscribe(listing_id=listing_id, user_id=user_id),
    text=_unsubscribing,
)
