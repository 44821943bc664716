"""From the pages of a site to a proposal for its listing: only what stands there, and why."""

import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from apps.drafts.extraction.company import contacts
from apps.drafts.extraction.company.company import Company, find_company
from apps.drafts.extraction.company.founders import find_founders
from apps.drafts.extraction.company.profiles import find_profiles
from apps.drafts.extraction.media.screenshots import find_screenshots
from apps.drafts.extraction.news.milestones import propose_milestones
from apps.drafts.extraction.pricing.pricing import Pricing, find_pricing
from apps.drafts.extraction.site.proposal import Entry, Find, Proposal, ReadPage, evidence_of, finds_of
from apps.drafts.extraction.text import wording
from apps.drafts.extraction.text.faqs import find_faqs
from apps.drafts.extraction.text.languages import find_languages
from apps.drafts.extraction.text.naming import find_names

logger = logging.getLogger(__name__)

_T = TypeVar("_T")

_NO_COMPANY = Company(founded_year=[], country=[], city=[], team_size=[])
_NO_PRICING = Pricing(models=[], prices=[], reason="No page that was read shows what a plan costs.")


def propose_facts(proposal: Proposal, pages: Sequence[ReadPage], *, name: str | None) -> None:
    """Add language, pricing_model, price_from_cents, faqs, founded_year, country, city, team_size and founders."""
    languages: list[Find] = _guarded(lambda: find_languages(pages), otherwise=[])
    reason = "The home page does not declare its language, and says too little to tell it."
    proposal.propose("language", languages, reason=reason)
    pricing = _guarded(lambda: find_pricing(pages, name=name), otherwise=_NO_PRICING)
    proposal.propose(
        "pricing_model", pricing.models, reason="No page that was read says whether plans are free or cost money."
    )
    proposal.propose("price_from_cents", pricing.prices, reason=pricing.reason, of=int)
    faqs: list[Entry] = _guarded(lambda: find_faqs(pages), otherwise=[])
    proposal.propose_list("faqs", faqs, reason="No page that was read answers questions.")
    company = _guarded(lambda: find_company(pages, name=name), otherwise=_NO_COMPANY)
    year = company.founded_year
    proposal.propose("founded_year", year, reason="No page that was read says when the company was founded.", of=int)
    proposal.propose("country", company.country, reason="No page that was read says in which country the company is.")
    proposal.propose("city", company.city, reason="No page that was read says in which one city the company is.")
    size = company.team_size
    proposal.propose("team_size", size, reason="No page that was read says how many people the company has.", of=int)
    founders: list[Entry] = _guarded(lambda: find_founders(pages, name=name), otherwise=[])
    proposal.propose_list("founders", founders, reason="No page that was read names the founders.")


def _guarded(find: Callable[[], _T], *, otherwise: _T) -> _T:
    """What `find` gives; a page that nobody foresaw costs only the field that it breaks."""
    try:
        return find()
    except Exception:
        logger.exception("Finding facts failed")
        return otherwise


def draft_listing(pages: Sequence[ReadPage]) -> Proposal:
    """Propose a listing from the pages of one site, of which the first is the home page.

    Every value stands on one of the pages, as its evidence shows; a field that no page fills is in
    `missing` instead. Raises `ValueError` without pages.
    """
    if not pages:
        raise ValueError("a proposal needs the home page")
    home, others = pages[0], list(pages[1:])
    proposal = Proposal()
    name = proposal.propose("name", find_names(home), reason="The home page does not say what the product is called.")
    _propose_words(proposal, home, others, name=name)
    # A listing shows a logo large, so one that promises to be large comes before one that states a small size.
    logos = sorted(finds_of(home.facts.logo or home.shown_logo, home), key=lambda find: -find.confidence)
    proposal.propose("logo_url", logos, reason="The home page declares no logo or icon.")
    reason = "No page that was read declares or shows a picture of the product."
    proposal.propose_list("screenshots", find_screenshots(pages), reason=reason)
    _propose_socials(proposal, pages, name=name)
    propose_facts(proposal, pages, name=name)
    propose_milestones(proposal, pages)
    for field, finds, what in (
        ("contact_email", contacts.find_mails(pages), "a mail address of its own domain"),
        ("docs_url", contacts.find_docs(pages), "documentation"),
        ("openapi_url", contacts.find_openapi(pages), "an OpenAPI description"),
        ("mcp_url", contacts.find_mcp(pages), "an MCP server"),
        ("llms_url", contacts.find_llms(pages), "an llms.txt"),
    ):
        proposal.propose(field, finds, reason=f"No page that was read links to {what}.")
    return proposal


def _propose_words(proposal: Proposal, home: ReadPage, others: list[ReadPage], *, name: str | None) -> None:
    headlines = wording.find_headlines(home, name=name)
    proposal.propose("headline", headlines, reason="No title, heading or description says what it does.")
    summaries = wording.find_summaries(home, others=others, name=name)
    proposal.propose("summary", summaries, reason="No page that was read describes the product.")
    titles = wording.find_seo_titles(home, name=name)
    proposal.propose("seo_title", titles, reason="The home page has no title that fits.")
    descriptions = wording.find_seo_descriptions(home)
    proposal.propose("seo_description", descriptions, reason="The home page has no description.")


def _propose_socials(proposal: Proposal, pages: Sequence[ReadPage], *, name: str | None) -> None:
    profiles = find_profiles(pages, name=name)
    if not profiles:
        reason = "No page that was read links to a profile that is clearly the site's own."
        proposal.missing.append({"field": "socials", "reason": reason})
        return
    proposal.fields["socials"] = {platform: finds[0].value for platform, finds in profiles.items()}
    proposal.evidence.extend(evidence_of(f"socials.{platform}", finds) for platform, finds in profiles.items())
