"""The rows of a draft review: each field with its findings, other suggestions, and why the owner has to decide."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.forms import BoundField
from django.utils.translation import get_language_info

from apps.core.api.serializers import clean_text
from apps.core.editing.merge import EditConflict
from apps.core.templatetags.ui import words
from apps.core.text.countries import COUNTRIES
from apps.core.text.currencies import format_amount
from apps.drafts.models import Draft, DraftPicture
from apps.drafts.proposals.apply_filter import EMPTY
from apps.drafts.review.findings import LOW, Finding, entries_of, findings_of
from apps.drafts.review.form import SECTIONS, DraftForm
from apps.drafts.services import guidance
from apps.listings.editor.form_state import LINES
from apps.listings.fields.labels import label_of

LISTS = ("socials", "faqs", "milestones", "founders")
NO_FIELDS = ("language", "founders")
# Labels below the title of a section, which says the rest.
_SHORT = {
    "socials": "Profiles",
    "faqs": "Questions",
    "seo_title": "Title",
    "seo_description": "Description",
    "price_from_cents": "Price from",
}


@dataclass(frozen=True, slots=True)
class Other:
    """Another suggestion to pick. `fills` is the field that the script puts it into."""

    number: int
    finding: Finding
    fills: str
    is_picked: bool
    logo_key: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A field of the draft, or an entry of a list, with its sources.

    `text` is the value as people read it. Without `fields` the row is read-only. `findings` are the sources of the
    value. If the owner wrote something else, they are what was read instead, and `note` says so. `kept` is the value
    beside `others`. `decision` says why
    the owner has to look at it, and is empty for a value that is clear or decided.
    """

    name: str
    label: str
    fields: list[BoundField] = field(default_factory=list)
    text: str = ""
    href: str = ""
    pictures: list[DraftPicture] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    others: list[Other] = field(default_factory=list)
    kept: str = ""
    note: str = ""
    reason: str = ""
    conflict: EditConflict | None = None
    decision: str = ""
    confirms: str = ""
    is_confirmable: bool = False
    is_confirmed: bool = False

    @property
    def is_no_field(self) -> bool:
        """Whether listings have no such field."""
        return self.name in NO_FIELDS

    @property
    def is_picked(self) -> bool:
        """Whether another suggestion was picked."""
        return any(other.is_picked for other in self.others)

    @property
    def origin(self) -> str:
        """Who or what the value comes from, in a few words."""
        if self.note or self.is_confirmed:
            return self.note or "Confirmed by you"
        return self.findings[0].source if self.findings else ""


@dataclass(frozen=True, slots=True)
class Fold:
    """A field that needs no decision, folded to one line. A list field has its entries as `rows`."""

    name: str
    label: str
    text: str
    rows: list[Row]
    origin: str = ""
    is_open: bool = False


