"""What an owner does with a listing before its launch, in the browser."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.requests import account_of
from apps.core.errors import DomainError
from apps.launches import services
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest

BADGE_WIDTH = 200
BADGE_HEIGHT = 48


@login_required
@require_safe
def badge(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """The code that puts the site's badge on the owner's website, and what the last look for it found."""
    listing = _own(request, slug)
    context = {
        "listing": {
            "name": listing.company.name,
            "slug": slug,
            "page_url": listing.page_url,
            "website": listing.company.website,
            "badge_url": listing.site.url(f"{listing.path}/badge.svg"),
            "badge_result": listing.badge_result,
            "is_found": listing.badge_seen_at is not None,
            "can_check": listing.status in {Listing.Status.DRAFT, Listing.Status.AWAITING_BADGE},
        },
        "width": BADGE_WIDTH,
        "height": BADGE_HEIGHT,
    }
    return render(request, "launches/badge.html", context)


@require_safe
@cache_control(public=True, max_age=3600)
def badge_image(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """The badge as an SVG that follows the light or dark scheme of the page it stands on."""
    listing = get_object_or_404(Listing, site=request.site, slug=slug)
    text = f"Featured on {request.site}" if listing.status == Listing.Status.LIVE else f"Launching on {request.site}"
    context = {"text": text, "width": BADGE_WIDTH, "height": BADGE_HEIGHT}
    response = render(request, "launches/badge.svg", context, content_type="image/svg+xml")
    response["Access-Control-Allow-Origin"] = "*"
    # A picture on somebody else's page carries its own styles and nothing else.
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response


@login_required
@require_POST
def choose_free(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Choose the free plan, or look for the badge again."""
    listing = _own(request, slug)
    try:
        chosen = services.choose_free_listing(listing=listing, by=account_of(request))
    except DomainError as error:
        messages.error(request, error.detail)
        return redirect("dashboard")
    if chosen.status == Listing.Status.SCHEDULED:
        messages.success(request, f"{chosen.company} launches in {chosen.launch_week}.")
    else:
        messages.info(request, "The free plan is chosen. We look for the badge soon; reload to see what we found.")
    return redirect(reverse("dashboard"))


def _own(request: SiteHttpRequest, slug: str) -> Listing:
    own = Listing.objects.visible_to(account_of(request)).with_details()
    return get_object_or_404(own, site=request.site, slug=slug)
