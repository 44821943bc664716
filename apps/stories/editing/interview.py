"""An interview as a document of the editor."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.sites.models import Site
from apps.stories.editing.documents import Document, Field
from apps.stories.models import InterviewAnswer, InterviewQuestion
from apps.stories.services import interviews
from apps.stories.services.interviews import Answer, AnswersRefused


@dataclass
class InterviewDocument(Document[list[InterviewAnswer]]):
    """An account's answers to what a site asks; a field has the id of its question as its name."""

    user: User
    site: Site
    by: Actor

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        asked = InterviewQuestion.objects.asked(self.site)
        return {str(question.pk): self._field(question) for question in asked}

    @property
    def place(self) -> dict[str, Any]:
        return {"site": self.site}

    def saved(self) -> dict[str, str]:
        answers = interviews.shown_answers(self.user, site=self.site)
        return {str(answer.question_id): answer.text for answer in answers}

    def hold(self) -> None:
        interviews.hold_account(self.user)

    def write(self, texts: Mapping[str, str]) -> list[InterviewAnswer]:
        """Save the answers; problems point at fields. Raises AnswersRefused (422)."""
        answers = [Answer(int(name), text) for name, text in texts.items()]
        try:
            return interviews.answer_interview(user=self.user, site=self.site, answers=answers, by=self.by)
        except AnswersRefused as refusal:
            names = list(texts)
            refusal.errors = [
                replace(problem, pointer=f"/{names[int(problem.pointer.split('/')[2])]}") for problem in refusal.errors
            ]
            raise

    def _field(self, question: InterviewQuestion) -> Field:
        most, links = InterviewAnswer.MAX_LENGTH, self.site.story_max_links
        return Field(str(question.pk), question.text, max_characters=most, max_links=links)

    def no_longer_asked(self, sent: Mapping[str, str]) -> list[tuple[str, str]]:
        """What was typed under questions that are gone since the form was opened, as (question, text).

        `sent` is the form. What stands there as a saved answer is not lost, and left out.
        """
        texts = {int(name): text for name, text in sent.items() if _is_id(name) and name not in self.fields}
        known = dict(InterviewQuestion.objects.filter(site=self.site, pk__in=texts).values_list("pk", "text"))
        saved = dict(self.user.interview_answers.filter(question__in=known).values_list("question_id", "text"))
        cleaned = {pk: Field("", "", 0).clean(text) for pk, text in texts.items()}
        return [
            (known.get(pk, "A question that was deleted"), text)
            for pk, text in cleaned.items()
            if text and text != saved.get(pk)
        ]


def _is_id(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) < 19
