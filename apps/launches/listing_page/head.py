"""Metadata of a listing's page for search engines and link previews."""

from typing import Any

from django.urls import reverse

from apps.core.text.dates import week_and_year
from apps.core.web.hosts import display_host_of
from apps.launches.listing_page.place import Place, place_of_listing
from apps.launches.listing_page.structured_data import listing_data
from apps.listings.models import Listing
from apps.sites.seo.preview_images import Picture
from apps.sites.seo.site_preview import image_parts, picture_on


def listing_head(listing: Listing, context: dict[str, Any]) -> dict[str, Any]:
    """Return title, description and what frame/social.html shows, for a listing as its page shows it.

    Listings that aren't live have no canonical URL and no data for programs, because only their owner sees them.
    """
    title = listing.seo_title or ": ".join(text for text in (context["name"], context["headline"]) if text)
    description = listing.seo_description or context["summary"] or context["headline"]
    texts = {"head_title": title, "head_description": description}
    if not context["is_live"]:
        return texts
    image = image_parts(
        listing.site,
        path=reverse("listing_image", args=[listing.slug]),
        picture=_picture(listing, context["place"]),
        alt=f"{context['name']} on {listing.site.name}",
    )
    return {
        **texts,
        "canonical_url": listing.page_url,
        "social": {"title": title, "description": description, **image},
        "structured_data": listing_data(listing, context),
    }


def listing_picture(listing: Listing) -> Picture:
    """Return the preview image of a live listing loaded `with_details()`. One query while its week is open."""
    return _picture(listing, place_of_listing(listing))


def _picture(listing: Listing, place: Place | None) -> Picture:
    company = listing.company
    host = display_host_of(company.website)
    categories = [category.name for category in listing.categories.all()]
    return picture_on(
        listing.site,
        path=listing.path,
        label=categories[0] if categories else "",
        title=company.name,
        instead=host or listing.slug,
        text=listing.headline,
        name=_when(listing, place),
        role=host,
        seed=listing.slug,
    )


def _when(listing: Listing, place: Place | None) -> str:
    """Return the final rank, or the week while it is open, because every vote would change the picture."""
    week = week_and_year(listing.week)
    award = place.award if place and place.is_final else ""
    return ", ".join(text for text in (award, week) if text)
