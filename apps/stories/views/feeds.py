"""Feeds of published founder stories."""

from datetime import datetime

from django.db.models import Max
from django.http.response import HttpResponseBase
from django.urls import reverse

from apps.listings.views.feeds import launches_changed_at
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.feeds import ENTRIES, Entry, Feed, FeedKind, feed_response, feed_view, paragraphs, tag_uri
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.rules.site_rules import Words
from apps.stories.views.article import author_name, summary_of
from apps.stories.views.stories import published_stories

_BEGINNING_CHARACTERS = 600


@feed_view
def stories_feed(request: SiteHttpRequest, kind: FeedKind) -> HttpResponseBase:
    """Return the site's newest stories, each with its beginning."""
    site = request.site
    feed = Feed(
        id=site.url(reverse("stories")),
        title=f"Founder stories on {site.name}",
        description="How it started, what was hard, and what comes next, in the founders’ own words.",
        url=site.url(request.path),
        page_url=site.url(reverse("stories")),
        author=site.name,
        entries=[_entry(story) for story in published_stories(site)[:ENTRIES]],
        changed_at=_changed_at(site),
    )
    return feed_response(feed, kind=kind)


def _entry(story: FounderStory) -> Entry:
    site = story.listing.site
    published_at = story.published_at or story.created_at
    return Entry(
        id=tag_uri(site.host, story.created_at, f"story/{story.pk}"),
        title=story.title,
        url=site.url(reverse("story", args=[story.listing.slug])),
        html=paragraphs(summary_of(Words(story.title, story.sections), characters=_BEGINNING_CHARACTERS)),
        author=author_name(story.author),
        published_at=published_at,
        updated_at=max(published_at, story.updated_at),
        tags=(story.listing.company.name,),
    )


def _changed_at(site: Site) -> datetime | None:
    """Return when the list last changed, from story versions and listings. Two queries."""
    acted = StoryVersion.objects.filter(story__listing__site=site).aggregate(at=Max("created_at"))["at"]
    return max((moment for moment in (acted, launches_changed_at(site)) if moment), default=None)
