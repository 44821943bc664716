"""The latest updates as Atom feeds (RFC 4287), of a site and of a single listing."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, time
from typing import cast

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from apps.listings.models import Listing, Update
from apps.listings.news import live_updates, page_url
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest

ENTRIES = 50
MAX_AGE_SECONDS = 300
# The complement of Char in XML 1.0: no escape makes these fit into a document.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _DatedFeed(Atom1Feed):
    def latest_post_date(self) -> datetime:
        """When the newest entry was posted; of an empty feed the day, not the moment, so that it stays the same."""
        if self.items:
            return super().latest_post_date()
        return datetime.combine(timezone.now().date(), time(), UTC)


class _UpdatesFeed(Feed[Update, Site | Listing]):
    feed_type = _DatedFeed

    def item_title(self, item: Update) -> str:
        return _fit(item.title)

    def item_description(self, item: Update) -> str:
        """The text as HTML, as readers of Atom show it: markup in it is escaped."""
        return linebreaks(_fit(item.body), autoescape=True)

    def item_link(self, item: Update) -> str:
        return page_url(item)

    def item_guid(self, item: Update) -> str:
        """A tag (RFC 4151) that outlives a new slug or a merge."""
        return f"tag:{item.listing.site.host},{item.created_at:%Y-%m-%d}:update/{item.pk}"

    def item_author_name(self, item: Update) -> str:
        return _fit(item.listing.company.name)

    def item_pubdate(self, item: Update) -> datetime:
        return item.created_at

    def item_updateddate(self, item: Update) -> datetime:
        return item.created_at


class _SiteFeed(_UpdatesFeed):
    def get_object(self, request: HttpRequest, *args: object, **kwargs: object) -> Site:
        return cast("Site", kwargs["site"])

    def title(self, obj: Site) -> str:
        return f"Latest updates on {_fit(obj.name)}"

    def author_name(self, obj: Site) -> str:
        return _fit(obj.name)

    def link(self, obj: Site) -> str:
        return obj.url(reverse("updates"))

    def feed_url(self, obj: Site) -> str:
        return obj.url(reverse("updates_feed"))

    def items(self, obj: Site) -> Iterable[Update]:
        return live_updates().filter(listing__site=obj)[:ENTRIES]


class _ListingFeed(_UpdatesFeed):
    def get_object(self, request: HttpRequest, *args: object, **kwargs: object) -> Listing:
        return cast("Listing", kwargs["listing"])

    def title(self, obj: Listing) -> str:
        return f"{_fit(obj.company.name)}: updates"

    def author_name(self, obj: Listing) -> str:
        return _fit(obj.company.name)

    def link(self, obj: Listing) -> str:
        return obj.page_url

    def feed_url(self, obj: Listing) -> str:
        return obj.site.url(reverse("listing_feed", args=[obj.slug]))

    def items(self, obj: Listing) -> Iterable[Update]:
        return live_updates().filter(listing=obj)[:ENTRIES]


@require_safe
@conditional_page
@cache_control(public=True, max_age=MAX_AGE_SECONDS)
def site_feed(request: SiteHttpRequest) -> HttpResponse:
    """The newest updates of the site's live listings."""
    return _SiteFeed()(request, site=request.site)


@require_safe
@conditional_page
@cache_control(public=True, max_age=MAX_AGE_SECONDS)
def listing_feed(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """The newest updates of one live listing; one that was merged leads to what it was merged into."""
    listings = Listing.objects.filter(site=request.site).select_related("company", "site", "merged_into")
    listing = get_object_or_404(listings.exclude(merged_into=None) | listings.public(), slug=slug)
    if listing.merged_into:
        return HttpResponsePermanentRedirect(reverse("listing_feed", args=[listing.merged_into.slug]))
    return _ListingFeed()(request, listing=listing)


def _fit(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return _NO_XML.sub("", text)
