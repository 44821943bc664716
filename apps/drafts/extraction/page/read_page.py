"""Read a page into its document, its facts, and the finds on it."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256 as digest_of
from typing import Any, Protocol

from lxml import etree

from apps.core.html.charset import decode
from apps.core.html.tree import parse, parse_within_limits
from apps.drafts.extraction.document.document import Document
from apps.drafts.extraction.document.lines import Line, lines_of
from apps.drafts.extraction.document.protected_emails import reveal_emails
from apps.drafts.extraction.page.author_and_publisher import AUTHOR, PUBLISHER
from apps.drafts.extraction.page.candidates import decide
from apps.drafts.extraction.page.facts import Fact, PageFacts, Source
from apps.drafts.extraction.page.image_and_logo import IMAGE, LOGO, OTHER_LOGOS
from apps.drafts.extraction.page.title_and_description import DESCRIPTION, TITLE
from apps.drafts.extraction.page.url_date_and_language import DATE, LANG, MODIFIED, URL


@dataclass(frozen=True)
class ReadPage:
    """A page that was fetched and parsed. `sha256` is the hash of the bytes as received.

    `cut` says which limit left out a part of the page, such as "it is nested too deeply", or is empty. `unseen` is HTML
    of what browsers don't show, which no fact comes from.
    """

    url: str
    document: Document
    sha256: str
    cut: str = ""
    unseen: str = ""

    @classmethod
    def open(cls, body: bytes, *, url: str, content_type: str) -> "ReadPage":
        """Decode and parse a page. Raises `UnreadablePage` as `parse` does."""
        return cls.of_text(decode(body, content_type=content_type), body=body, url=url)

    @classmethod
    def of_text(cls, text: str, *, body: bytes, url: str) -> "ReadPage":
        """Parse a decoded page whose bytes were `body`. Raises `UnreadablePage` as `parse` does."""
        root, cut, unseen = parse_within_limits(text)
        reveal_emails(root)
        return cls(url, Document(root, url=url), digest_of(body).hexdigest(), cut, unseen)

    @cached_property
    def facts(self) -> PageFacts:
        """The facts of the page."""
        return facts_of(self.document)

    @property
    def other_logos(self) -> Fact | None:
        """The organization's logo of unknown shape, and the logo in the page's header."""
        return decide(self.document, OTHER_LOGOS)

    @cached_property
    def lines(self) -> list[Line]:
        """The visible lines of text, up to a limit."""
        return lines_of(self.document.root, skip=self.document.visibility.is_hidden)


class Origin(Protocol):
    """A page or file that a value was read from."""

    @property
    def url(self) -> str: ...

    @property
    def sha256(self) -> str: ...


@dataclass(frozen=True)
class Find:
    """One possible value of a field, and its place."""

    value: str
    page: Origin
    source: Source
    selector: str
    snippet: str
    confidence: float


@dataclass(frozen=True)
class Entry:
    """One entry of a list, such as a question with its answer, with its places, best first."""

    value: Any
    finds: list[Find]


def finds_of(fact: Fact | None, page: ReadPage) -> list[Find]:
    """Return a page's fact and its runners-up as finds, best first."""
    facts = (fact, *fact.runners_up) if fact else ()
    return [Find(item.value, page, item.source, item.selector, item.snippet, item.confidence) for item in facts]


def read_page(page: str | etree._Element, *, url: str) -> PageFacts:
    """Read title, description, image, logo, author, publisher, url, dates and lang of a page from `url`.

    The first non-empty value in a field's order of precedence wins, and the others become runners-up. Raises only
    `UnreadablePage`, for text that `parse` refuses.
    """
    root = parse(page) if isinstance(page, str) else page
    return facts_of(Document(root, url=url))


def facts_of(document: Document) -> PageFacts:
    """Read the facts of a parsed page."""
    return PageFacts(
        title=decide(document, TITLE),
        description=decide(document, DESCRIPTION),
        image=decide(document, IMAGE),
        logo=decide(document, LOGO),
        author=decide(document, AUTHOR),
        publisher=decide(document, PUBLISHER),
        url=decide(document, URL),
        date=decide(document, DATE),
        modified=decide(document, MODIFIED),
        lang=decide(document, LANG),
    )
