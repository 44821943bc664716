"""The facts of a company as rows of a listing's page."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.urls import reverse

from apps.core.countries import COUNTRIES
from apps.core.templatetags.ui import money, words
from apps.core.web.urls import host_of
from apps.launches.views.listing.sources import Source, Sources
from apps.listings.models import Company

# What stands in each row, so that the row can tell where it was read.
_MONEY = ("pricing_model", "price_from_cents")
_PLACE = ("city", "country")


@dataclass(frozen=True, slots=True)
class FactRow:
    """One row: a value, where it leads, and the pages that say it; no sources where it is the owner's word."""

    label: str
    value: str
    href: str = ""
    sources: list[Source] = field(default_factory=list)


def fact_rows(company: Company, sources: Sources) -> list[FactRow]:
    """The rows with something in them."""
    rows = [
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
    return [row for row in rows if row.value]


def resources(company: Company, sources: Sources) -> list[tuple[str, str, FactRow]]:
    """What developers and assistants look for: label, icon, and the row that leads there."""
    named = (
        ("Documentation", "book-open", "docs_url"),
        ("OpenAPI description", "code", "openapi_url"),
        ("MCP server", "plug", "mcp_url"),
        ("llms.txt", "bot", "llms_url"),
    )
    return [
        (label, icon, _row(label, host_of(address), sources, [name], href=address))
        for label, icon, name in named
        if (address := getattr(company, name)).startswith("https://")
    ]


def tag_links(tags: Iterable[str]) -> list[tuple[str, str]]:
    """Tags, each with the search for it."""
    return [(tag, f"{reverse('search')}?{urlencode({'q': tag})}") for tag in tags]


def _row(label: str, value: str, sources: Sources, names: Iterable[str], *, href: str = "") -> FactRow:
    found = {source.href: source for name in names if (source := sources.of(name))}
    return FactRow(label, value, href, list(found.values()))


def _pricing(company: Company) -> str:
    model = words(company.pricing_model)
    price = f"from {money(company.price_from_cents).removesuffix('.00')}" if company.price_from_cents else ""
    return ", ".join(part for part in (model, price) if part)


def _place(company: Company) -> str:
    country = COUNTRIES.get(company.country, company.country)
    return ", ".join(part for part in (company.city, country) if part)


def _people(count: int | None) -> str:
    return "" if not count else f"{count:,} {'person' if count == 1 else 'people'}"
