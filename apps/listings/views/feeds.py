"""The latest updates of a site or a listing as feeds."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Subquery
from django.http import HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse

from apps.core.stores.valkey.generations import company_name, listing_name
from apps.core.web.public_cache import belongs_to
from apps.listings.models import Company, Listing, Update
from apps.listings.services.updates import live_updates, page_url
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.feeds import ENTRIES, Entry, Feed, FeedKind, feed_response, feed_view, paragraphs, tag_uri


@feed_view
def site_feed(request: SiteHttpRequest, kind: FeedKind) -> HttpResponseBase:
    """The newest updates of the site's live listings."""
    site = request.site
    feed = Feed(
        id=site.url(reverse("updates")),
        title=f"Latest updates on {site.name}",
        description="What makers shipped recently.",
        url=site.url(request.path),
        page_url=site.url(reverse("updates")),
        author=site.name,
        entries=[_entry(update) for update in live_updates().filter(listing__site=site)[:ENTRIES]],
        changed_at=launches_changed_at(site),
    )
    return feed_response(feed, kind=kind)


def feed_of_listing(name: str, read: Callable[[SiteHttpRequest, Listing], Feed]) -> Callable[..., HttpResponseBase]:
    """Return the view of what `read` returns for a live listing. A merged one redirects to the listing that remains.

    `name` is that of its URLs.
    """

    @feed_view
    def view(request: SiteHttpRequest, slug: str, kind: FeedKind) -> HttpResponseBase:
        listings = Listing.objects.filter(site=request.site).select_related("company", "site", "merged_into")
        listing = get_object_or_404(listings.exclude(merged_into=None) | listings.public(), slug=slug)
        if listing.merged_into:
            there = {"slug": listing.merged_into.slug, "kind": kind}
            return HttpResponsePermanentRedirect(reverse(name, kwargs=there))
        belongs_to(request, listing_name(listing.pk), company_name(listing.company_id))
        return feed_response(read(request, listing), kind=kind)

    return view


def _read_updates(request: SiteHttpRequest, listing: Listing) -> Feed:
    name = listing.company.name
    return Feed(
        id=tag_uri(listing.site.host, listing.submitted_at, f"listing/{listing.pk}/updates"),
        title=f"{name}: updates",
        description=f"What's new at {name}.",
        url=listing.site.url(request.path),
        page_url=listing.page_url,
        author=name,
        entries=[_entry(update) for update in live_updates().filter(listing=listing)[:ENTRIES]],
        changed_at=max(listing.updated_at, listing.company.updated_at),
    )


listing_feed = feed_of_listing("listing_feed", _read_updates)


def launches_changed_at(site: Site) -> datetime | None:
    """Return when anything about a site's launched listings last changed, including one that left. One query."""
    launched = Listing.objects.filter(site=site, launched_at__isnull=False)
    companies = Company.objects.filter(Exists(launched.filter(company=OuterRef("pk"))))
    result: Any = Site.objects.filter(pk=site.pk).values_list(
        Subquery(launched.order_by("-updated_at").values("updated_at")[:1]),
        Subquery(companies.order_by("-updated_at").values("updated_at")[:1]),
    )
    return max((moment for moment in result.get() if moment), default=None)


def _entry(update: Update) -> Entry:
    listing = update.listing
    return Entry(
        id=tag_uri(listing.site.host, update.created_at, f"update/{update.pk}"),
        title=update.title,
        url=page_url(update),
        html=paragraphs(update.body),
        author=listing.company.name,
        published_at=update.created_at,
        updated_at=update.created_at,
    )
