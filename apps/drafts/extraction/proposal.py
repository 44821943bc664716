"""Turn a site's pages into a proposal for its listing, with a source for every value."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as with_default
from typing import Any, TypeVar

from apps.drafts.extraction.company import contact_email
from apps.drafts.extraction.company.facts import Company, find_company
from apps.drafts.extraction.company.founders import find_founders
from apps.drafts.extraction.company.social_profiles import find_profiles
from apps.drafts.extraction.document.document import SNIPPET_CHARACTERS
from apps.drafts.extraction.news.milestones import find_milestones
from apps.drafts.extraction.page.facts import MAX_RUNNERS_UP, Source
from apps.drafts.extraction.page.read_page import Entry, Find, ReadPage, finds_of
from apps.drafts.extraction.pricing.pricing import Pricing, find_pricing
from apps.drafts.extraction.product import docs_and_api, headline_and_summary
from apps.drafts.extraction.product.faqs import find_faqs
from apps.drafts.extraction.product.language import find_languages
from apps.drafts.extraction.product.name import find_names
from apps.drafts.extraction.product.platforms import find_platforms
from apps.drafts.extraction.product.screenshots import find_icons, find_screenshots, is_drawing
from apps.drafts.extraction.site.site_files import SiteFile
from apps.drafts.extraction.site.unusable_pages import needs_javascript

logger = logging.getLogger(__name__)

NEEDS_JAVASCRIPT = "The home page has almost no text in its HTML, and we don't run JavaScript."

_T = TypeVar("_T")

_NO_COMPANY = Company(founded_year=[], country=[], city=[], team_size=[])
_NO_PRICING = Pricing(models=[], prices=[], currencies=[], periods=[], reason="We found no prices.")


@dataclass(frozen=True)
class Evidence:
    """The source of a field's value: the page, the place on it, and the runners-up."""

    field: str
    value: str
    page_url: str
    source: Source
    selector: str
    snippet: str
    page_sha256: str
    confidence: float
    runners_up: list[dict[str, Any]] = with_default(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the evidence for JSON."""
        return {
            "field": self.field,
            "value": self.value,
            "page_url": self.page_url,
            "source": self.source,
            "selector": self.selector,
            "snippet": self.snippet,
            "page_sha256": self.page_sha256,
            "confidence": self.confidence,
            "runners_up": self.runners_up,
        }


@dataclass
class Proposal:
    """Proposed fields of a listing, their evidence, and which fields stay empty and why."""

    fields: dict[str, Any] = with_default(default_factory=dict)
    evidence: list[Evidence] = with_default(default_factory=list)
    missing: list[dict[str, str]] = with_default(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the proposal for JSON."""
        return {
            "fields": self.fields,
            "evidence": [item.as_dict() for item in self.evidence],
            "missing": self.missing,
        }

    def propose(self, name: str, finds: list[Find], *, reason: str, of: Callable[[str], Any] = str) -> str | None:
        """Set a field to its first find, with the others as runners-up, or note `reason` if there is none.

        `of` converts the find's text to the field's value, such as a number.
        """
        if not finds:
            self.missing.append({"field": name, "reason": reason})
            return None
        self.fields[name] = of(finds[0].value)
        self.evidence.append(_evidence_of(name, finds))
        return finds[0].value

    def propose_list(self, name: str, entries: list[Entry], *, reason: str) -> None:
        """Set a field to the values of entries, each with its evidence as `name.N`, or note `reason`."""
        if not entries:
            self.missing.append({"field": name, "reason": reason})
            return
        self.fields[name] = [entry.value for entry in entries]
        self.evidence.extend(_evidence_of(f"{name}.{number}", entry.finds) for number, entry in enumerate(entries))


def draft_listing(pages: Sequence[ReadPage], files: Sequence[SiteFile] = ()) -> Proposal:
    """Propose a listing from the pages of one site, of which the first is the home page, and its files for programs.

    Every value has evidence on one of them. A field that no page fills is in `missing` instead. Raises
    `ValueError` without pages.
    """
    if not pages:
        raise ValueError("a proposal needs the home page")
    home, others = pages[0], list(pages[1:])
    proposal = Proposal()
    name = proposal.propose("name", find_names(home, files), reason="We found no product name on the home page.")
    _propose_words(proposal, home, others, name=name, files=files)
    logos = [*finds_of(home.facts.logo, home), *finds_of(home.other_logos, home), *find_icons(files)]
    # Listings show a logo large, so a kind that is usually large beats one that states a small size. They can't show
    # drawings and icons for tabs.
    logos.sort(key=lambda find: (is_drawing(find.value), -find.confidence))
    proposal.propose("logo_url", logos, reason="We found no logo or icon on the home page.")
    reason = "We found no product screenshots."
    proposal.propose_list("screenshots", find_screenshots(pages, files), reason=reason)
    _propose_socials(proposal, pages, name=name)
    _propose_facts(proposal, pages, name=name)
    milestones: list[Entry] = _guarded(lambda: find_milestones(pages), otherwise=[])
    reason = "We found no dated releases or announcements in a changelog or blog."
    proposal.propose_list("milestones", milestones, reason=reason)
    for field, finds, what in (
        ("contact_email", contact_email.find_emails(pages), "an email address on its domain"),
        ("docs_url", docs_and_api.find_docs(pages, files), "documentation"),
        ("openapi_url", docs_and_api.find_openapi(pages, files), "an OpenAPI description"),
        ("mcp_url", docs_and_api.find_mcp(pages, files), "an MCP server"),
        ("llms_url", docs_and_api.find_llms(pages, files), "an llms.txt"),
    ):
        proposal.propose(field, finds, reason=f"We found no link to {what}.")
    if needs_javascript(home.document):
        proposal.missing = [{**item, "reason": f"{item['reason']} {NEEDS_JAVASCRIPT}"} for item in proposal.missing]
    return proposal


def _propose_words(
    proposal: Proposal, home: ReadPage, others: list[ReadPage], *, name: str | None, files: Sequence[SiteFile]
) -> None:
    headlines = headline_and_summary.find_headlines(home, name=name, files=files)
    proposal.propose("headline", headlines, reason="No title, heading or description says what the product does.")
    summaries = headline_and_summary.find_summaries(home, others=others, name=name, files=files)
    proposal.propose("summary", summaries, reason="We found no product description.")
    titles = headline_and_summary.find_seo_titles(home, name=name)
    proposal.propose("seo_title", titles, reason="The home page has no suitable title.")
    descriptions = headline_and_summary.find_seo_descriptions(home)
    proposal.propose("seo_description", descriptions, reason="The home page has no description.")


def _propose_socials(proposal: Proposal, pages: Sequence[ReadPage], *, name: str | None) -> None:
    profiles = find_profiles(pages, name=name)
    if not profiles:
        reason = "We found no links to the company's own profiles."
        proposal.missing.append({"field": "socials", "reason": reason})
        return
    proposal.fields["socials"] = {platform: finds[0].value for platform, finds in profiles.items()}
    proposal.evidence.extend(_evidence_of(f"socials.{platform}", finds) for platform, finds in profiles.items())


def _propose_facts(proposal: Proposal, pages: Sequence[ReadPage], *, name: str | None) -> None:
    """Add language, pricing, faqs, platforms, founded_year, country, city, team_size and founders."""
    languages: list[Find] = _guarded(lambda: find_languages(pages), otherwise=[])
    reason = "We couldn't detect the website's language."
    proposal.propose("language", languages, reason=reason)
    pricing = _guarded(lambda: find_pricing(pages, name=name), otherwise=_NO_PRICING)
    proposal.propose("pricing_model", pricing.models, reason="We couldn't tell whether the product is free or paid.")
    proposal.propose("price_from_cents", pricing.prices, reason=pricing.reason, of=int)
    if pricing.prices:
        proposal.propose("price_currency", pricing.currencies, reason="The price names no currency.")
        proposal.propose("price_period", pricing.periods, reason="The price doesn't say how often it is paid.")
    faqs: list[Entry] = _guarded(lambda: find_faqs(pages), otherwise=[])
    proposal.propose_list("faqs", faqs, reason="We found no FAQs.")
    platforms: list[Entry] = _guarded(lambda: find_platforms(pages, name=name, faqs=faqs), otherwise=[])
    proposal.propose_list("platforms", platforms, reason="We found no app stores or system requirements.")
    company = _guarded(lambda: find_company(pages, name=name), otherwise=_NO_COMPANY)
    year = company.founded_year
    proposal.propose("founded_year", year, reason="We found no founding year.", of=int)
    proposal.propose("country", company.country, reason="We found no country.")
    proposal.propose("city", company.city, reason="We found no single city.")
    size = company.team_size
    proposal.propose("team_size", size, reason="We found no team size.", of=int)
    founders: list[Entry] = _guarded(lambda: find_founders(pages, name=name), otherwise=[])
    proposal.propose_list("founders", founders, reason="We found no founder names.")


def _guarded(find: Callable[[], _T], *, otherwise: _T) -> _T:
    """Call `find`. If an unexpected page breaks it, only this field is lost."""
    try:
        return find()
    except Exception:
        logger.exception("Finding facts failed")
        return otherwise


def _evidence_of(name: str, finds: list[Find]) -> Evidence:
    """Return the evidence for a field whose value is the first find's."""
    first, *others = finds
    return Evidence(
        field=name,
        value=first.value,
        page_url=first.page.url,
        source=first.source,
        selector=first.selector,
        snippet=first.snippet[:SNIPPET_CHARACTERS],
        page_sha256=first.page.sha256,
        confidence=round(first.confidence, 2),
        runners_up=[_short(find) for find in _distinct(first.value, others)],
    )


def _distinct(value: str, finds: Iterable[Find]) -> list[Find]:
    seen = {value}
    result: list[Find] = []
    for find in finds:
        if find.value not in seen and len(result) < MAX_RUNNERS_UP:
            seen.add(find.value)
            result.append(find)
    return result


def _short(find: Find) -> dict[str, Any]:
    return {
        "value": find.value,
        "page_url": find.page.url,
        "source": find.source,
        "selector": find.selector,
        "snippet": find.snippet[:SNIPPET_CHARACTERS],
        "confidence": round(find.confidence, 2),
    }
