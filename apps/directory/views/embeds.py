"""Embeddable listing cards and their oEmbed endpoint."""

from collections.abc import Mapping
from io import StringIO
from typing import Any
from urllib.parse import urlsplit
from xml.sax.xmlreader import AttributesImpl

from django.http import Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.cache import patch_cache_control
from django.utils.html import format_html
from django.utils.xmlutils import SimplerXMLGenerator
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import conditional_page, require_safe

from apps.core.errors import NotFound
from apps.core.web.pages import POLICY_REPLACED
from apps.core.web.urls import parts_of
from apps.launches.listing_page.place import place_of_listing
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.feeds import fit_for_xml

# In CSS pixels. A narrower card cuts its texts.
WIDTH, HEIGHT = 480, 136
CACHE_SECONDS = 3600


class NothingToEmbed(NotFound):
    code = "nothing_to_embed"
    title = "No embed for this URL"


def listing_at(site: Site, address: str) -> Listing:
    """Return the live listing at this URL of the site, also after a merge. Ignores the query string.

    Raises NothingToEmbed (404).
    """
    parts = parts_of(address)
    own = urlsplit(site.base_url)
    if parts.scheme not in {"http", "https"} or parts.netloc.lower() not in {own.netloc, site.host}:
        raise NothingToEmbed(f"The URL is not on {site.name}.")
    try:
        match = resolve(parts.path)
    except Resolver404:
        match = None
    if match is None or match.url_name != "listing":
        raise NothingToEmbed("The URL is not a listing's page.")
    listing = live_listing(site, str(match.kwargs["slug"]))
    if listing is None:
        raise NothingToEmbed("No live listing found at this URL.")
    return listing


def live_listing(site: Site, slug: str) -> Listing | None:
    """Return the live listing with this slug, or the one it was merged into, with what the card shows."""
    result = Listing.objects.filter(site=site, slug=slug).values_list("pk", "merged_into").first()
    if result is None:
        return None
    listings = Listing.objects.public().with_details().filter(site=site)
    return listings.filter(pk=result[1] or result[0]).first()


def description(listing: Listing, *, max_width: int | None = None, max_height: int | None = None) -> dict[str, Any]:
    """Return the oEmbed answer of type rich for a listing: a frame with its card, within the requested size."""
    site, name = listing.site, listing.company.name
    width, height = min(WIDTH, max_width or WIDTH), min(HEIGHT, max_height or HEIGHT)
    frame = format_html(
        '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" frameborder="0"></iframe>',
        site.url(reverse("listing_embed", args=[listing.slug])),
        width,
        height,
        f"{name} on {site.name}",
    )
    return {
        "version": "1.0",
        "type": "rich",
        "title": f"{name}: {listing.headline}" if listing.headline else name,
        "author_name": name,
        "author_url": listing.page_url,
        "provider_name": site.name,
        "provider_url": site.url("/"),
        "cache_age": CACHE_SECONDS,
        "html": str(frame),
        "width": width,
        "height": height,
    }


EMBED_SECONDS = 300
_LONGEST_NUMBER = 5


@require_safe
@conditional_page
def oembed(request: SiteHttpRequest) -> HttpResponseBase:
    """Serve the oEmbed answer (https://oembed.com) for a listing's URL, as JSON or XML.

    As oEmbed requires: 400 without a URL, 404 for one without a card, 501 for another format. Ignores sizes that
    aren't numbers.
    """
    kind = request.GET.get("format") or "json"
    if kind not in {"json", "xml"}:
        return _refusal("Use the format json or xml.", status=501)
    address = request.GET.get("url", "")
    if not address:
        return _refusal("Send the URL of a listing's page as ?url=.", status=400)
    try:
        listing = listing_at(request.site, address)
    except NothingToEmbed as error:
        return _refusal(error.detail, status=404)
    fields = description(
        listing, max_width=_pixels(request.GET.get("maxwidth")), max_height=_pixels(request.GET.get("maxheight"))
    )
    response = JsonResponse(fields) if kind == "json" else _xml(fields)
    response["Access-Control-Allow-Origin"] = "*"
    # Errors aren't cached, because the listing may be live a minute later.
    patch_cache_control(response, public=True, max_age=CACHE_SECONDS)
    return response


@require_safe
@xframe_options_exempt
def embed(request: SiteHttpRequest, slug: str) -> HttpResponseBase:
    """Serve a live listing's card for a frame on any page. A merged listing redirects to the kept one."""
    response = _card(request, slug)
    # Also for a 304, because browsers apply its policy to the cached page.
    setattr(response, POLICY_REPLACED, {"frame-ancestors": ["*"]})
    return response


@conditional_page
@cache_control(public=True, max_age=EMBED_SECONDS)
def _card(request: SiteHttpRequest, slug: str) -> HttpResponseBase:
    listing = live_listing(request.site, slug)
    if listing is None:
        raise Http404
    if listing.slug != slug:
        return redirect("listing_embed", listing.slug, permanent=True)
    context = {
        "name": listing.company.name,
        "slug": listing.slug,
        "headline": listing.headline,
        "logo_key": listing.company.logo_key,
        "page_url": listing.page_url,
        "votes": listing.current_votes,
        "place": place_of_listing(listing),
    }
    return render(request, "directory/embed.html", {"listing": context, "site": request.site})


def _pixels(text: str | None) -> int | None:
    """Parse a number of pixels. Returns None for anything but a positive integer."""
    if not text or not text.isascii() or not text.isdigit() or len(text) > _LONGEST_NUMBER:
        return None
    return int(text) or None


def _refusal(text: str, *, status: int) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")


def _xml(fields: Mapping[str, Any]) -> HttpResponse:
    out = StringIO()
    document = SimplerXMLGenerator(out, "utf-8")
    document.startDocument()
    document.startElement("oembed", AttributesImpl({}))
    for name, value in fields.items():
        document.addQuickElement(name, fit_for_xml(str(value)))
    document.endElement("oembed")
    return HttpResponse(out.getvalue(), content_type="text/xml; charset=utf-8")
