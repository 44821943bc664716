"""What the crawler found for each field of a draft: the value, its source and the confidence."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from apps.core.templatetags.ui import words
from apps.core.text.countries import COUNTRIES
from apps.core.text.currencies import format_amount
from apps.drafts.models import Draft
from apps.drafts.proposals.calibration import ASKED_BELOW
from apps.drafts.review.words import quote_of, source_words
from apps.drafts.services import guidance
from apps.listings.editor.form_state import LINES, PRICE, SIMPLE, state_of_values

LOW = "Low confidence"
# Lower bounds, best first. People see words, since a share measured on labeled websites is no promise for this one.
_SURE = ((0.85, "High confidence"), (ASKED_BELOW, "Good confidence"), (0.0, LOW))
# Fields with a single value, which can be swapped for another suggestion.
_SINGLE = frozenset(SIMPLE) - frozenset(LINES)


@dataclass(frozen=True, slots=True)
class Finding:
    """A value found on a page of the website, and its source. All of it is untrusted website text.

    `entry` is the value as the form holds it, `text` as people read it. `source` says in words where it was read.
    `snippet` is copied from the page.
    """

    field: str
    value: str
    entry: str
    text: str
    page_url: str
    source: str
    sureness: str
    snippet: str
    confidence: float
    is_worded: bool = False

    @property
    def quote(self) -> str:
        """The words of the page, without markup. Empty for addresses, which are links themselves."""
        quote = quote_of(self.snippet)
        return "" if quote.startswith(("https://", "http://", "/")) else quote

    @property
    def is_low(self) -> bool:
        return self.sureness == LOW


def findings_of(draft: Draft) -> dict[str, list[Finding]]:
    """Return the findings of each single-value field, such as `headline` or `socials.github`, best first."""
    kinds = _kinds(draft)
    result: dict[str, list[Finding]] = {}
    for item in draft.evidence:
        name = str(item["field"])
        if name in _SINGLE or name.startswith("socials."):
            result[name] = list(_readings(name, item, kinds))
    currency = str(draft.proposal.get("price_currency") or "USD")
    if PRICE in result:
        result[PRICE] = [replace(one, text=format_amount(int(one.value), currency)) for one in result[PRICE]]
    return result


def entries_of(draft: Draft, field: str) -> list[Finding]:
    """Return the findings of a list's entries, such as `faqs.0` and `faqs.1`, in order."""
    kinds = _kinds(draft)
    result = ((str(item["field"]), item) for item in draft.evidence)
    return [_finding(name, item, kinds) for name, item in result if name == field or name.startswith(f"{field}.")]


def _kinds(draft: Draft) -> dict[str, str]:
    """Return the kind of each page that was read, such as `home` or `pricing`."""
    return {page["url"]: page["kind"] for page in guidance.pages_of(draft)}


def _readings(name: str, item: Mapping[str, Any], kinds: Mapping[str, str]) -> Iterator[Finding]:
    seen = set()
    for reading in (item, *item.get("runners_up", ())):
        finding = _finding(name, reading, kinds)
        if finding.entry and finding.entry not in seen:
            seen.add(finding.entry)
            yield finding


def _finding(name: str, reading: Mapping[str, Any], kinds: Mapping[str, str]) -> Finding:
    confidence = float(reading["confidence"])
    value, page_url = str(reading["value"]), str(reading["page_url"])
    return Finding(
        field=name,
        value=value,
        entry=_entry(name, value),
        text=_text(name, value),
        page_url=page_url,
        source=source_words(
            page_url=page_url,
            kind=kinds.get(page_url, ""),
            source=str(reading["source"]),
            selector=str(reading["selector"]),
        ),
        sureness=next(label for least, label in _SURE if confidence >= least or not least),
        snippet=str(reading["snippet"]),
        confidence=confidence,
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
    if name == "country":
        return COUNTRIES.get(value, value)
    return words(value) if name == "pricing_model" else value
