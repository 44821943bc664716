"""The public pages of founder stories."""

from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.core.web.page_numbers import counted_page
from apps.launches.leaderboards.cards import listing_cards
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.preview_images import preview_answer
from apps.sites.seo.site_preview import image_parts
from apps.sites.seo.structured_data import paged_list
from apps.stories.models import FounderStory, StoryQuerySet
from apps.stories.rules.site_rules import Words
from apps.stories.views.article import Article, article
from apps.stories.views.preview_image import photo_of, picture_of
from apps.stories.views.structured_data import story_data
from apps.stories.views.summaries import cards

STORIES_PER_PAGE = 12
_MORE = 3


@require_safe
def stories(request: SiteHttpRequest) -> HttpResponse:
    """List the site's published stories, newest first."""
    published = published_stories(request.site)
    page, result = counted_page(request, published, per_page=STORIES_PER_PAGE, counted=published)
    items = cards(result)
    entries = [(card.title, card.page_url) for card in items]
    context = paged_list(request.site, page, name="Founder stories", path=reverse("stories"), entries=entries)
    return render(request, "stories/list.html", {"stories": items, **context})


@require_safe
def story(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show a story with its author, its listing, and more to read."""
    result = published_stories(request.site).filter(listing__slug=slug).first()
    if result is None:
        return redirect(_merged_into(request.site, slug), permanent=True)
    page = article(Words(result.title, result.sections), author=result.author, listing=result.listing)
    address = request.site.url(reverse("story", args=[slug]))
    social = _social(result, page)
    context = {
        "story": page,
        "story_id": result.pk,
        "is_public": True,
        "published_at": result.published_at,
        "listing": listing_cards([result.listing_id], user=request.user)[0],
        "more": cards(published_stories(request.site).exclude(pk=result.pk)[:_MORE]),
        "canonical_url": address,
        "social": social,
        "structured_data": story_data(result, article=page, url=address, image_url=social["image_url"]),
    }
    return render(request, "stories/detail.html", context)


@require_safe
def story_image(request: SiteHttpRequest, slug: str) -> HttpResponseBase:
    """Serve the preview image of a story."""
    result = get_object_or_404(published_stories(request.site), listing__slug=slug)
    return preview_answer(request, picture_of(result), read_photo=photo_of)


def published_stories(site: Site) -> StoryQuerySet:
    """Return a site's public stories, newest first, with what pages show."""
    return (
        FounderStory.objects.published(site)
        .select_related("author__founder_profile", "listing__company", "listing__site")
        .order_by("-published_at", "-id")
    )


def _merged_into(site: Site, slug: str) -> str:
    """Return the story of the listing this one was merged into, if any."""
    into = published_stories(site).filter(listing__merged__slug=slug, listing__merged__site=site).first()
    if into is None:
        raise Http404
    return reverse("story", args=[into.listing.slug])


def _social(story: FounderStory, page: Article) -> dict[str, Any]:
    """Return the context of templates/frame/social.html."""
    image = reverse("story_image", args=[story.listing.slug])
    alt = f"{page.title}, by {page.author.name}"
    return {
        "kind": "article",
        "title": page.title,
        "description": page.summary,
        **image_parts(story.listing.site, path=image, picture=picture_of(story), alt=alt),
        "published_at": story.published_at,
    }
