"""The sources on a listing's page, as visitors see them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from apps.core.templatetags.ui import words
from apps.core.text.countries import COUNTRIES
from apps.core.text.currencies import format_amount
from apps.core.web.hosts import display_host_of
from apps.core.web.urls import parts_of
from apps.listings.fields.labels import label_of
from apps.listings.models import Category, Listing
from apps.listings.services.evidence import SHOWN_FIELDS, Fact, evidence_of

_PICTURES = frozenset({"logo_url", "screenshots"})
_MAX_PLACE = 60


@dataclass(frozen=True, slots=True)
class Source:
    """A page that states a fact, with its short URL as `place`, such as `example.com/about`, and the quoted words.

    `text` is the fact as people read it. `is_markup` means that the quote is code that the page doesn't display.
    """

    label: str
    text: str
    href: str
    place: str
    snippet: str
    read_on: Any
    is_worded: bool
    is_picture: bool

    @property
    def is_markup(self) -> bool:
        return self.snippet.startswith("<")

    @property
    def quote(self) -> str:
        """Return the quoted words if they say more than the fact itself."""
        return "" if self.snippet.strip() == self.text else self.snippet


@dataclass(frozen=True, slots=True)
class SourceGroup:
    """The sources of one field, with pictures of one page grouped. `number` counts the findings."""

    label: str
    number: int
    sources: list[Source]


@dataclass(slots=True)
class Sources:
    """A listing's sources: by field for the marks next to facts, and in page order for the list."""

    by_field: dict[str, list[Source]] = field(default_factory=lambda: defaultdict(list))

    def of(self, name: str) -> Source | None:
        """Return the source of a field with one value."""
        return next(iter(self.by_field.get(name, ())), None)

    def all(self) -> list[Source]:
        return [source for result in self.by_field.values() for source in result]

    def groups(self) -> list[SourceGroup]:
        return [SourceGroup(result[0].label, len(result), _told_once(result)) for result in self.by_field.values()]


def sources_of(listing: Listing, *, hidden: Iterable[str] = ()) -> Sources:
    """Return the sources of a listing's visible fields."""
    left_out = set(hidden)
    facts = [fact for fact in evidence_of(listing) if fact.field not in left_out]
    return sources_from(facts, categories=listing.categories.all())


def sources_from(facts: Iterable[Fact], *, categories: Iterable[Category]) -> Sources:
    """Return the sources that these facts are, with the names of the categories."""
    sources = Sources()
    names = {category.slug: category.name for category in categories}
    ordered = sorted(facts, key=_order)
    currency = next((str(fact.value) for fact in ordered if fact.field == "price_currency"), "USD")
    for fact in ordered:
        sources.by_field[fact.field].append(_source(fact, names, currency))
    return sources


def _told_once(sources: list[Source]) -> list[Source]:
    return list(
        {(source.is_picture and source.href) or number: source for number, source in enumerate(sources)}.values()
    )


def _order(fact: Fact) -> tuple[int, str]:
    return SHOWN_FIELDS.index(fact.field.partition(".")[0]), fact.field


def _source(fact: Fact, categories: dict[str, str], currency: str) -> Source:
    return Source(
        label=label_of(fact.field),
        text=_text(fact, categories, currency),
        href=fact.page_url if fact.page_url.startswith(("https://", "http://")) else "",
        place=place_of(fact.page_url),
        snippet=fact.snippet,
        read_on=timezone.localdate(fact.read_at, timezone=timezone.get_fixed_timezone(0)),
        is_worded=fact.is_worded,
        is_picture=fact.field in _PICTURES,
    )


def place_of(address: str) -> str:
    """Return a page's URL in short: `example.com/about`."""
    path = parts_of(address).path.rstrip("/")
    place = f"{display_host_of(address)}{path}"
    return place if len(place) <= _MAX_PLACE else f"{place[: _MAX_PLACE - 1]}…"


def _text(fact: Fact, categories: dict[str, str], currency: str) -> str:
    """Format a value as the page shows it."""
    value = fact.value
    if isinstance(value, dict):
        return str(value.get("question") or value.get("title") or "")
    text = str(value)
    match fact.field:
        case "price_from_cents" if text.isdecimal():
            return format_amount(int(text), currency)
        case "country":
            return COUNTRIES.get(text, text)
        case "pricing_model":
            return words(text)
        case "categories":
            return categories.get(text, text)
    return text
