"""Forms that show and carry what people type. The API's serializers and services validate it."""

from collections.abc import Mapping
from typing import Any

from django import forms
from rest_framework.exceptions import ValidationError

from apps.core.api.problems import field_problems
from apps.core.editing.marks import Entry, Seen, State, dump_marks
from apps.core.editing.merge import EditConflict, StaleFormError
from apps.core.errors import DomainError, FieldProblem


class TypedField(forms.CharField):
    """A text as typed. `required` only shows next to the label."""

    def clean(self, value: Any) -> Any:
        return value


class TypedChoices(forms.MultipleChoiceField):
    """Checkboxes as submitted."""

    def clean(self, value: Any) -> Any:
        return value


class TypedForm(forms.Form):
    """A form without its own validation."""

    use_required_attribute = False

    def field_at(self, pointer: str) -> str | None:
        """Return the field that a problem's JSON pointer names. None for problems of the whole form."""
        name = pointer.strip("/").split("/")[0]
        return name if name in self.fields else None

    def message_at(self, problem: FieldProblem) -> str:
        """Return the error to show beside the field, with the entry number for lists."""
        last = problem.pointer.rsplit("/", 1)[-1]
        return f"Entry {int(last) + 1}: {problem.detail}" if last.isdecimal() else problem.detail

    def refuse(self, error: ValidationError | DomainError) -> None:
        """Attach every problem of a refusal to its field."""
        problems = field_problems(error) if isinstance(error, ValidationError) else error.errors
        steps = error.steps_for_people if isinstance(error, DomainError) else []
        for problem in problems:
            shown = forms.ValidationError(self.message_at(problem), code=problem.code)
            self.add_error(self.field_at(problem.pointer), shown)
        if isinstance(error, DomainError) and not problems:
            self.add_error(None, forms.ValidationError(error.detail, code=error.error_code))
        if steps:
            self.add_error(None, " ".join(steps))


class EditForm(TypedForm):
    """A form filled with a state. It carries a mark of each value it was opened with, and shows conflicts."""

    def __init__(self, data: Mapping[str, Any], *, opened: Mapping[str, Seen]) -> None:
        super().__init__(data)
        self.opened = dict(opened)
        self.conflicts: dict[str, EditConflict] = {}

    @property
    def marks(self) -> str:
        """The value of the hidden field `opened`."""
        return dump_marks(self.opened)

    def problems(self) -> list[tuple[str, str, str]]:
        """Each field with its label and first problem, for the summary above the form."""
        return [
            (name, str(self[name].label), str(messages[0]))
            for name, messages in self.errors.items()
            if name in self.fields
        ]

    def as_read(self, name: str, entry: Entry) -> Entry:
        """Return the entry of a field as people read it."""
        return entry

    def refuse_edit(self, error: StaleFormError | ValidationError | DomainError) -> int:
        """Show why nothing was saved, and return the status to respond with.

        Submitting the form again replaces the conflicting entries that it shows.
        """
        if not isinstance(error, StaleFormError):
            self.refuse(error)
            return getattr(error, "status", 422)
        for name, conflict in error.conflicts.items():
            self.opened[name] = Seen.of(conflict.entry)
            self.conflicts[name] = conflict._replace(entry=self.as_read(name, conflict.entry))
        return error.status


def take_saved(name: str, *, saved: Mapping[str, Entry], typed: State, opened: dict[str, Seen]) -> None:
    """Replace one field's typed text with the saved one, and keep the rest as typed."""
    if name in saved or name in typed:
        typed[name] = saved.get(name, "")
        opened[name] = Seen.of(typed[name])


def text_input(**attrs: str) -> forms.TextInput:
    return forms.TextInput(attrs={"dir": "auto", "autocomplete": "off", **attrs})


def address_input() -> forms.TextInput:
    return forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "placeholder": "https://"})


def text_area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": str(rows), "dir": "auto"})
