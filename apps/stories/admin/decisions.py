"""Confirmed admin decisions on stories."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from django.http import HttpRequest

from apps.accounts.actors import actor_of
from apps.core.admin.decisions import Decision
from apps.moderation.admin.forms import NoteForm, RemoveForm
from apps.stories.models import FounderStory
from apps.stories.rules.publication import apply_rules
from apps.stories.services import stories


def _take_down(story: FounderStory, values: Mapping[str, Any], request: HttpRequest) -> FounderStory:
    return stories.take_down_story(story=story, **values, by=actor_of(request, via="admin"))


def _release(story: FounderStory, values: Mapping[str, Any], request: HttpRequest) -> FounderStory:
    return stories.release_story(story=story, **values, by=actor_of(request, via="admin"))


def _why_not_take_down(story: FounderStory) -> str:
    return "Already taken down." if story.taken_down_at else ""


def _why_not_release(story: FounderStory) -> str:
    return "" if story.taken_down_at else "Not taken down."


def _what_goes(story: FounderStory) -> list[str]:
    if story.is_shown:
        return [f"Public now: {story.url}"]
    if story.published_at:
        return ["Published, but hidden because of the listing's status."]
    return ["Draft. It can't be published afterwards."]


def _what_comes(story: FounderStory) -> list[str]:
    said = f"Reason given: {story.taken_down_reason}"
    if story.author_id != story.listing.company.owner_id:
        return [said, "Stays hidden. Its author no longer owns the company. The new owner can write a story."]
    released = copy(story)
    released.taken_down_at, released.taken_down_reason = None, ""
    lacking = [gap.reason for gap in apply_rules(released)]
    if released.published_at:
        return [said, "Meets all requirements. It's published immediately."]
    if not story.publish_when_ready:
        return [said, "Stays a draft: the owner hasn't asked to publish it."]
    return [said, "Stays a draft until this is fixed:", *lacking]


TAKE_DOWN = Decision(
    title="Take down",
    explanation=[
        "Removes the story from all public pages immediately. It can't be published until a site admin restores it.",
        "The text is kept and the owner can keep editing. The owner gets the reason by email.",
    ],
    done="Stories taken down",
    decide=_take_down,
    why_not=_why_not_take_down,
    effects=_what_goes,
    form=RemoveForm,
    is_dangerous=True,
)
RELEASE = Decision(
    title="Restore",
    explanation=[
        "The story can be published again. It's published immediately if it's ready and the owner wants it published."
    ],
    done="Stories restored",
    decide=_release,
    why_not=_why_not_release,
    effects=_what_comes,
    form=NoteForm,
)
