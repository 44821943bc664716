"""Documents for `apps.core.editing`: stories and interviews."""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db.models import F

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.editing.merge import StaleFormError
from apps.core.editing.text_document import EditorField, ShownText, TextDocument
from apps.listings.models import Listing
from apps.listings.services.locks import lock_company
from apps.sites.models import Site
from apps.stories.models import FounderStory, InterviewAnswer, InterviewQuestion, UnsavedText
from apps.stories.rules.site_rules import Gap
from apps.stories.sections import MAX_SECTION_CHARACTERS, SECTIONS
from apps.stories.services import interviews, stories
from apps.stories.services.interviews import Answer, AnswersRefused
from apps.stories.services.stories import Outcome


@dataclass(frozen=True)
class StoryDocument(TextDocument[Outcome]):
    """A listing's story in the editor. Saving also publishes it if `publish` is set."""

    unsaved_model = UnsavedText
    user: User
    listing: Listing
    by: Actor
    publish: bool = True

    @property
    def fields(self) -> Mapping[str, EditorField]:
        title = EditorField("title", "Title", self.listing.site.story_title_max_characters, is_line=True)
        sections = {name: EditorField(name, heading, MAX_SECTION_CHARACTERS) for name, heading in SECTIONS.items()}
        return {"title": title, **sections}

    @property
    def key(self) -> dict[str, Any]:
        return {"user": self.user, "listing": self.listing}

    def saved(self) -> dict[str, str]:
        story = self.story()
        return {"title": story.title, **story.sections} if story else {}

    def story(self) -> FounderStory | None:
        """Return the story of the listing's current owner. A former owner's text isn't theirs."""
        owned = FounderStory.objects.filter(listing=self.listing, author=F("listing__company__owner"))
        return owned.select_related("listing__company__owner", "listing__site").first()

    def lock(self) -> None:
        lock_company(self.listing.company_id)

    def write(self, changed: Mapping[str, str]) -> Outcome:
        return stories.set_founder_story(listing=self.listing, fields=changed, publish=self.publish, by=self.by)


@dataclass(frozen=True, slots=True)
class StoryStatus:
    """A saved story, and the rules applied to the text in the editor.

    `missing` keeps a draft from being published. `returning` would turn a published story back into a draft.
    """

    story: FounderStory
    missing: list[Gap]
    returning: list[Gap]


def story_status(document: StoryDocument, fields: Iterable[ShownText]) -> StoryStatus:
    """Return a story's status, saved and with the editor's text."""
    story = document.story() or FounderStory(listing=document.listing, author=document.user)
    texts = {field.name: field.text for field in fields}
    if story.published_at is not None:
        return StoryStatus(story, [], stories.would_return(story=story, fields=texts))
    typed = copy(story)
    typed.title, typed.sections = texts.pop("title", ""), texts
    return StoryStatus(story, stories.missing(typed), [])


class NoLongerAskedError(StaleFormError):
    """Some questions were removed while the form was open: `gone`, as (question, text)."""

    def __init__(self, gone: list[tuple[str, str]]) -> None:
        super().__init__({})
        self.gone = gone


@dataclass
class InterviewDocument(TextDocument[bool]):
    """An account's answers to a site's questions. Fields are named by question ID.

    `sent` is the whole form, which may include removed questions. Saving returns whether anything changed.
    """

    unsaved_model = UnsavedText
    user: User
    site: Site
    by: Actor
    sent: Mapping[str, str]

    @cached_property
    def fields(self) -> Mapping[str, EditorField]:
        most, links = InterviewAnswer.MAX_LENGTH, self.site.story_max_links
        questions = InterviewQuestion.objects.asked(self.site)
        return {str(one.pk): EditorField(str(one.pk), one.text, most, max_links=links) for one in questions}

    @property
    def key(self) -> dict[str, Any]:
        return {"user": self.user, "site": self.site}

    def saved(self) -> dict[str, str]:
        answers = interviews.shown_answers(self.user, site=self.site)
        return {str(answer.question_id): answer.text for answer in answers}

    def lock(self) -> None:
        """Lock the account's answers. Raises NoLongerAskedError if part of the form would be lost."""
        User.objects.lock(self.user.pk)
        if gone := self._no_longer_asked():
            raise NoLongerAskedError(gone)

    def write(self, changed: Mapping[str, str]) -> bool:
        """Save the answers. Problems point at fields. Raises AnswersRefused (422)."""
        answers = [Answer(int(name), text) for name, text in changed.items()]
        try:
            interviews.answer_interview(user=self.user, site=self.site, answers=answers, by=self.by)
        except AnswersRefused as refusal:
            names = list(changed)
            refusal.errors = [
                replace(problem, pointer=f"/{names[int(problem.pointer.split('/')[2])]}") for problem in refusal.errors
            ]
            raise
        return bool(changed)

    def _no_longer_asked(self) -> list[tuple[str, str]]:
        """Return the text typed under removed questions. Saved answers are not lost."""
        texts = {int(name): text for name, text in self.sent.items() if _is_id(name) and name not in self.fields}
        known = dict(InterviewQuestion.objects.filter(site=self.site, pk__in=texts).values_list("pk", "text"))
        saved = dict(self.user.interview_answers.filter(question__in=known).values_list("question_id", "text"))
        cleaned = {pk: EditorField("", "", 0).clean(text) for pk, text in texts.items()}
        return [
            (known.get(pk, "A question that was deleted"), text)
            for pk, text in cleaned.items()
            if text and text != saved.get(pk)
        ]


def _is_id(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) < 19
