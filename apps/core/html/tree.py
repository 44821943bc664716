"""The parsed form of an untrusted page, within limits."""

import re
from itertools import islice

from lxml import etree

MAX_CHARACTERS = 2 * 1024 * 1024
MAX_TAG_CHARACTERS = 64 * 1024
MAX_ATTRIBUTES = 1000
MAX_ELEMENTS = 150_000

_RAW_TEXT = frozenset({"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"})
_LONG_DATA_ADDRESS = re.compile(r"data:[\w.+-]{1,60}/[\w.+;=-]{1,120},[^\"'<>\s)]{1024,}")
_TAG_START = re.compile(r"<(?:!--|/?([a-zA-Z][^\s/>]{0,100}))")
_TAG_REST = re.compile(r"""(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+>""")
_QUOTED = re.compile(r"""=\s*+(?:"[^"]*+"|'[^']*+')""")
_SEPARATOR = re.compile(r"[\s/=]+")


class UnreadablePage(Exception):  # noqa: N818 - named for what the page is
    """The page is no HTML that can be read within the limits; the message says which limit."""


def parse(html: str) -> etree._Element:
    """Parse a page that may be hostile and return its root element.

    Time and memory stay proportional to the length of the page. Raises `UnreadablePage` for a page without
    elements, beyond `MAX_CHARACTERS`, with a tag beyond `MAX_TAG_CHARACTERS` or `MAX_ATTRIBUTES`, or nested
    beyond what the parser allows.
    """
    if len(html) > MAX_CHARACTERS:
        raise UnreadablePage(f"longer than {MAX_CHARACTERS} characters")
    text = html.replace("\x00", "")
    if "data:" in text:
        # Pictures inside attributes are no facts, and would make honest tags look like attacks.
        text = _LONG_DATA_ADDRESS.sub("data:,", text)
    _check_tags(text)
    # The generous depth of huge_tree, because pages that never close their <font> are honest.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, remove_comments=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError) as error:
        raise UnreadablePage("not HTML") from error
    if root is None:
        raise UnreadablePage("empty")
    last = parser.error_log.last_error
    if last is not None and "depth" in last.message:
        raise UnreadablePage("nested too deeply")
    _gather(root)
    if next(islice(root.iter(), MAX_ELEMENTS, None), None) is not None:
        raise UnreadablePage(f"more than {MAX_ELEMENTS} elements")
    return root


def _gather(root: etree._Element) -> None:
    """Bring what the parser left beside the root under it: a page with something before its head gets two roots."""
    while (other := root.getnext()) is not None:
        if other.tag != root.tag:
            root.append(other)
            continue
        for name, value in other.items():
            if root.get(name) is None:
                root.set(name, value)
        for child in list(other):
            root.append(child)
        _remove(other)


def _remove(element: etree._Element) -> None:
    # Beside the root there is no parent to remove it from, so it is taken over by one that is thrown away.
    etree.Element("html").append(element)


def _check_tags(text: str) -> None:
    """Refuse giant tags before parsing: the parser's time grows with the square of a tag's attributes."""
    at = 0
    while at != -1 and (start := _TAG_START.search(text, at)):
        name = start[1]
        if name is None:
            at = _after_comment(text, start.start())
            continue
        at = _end_of_tag(text, start.start(), start.end())
        if name.lower() in _RAW_TEXT and text[start.start() + 1] != "/":
            at = _after_raw_text(text, at, name)


def _after_comment(text: str, at: int) -> int:
    if text.startswith((">", "->"), at + 4):
        return at + 5
    return text.find("-->", at + 4)


def _end_of_tag(text: str, at: int, after_name: int) -> int:
    limit = at + MAX_TAG_CHARACTERS
    rest = _TAG_REST.match(text, after_name, limit)
    if rest is None:
        if limit < len(text):
            raise UnreadablePage(f"a tag longer than {MAX_TAG_CHARACTERS} characters")
        return len(text)
    if rest.end() - at > MAX_ATTRIBUTES:
        bare = _QUOTED.sub("= ", rest[0])
        if sum(1 for _ in _SEPARATOR.finditer(bare)) > MAX_ATTRIBUTES * 2:
            raise UnreadablePage(f"a tag with more than {MAX_ATTRIBUTES} attributes")
    return rest.end()


def _after_raw_text(text: str, at: int, name: str) -> int:
    closing = re.compile(rf"</(?i:{name})\b").search(text, at)
    return closing.start() if closing else -1
