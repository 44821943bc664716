"""A founder story as a document of the editor."""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.listings.models import Listing
from apps.listings.services.locks import lock_company
from apps.stories.editing.documents import Document, Field
from apps.stories.editing.shown import Shown
from apps.stories.models import FounderStory
from apps.stories.rules.site_rules import Gap
from apps.stories.sections import MAX_SECTION_CHARACTERS, SECTIONS
from apps.stories.services import stories
from apps.stories.services.stories import Outcome


@dataclass(frozen=True)
class StoryDocument(Document[Outcome]):
    """The story of a listing, as one person edits it; saving it publishes it when `publish` is set."""

    user: User
    listing: Listing
    by: Actor
    publish: bool = True

    @property
    def fields(self) -> Mapping[str, Field]:
        title = Field("title", "Title", self.listing.site.story_title_max_characters, is_line=True)
        sections = {name: Field(name, heading, MAX_SECTION_CHARACTERS) for name, heading in SECTIONS.items()}
        return {"title": title, **sections}

    @property
    def place(self) -> dict[str, Any]:
        return {"listing": self.listing}

    def saved(self) -> dict[str, str]:
        story = self.story()
        return {"title": story.title, **story.sections} if story else {}

    def story(self) -> FounderStory | None:
        """The story of the listing's present owner; a former owner's words are not theirs."""
        owned = FounderStory.objects.filter(listing=self.listing, author=F("listing__company__owner"))
        return owned.select_related("listing__company__owner", "listing__site").first()

    def hold(self) -> None:
        lock_company(self.listing.company_id)

    def write(self, texts: Mapping[str, str]) -> Outcome:
        return stories.set_founder_story(listing=self.listing, fields=texts, publish=self.publish, by=self.by)


@dataclass(frozen=True, slots=True)
class Standing:
    """A story as it is saved, and what its site would say to the words that the editor shows.

    `missing` keeps a draft from being published; `returning` would take a published story back to draft.
    """

    story: FounderStory
    missing: list[Gap]
    returning: list[Gap]


def standing_of(document: StoryDocument, shown: Iterable[Shown]) -> Standing:
    """How a story stands, and would stand with the words of the editor."""
    story = document.story() or FounderStory(listing=document.listing, author=document.user)
    texts = {field.name: field.text for field in shown}
    if story.published_at is not None:
        return Standing(story, [], stories.would_return(story=story, fields=texts))
    typed = copy(story)
    typed.title, typed.sections = texts.pop("title", ""), texts
    return Standing(story, stories.missing(typed), [])
