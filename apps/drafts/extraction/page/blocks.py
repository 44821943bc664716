"""Split a site's text into numbered blocks, which a text about the site can cite."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from apps.drafts.extraction.document.document import NEUTRAL, UNSEEN, clean_text, selector_of
from apps.drafts.extraction.page.facts import Source
from apps.drafts.extraction.page.read_page import Find, ReadPage, finds_of
from apps.drafts.extraction.text.cleaning import fold

MAX_BLOCK = 500
MAX_HOME_BLOCKS = 60
MAX_OTHER_BLOCKS = 15
MAX_CHARACTERS = 16_000
MIN_WORDS = 3
_MAX_EVENTS = 60_000
_MAX_SELF_DECLARED = 4

# Menus and forms say what can be clicked, not what the product is.
_ASIDE = UNSEEN | {"nav", "footer", "form", "button", "dialog", "iframe", "object"}


@dataclass(frozen=True)
class Block:
    """A piece of visible text of at most `MAX_BLOCK` characters, and its place on the page."""

    number: int
    page: ReadPage
    source: Source
    selector: str
    text: str


def blocks_of(pages: Sequence[ReadPage]) -> list[Block]:
    """Return titles, descriptions and visible text of a site's pages, numbered from 1. The first page is the home page.

    Hidden text is left out because only machines read it. At most `MAX_CHARACTERS` characters in total.
    """
    result: list[Block] = []
    seen: set[str] = set()
    left = MAX_CHARACTERS
    for page in pages:
        for source, selector, text in islice(_texts(page), MAX_OTHER_BLOCKS if result else MAX_HOME_BLOCKS):
            key = fold(text)
            if key in seen or len(text) > left:
                continue
            seen.add(key)
            left -= len(text)
            result.append(Block(len(result) + 1, page, source, selector, text))
    return result


def _texts(page: ReadPage) -> Iterator[tuple[Source, str, str]]:
    for find in _declared(page):
        if _says_something(find.value):
            yield find.source, find.selector, _short(find.value)
    body = page.document.root.find("body")
    for element, text in _paragraphs(body) if body is not None else ():
        if _says_something(text):
            yield "text", selector_of(element), _short(text)


def _declared(page: ReadPage) -> list[Find]:
    """Yield what the page's head says about it, or the place where that would be."""
    return [
        find
        for fact in (page.facts.title, page.facts.description)
        for find in finds_of(fact, page)[:_MAX_SELF_DECLARED]
    ]


def _paragraphs(body: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    """Yield runs of text between block edges, each with the element it begins in."""
    pieces: list[str] = []
    begun_in = body
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, node in islice(walk, _MAX_EVENTS):
        if node.tag not in NEUTRAL:
            if text := clean_text("".join(pieces)):
                yield begun_in, text
            pieces.clear()
        parent = node.getparent()
        holder, piece = (node, node.text) if event == "start" else (parent, node.tail)
        if event == "start" and (node.tag in _ASIDE or _is_hidden(node)):
            walk.skip_subtree()
            piece = None
        if piece and holder is not None and (event == "start" or node is not body):
            begun_in = begun_in if pieces else holder
            pieces.append(piece)
    if text := clean_text("".join(pieces)):
        yield begun_in, text


def _is_hidden(element: etree._Element) -> bool:
    if element.get("hidden") is not None or element.get("aria-hidden", "").strip().lower() == "true":
        return True
    style = "".join(element.get("style", "")[:2000].lower().split())
    return "display:none" in style or "visibility:hidden" in style


def _says_something(text: str) -> bool:
    # Languages without spaces write a whole sentence as one word.
    return len(text.split()) >= MIN_WORDS or (len(text) >= 8 and not text.isascii())


def _short(text: str) -> str:
    return text if len(text) <= MAX_BLOCK else text[:MAX_BLOCK].rsplit(" ", 1)[0]
