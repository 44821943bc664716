"""The rows of a draft review: each field with its findings and other suggestions, or why it is empty."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.forms import BoundField
from django.utils.translation import get_language_info

from apps.core.api.serializers import clean_text
from apps.core.countries import COUNTRIES
from apps.core.editing.merge import EditConflict
from apps.core.templatetags.ui import money, words
from apps.drafts.models import Draft
from apps.drafts.proposals.apply_filter import EMPTY
from apps.drafts.review.findings import Finding, entries_of, findings_of
from apps.drafts.review.form import FURTHER, SECTIONS, DraftForm
from apps.drafts.services import guidance
from apps.listings.fields.labels import label_of

LISTS = ("socials", "faqs", "milestones", "founders")
NO_FIELDS = ("language", "founders")
PICTURES = ("logo_url", "screenshots")


@dataclass(frozen=True, slots=True)
class Other:
    """Another suggestion to pick. `fills` is the field that the script puts it into."""

    number: int
    finding: Finding
    fills: str
    is_picked: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A field of the draft, or an entry of a list, with its sources.

    Without `fields` it is read-only and shown as `text`. `findings` are the sources of the value. If the owner wrote
    something else, they are what was read instead, and `note` says so.
    """

    name: str
    label: str
    fields: list[BoundField] = field(default_factory=list)
    text: str = ""
    href: str = ""
    pictures: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    others: list[Other] = field(default_factory=list)
    note: str = ""
    reason: str = ""
    conflict: EditConflict | None = None

    @property
    def is_no_field(self) -> bool:
        """Whether listings have no such field."""
        return self.name in NO_FIELDS

    @property
    def is_picked(self) -> bool:
        """Whether another suggestion was picked."""
        return any(other.is_picked for other in self.others)


class Review:
    """The rows of one draft, read-only without a form."""

    def __init__(
        self, draft: Draft, form: DraftForm | None, *, picks: Mapping[str, Finding], categories: Mapping[str, str]
    ) -> None:
        self.draft = draft
        self.form = form
        self.picks = picks
        self.categories = categories
        self.findings = findings_of(draft)
        self.reasons = {str(item["field"]): str(item["reason"]) for item in draft.missing}

    def sections(self) -> list[dict[str, Any]]:
        """Return the key, title, text and rows of each section, without empty ones."""
        parts = [
            {
                "key": section.key,
                "title": section.title,
                "text": section.text,
                "rows": [row for name in section.fields for row in self._rows(name)],
            }
            for section in SECTIONS
        ]
        return [part for part in parts if part["rows"] or self.form]

    def further(self) -> list[Row]:
        """Return the fields that the crawler never fills."""
        return [row for name in FURTHER for row in self._rows(name)]

    def missing(self) -> list[dict[str, Any]]:
        """Return the fields that were not found, with reasons."""
        return [
            {"name": name, "label": label_of(name), "reason": reason, "is_required": guidance.is_required(name)}
            for name, reason in self.reasons.items()
        ]

    def _rows(self, name: str) -> list[Row]:
        rows = list(self._list_rows(name)) if name in LISTS else list(self._single_rows(name))
        if not rows and self.form and name in self.reasons:
            return [Row(name, label_of(name), reason=self.reasons[name])]
        return rows

    def _single_rows(self, name: str) -> Iterator[Row]:
        if self.form is None or name not in self.form.fields:
            value = self.draft.proposal.get(name)
            if value not in EMPTY:
                yield self._shown(name, value)
            return
        bound = self.form[name]
        if name in {"categories", "screenshots"}:
            yield self._listed(name, bound)
        else:
            yield self._single(name, bound)

    def _single(self, name: str, bound: BoundField) -> Row:
        """Yield the row of a single-value field, with other suggestions."""
        stands, found = str(bound.value() or ""), self.findings.get(name, [])
        current = [finding for finding in found if finding.entry == stands]
        others = [
            Other(number, finding, bound.id_for_label, self.picks.get(name) == finding)
            for number, finding in enumerate(found)
            if finding not in current
        ]
        return Row(
            name,
            label_of(name),
            [bound],
            pictures=[stands] if name in PICTURES and stands.startswith("https://") else [],
            findings=current or found[:1],
            others=others,
            note=_note(stands) if found and not current else "",
            reason="" if stands or found else self.reasons.get(name, ""),
            conflict=self.form.conflicts.get(name) if self.form else None,
        )

    def _listed(self, name: str, bound: BoundField) -> Row:
        """Yield the row of a list field, with a finding per entry."""
        value = bound.value() or []
        entries = value if isinstance(value, list) else str(value).split("\n")
        return Row(
            name,
            label_of(name),
            [bound],
            pictures=[entry for entry in entries if name in PICTURES and entry.startswith("https://")],
            findings=self._found_of(name, entries),
            reason="" if any(entries) else self.reasons.get(name, ""),
            conflict=self.form.conflicts.get(name) if self.form else None,
        )

    def _list_rows(self, name: str) -> Iterator[Row]:
        if name == "founders" or self.form is None:
            yield from self._shown_entries(name)
        elif name == "socials":
            for platform in self.form.platforms:
                yield self._single(f"socials.{platform}", self.form[f"social_{platform}"])
        else:
            rows: Sequence[Sequence[BoundField]] = self.form.faqs() if name == "faqs" else self.form.milestones()
            found = entries_of(self.draft, name)
            for bound_fields in rows:
                texts = [str(bound.value() or "") for bound in bound_fields]
                yield Row(name, label_of(name), list(bound_fields), findings=_take(found, texts))

    def _shown_entries(self, name: str) -> Iterator[Row]:
        """Yield the entries of a read-only list."""
        value = self.draft.proposal.get(name) or ()
        if isinstance(value, Mapping):
            for key, address in value.items():
                found = [one for one in self.findings.get(f"{name}.{key}", []) if one.entry == address]
                yield Row(name, label_of(f"{name}.{key}"), text=str(address), href=_href(address), findings=found[:1])
            return
        found = entries_of(self.draft, name)
        for entry in value:
            yield replace(_ENTRY_ROWS[name](entry), findings=_take(found, list(map(str, entry.values()))))

    def _shown(self, name: str, value: Any) -> Row:
        entries = [str(entry) for entry in value] if isinstance(value, list) else [str(value)]
        found = self.findings.get(name, [])
        current = [one for one in found if one.value == entries[0]]
        return Row(
            name,
            label_of(name),
            text=_text(name, value, self.categories),
            href=_href(value),
            pictures=[entry for entry in entries if name in PICTURES and entry.startswith("https://")],
            findings=current or found[:1] if name in self.findings else self._found_of(name, entries),
            note=_note(entries[0]) if found and not current else "",
        )

    def _found_of(self, name: str, entries: Sequence[str]) -> list[Finding]:
        found = [one for one in entries_of(self.draft, name) if one.value in entries]
        return [replace(one, text=self.categories.get(one.text, one.text)) for one in found]


