"""The public page of a listing."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from apps.analytics.counting import count_view
from apps.core.stores.postgresql.instances import Instances
from apps.core.stores.postgresql.statements import Parameter
from apps.core.stores.valkey.generations import company_name, founder_name, listing_name
from apps.core.web.public_cache import belongs_to
from apps.curation.reading import collections_with, with_collected
from apps.launches.listing_page import listing_head, listing_page, listing_picture, listings_to_show
from apps.launches.owner.status_text import Link, status_text
from apps.launches.views.reminders import coming_soon
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.preview_images import preview_answer

_REQUESTED = with_collected(listings_to_show()).filter(site=Parameter("site"), slug=Parameter("slug"), merged_into=None)
_IS_LIVE = Q(status=Listing.Status.LIVE)
_PREFETCHED = ("categories", "milestones")
_ALL = Instances(_REQUESTED, prefetch=_PREFETCHED)
_PUBLIC = Instances(_REQUESTED.filter(_IS_LIVE), prefetch=_PREFETCHED)
_PUBLIC_OR_OWN = Instances(_REQUESTED.filter(_IS_LIVE | Q(company__owner=Parameter("account"))), prefetch=_PREFETCHED)


@require_safe
def detail(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show a listing's page: to everyone while it is live, to its owner and site admins always.

    Before its launch visitors see a coming soon page, so that the badge's link works. A merged listing redirects to the
    kept one.
    """
    user = request.user
    if not user.is_authenticated:
        listing = _PUBLIC.first(site=request.site.pk, slug=slug)
    elif user.is_staff:
        listing = _ALL.first(site=request.site.pk, slug=slug)
    else:
        listing = _PUBLIC_OR_OWN.first(site=request.site.pk, slug=slug, account=user.pk)
    if listing is None:
        return _upcoming(request, slug) or redirect(_merged_into(request, slug), permanent=True)
    company = listing.company
    belongs_to(request, listing_name(listing.pk), company_name(company.pk), founder_name(company.owner_id))
    page = listing_page(listing, user=request.user)
    for section in (page["reviews"], page["comments"]):
        belongs_to(request, *(section["names"] if section else ()))
    context = {
        "listing": page,
        "next_step": _next_step(listing, page),
        "collections": collections_with(listing) if page["is_live"] else [],
        **listing_head(listing, page),
    }
    response = render(request, "directory/listing.html", context)
    count_view(request, listing)
    return response


@require_safe
def listing_image(request: SiteHttpRequest, slug: str) -> HttpResponseBase:
    """Serve the preview image of a live listing."""
    listings = Listing.objects.public().filter(site=request.site, merged_into=None).with_details()
    return preview_answer(request, listing_picture(get_object_or_404(listings, slug=slug)))


def _next_step(listing: Listing, page: Mapping[str, Any]) -> Link | None:
    """Return the owner's main action."""
    if not page["is_own"]:
        return None
    return next((link for link in status_text(listing).links if link.is_main), None)


def _upcoming(request: SiteHttpRequest, slug: str) -> HttpResponse | None:
    """Return the coming soon page of a listing before its launch, or None for any other."""
    upcoming = Listing.objects.upcoming().filter(site=request.site, slug=slug, merged_into=None)
    listing = upcoming.select_related("company", "site").first()
    return coming_soon(request, listing) if listing else None


def _merged_into(request: SiteHttpRequest, slug: str) -> str:
    merged = Listing.objects.filter(site=request.site, slug=slug).select_related("merged_into").first()
    into = merged and merged.merged_into
    if not into or into.status not in Listing.WITH_PAGE:
        raise Http404
    return into.path