class Review:
    """The rows of one draft, read-only without a form."""

    def __init__(
        self, draft: Draft, form: DraftForm | None, *, picks: Mapping[str, Finding], categories: Mapping[str, str]
    ) -> None:
        self.draft = draft
        self.form = form
        self.picks = picks
        self.categories = categories
        self.currency = str(draft.proposal.get("price_currency") or "USD")
        self.findings = findings_of(draft)
        self.pictures = {(one.field, one.url): one for one in draft.pictures.all()}
        self.reasons = {str(item["field"]): str(item["reason"]) for item in draft.missing}
        self.rows = {name: list(self._rows(name)) for section in SECTIONS for name in section.fields}

    def decisions(self) -> list[Row]:
        """Return the rows that the owner has to look at."""
        return [row for rows in self.rows.values() for row in rows if row.decision]

    def sections(self) -> list[dict[str, Any]]:
        """Return the title and folds of each section, without empty ones."""
        parts = [{"title": section.title, "folds": list(self._folds(section.fields))} for section in SECTIONS]
        return [part for part in parts if part["folds"]]

    def empty(self) -> list[Row]:
        """Return the fields without a value that the owner may fill in."""
        return [
            row
            for name, rows in self.rows.items()
            if name not in LISTS
            for row in rows
            if row.fields and _is_empty(row)
        ]

    def _folds(self, names: Sequence[str]) -> Iterator[Fold]:
        for name in names:
            rows = [row for row in self.rows[name] if not row.decision]
            if name in LISTS:
                if rows or (self.form and name not in NO_FIELDS):
                    yield self._list_fold(name, rows)
            elif rows and not _is_empty(rows[0]):
                yield Fold(name, _SHORT.get(name, rows[0].label), _in_one_line(rows[0]), rows, rows[0].origin)

    def _list_fold(self, name: str, rows: list[Row]) -> Fold:
        is_shown = any(row.fields and not any(bound.value() for bound in row.fields) and not row.note for row in rows)
        is_refused = self.form is not None and (
            name in self.form.conflicts or (name == "socials" and "new_platform" in self.form.errors)
        )
        texts = [row.text if row.fields or name == "founders" else row.label for row in rows]
        if name == "socials":
            texts = [row.label for row in rows if row.text]
        return Fold(
            name,
            _SHORT.get(name, label_of(name)),
            " · ".join(filter(None, texts)),
            rows,
            is_open=is_shown or is_refused,
        )

    def _rows(self, name: str) -> Iterator[Row]:
        return self._list_rows(name) if name in LISTS else self._single_rows(name)

    def _single_rows(self, name: str) -> Iterator[Row]:
        if self.form is None or name not in self.form.fields:
            value = self.draft.proposal.get(name)
            if value not in EMPTY:
                yield self._shown(name, value)
            return
        bound = self.form[name]
        if name == "categories" or name in LINES:
            yield self._listed(name, bound)
        else:
            yield self._single(name, bound)

    def _single(self, name: str, bound: BoundField) -> Row:
        """Return the row of a single-value field, with other suggestions."""
        stands, result = str(bound.value() or ""), self.findings.get(name, [])
        current = [finding for finding in result if finding.entry == stands]
        others = [
            Other(
                number,
                finding,
                bound.id_for_label,
                self.picks.get(name) == finding,
                next((picture.key for picture in self._pictures(name, [finding.entry])), ""),
            )
            for number, finding in enumerate(result)
            if finding not in current
        ]
        row = Row(
            name,
            label_of(name),
            [bound],
            text=self._text(name, stands),
            pictures=self._pictures(name, [stands]),
            findings=current or result[:1],
            others=others,
            kept=current[0].text if current else self._text(name, stands) if stands else "",
            note=_note(stands) if result and not current else "",
            reason="" if stands or result else self.reasons.get(name, ""),
            conflict=self.form.conflicts.get(name) if self.form else None,
            confirms=name,
        )
        is_low = current == result[:1] and any(one.is_low for one in current)
        doubt = f"{len(others) + 1} values found" if others else LOW
        return self._with_decision(row, doubt=doubt if is_low else "")

    def _listed(self, name: str, bound: BoundField) -> Row:
        """Return the row of a list field, with a finding per entry."""
        value = bound.value() or []
        entries = value if isinstance(value, list) else str(value).split("\n")
        result = self._found_of(name, entries)
        row = Row(
            name,
            label_of(name),
            [bound],
            text=self._text(name, [entry for entry in entries if entry]),
            pictures=self._pictures(name, entries),
            findings=result,
            reason="" if any(entries) else self.reasons.get(name, ""),
            conflict=self.form.conflicts.get(name) if self.form else None,
            confirms=name,
        )
        is_unsure = name not in self.draft.edited and any(finding.is_low for finding in result)
        return self._with_decision(row, doubt=LOW if is_unsure else "")

    def _with_decision(self, row: Row, *, doubt: str) -> Row:
        """Return the row with the reason to decide on it. A `doubt` counts until the value is confirmed."""
        is_confirmed = row.confirms in self.draft.confirmed
        is_confirmable = False
        if any(bound.errors for bound in row.fields):
            decision = "Fix this"
        elif row.conflict:
            decision = "Changed elsewhere"
        elif guidance.is_required(row.name) and not row.text:
            decision = "Required"
        else:
            decision = "" if is_confirmed else doubt
            is_confirmable = bool(decision)
        return replace(row, decision=decision, is_confirmable=is_confirmable, is_confirmed=is_confirmed)

    def _list_rows(self, name: str) -> Iterator[Row]:
        if name == "founders" or self.form is None:
            yield from self._shown_entries(name)
        elif name == "socials":
            for platform in self.form.platforms:
                yield self._single(f"socials.{platform}", self.form[f"social_{platform}"])
        else:
            rows: Sequence[Sequence[BoundField]] = self.form.faqs() if name == "faqs" else self.form.milestones()
            result = entries_of(self.draft, name)
            for bound_fields in rows:
                texts = [str(bound.value() or "") for bound in bound_fields]
                at = _take(result, texts)
                # The day of a milestone comes before its title.
                row = Row(name, label_of(name), list(bound_fields), text=texts[name == "milestones"], findings=at)
                confirms = at[0].field if at else ""
                yield self._with_decision(replace(row, confirms=confirms), doubt=LOW if at and at[0].is_low else "")

    def _shown_entries(self, name: str) -> Iterator[Row]:
        """Yield the entries of a read-only list."""
        value = self.draft.proposal.get(name) or ()
        if isinstance(value, Mapping):
            for key, address in value.items():
                result = [one for one in self.findings.get(f"{name}.{key}", []) if one.entry == address]
                yield Row(name, label_of(f"{name}.{key}"), text=str(address), href=_href(address), findings=result[:1])
            return
        result = entries_of(self.draft, name)
        for entry in value:
            yield replace(_ENTRY_ROWS[name](entry), findings=_take(result, list(map(str, entry.values()))))

    def _shown(self, name: str, value: Any) -> Row:
        entries = [str(entry) for entry in value] if isinstance(value, list) else [str(value)]
        result = self.findings.get(name, [])
        current = [one for one in result if one.value == entries[0]]
        return Row(
            name,
            label_of(name),
            text=self._text(name, value),
            href=_href(value),
            pictures=self._pictures(name, entries),
            findings=current or result[:1] if name in self.findings else self._found_of(name, entries),
            note=_note(entries[0]) if result and not current else "",
        )

    def _pictures(self, name: str, urls: Iterable[str]) -> list[DraftPicture]:
        """Return our copies of the pictures that a field names."""
        return [self.pictures[name, url] for url in urls if (name, url) in self.pictures]

    def _text(self, name: str, value: Any) -> str:
        if name == "price_from_cents" and value:
            return format_amount(value, self.currency) if isinstance(value, int) else f"{value} {self.currency}"
        return _text(name, value, self.categories)

    def _found_of(self, name: str, entries: Sequence[str]) -> list[Finding]:
        result = [one for one in entries_of(self.draft, name) if one.value in entries]
        return [replace(one, text=self.categories.get(one.text, one.text)) for one in result]


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


def _is_empty(row: Row) -> bool:
    """Return whether a field has no value, and the owner didn't remove one or still has to write one."""
    return not (row.text or row.note or row.decision)


def _in_one_line(row: Row) -> str:
    if row.name == "screenshots":
        count = len(row.text.split("\n"))
        return f"{count} picture{'' if count == 1 else 's'}"
    return row.text.replace("\n", ", " if row.name in LINES or row.name == "categories" else " ")


def _note(stands: str) -> str:
    return "Edited by you" if stands else "Removed by you"


def _href(value: object) -> str:
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else ""


def _text(name: str, value: Any, categories: Mapping[str, str]) -> str:
    """Return a value of the proposal or an entry of the form as people read it."""
    if isinstance(value, list):
        return "\n".join(categories.get(str(entry), str(entry)) for entry in value)
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