def _founder_row(entry: Mapping[str, Any]) -> Row:
    text = ", ".join(str(entry[part]) for part in ("name", "role") if entry.get(part))
    return Row("founders", "Founder", text=text, href=_href(entry.get("url")))


def _question_row(entry: Mapping[str, Any]) -> Row:
    return Row("faqs", str(entry.get("question", "")), text=str(entry.get("answer", "")))


def _milestone_row(entry: Mapping[str, Any]) -> Row:
    label = f"{entry.get('date', '')} · {entry.get('title', '')}"
    return Row("milestones", label, text=str(entry.get("description") or ""), href=_href(entry.get("url")))


_ENTRY_ROWS: dict[str, Callable[[Mapping[str, Any]], Row]] = {
    "founders": _founder_row,
    "faqs": _question_row,
    "milestones": _milestone_row,
}


def _take(found: list[Finding], texts: Sequence[str]) -> list[Finding]:
    """Remove and return the first finding with one of these texts, because entries don't share findings."""
    folded = {clean_text(text, multiline=True) for text in texts}
    for finding in found:
        if finding.entry in folded:
            found.remove(finding)
            return [finding]
    return []


def _note(stands: str) -> str:
    return "Edited by you." if stands else "Removed by you."


def _href(value: object) -> str:
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else ""


def _text(name: str, value: Any, categories: Mapping[str, str]) -> str:
    """Return a value as people read it."""
    if isinstance(value, list):
        return "\n".join(categories.get(str(entry), str(entry)) for entry in value)
    if name == "price_from_cents" and isinstance(value, int):
        return money(value)
    if name == "pricing_model":
        return words(str(value))
    if name == "country":
        return COUNTRIES.get(str(value), str(value))
    return _language(str(value)) if name == "language" else str(value)


def _language(code: str) -> str:
    """Return a language's English name, or its code."""
    try:
        return str(get_language_info(code.lower())["name"])
    except KeyError:
        return code
