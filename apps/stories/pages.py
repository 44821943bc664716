"""The public pages of founder stories."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.accounts.models import FounderProfile
from apps.core.page_numbers import page_object, page_rows
from apps.launches.rows import rows
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.stories.models import FounderStory, StoryQuerySet
from apps.stories.plain_text import paragraphs
from apps.stories.sections import SECTIONS


@require_safe
def stories(request: SiteHttpRequest) -> HttpResponse:
    """The published stories of the site, newest first."""
    found = _published(request.site).order_by("-published_at", "-id")
    page = page_object(request, total=found.count(), per_page=12)
    shown = [
        {
            "title": story.title,
            "page_url": reverse("story", args=[story.listing.slug]),
            "excerpt": _texts(story)[0][1][0] if _texts(story) else "",
            "company_name": story.listing.company.name,
            "company_slug": story.listing.slug,
            "logo_url": story.listing.company.logo_url,
            "author_name": story.listing.company.owner.get_short_name(),
            "published_at": story.published_at,
        }
        for story in page_rows(found, page)
    ]
    return render(request, "stories/list.html", {"stories": shown, "page_obj": page})


@require_safe
def story(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """One story with its author and the listing it belongs to."""
    found = get_object_or_404(_published(request.site), listing__slug=slug)
    listing = Listing.objects.with_details().get(pk=found.listing_id)
    shown = {
        "title": found.title,
        "sections": _texts(found),
        "published_at": found.published_at,
        "author": _author(found),
        "listing": rows([listing], user=request.user)[0],
    }
    return render(request, "stories/detail.html", {"story": shown})


def _published(site: Site) -> StoryQuerySet:
    return (
        FounderStory.objects.published()
        .filter(listing__site=site)
        .select_related("listing__company__owner", "listing__site")
    )


def _author(story: FounderStory) -> dict[str, Any]:
    owner = story.listing.company.owner
    profile = FounderProfile.objects.filter(user=owner).first() or FounderProfile(user=owner)
    return {
        "name": profile.real_name or owner.get_short_name(),
        "role": profile.role,
        "bio": profile.bio,
        "photo_url": reverse("founder_photo", args=[owner.pk]) if profile.photo_key else "",
    }


def _texts(story: FounderStory) -> list[tuple[str, list[str]]]:
    """The filled sections in their order, as (heading, paragraphs)."""
    return [(heading, paragraphs(text)) for name, heading in SECTIONS.items() if (text := story.sections.get(name, ""))]
