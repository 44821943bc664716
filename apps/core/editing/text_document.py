"""Documents of plain text whose editor autosaves: no text is lost, and none is overwritten unseen.

Unsaved text is kept in its own rows, one per field. Autosaving writes only those and touches nothing public. A field
changed on both sides is an EditConflict: both texts are kept and shown, and only saving a form that has shown the
conflict replaces one with the other.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar

from django.db import connection, models, transaction
from django.utils import timezone
from rest_framework.exceptions import ValidationError

from apps.core.api.serializers import clean_text
from apps.core.editing.document import Document
from apps.core.editing.marks import Seen, mark_of
from apps.core.editing.merge import EditConflict, MergeOutcome, StaleFormError, is_known, outcome_of
from apps.core.editing.plain_text import count_links, count_words
from apps.core.editing.unsaved import AbstractUnsavedText
from apps.core.errors import DomainError

Saved = TypeVar("Saved")
Refusal: TypeAlias = StaleFormError | DomainError


class EditorField(NamedTuple):
    """One text of a document: its name in the form, its label, its limits, and whether it is a single line.

    `max_links` limits this text alone. A story also limits the links of all its sections together.
    """

    name: str
    label: str
    max_characters: int
    is_line: bool = False
    max_links: int | None = None

    def clean(self, text: str) -> str:
        """Return the text as it would be saved."""
        return clean_text(text, multiline=not self.is_line)

    def problem(self, text: str) -> str:
        """Return why a text can't be saved, with its count and the limit, or an empty string."""
        if len(text) > self.max_characters:
            return f"Use up to {self.max_characters:,} characters. This has {len(text):,}."
        if self.max_links is not None and (links := count_links(text)) > self.max_links:
            return f"Use up to {self.max_links} links. This has {links}."
        return ""


@dataclass(frozen=True, slots=True)
class ShownText:
    """One field as the editor shows it: its text, whether that is saved, and its conflict.

    `is_kept` is False for text that only the browser has. `problem` says why it can't be saved.
    """

    field: EditorField
    text: str
    seen: Seen
    is_unsaved: bool = False
    is_kept: bool = True
    conflict: EditConflict | None = None
    problem: str = ""

    def but(self, **changes: Any) -> "ShownText":
        return replace(self, **changes)

    @property
    def name(self) -> str:
        return self.field.name

    @property
    def overruling(self) -> Seen:
        """The marks of a form that has shown the conflict. Saving it replaces the other text."""
        mark = mark_of(self.text)
        if self.conflict is None:
            return Seen(self.seen.saved, mark)
        there = mark_of(self.conflict.entry)
        return Seen(there, mark) if self.conflict.kind == "saved" else Seen(self.seen.saved, there)

    @property
    def words(self) -> int:
        return count_words(self.text)

    @property
    def characters(self) -> int:
        return len(self.text)


