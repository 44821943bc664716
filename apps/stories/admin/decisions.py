"""The site team's decisions on stories, as pages ask for them."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from django import forms
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.accounts.actors import actor_of
from apps.core.admin.decisions import Decision
from apps.core.web.forms import CleanTextField
from apps.stories.models import FounderStory
from apps.stories.rules.publication import apply_rules
from apps.stories.services import stories


class TakeDownForm(forms.Form):
    reason = CleanTextField(
        max_length=300,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="The owner reads this in an email, in the editor and in the history of the story.",
    )


def _take_down(story: FounderStory, values: Mapping[str, Any], request: HttpRequest) -> FounderStory:
    return stories.take_down_story(story=story, reason=values["reason"], by=actor_of(request, via="admin"))


def _release(story: FounderStory, values: Mapping[str, Any], request: HttpRequest) -> FounderStory:
    return stories.release_story(story=story, by=actor_of(request, via="admin"))


def _why_not_take_down(story: FounderStory) -> str:
    return "The site team has taken it down already." if story.taken_down_at else ""


def _why_not_release(story: FounderStory) -> str:
    return "" if story.taken_down_at else "The site team has not taken it down."


def _what_goes(story: FounderStory) -> list[str]:
    if story.is_shown:
        return [f"Visitors see it now: {story.url}"]
    if story.published_at:
        return ["It is published, and visitors do not see it as the listing stands."]
    return ["It is a draft. From now on it cannot be published."]


def _what_comes(story: FounderStory) -> list[str]:
    said = f"It was taken down with the words: {story.taken_down_reason}"
    if story.author_id != story.listing.company.owner_id:
        return [said, "Visitors do not see it: its author does not own the company any more. The new owner can write."]
    released = copy(story)
    released.taken_down_at, released.taken_down_reason = None, ""
    lacking = [gap.reason for gap in apply_rules(released)]
    if released.published_at:
        return [said, "It meets the rules of the site, or those it was published by, and is published at once."]
    if not story.publish_when_ready:
        return [said, "It stays a draft: its owner does not want it published now."]
    return [said, "It stays a draft until this is done:", *lacking]


TAKE_DOWN = Decision(
    title="Take down",
    explanation=[
        "The story leaves every public page at once, and cannot be published again until the site team releases it.",
        "Every word is kept, and its owner can go on writing. The owner is told the reason by email.",
    ],
    done="Stories taken down",
    decide=_take_down,
    why_not=_why_not_take_down,
    effects=_what_goes,
    form=TakeDownForm,
    is_dangerous=True,
)
RELEASE = Decision(
    title="Release",
    explanation=["The story can be published again: at once, when its owner wants it and it meets the rules."],
    done="Stories released",
    decide=_release,
    why_not=_why_not_release,
    effects=_what_comes,
)
