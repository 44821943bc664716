"""Turn one of our own pages into Markdown, for programs that read."""

import re
from collections.abc import Iterator
from urllib.parse import urljoin

from lxml import etree, html

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
# fmt: off
_BLOCKS = {
    *_HEADINGS, "address", "article", "aside", "blockquote", "dd", "details", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "header", "hr", "li", "main", "ol", "p", "pre",
    "section", "summary", "table", "tbody", "thead", "tr", "ul",
}
# What is for clicking or looking says nothing in words.
_LEFT_OUT = {
    "button", "dialog", "form", "input", "nav", "noscript", "progress",
    "script", "select", "style", "svg", "template",
}
# fmt: on
_SPECIAL = re.compile(r"([\\`*_\[\]<>])")
_SPACES = re.compile(r"\s+")
_GAPS = re.compile(r" {2,}")
_LOOSE_MARK = re.compile(r" +([.,;:!?])(?=\s|$)")
_BLANK_LINES = re.compile(r"\n{3,}")
_MAX_DEPTH = 100


def to_markdown(page: str, *, url: str) -> str:
    """Return the main part of a page as CommonMark, with absolute links. `url` is the page's own address."""
    root = html.document_fromstring(page, parser=html.HTMLParser(remove_comments=True, remove_pis=True))
    main = root.find(".//main")
    text = "".join(_block(root if main is None else main, url, 0))
    return _BLANK_LINES.sub("\n\n", text).strip() + "\n"


def _block(element: etree._Element, url: str, depth: int) -> Iterator[str]:
    """Yield an element's blocks, each between blank lines."""
    line: list[str] = []
    for text, child in _content(element):
        if child is None or child.tag not in _BLOCKS:
            line.append(_SPACES.sub(" ", _SPECIAL.sub(r"\\\1", text)) if child is None else _inline(child, url, depth))
            continue
        yield from _paragraph(line)
        line = []
        if depth < _MAX_DEPTH:
            yield from _one(child, url, depth + 1)
    yield from _paragraph(line)


def _one(element: etree._Element, url: str, depth: int) -> Iterator[str]:
    match element.tag:
        case "hr":
            yield "\n\n---\n\n"
        case "pre":
            yield f"\n\n```\n{''.join(map(str, element.itertext())).strip()}\n```\n\n"
        case "tr":
            cells = (_line_of(cell, url, depth) for cell in element)
            yield f"\n- {' | '.join(cell for cell in cells if cell)}\n"
        case "li":
            yield f"\n- {_line_of(element, url, depth)}\n"
        case tag if tag in _HEADINGS:
            yield f"\n\n{'#' * _HEADINGS[str(tag)]} {_line_of(element, url, depth)}\n\n"
        case _:
            yield from _block(element, url, depth)


def _paragraph(line: list[str]) -> Iterator[str]:
    if text := _LOOSE_MARK.sub(r"\1", _GAPS.sub(" ", "".join(line))).strip():
        yield f"\n\n{text}\n\n"


def _line_of(element: etree._Element, url: str, depth: int) -> str:
    """Return everything in an element on one line."""
    return _SPACES.sub(" ", "".join(_block(element, url, depth))).strip()


def _inline(element: etree._Element, url: str, depth: int) -> str:
    if depth >= _MAX_DEPTH:
        return ""
    text = "".join(_block(element, url, depth + 1)).strip()
    match element.tag:
        case "br":
            return "\n"
        case "img":
            return _SPECIAL.sub(r"\\\1", element.get("alt") or "")
        case "a" if text and element.get("href"):
            target = urljoin(url, str(element.get("href"))).replace("(", "%28").replace(")", "%29")
            return f" [{_SPACES.sub(' ', text)}]({target.replace(' ', '%20')}) "
        case "strong" | "b" if text:
            return f"**{text}**"
        case "time" | "span" | "small" | "abbr" if text:
            return f" {text} "
    return text


def _content(element: etree._Element) -> Iterator[tuple[str, etree._Element | None]]:
    """Yield an element's texts and the elements in it that say something, in order."""
    if element.text:
        yield element.text, None
    for child in element:
        is_shown = child.tag not in _LEFT_OUT and child.get("hidden") is None
        if is_shown and child.get("aria-hidden") != "true":
            yield "", child
        if child.tail:
            yield child.tail, None
