"""The facts beside the texts: language, prices, questions, company and founders, each on its own."""

import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from celery.exceptions import SoftTimeLimitExceeded

from apps.drafts.extraction.company import Company, find_company
from apps.drafts.extraction.faqs import find_faqs
from apps.drafts.extraction.founders import find_founders
from apps.drafts.extraction.languages import find_languages
from apps.drafts.extraction.pricing import Pricing, find_pricing
from apps.drafts.extraction.proposal import Entry, Find, Proposal, ReadPage

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
    except SoftTimeLimitExceeded:
        # The worker's clock is no defect of a page: whoever reads the site has to end.
        raise
    except Exception:
        logger.exception("Finding facts failed")
        return otherwise
