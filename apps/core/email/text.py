"""The content of an email: plain text, and which of its paragraphs get a special look in HTML.

Email templates are text. Tags (`templatetags/email_text.py`) write a paragraph and remember its kind, so that the
HTML uses the same words. A paragraph that no tag wrote, such as a person's own text, never becomes a button, whatever
it says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from django.template.loader import get_template, render_to_string

COLLECTOR = "letter_blocks"


class Kind(StrEnum):
    BUTTON = "button"  # the main address
    LINK = "link"  # another address
    ENTRY = "entry"  # one of a list of things with a page each
    TABLE = "table"
    HEADING = "heading"
    NOTE = "note"  # quoted words, such as a reason
    CODE = "code"
    SIGNATURE = "signature"  # the site; small print follows


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of a receipt or of figures."""

    title: str
    value: str
    is_total: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph with a special look. `text` is its exact text."""

    kind: str
    text: str
    label: str = ""
    words: str = ""
    url: str = ""
    rows: Sequence[Row] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> "Block":
        return cls(**{**stored, "rows": tuple(Row(**row) for row in stored.get("rows", ()))})


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """An email without its address. Paragraphs of `text` are separated by blank lines."""

    subject: str
    text: str
    blocks: Sequence[Block] = field(default=())

    @property
    def paragraphs(self) -> list[str]:
        return [part.strip() for part in self.text.strip().split("\n\n") if part.strip()]


def render_words(name: str, context: Mapping[str, Any], *, subject: str = "", ending: str = "") -> Words:
    """Render an email from its templates `<name><ending>.txt` and `<name>_subject.txt`.

    A `subject` from the caller replaces the second. Raises TemplateDoesNotExist without either.
    """
    blocks: list[Block] = []
    text = render_to_string(f"{name}{ending}.txt", {**context, COLLECTOR: blocks})
    if not subject:
        subject = get_template(f"{name}_subject.txt").render(dict(context))
    return Words(subject=one_line(subject), text=text, blocks=tuple(blocks))


def one_line(text: object) -> str:
    return " ".join(str(text).split())
