"""Reading the pages of a site: pure functions from bytes to facts and a proposal."""

from apps.core.html.charset import decode
from apps.core.html.tree import UnreadablePage, parse
from apps.drafts.extraction.drafting import draft_listing
from apps.drafts.extraction.news.milestones import choose_posts
from apps.drafts.extraction.page.facts import Fact, PageFacts
from apps.drafts.extraction.page.facts_reader import read_page
from apps.drafts.extraction.site.page_choice import choose_pages
from apps.drafts.extraction.site.proposal import Evidence, Proposal, ReadPage
from apps.drafts.extraction.site.recognition import Answer, recognise

__all__ = [
    "Answer",
    "Evidence",
    "Fact",
    "PageFacts",
    "Proposal",
    "ReadPage",
    "UnreadablePage",
    "choose_pages",
    "choose_posts",
    "decode",
    "draft_listing",
    "parse",
    "read_page",
    "recognise",
]
