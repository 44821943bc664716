"""Read the pages of a site: pure functions from bytes to facts and a proposal."""

from apps.core.html.charset import decode
from apps.core.html.tree import UnreadablePage, parse
from apps.drafts.extraction.news.milestones import choose_posts
from apps.drafts.extraction.page.facts import Fact, PageFacts
from apps.drafts.extraction.page.read_page import ReadPage, read_page
from apps.drafts.extraction.proposal import Evidence, Proposal, draft_listing
from apps.drafts.extraction.site.page_choice import choose_pages
from apps.drafts.extraction.site.site_files import SiteFile, is_what_it_says
from apps.drafts.extraction.site.unusable_pages import Answer, why_unusable

__all__ = [
    "Answer",
    "Evidence",
    "Fact",
    "PageFacts",
    "Proposal",
    "ReadPage",
    "SiteFile",
    "UnreadablePage",
    "choose_pages",
    "choose_posts",
    "decode",
    "draft_listing",
    "is_what_it_says",
    "parse",
    "read_page",
    "why_unusable",
]
