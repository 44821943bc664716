"""Lists as site admins edit them: rows of labeled inputs, or one entry per line."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from apps.listings.editor.form_state import SPARE_FAQS, normal, state_of_values
from apps.listings.fields.labels import PLATFORMS
from apps.listings.fields.serializers import MAX_FAQS

# Stands for the number of a row in the template that a script copies.
_NEW = "__row__"


class Rows(list[list[str]]):
    """The texts of each row, in the order of its inputs."""


class Part(NamedTuple):
    """An input of each row."""

    name: str
    label: str
    widget: forms.Widget


class RowsWidget(forms.Widget):
    """Rows of inputs with some empty ones at the end. `problems` are texts by row and input."""

    def __init__(self, parts: tuple[Part, ...], *, entry: str, most: int) -> None:
        super().__init__()
        self.parts, self.entry, self.most = parts, entry, most
        self.problems: Mapping[tuple[int, str], str] = {}

    def id_for_label(self, id_: str) -> str:
        """Each input has its own label."""
        return ""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Rows:
        known = "|".join(part.name for part in self.parts)
        pattern = re.compile(rf"{re.escape(name)}_([0-9]{{1,4}})_(?:{known})")
        numbers = sorted({int(result[1]) for key in data if (result := pattern.fullmatch(key))})
        return Rows([str(data.get(f"{name}_{row}_{part.name}", "")) for part in self.parts] for row in numbers)

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return name not in data

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        rows = [*value, *[[""] * len(self.parts)] * min(SPARE_FAQS, max(self.most - len(value), 0))]
        context = {
            "name": name,
            "title": f"{self.entry}s",
            "entry": self.entry,
            "most": self.most,
            "rows": [self._row(name, str(number), str(number + 1), texts) for number, texts in enumerate(rows)],
            "new": self._row(name, _NEW, f"{_NEW}+1", [""] * len(self.parts)),
        }
        # Other renderers don't know the project's own templates.
        return render_to_string("admin/parts/rows.html", context)

    def _row(self, name: str, row: str, number: str, texts: list[str]) -> dict[str, Any]:
        return {
            "number": number,
            "parts": [
                self._input(part, f"{name}_{row}_{part.name}", text, number, self._problem(row, part.name))
                for part, text in zip(self.parts, texts, strict=True)
            ],
        }

    def _problem(self, row: str, part: str) -> str:
        return self.problems.get((int(row), part), "") if row.isdecimal() else ""

    @staticmethod
    def _input(part: Part, name: str, text: str, number: str, problem: str) -> dict[str, Any]:
        attrs = {"id": f"id_{name}"}
        if problem:
            attrs |= {"aria-invalid": "true", "aria-describedby": f"id_{name}_problem"}
        html = part.widget.render(name, text, attrs)
        return {"id": attrs["id"], "label": f"{part.label} {number}", "html": html, "problem": problem}


class RowsField(forms.Field, ABC):
    """A value as rows of inputs, without the empty ones. Owners' rules are checked by the form."""

    widget: RowsWidget

    @abstractmethod
    def rows_of(self, value: Any) -> Rows:
        """Return the rows of a saved value."""

    @abstractmethod
    def value_of(self, rows: Rows) -> Any:
        """Return the value to check and save."""

    @abstractmethod
    def place(self, problems: Any, rows: Rows) -> dict[tuple[int, str], str]:
        """Return the input of each problem that the check found, or nothing for problems of the whole value."""

    def prepare_value(self, value: Any) -> Rows:
        return _filled(value if isinstance(value, Rows) else self.rows_of(value))

    def clean(self, value: Any) -> Any:
        return self.value_of(self.prepare_value(value))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.prepare_value(initial) != self.prepare_value(data)

    def mark(self, problems: Any, rows: Rows) -> str:
        """Show problems beside their inputs, and return what to say about the field. Empty if none has a place."""
        self.widget.problems = self.place(problems, rows)
        return f"Correct the marked {self.widget.entry}s." if self.widget.problems else ""


class QuestionsField(RowsField):
    """A listing's questions and answers."""

    def __init__(self, **kwargs: Any) -> None:
        parts = (
            Part("question", "Question", UnfoldAdminTextInputWidget()),
            Part("answer", "Answer", UnfoldAdminTextareaWidget(attrs={"rows": 2})),
        )
        super().__init__(required=False, widget=RowsWidget(parts, entry="question", most=MAX_FAQS), **kwargs)

    def rows_of(self, value: Any) -> Rows:
        return Rows(list(map(str, row)) for row in state_of_values({"faqs": value})["faqs"])

    def value_of(self, rows: Rows) -> list[dict[str, str]]:
        return [{"question": question, "answer": answer} for question, answer in rows]

    def place(self, problems: Any, rows: Rows) -> dict[tuple[int, str], str]:
        if not isinstance(problems, Mapping):
            return {}
        return {(int(row), part): str(said[0]) for row, parts in problems.items() for part, said in parts.items()}


class ProfilesField(RowsField):
    """A company's profile links by platform."""

    NO_PLATFORM: ClassVar[str] = "Choose a platform for this URL."
    REPEATED: ClassVar[str] = "Choose each platform once."

    def __init__(self, **kwargs: Any) -> None:
        platforms = UnfoldAdminSelectWidget(choices=[("", "Choose a platform"), *PLATFORMS.items()])
        address = UnfoldAdminTextInputWidget(attrs={"inputmode": "url", "placeholder": "https://"})
        parts = (Part("platform", "Platform", platforms), Part("address", "URL", address))
        super().__init__(required=False, widget=RowsWidget(parts, entry="profile", most=len(PLATFORMS)), **kwargs)

    def rows_of(self, value: Any) -> Rows:
        return Rows([platform, str(address)] for platform, address in (value or {}).items())

    def value_of(self, rows: Rows) -> dict[str, str]:
        return {platform: address for platform, address in rows if address}

    def clean(self, value: Any) -> Any:
        rows = self.prepare_value(value)
        problems: dict[tuple[int, str], str] = {}
        for number, (platform, address) in enumerate(rows):
            if address and not platform:
                problems[number, "platform"] = self.NO_PLATFORM
            elif address and any(earlier[0] == platform and earlier[1] for earlier in rows[:number]):
                problems[number, "platform"] = self.REPEATED
        if problems:
            self.widget.problems = problems
            raise forms.ValidationError(f"Correct the marked {self.widget.entry}s.")
        return self.value_of(rows)

    def place(self, problems: Any, rows: Rows) -> dict[tuple[int, str], str]:
        numbers = {platform: number for number, (platform, address) in enumerate(rows) if address}
        return {(numbers[platform], "address"): str(said[0]) for platform, said in problems.items()}


class LinesField(forms.CharField):
    """A list of texts, one per line. Entries can contain commas."""

    def __init__(self, **kwargs: Any) -> None:
        widget = UnfoldAdminTextareaWidget(attrs={"rows": 4})
        super().__init__(required=False, widget=widget, help_text="One per line.", **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]  # a text becomes a list here
        text = self.prepare_value(value) or ""
        return [line for typed in text.splitlines() if (line := typed.strip())]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.to_python(initial) != self.to_python(data)


def _filled(rows: Rows) -> Rows:
    """Return the rows with at least one text, normalized as in the owners' editor."""
    return Rows(row for row in normal(list(rows)) if isinstance(row, list))
