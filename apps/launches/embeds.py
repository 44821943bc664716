"""Listings on other people's pages: what the oEmbed format (version 1.0) says of one, and how large its card is."""

from typing import Any
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html

from apps.core.errors import NotFound
from apps.core.web.urls import parts_of
from apps.listings.models import Listing
from apps.sites.models import Site

# In CSS pixels; in less width the card's texts are cut.
WIDTH, HEIGHT = 480, 136
CACHE_SECONDS = 3600


class NothingToEmbed(NotFound):
    code = "nothing_to_embed"
    title = "There is no card for this address"


def listing_at(site: Site, address: str) -> Listing:
    """The live listing whose page on the site has this address, also after a merge; whatever query it carries.

    Raises NothingToEmbed (404).
    """
    parts = parts_of(address)
    own = urlsplit(site.base_url)
    if parts.scheme not in {"http", "https"} or parts.netloc.lower() not in {own.netloc, site.host}:
        raise NothingToEmbed(f"The address is not one of {site.name}.")
    try:
        match = resolve(parts.path)
    except Resolver404:
        match = None
    if match is None or match.url_name != "listing":
        raise NothingToEmbed("The address is not that of a listing.")
    listing = live_listing(site, str(match.kwargs["slug"]))
    if listing is None:
        raise NothingToEmbed("There is no live listing at this address.")
    return listing


def live_listing(site: Site, slug: str) -> Listing | None:
    """The live listing of that name, or the one that it was merged into, loaded with what the card shows."""
    found = Listing.objects.filter(site=site, slug=slug).values_list("pk", "merged_into").first()
    if found is None:
        return None
    shown = Listing.objects.public().with_details().filter(site=site)
    return shown.filter(pk=found[1] or found[0]).first()


def description(listing: Listing, *, max_width: int | None = None, max_height: int | None = None) -> dict[str, Any]:
    """The oEmbed answer for a listing, of type rich: a frame with its card, no larger than asked for."""
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
