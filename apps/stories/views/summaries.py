"""Stories in lists."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from apps.accounts.founders.completeness import get_profile
from apps.accounts.models import FounderProfile
from apps.core.editing.plain_text import reading_minutes
from apps.stories.models import FounderStory
from apps.stories.rules.site_rules import Words
from apps.stories.views.article import author_name, summary_of

_EXCERPT_CHARACTERS = 220


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A story in a list, with its beginning. `minutes` is its reading time."""

    title: str
    page_url: str
    excerpt: str
    company_name: str
    company_slug: str
    logo_key: str
    author_name: str
    profile: FounderProfile
    minutes: int
    published_at: datetime | None


def cards(stories: Iterable[FounderStory]) -> list[Card]:
    """Return cards for stories loaded with author profiles and companies, without further queries."""
    return [_card(story) for story in stories]


def _card(story: FounderStory) -> Card:
    listing, words = story.listing, Words(story.title, story.sections)
    return Card(
        title=story.title,
        page_url=reverse("story", args=[listing.slug]),
        excerpt=summary_of(words, characters=_EXCERPT_CHARACTERS),
        company_name=listing.company.name,
        company_slug=listing.slug,
        logo_key=listing.company.logo_key,
        author_name=author_name(story.author),
        profile=get_profile(story.author),
        minutes=reading_minutes(sum(words.counts().values())),
        published_at=story.published_at,
    )
