"""What the crawler found for each field of a draft: the value, its source and the confidence."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apps.core.countries import COUNTRIES
from apps.core.templatetags.ui import money, words
from apps.core.web.urls import parts_of
from apps.drafts.models import Draft
from apps.listings.editor.form_state import LINES, PRICE, SIMPLE, state_of_values

SOURCES = {
    "og": "Preview tag",
    "twitter": "Preview tag",
    "json_ld": "Structured data",
    "itemprop": "Structured data",
    "meta": "Meta tag",
    "dom": "Page content",
    "text": "Page text",
}
# Lower bounds, best first. Confidence only orders findings and is no probability, so people see words.
_SURE = ((0.85, "High confidence"), (0.7, "Good confidence"), (0.5, "Fair confidence"), (0.0, "Low confidence"))
# Fields with a single value, which can be swapped for another suggestion.
_SINGLE = frozenset(SIMPLE) - frozenset(LINES)


@dataclass(frozen=True, slots=True)
class Finding:
    """A value found on a page of the website, and its source. All of it is untrusted website text.

    `entry` is the value as the form holds it, `text` as people read it.
    """

    value: str
    entry: str
    text: str
    page_url: str
    source: str
    sureness: str
    snippet: str
    selector: str
    is_worded: bool = False

    @property
    def words(self) -> str:
        """The words on the page that suggest a category."""
        return self.selector.capitalize() if self.selector.startswith("words: ") else ""

    @property
    def place(self) -> str:
        """The page as a short path, for readers who know the website."""
        path = parts_of(self.page_url).path.strip("/")
        return f"/{path}" if path else "home page"


def findings_of(draft: Draft) -> dict[str, list[Finding]]:
    """Return the findings of each single-value field, such as `headline` or `socials.github`, best first."""
    found: dict[str, list[Finding]] = {}
    for item in draft.evidence:
        name = str(item["field"])
        if name in _SINGLE or name.startswith("socials."):
            found[name] = list(_readings(name, item))
    return found


def entries_of(draft: Draft, field: str) -> list[Finding]:
    """Return the findings of a list's entries, such as `faqs.0` and `faqs.1`, in order."""
    found = ((str(item["field"]), item) for item in draft.evidence)
    return [_finding(name, item) for name, item in found if name == field or name.startswith(f"{field}.")]


def _readings(name: str, item: Mapping[str, Any]) -> Iterator[Finding]:
    seen = set()
    for reading in (item, *item.get("runners_up", ())):
        finding = _finding(name, reading)
        if finding.entry and finding.entry not in seen:
            seen.add(finding.entry)
            yield finding


def _finding(name: str, reading: Mapping[str, Any]) -> Finding:
    confidence = float(reading["confidence"])
    value = str(reading["value"])
    return Finding(
        value=value,
        entry=_entry(name, value),
        text=_text(name, value),
        page_url=str(reading["page_url"]),
        source=SOURCES.get(str(reading["source"]), "Page content"),
        sureness=next(label for least, label in _SURE if confidence >= least or not least),
        snippet=str(reading["snippet"]),
        selector=str(reading["selector"]),
        is_worded=bool(reading.get("is_worded")),
    )


def _entry(name: str, value: str) -> str:
    """Return the value as the form writes it, or nothing for an amount that is not a number."""
    if name not in _SINGLE:
        return str(state_of_values({"city": value})["city"])
    if name == PRICE:
        return str(state_of_values({PRICE: int(value)})[PRICE]) if value.isdecimal() else ""
    return str(state_of_values({name: value})[name])


def _text(name: str, value: str) -> str:
    if name == PRICE and value.isdecimal():
        return money(int(value))
    if name == "country":
        return COUNTRIES.get(value, value)
    return words(value) if name == "pricing_model" else value
