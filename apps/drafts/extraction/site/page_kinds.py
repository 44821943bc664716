"""What kind of page a page is, once it is read: its address may not tell."""

from apps.drafts.extraction.site.page_choice import kind_of
from apps.drafts.extraction.site.page_words import KIND_OF
from apps.drafts.extraction.site.proposal import ReadPage
from apps.drafts.extraction.text.naming import split_title
from apps.drafts.extraction.text.words import fold


def kind_of_page(page: ReadPage) -> str | None:
    """about, pricing, faq, team, blog, contact, docs or changelog, by the address, else by heading or title."""
    if found := kind_of(page.url):
        return found[0]
    heading = page.document.first_text("h1")
    title = page.document.first_text("title")
    texts = [heading[0] if heading else "", *(split_title(title[0][:300], url=page.url)[:3] if title else ())]
    return next((kind for text in texts if (kind := KIND_OF.get(fold(text)))), None)
