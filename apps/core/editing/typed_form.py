"""Forms that show and carry what people type, and leave the judgement to the API's serializers and services."""

from typing import Any

from django import forms
from rest_framework.exceptions import ValidationError

from apps.core.api.problems import field_problems
from apps.core.errors import DomainError, FieldProblem


class TypedField(forms.CharField):
    """A text as it was typed. `required` only says so beside the label."""

    def clean(self, value: Any) -> Any:
        return value


class TypedChoices(forms.MultipleChoiceField):
    """Boxes as they were ticked."""

    def clean(self, value: Any) -> Any:
        return value


class TypedForm(forms.Form):
    """A form without rules of its own."""

    use_required_attribute = False

    def field_at(self, pointer: str) -> str | None:
        """The field that a JSON pointer of a refusal means; None for what concerns the whole form."""
        name = pointer.strip("/").split("/")[0]
        return name if name in self.fields else None

    def message_at(self, problem: FieldProblem) -> str:
        """The refusal as it stands beside the field; an entry of a list is told by its number."""
        last = problem.pointer.rsplit("/", 1)[-1]
        return f"Entry {int(last) + 1}: {problem.detail}" if last.isdecimal() else problem.detail

    def refuse(self, error: ValidationError | DomainError) -> None:
        """Put every problem of a refusal beside its field."""
        problems = field_problems(error) if isinstance(error, ValidationError) else error.errors
        steps = error.next_steps if isinstance(error, DomainError) else []
        for problem in problems:
            self.add_error(self.field_at(problem.pointer), self.message_at(problem))
        if isinstance(error, DomainError) and not problems:
            self.add_error(None, error.detail)
        if steps:
            self.add_error(None, " ".join(steps))


def text_input(**attrs: str) -> forms.TextInput:
    return forms.TextInput(attrs={"dir": "auto", "autocomplete": "off", **attrs})


def address_input() -> forms.TextInput:
    return forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "placeholder": "https://"})


def text_area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": str(rows), "dir": "auto"})