class TextDocument(Document[str, Saved]):
    """The texts that one person edits in one place, and their unsaved text."""

    unsaved_model: ClassVar[type[AbstractUnsavedText]]

    @property
    @abstractmethod
    def fields(self) -> Mapping[str, EditorField]:
        """The fields by name, in the order of the page."""

    @property
    @abstractmethod
    def key(self) -> dict[str, Any]:
        """The keys of the unsaved text, such as `{"user": user, "listing": listing}` for a story."""

    def open(self) -> list[ShownText]:
        """Return the fields as the editor shows them: unsaved text over saved text."""
        saved, unsaved = self.saved(), self._unsaved()
        result = []
        for name, field in self.fields.items():
            now, draft = saved.get(name, ""), unsaved.get(name)
            if draft is None or draft.text == now:
                result.append(ShownText(field, now, Seen.of(now)))
                continue
            conflict = None if draft.base == mark_of(now) else EditConflict(name, "saved", now)
            seen, problem = Seen(mark_of(now), mark_of(draft.text)), field.problem(draft.text)
            result.append(ShownText(field, draft.text, seen, is_unsaved=True, conflict=conflict, problem=problem))
        return result

    def save(self, *, typed: Mapping[str, str], opened: Mapping[str, Seen]) -> Saved:
        """Save typed and unsaved text. On refusal, keep all of it before raising."""
        try:
            return super().save(typed=self._cleaned(typed), opened=opened)
        except (StaleFormError, DomainError, ValidationError):
            self.autosave(typed=typed, opened=opened)
            raise

    @transaction.atomic
    def autosave(self, *, typed: Mapping[str, str], opened: Mapping[str, Seen]) -> dict[str, ShownText]:
        """Keep what was typed without saving it, and return how the submitted fields are now.

        A text that another window of the same person keeps is not overwritten. It becomes a conflict, and the field is
        not `is_kept`. The same applies to a text beyond all limits. Unknown names are ignored.
        """
        self.lock_unsaved()
        saved, unsaved = self.saved(), self._unsaved()
        fields = {}
        for name, text in self._cleaned(typed).items():
            field = self.fields[name]
            result = ShownText(field, text, opened.get(name, Seen()), problem=field.problem(text))
            fields[name] = self._keep(result, now=saved.get(name, ""), draft=unsaved.get(name))
        return fields

    @transaction.atomic
    def take(
        self, name: str, *, typed: Mapping[str, str], opened: Mapping[str, Seen], kind: Literal["saved", "typed"]
    ) -> None:
        """Replace one field's unsaved text with the conflicting one, and keep the text of all others.

        The conflicting text is the one that was `saved` meanwhile, or `typed` in another window.
        """
        self.autosave(typed={key: text for key, text in typed.items() if key != name}, opened=opened)
        if kind == "saved":
            self.forget([name])

    @transaction.atomic
    def discard(self) -> None:
        """Discard all unsaved text."""
        self.lock_unsaved()
        self._rows().delete()

    def refused(self, refusal: Refusal, *, typed: Mapping[str, str], opened: Mapping[str, Seen]) -> list[ShownText]:
        """Return the fields after a refused `save`: as typed, each with its conflict.

        The next form shows the conflicts, so saving it overrides them.
        """
        conflicts = refusal.conflicts if isinstance(refusal, StaleFormError) else {}
        errors = refusal.errors if isinstance(refusal, DomainError) else []
        problems = {problem.pointer.strip("/"): problem.detail for problem in errors}
        saved, unsaved = self.saved(), self._unsaved()
        texts = []
        for name, field in self.fields.items():
            text, seen = field.clean(typed.get(name, "")), opened.get(name, Seen())
            is_unsaved = text != saved.get(name, "") and mark_of(text) != seen.saved
            is_kept = not is_unsaved or (name in unsaved and unsaved[name].text == text)
            problem = problems.get(name) or field.problem(text)
            result = ShownText(field, text, seen, is_unsaved, is_kept, conflicts.get(name), problem)
            texts.append(result.but(seen=result.overruling))
        return texts

    def lock_unsaved(self) -> Mapping[str, str]:
        """Lock a person's unsaved text of a document until the transaction ends."""
        name = "editor: " + ", ".join(f"{kind} {of.pk}" for kind, of in self.key.items())
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        return {name: row.text for name, row in self._unsaved().items()}

    def forget(self, names: Sequence[str]) -> None:
        self._rows().filter(name__in=names).delete()

    def _rows(self) -> models.QuerySet[AbstractUnsavedText]:
        return self.unsaved_model.objects.filter(**self.key)

    def _unsaved(self) -> dict[str, AbstractUnsavedText]:
        return {row.name: row for row in self._rows()}

    def _cleaned(self, typed: Mapping[str, str]) -> dict[str, str]:
        return {name: field.clean(typed[name]) for name, field in self.fields.items() if name in typed}

    def _keep(self, found: ShownText, *, now: str, draft: AbstractUnsavedText | None) -> ShownText:
        """Keep one field's unsaved text, unless there is none or another window's is in the way."""
        name, text, seen = found.name, found.text, found.seen
        outcome = outcome_of(text, seen=seen, saved=now, unsaved=draft.text if draft else None)
        if outcome == MergeOutcome.TYPED_MEANWHILE and draft:
            return found.but(is_unsaved=True, is_kept=False, conflict=EditConflict(name, "typed", draft.text))
        if outcome == MergeOutcome.LEFT:
            return found
        if outcome == MergeOutcome.SAME:
            if draft and is_known(draft.text, typed=text, seen=seen):
                draft.delete()
            return found.but(seen=Seen.of(now))
        if len(text) > AbstractUnsavedText.MAX_CHARACTERS:
            return found.but(is_unsaved=True, is_kept=False)
        base = draft.base if draft else seen.saved
        self.unsaved_model.objects.update_or_create(
            **self.key, name=name, defaults={"text": text, "base": base, "updated_at": timezone.now()}
        )
        conflict = None if base == mark_of(now) else EditConflict(name, "saved", now)
        # The mark of the saved text stays the form's own, because only a page that showed a conflict may overrule it.
        return found.but(seen=Seen(seen.saved, mark_of(text)), is_unsaved=True, conflict=conflict)
