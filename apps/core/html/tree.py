"""The parsed form of an untrusted page, within limits."""

import re
from itertools import islice

from lxml import etree

MAX_CHARACTERS = 2 * 1024 * 1024
MAX_TAG_CHARACTERS = 64 * 1024
MAX_ATTRIBUTES = 1000
# Of a longer tag, values beyond this are emptied: some publishing systems keep all data of a page in one attribute.
MAX_VALUE_OF_LONG_TAG = 2000
MAX_ELEMENTS = 150_000

_RAW_TEXT = frozenset({"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"})
_LONG_DATA_ADDRESS = re.compile(r"data:[\w.+-]{1,60}/[\w.+;=-]{1,120},[^\"'<>\s)]{1024,}")
_TAG_START = re.compile(r"<(?:!--|/?([a-zA-Z][^\s/>]{0,100}))")
# Text, and tags of so few and so short pieces that no limit is near; most of a page is passed over in one match. What
# these do not take, such as a long attribute or a script, is looked at on its own.
_PLAIN_PIECE = r"""[^>=]{1,100}+|=\s{0,20}+(?:"[^"]{0,2000}+"|'[^']{0,2000}+'|(?![\s"']))"""
_PLAIN_TAG = rf"<(?!(?i:{'|'.join(_RAW_TEXT)})[\s/>])/?+[a-zA-Z][\w:-]{{0,40}}+(?=[\s/>])(?:{_PLAIN_PIECE}){{0,30}}+>"
_PLAIN = re.compile(rf"(?:[^<]++|<(?![a-zA-Z/!])|{_PLAIN_TAG})*+")
_TAG_REST = re.compile(r"""(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+>""")
_QUOTED = re.compile(r"""=\s*+(?:"[^"]*+"|'[^']*+')""")
_SEPARATOR = re.compile(r"[\s/=]+")


class UnreadablePage(Exception):  # noqa: N818 - named for what the page is
    """The page is no HTML that can be read within the limits; the message says which limit."""


def parse(html: str) -> etree._Element:
    """Parse a page that may be hostile and return its root element.

    Time and memory stay proportional to the length of the page. Raises `UnreadablePage` for a page without
    elements, beyond `MAX_CHARACTERS`, with a tag beyond `MAX_TAG_CHARACTERS` or `MAX_ATTRIBUTES`, or nested
    beyond what the parser allows. The long values of a longer tag are emptied, and do not count.
    """
    if len(html) > MAX_CHARACTERS:
        raise UnreadablePage(f"longer than {MAX_CHARACTERS} characters")
    text = html.replace("\x00", "")
    if "data:" in text:
        # Pictures inside attributes are no facts, and would make honest tags look like attacks.
        text = _LONG_DATA_ADDRESS.sub("data:,", text)
    text = _with_bounded_tags(text)
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


def _with_bounded_tags(text: str) -> str:
    """The page with no tag beyond the limits; raises UnreadablePage where emptying long values is not enough.

    Before parsing, since the parser's time grows with the square of a tag's attributes.
    """
    pieces: list[str] = []
    at = done = 0
    while at != -1 and (start := _TAG_START.search(text, _after_plain(text, at))):
        name = start[1]
        if name is None:
            at = _after_comment(text, start.start())
            continue
        at = _end_of_tag(text, start.end())
        rest = text[start.end() : at]
        if at - start.start() > MAX_TAG_CHARACTERS:
            rest = _QUOTED.sub(_bounded_value, rest)
            pieces += (text[done : start.end()], rest)
            done = at
        _check_tag(start[0], rest)
        if name.lower() in _RAW_TEXT and text[start.start() + 1] != "/":
            at = _after_raw_text(text, at, name)
    return "".join([*pieces, text[done:]])


def _after_plain(text: str, at: int) -> int:
    plain = _PLAIN.match(text, at)
    return plain.end() if plain else at


def _after_comment(text: str, at: int) -> int:
    if text.startswith((">", "->"), at + 4):
        return at + 5
    return text.find("-->", at + 4)


def _end_of_tag(text: str, after_name: int) -> int:
    rest = _TAG_REST.match(text, after_name)
    return rest.end() if rest else len(text)


def _bounded_value(value: re.Match[str]) -> str:
    return value[0] if len(value[0]) <= MAX_VALUE_OF_LONG_TAG else '=""'


def _check_tag(opening: str, rest: str) -> None:
    length = len(opening) + len(rest)
    if length > MAX_TAG_CHARACTERS:
        raise UnreadablePage(f"a tag longer than {MAX_TAG_CHARACTERS} characters")
    if length > MAX_ATTRIBUTES:
        bare = _QUOTED.sub("= ", rest)
        if sum(1 for _ in _SEPARATOR.finditer(bare)) > MAX_ATTRIBUTES * 2:
            raise UnreadablePage(f"a tag with more than {MAX_ATTRIBUTES} attributes")


def _after_raw_text(text: str, at: int, name: str) -> int:
    closing = re.compile(rf"</(?i:{name})\b").search(text, at)
    return closing.start() if closing else -1
