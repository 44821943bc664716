"""What was read for each field of a draft, as people read it: the place, how sure it is, and what else was there."""

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
    "dom": "Seen on the page",
    "text": "Text of the page",
}
# From here on, best first. The numbers order findings and are no probabilities, so people see words.
_SURE = ((0.85, "Sure"), (0.7, "Quite sure"), (0.5, "Not so sure"), (0.0, "A guess"))
# Fields that hold one text, so that one of several readings can stand there.
_SINGLE = frozenset(SIMPLE) - frozenset(LINES)


@dataclass(frozen=True, slots=True)
class Finding:
    """A value that stands on a page of the website, and the place; all of it is the website's text.

    `entry` is how the form writes the value, `text` what people read.
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
        """Of a category, the words on the page that speak for it."""
        return self.selector.capitalize() if self.selector.startswith("words: ") else ""

    @property
    def place(self) -> str:
        """The page, as short as it can be said on a website that the reader knows."""
        path = parts_of(self.page_url).path.strip("/")
        return f"/{path}" if path else "home page"


def findings_of(draft: Draft) -> dict[str, list[Finding]]:
    """By field that holds one text, such as `headline` or `socials.github`: what was read, best first."""
    found: dict[str, list[Finding]] = {}
    for item in draft.evidence:
        name = str(item["field"])
        if name in _SINGLE or name.startswith("socials."):
            found[name] = list(_readings(name, item))
    return found


def entries_of(draft: Draft, field: str) -> list[Finding]:
    """What was read for the entries of a list, such as `faqs.0` and `faqs.1`, in their order."""
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
        source=SOURCES.get(str(reading["source"]), "Seen on the page"),
        sureness=next(told for least, told in _SURE if confidence >= least or not least),
        snippet=str(reading["snippet"]),
        selector=str(reading["selector"]),
        is_worded=bool(reading.get("is_worded")),
    )


def _entry(name: str, value: str) -> str:
    """The value as the form writes it; nothing for an amount that is no number."""
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
