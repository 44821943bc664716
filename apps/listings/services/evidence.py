"""The sources of a listing's facts: saved when a draft is submitted, and shown while the facts stay unchanged.

Sources are compared with the current listing, so any change to a fact removes its source.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from apps.listings.models import Category, Company, Listing, ListingEvidence, Milestone
from apps.listings.websites.renewal import renewed_key

# What visitors can see of a listing. Sources of other fields stay private.
SHOWN_FIELDS = (
    "name", "headline", "summary", "description", "categories", "logo_url", "screenshots", "video_url", "socials",
    "pricing_model", "price_from_cents", "price_currency", "price_period", "founded_year", "country", "city",
    "team_size", "docs_url", "openapi_url", "mcp_url", "llms_url", "faqs", "milestones",
)  # fmt: skip
_OF_COMPANY = frozenset(SHOWN_FIELDS) & {field.name for field in Company._meta.get_fields()}
# More entries than any field has. Drafts propose fewer.
MAX_FACTS = 120
Key: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Fact:
    """A value of a listing and its place on its website at `read_at`.

    `field` is such as `headline`, `socials.github` or `faqs`. `value` is text, or an entry of a list as a mapping.
    `is_worded` means that a model reworded `snippet`.
    """

    field: str
    value: Any
    page_url: str
    snippet: str
    read_at: datetime
    is_worded: bool = False


def keep_evidence(*, listing: Listing, website_key: str, facts: Iterable[Fact]) -> None:
    """Save the sources of what the listing shows now. A later reading of the same value replaces the earlier one.

    The caller must lock the listing. Facts that are not in it are left out, and so are those from a former website.
    """
    if website_key not in _websites(listing.company):
        return
    current = current_facts((*evidence_of(listing), *facts), _values(listing))
    if current:
        rows = [_as_row(fact) for fact in current[-MAX_FACTS:]]
        defaults = {"website_key": website_key, "facts": rows}
        listing.evidence, _ = ListingEvidence.objects.update_or_create(listing=listing, defaults=defaults)


def evidence_of(listing: Listing) -> list[Fact]:
    """Return the sources of values that the listing still shows, in no order. Empty once its website has changed.

    One query unless `evidence` is loaded with the listing, and one for its milestones.
    """
    stored = getattr(listing, "evidence", None)
    if stored is None or stored.website_key not in _websites(listing.company):
        return []
    stands = _values(listing)
    return [_fact(row) for row in stored.facts if _key(row["field"], row["value"]) in stands]


def current_facts(facts: Iterable[Fact], stands: Set[Key]) -> list[Fact]:
    """Return the facts whose values a listing shows, as `values_of` returns them. The last fact of a value counts."""
    result: dict[Key, Fact] = {}
    for fact in facts:
        key = _key(fact.field, fact.value)
        if key in stands:
            # The later one goes to the end, where the limit spares it.
            result.pop(key, None)
            result[key] = fact
    return list(result.values())


def _websites(company: Company) -> set[str]:
    """Return the keys of its website. One of two companies that share one has an older key of its own."""
    return {company.website_key, renewed_key(company.website, company.website_key)}


def _values(listing: Listing) -> set[Key]:
    return values_of(listing, categories=listing.categories.all(), milestones=listing.milestones.all())


def values_of(listing: Listing, *, categories: Iterable[Category], milestones: Iterable[Milestone]) -> set[Key]:
    """Return every value that a listing shows, as `_key` writes it. The listing may be unsaved."""
    values: set[Key] = {_key("categories", category.slug) for category in categories}
    values |= {_key("milestones", milestone_value(milestone)) for milestone in milestones}
    values |= {_key(f"socials.{platform}", address) for platform, address in listing.company.socials.items()}
    for name in SHOWN_FIELDS:
        if name in {"categories", "milestones", "socials"}:
            continue
        value = getattr(listing.company if name in _OF_COMPANY else listing, name)
        values |= {_key(name, entry) for entry in (value if isinstance(value, list) else [value])}
    return values


def milestone_value(milestone: Milestone) -> dict[str, str]:
    """Return a milestone as drafts propose it."""
    return {
        "date": milestone.date.isoformat(),
        "title": milestone.title,
        "description": milestone.description,
        "url": milestone.url,
    }


def _key(field: str, value: Any) -> Key:
    """Return a comparable form of a field's value: numbers as text, parts of an entry in a fixed order."""
    if isinstance(value, Mapping):
        return field, "\0".join(f"{name}={value[name]}" for name in sorted(value))
    return field, str(value)


def _as_row(fact: Fact) -> dict[str, Any]:
    return {
        "field": fact.field,
        "value": dict(fact.value) if isinstance(fact.value, Mapping) else str(fact.value),
        "page_url": fact.page_url,
        "snippet": fact.snippet,
        "is_worded": fact.is_worded,
        "read_at": fact.read_at.isoformat(),
    }


def _fact(row: Mapping[str, Any]) -> Fact:
    read_at = datetime.fromisoformat(row["read_at"])
    return Fact(row["field"], row["value"], row["page_url"], row["snippet"], read_at, row["is_worded"])
