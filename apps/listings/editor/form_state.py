"""Convert between a listing's fields, the editor's form, and what the API takes.

A state is what the form holds: a text by field, the chosen slugs under `categories`, pairs of texts under `faqs`, and a
text for each `socials.<platform>`. The serializer decides what is valid. This module only converts.
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from django.http import QueryDict

from apps.core.api.serializers import clean_text
from apps.core.editing.marks import Entry, State
from apps.listings.fields.labels import PLATFORMS
from apps.listings.fields.names import SITE_FIELDS
from apps.listings.fields.serializers import MAX_FAQS
from apps.listings.models import Listing

COMPANY_TEXTS = (
    "name", "website", "legal_name", "country", "city", "stage", "funding", "contact_email", "audience",
    "pricing_model", "price_currency", "price_period", "docs_url", "openapi_url", "mcp_url", "llms_url",
    "logo_url", "video_url",
)  # fmt: skip
COMPANY_LINES = ("platforms", "tech_stack", "screenshots")
NUMBERS = ("founded_year", "team_size")
PRICE = "price_from_cents"
SITE_TEXTS = ("headline", "summary", "description", "seo_title", "seo_description", "seo_keywords")
SITE_LINES = ("tags", "alternatives")
LINES = (*COMPANY_LINES, *SITE_LINES)
SIMPLE = (*COMPANY_TEXTS, *COMPANY_LINES, *NUMBERS, PRICE, *SITE_TEXTS, *SITE_LINES)
SPARE_FAQS = 2

_WHOLE = re.compile(r"-?[0-9]{1,9}")
_AMOUNT = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,2})?")


def state_of(listing: Listing) -> State:
    """Return the state of a newly opened form."""
    names = (*SIMPLE, "socials", "faqs")
    values = {name: getattr(listing if name in SITE_FIELDS else listing.company, name) for name in names}
    values["categories"] = [category.slug for category in listing.categories.all()]
    return state_of_values(values)


def state_of_values(values: Mapping[str, Any]) -> State:
    """Return the form's state of API values by field. Missing values are empty."""
    state: State = {name: str(values.get(name) or "") for name in (*COMPANY_TEXTS, *SITE_TEXTS)}
    state |= {name: "\n".join(values.get(name) or ()) for name in LINES}
    state |= {name: _number(values.get(name)) for name in NUMBERS}
    state[PRICE] = _dollars(values.get(PRICE))
    state["categories"] = list(values.get("categories") or ())
    state["faqs"] = [[str(faq.get("question", "")), str(faq.get("answer", ""))] for faq in values.get("faqs") or ()]
    state |= {f"socials.{platform}": str(address) for platform, address in (values.get("socials") or {}).items()}
    return {name: normal(entry) for name, entry in state.items()}


def state_from(data: QueryDict) -> State:
    """Return the submitted state, without fields that were not on the form."""
    state: State = {name: data.get(name, "") for name in SIMPLE if name in data}
    state["categories"] = data.getlist("categories")
    rows = [number for number in range(MAX_FAQS) if f"faq_{number}_question" in data or f"faq_{number}_answer" in data]
    if rows:
        state["faqs"] = [[data.get(f"faq_{n}_question", ""), data.get(f"faq_{n}_answer", "")] for n in rows]
    state |= {
        f"socials.{platform}": data.get(f"social_{platform}", "")
        for platform in PLATFORMS
        if f"social_{platform}" in data
    }
    added, address = data.get("new_platform", ""), data.get("new_address", "")
    if added in PLATFORMS and address.strip():
        state[f"socials.{added}"] = address
    return {name: normal(entry) for name, entry in state.items()}


def normal(entry: Entry) -> Entry:
    """Normalize an entry, whatever a browser does to line ends and in whatever order boxes were ticked."""
    if isinstance(entry, str):
        return clean_text(entry, multiline=True)
    rows = [[clean_text(text, multiline=True) for text in row] for row in entry if isinstance(row, list)]
    if rows or not entry:
        return [row for row in rows if any(row)]
    return sorted({row for row in entry if isinstance(row, str)})


def fields_from(changed: Mapping[str, Entry], *, socials: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the API values of changed entries, and by field why others can't be read.

    `socials` are the listing's present profiles by platform, because the API takes all of them together.
    """
    fields: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for name, entry in changed.items():
        if name.startswith("socials."):
            continue
        try:
            fields[name] = _READERS.get(name, _read_text)(entry)
        except ValueError as problem:
            problems[name] = str(problem)
    if profiles := [name for name in changed if name.startswith("socials.")]:
        addresses = {**socials, **{name.removeprefix("socials."): changed[name] for name in profiles}}
        fields["socials"] = {platform: address for platform, address in addresses.items() if address}
    return fields, problems


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _dollars(cents: int | None) -> str:
    return "" if cents is None else f"{Decimal(cents) / 100:.2f}"


def _read_text(entry: Entry) -> Any:
    return entry


def _read_lines(entry: Entry) -> list[str]:
    return [line for text in str(entry).split("\n") if (line := text.strip())]


def _read_number(entry: Entry) -> int | str:
    text = str(entry)
    if text and not _WHOLE.fullmatch(text):
        raise ValueError("Enter a whole number, such as 12.")
    return int(text) if text else ""


def _read_cents(entry: Entry) -> int | str:
    text = str(entry).removeprefix("$").strip()
    if text and not _AMOUNT.fullmatch(text):
        raise ValueError("Enter an amount such as 9 or 9.50.")
    return int(Decimal(text) * 100) if text else ""


def _read_faqs(entry: Entry) -> list[dict[str, str]]:
    return [{"question": str(row[0]), "answer": str(row[1])} for row in entry]


_READERS: dict[str, Callable[[Entry], Any]] = {
    **dict.fromkeys(LINES, _read_lines),
    **dict.fromkeys(NUMBERS, _read_number),
    PRICE: _read_cents,
    "faqs": _read_faqs,
}
