"""A company's facts as rows: a value with its sources."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from apps.core.templatetags.ui import words
from apps.core.text.countries import COUNTRIES
from apps.core.web.hosts import display_host
from apps.core.web.urls import host_of
from apps.launches.listing_page.sources import Source, Sources
from apps.listings.fields.prices import price_text
from apps.listings.models import Company

# The values of each row, for finding their sources.
_MONEY = ("pricing_model", "price_from_cents", "price_currency", "price_period")
_PLACE = ("city", "country")
_RESOURCES = (
    ("Documentation", "book-open", "docs_url"),
    ("OpenAPI description", "code", "openapi_url"),
    ("MCP server", "plug", "mcp_url"),
    ("llms.txt", "bot", "llms_url"),
)


@dataclass(frozen=True, slots=True)
class FactRow:
    """A row: a value, its link and its sources. Values from the owner have none."""

    label: str
    value: str
    href: str = ""
    sources: list[Source] = field(default_factory=list)


def fact_rows(company: Company, sources: Sources) -> list[FactRow]:
    """Return the rows that aren't empty."""
    return [row for row in all_rows(company, sources) if row.value]


def all_rows(company: Company, sources: Sources) -> list[FactRow]:
    """Return every row in the same order for each company."""
    return [
        _row("Pricing", _pricing(company), sources, _MONEY),
        _row("Founded", str(company.founded_year or ""), sources, ["founded_year"]),
        _row("Based in", _place(company), sources, _PLACE),
        _row("Team", _people(company.team_size), sources, ["team_size"]),
        FactRow("Made for", company.audience),
        FactRow("Platforms", ", ".join(company.platforms)),
        FactRow("Built with", ", ".join(company.tech_stack)),
        FactRow("Stage", company.stage),
        FactRow("Funding", company.funding),
        FactRow("Company", company.legal_name),
    ]


def resources(company: Company, sources: Sources) -> list[tuple[str, str, FactRow]]:
    """Return links for developers and assistants: label, icon, and the row with the link."""
    rows = all_resources(company, sources)
    return [(row.label, icon, row) for (_, icon, _), row in zip(_RESOURCES, rows, strict=True) if row.value]


def all_resources(company: Company, sources: Sources) -> list[FactRow]:
    """Return the rows of these links in the same order for each company. Missing links are empty."""
    return [_link(label, getattr(company, name), sources, name) for label, _, name in _RESOURCES]


def _row(label: str, value: str, sources: Sources, names: Iterable[str], *, href: str = "") -> FactRow:
    result = {source.href: source for name in names if (source := sources.of(name))}
    return FactRow(label, value, href, list(result.values()))


def _link(label: str, address: str, sources: Sources, name: str) -> FactRow:
    is_safe = address.startswith("https://")
    return _row(label, display_host(host_of(address)), sources, [name], href=address) if is_safe else FactRow(label, "")


def _pricing(company: Company) -> str:
    model = words(company.pricing_model)
    price = price_text(company.price_from_cents or None, company.price_currency, company.price_period)
    price = f"from {price}" if price else ""
    return ", ".join(part for part in (model, price) if part)


def _place(company: Company) -> str:
    country = COUNTRIES.get(company.country, company.country)
    return ", ".join(part for part in (company.city, country) if part)


def _people(count: int | None) -> str:
    return "" if not count else f"{count:,} {'person' if count == 1 else 'people'}"
