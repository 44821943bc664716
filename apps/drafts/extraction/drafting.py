"""From the pages of a site to a proposal for its listing: only what stands there, and why."""

from collections.abc import Sequence

from apps.drafts.extraction import contacts, wording
from apps.drafts.extraction.company_facts import propose_facts
from apps.drafts.extraction.milestones import propose_milestones
from apps.drafts.extraction.naming import find_names
from apps.drafts.extraction.profiles import find_profiles
from apps.drafts.extraction.proposal import Proposal, ReadPage, evidence_of, finds_of
from apps.drafts.extraction.screenshots import find_screenshots


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
