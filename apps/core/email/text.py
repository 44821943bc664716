"""What an email says: a plain text, which is the whole truth, and which of its paragraphs look like more than text.

The templates of emails are texts. Their tags (`templatetags/letter.py`) write a paragraph and remember what it is, so
that the HTML is made of the same words. A paragraph that no tag wrote, such as one of a person's own text, never
becomes a button, whatever stands in it.
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
    NOTE = "note"  # what somebody says, such as a reason
    CODE = "code"
    SIGNATURE = "signature"  # the site; what follows is small print


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of a receipt or of figures."""

    title: str
    value: str
    is_total: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph that looks like more than text. `text` is the paragraph itself, to the letter."""

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
    """The words of an email from its templates `<name><ending>.txt` and `<name>_subject.txt`.

    A `subject` from the caller stands instead of the second. Raises TemplateDoesNotExist without either.
    """
    blocks: list[Block] = []
    text = render_to_string(f"{name}{ending}.txt", {**context, COLLECTOR: blocks})
    if not subject:
        subject = get_template(f"{name}_subject.txt").render(dict(context))
    return Words(subject=one_line(subject), text=text, blocks=tuple(blocks))


def one_line(text: object) -> str:
    return " ".join(str(text).split())
