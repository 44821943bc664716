"""The facts of one page, each by its own precedence."""

from lxml import etree

from apps.core.html.tree import parse
from apps.drafts.extraction import rules_media, rules_page, rules_people, rules_text
from apps.drafts.extraction.candidates import decide
from apps.drafts.extraction.document import Document
from apps.drafts.extraction.facts import Fact, PageFacts


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
        title=decide(document, rules=rules_text.TITLE_RULES, fallbacks=(), cleaner=rules_text.clean_title),
        description=decide(
            document,
            rules=rules_text.DESCRIPTION_RULES,
            fallbacks=rules_text.DESCRIPTION_FALLBACKS,
            cleaner=rules_text.clean_description,
        ),
        image=decide(
            document,
            rules=rules_media.IMAGE_RULES,
            fallbacks=rules_media.IMAGE_FALLBACKS,
            cleaner=rules_media.clean_address,
        ),
        logo=decide(
            document,
            rules=rules_media.LOGO_RULES,
            fallbacks=rules_media.LOGO_FALLBACKS,
            cleaner=rules_media.clean_address,
        ),
        author=decide(
            document,
            rules=rules_people.AUTHOR_RULES,
            fallbacks=rules_people.AUTHOR_FALLBACKS,
            cleaner=rules_people.clean_author,
        ),
        publisher=decide(
            document,
            rules=rules_people.PUBLISHER_RULES,
            fallbacks=rules_people.PUBLISHER_FALLBACKS,
            cleaner=rules_people.clean_publisher,
        ),
        url=decide(document, rules=rules_page.URL_RULES, fallbacks=(), cleaner=rules_page.clean_url),
        date=decide(
            document,
            rules=rules_page.DATE_RULES,
            fallbacks=rules_page.DATE_FALLBACKS,
            cleaner=rules_page.clean_date,
        ),
        lang=decide(document, rules=rules_page.LANG_RULES, fallbacks=(), cleaner=rules_page.clean_lang),
    )


def shown_logo_of(document: Document) -> Fact | None:
    """The mark in the header of a page, which nothing declares to be the site's logo."""
    return decide(document, rules=rules_media.SHOWN_LOGO_RULES, fallbacks=(), cleaner=rules_media.clean_address)
