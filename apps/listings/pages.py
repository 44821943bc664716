"""Pages of listings that need nothing of the launch calendar."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.accounts.requests import account_of
from apps.core.page_numbers import page_object, page_rows
from apps.core.templatetags.look import age, week_label
from apps.listings import guidance
from apps.listings.models import Listing, Update
from apps.sites.requests import SiteHttpRequest


@require_safe
def updates(request: SiteHttpRequest) -> HttpResponse:
    """The latest updates of all live listings of the site."""
    found = (
        Update.objects.filter(listing__site=request.site, listing__status=Listing.Status.LIVE)
        .select_related("listing__company", "listing__site")
        .order_by("-created_at", "-id")
    )
    page = page_object(request, total=found.count(), per_page=20)
    shown = [
        {
            "title": update.title,
            "body": update.body,
            "page_url": update.listing.path,
            "company_name": update.listing.company.name,
            "company_slug": update.listing.slug,
            "logo_url": update.listing.company.logo_url,
            "age": age(update.created_at),
            "created_at": update.created_at,
        }
        for update in page_rows(found, page)
    ]
    return render(request, "listings/updates.html", {"updates": shown, "page_obj": page})


@login_required
@require_safe
def dashboard(request: SiteHttpRequest) -> HttpResponse:
    """The account's listings with their status, what blocks them, and what can be done next."""
    listings = Listing.objects.visible_to(account_of(request)).for_owner().order_by("-id")
    page = page_object(request, total=listings.count(), per_page=20)
    shown = [
        {
            "name": listing.company.name,
            "id": listing.pk,
            "slug": listing.slug,
            "page_url": listing.page_url,
            "logo_url": listing.company.logo_url,
            "can_launch": listing.status in Listing.LAUNCHABLE and listing.site_id == request.site.pk,
            "can_queue": listing.status == Listing.Status.DRAFT and listing.site_id == request.site.pk,
            "state": listing.status,
            "plan": "" if listing.plan == Listing.Plan.NONE else listing.plan,
            "week_label": f"{week_label(listing.week)}, {listing.week.year}" if listing.week else "",
            "votes": listing.votes,
            "blockers": guidance.blockers(listing),
            "next_steps": guidance.next_steps(listing),
        }
        for listing in page_rows(listings, page)
    ]
    return render(request, "accounts/dashboard.html", {"listings": shown, "page_obj": page})
