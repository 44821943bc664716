"""The facts of one page, each by its own precedence."""

from lxml import etree

from apps.core.html.tree import parse
from apps.drafts.extraction.document.document import Document
from apps.drafts.extraction.page import address_and_date, media, people, text
from apps.drafts.extraction.page.candidates import decide
from apps.drafts.extraction.page.facts import Fact, PageFacts


def read_page(page: str | etree._Element, *, url: str) -> PageFacts:
    """Read title, description, image, logo, author, publisher, url, date and lang of a page from `url`.

    The first non-empty value in a field's precedence wins, the others become its runners-up. Raises
    `UnreadablePage` for text that `parse` refuses; nothing else.
    """
    root = parse(page) if isinstance(page, str) else page
    return facts_of(Document(root, url=url))


def facts_of(document: Document) -> PageFacts:
    """Read the facts of a page that is open already."""
    return PageFacts(
        title=decide(document, rules=text.TITLE_RULES, fallbacks=(), cleaner=text.clean_title),
        description=decide(
            document,
            rules=text.DESCRIPTION_RULES,
            fallbacks=text.DESCRIPTION_FALLBACKS,
            cleaner=text.clean_description,
        ),
        image=decide(
            document,
            rules=media.IMAGE_RULES,
            fallbacks=media.IMAGE_FALLBACKS,
            cleaner=media.clean_address,
        ),
        logo=decide(
            document,
            rules=media.LOGO_RULES,
            fallbacks=media.LOGO_FALLBACKS,
            cleaner=media.clean_address,
        ),
        author=decide(
            document,
            rules=people.AUTHOR_RULES,
            fallbacks=people.AUTHOR_FALLBACKS,
            cleaner=people.clean_author,
        ),
        publisher=decide(
            document,
            rules=people.PUBLISHER_RULES,
            fallbacks=people.PUBLISHER_FALLBACKS,
            cleaner=people.clean_publisher,
        ),
        url=decide(document, rules=address_and_date.URL_RULES, fallbacks=(), cleaner=address_and_date.clean_url),
        date=decide(
            document,
            rules=address_and_date.DATE_RULES,
            fallbacks=address_and_date.DATE_FALLBACKS,
            cleaner=address_and_date.clean_date,
        ),
        lang=decide(document, rules=address_and_date.LANG_RULES, fallbacks=(), cleaner=address_and_date.clean_lang),
    )


def shown_logo_of(document: Document) -> Fact | None:
    """The mark in the header of a page, which nothing declares to be the site's logo."""
    return decide(document, rules=media.SHOWN_LOGO_RULES, fallbacks=(), cleaner=media.clean_address)
