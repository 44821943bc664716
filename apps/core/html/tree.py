"""Parse an untrusted page into a tree, within limits."""

from html import escape
from itertools import islice
from typing import NamedTuple

import regex
from lxml import etree

from apps.core.html.raw_text import BLANKS, end_of_text

MAX_CHARACTERS = 2 * 1024 * 1024
MAX_TAG_CHARACTERS = 64 * 1024
MAX_ATTRIBUTES = 1000
# In a longer tag, values above this are emptied, because some publishing systems put all data of a page in one
# attribute.
MAX_VALUE_OF_LONG_TAG = 2000
MAX_ELEMENTS = 150_000
MAX_UNSEEN = 20_000

_RAW_TEXT = frozenset({"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"})
# What browsers don't show, and the tags that close a select because they can't be in one.
_LEFT_OUT = frozenset({"template", "select"})
_CLOSE_SELECT = frozenset({"select", "input", "keygen", "textarea"})
_SEEN_ONE_BY_ONE = "|".join(_RAW_TEXT | _LEFT_OUT | {"noscript", "plaintext"})
_SHADOW = regex.compile(r"(?<![\w-])shadowrootmode\s*=\s*[\"']?(?:open|closed)(?![\w-])", regex.IGNORECASE)
_LONG_DATA_ADDRESS = regex.compile(r"data:[\w.+-]{1,60}/[\w.+;=-]{1,120},[^\"'<>\s)]{1024,}")
# A comment, what browsers treat as one (`<?`, `<!` and `</` before no name), or a tag.
_MARKUP = regex.compile(rf"<(?:(?P<comment>!--)|(?P<bogus>[!?]|/(?![a-zA-Z>]))|/?(?P<name>[a-zA-Z][^{BLANKS}/>]*+))")
_COMMENT_REST = regex.compile(r"-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z)")
_NO_COMMENT = "<!---->"
# An attribute, or the text between two: HTML, 'Tokenization'. Possessive, so that no character is read twice.
_ATTRIBUTE = rf"""[{BLANKS}/]++|(?P<name>[^{BLANKS}/>][^{BLANKS}/>=]*+)(?:[{BLANKS}]*+=[{BLANKS}]*+(?P<value>
    "[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^{BLANKS}>"'][^{BLANKS}>]*+)?+)?+"""
_ATTRIBUTES = regex.compile(_ATTRIBUTE, regex.VERBOSE)
_TAG_REST = regex.compile(rf"(?:{_ATTRIBUTE})*+>", regex.VERBOSE)
# Text, and tags with so few and short parts that no limit is near. One match skips most of a page. Everything else,
# such as a long attribute or a script, is checked separately.
_PLAIN_PIECE = rf"""[{BLANKS}/]{{1,50}}+|[^{BLANKS}/>="']{{1,100}}+(?:[{BLANKS}]{{0,20}}+=[{BLANKS}]{{0,20}}+(?:
    "[^"]{{0,2000}}+"|'[^']{{0,2000}}+'|[^{BLANKS}>"'=][^{BLANKS}>"']{{0,200}}+(?=[{BLANKS}>])))?+"""
_PLAIN_TAG = rf"""<(?!(?i:{_SEEN_ONE_BY_ONE})[\s/>])/?+[a-zA-Z][\w:-]{{0,40}}+(?=[{BLANKS}/>])
    (?:{_PLAIN_PIECE}){{0,60}}+>"""
_PLAIN = regex.compile(rf"(?:[^<]++|<(?![a-zA-Z/!?])|{_PLAIN_TAG})*+", regex.VERBOSE)


class UnreadablePage(Exception):  # noqa: N818 - named for what the page is
    """The text has no element to read. The message says what it is instead."""


class Parsed(NamedTuple):
    """A page's root element, and which limit left out a part of it, such as "it is nested too deeply", or "".

    `unseen` is the HTML of templates, noscripts and selects, up to `MAX_UNSEEN` characters.
    """

    root: etree._Element
    cut: str
    unseen: str


def parse(html: str) -> etree._Element:
    """Parse a page that may be hostile, as far as the limits allow. See `parse_within_limits`."""
    return parse_within_limits(html).root


def parse_within_limits(html: str) -> Parsed:
    """Parse what browsers show of a page that may be hostile.

    Comments, templates, noscripts and selects are left out, because what they hold is no part of the page. Time and
    memory are proportional to the length of the page. What exceeds `MAX_CHARACTERS`, `MAX_ELEMENTS` or the depth that
    the parser allows is left out, and so are the attributes of a tag beyond `MAX_TAG_CHARACTERS` or `MAX_ATTRIBUTES`.
    The long values of a longer tag are emptied and don't count. Raises `UnreadablePage` for a text without elements.
    """
    cut = f"it is longer than {MAX_CHARACTERS:,} characters" if len(html) > MAX_CHARACTERS else ""
    text = html[:MAX_CHARACTERS].replace("\x00", "")
    if "data:" in text:
        # Inline images are not facts, and would make honest tags look like attacks.
        text = _LONG_DATA_ADDRESS.sub("data:,", text)
    text, tag_cut, unseen = _Preparation(text).done()
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
        cut = cut or "it is nested too deeply"
    _gather(root)
    if (first_left_out := next(islice(root.iter(), MAX_ELEMENTS, None), None)) is not None:
        _remove_from(first_left_out)
        cut = cut or f"it has more than {MAX_ELEMENTS:,} elements"
    return Parsed(root, cut or tag_cut, unseen)


def _remove_from(element: etree._Element) -> None:
    """Remove an element and all that follow it in the page."""
    offset = 0
    while (parent := element.getparent()) is not None:
        del parent[parent.index(element) + offset :]
        element, offset = parent, 1


def _gather(root: etree._Element) -> None:
    """Move elements beside the root into it. The parser gives a page with content before its head two roots."""
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
    # An element beside the root has no parent to remove it from, so a temporary parent takes it over.
    etree.Element("html").append(element)


class _Preparation:
    """Rewrites a page for the parser: without what browsers don't show, and with tags within the limits.

    Runs before parsing, because the parser's time grows with the square of a tag's attributes, and because it takes the
    content of a template for a part of the page. Reads tags as the parser does, so that none hides in something that
    only one of them takes for a comment or script.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: list[str] = []
        self._done = 0
        # The open templates and selects, innermost last, and the open templates that browsers show.
        self._inside: list[str] = []
        self._shown = 0
        self._cut = ""
        self._unseen = ""

    def done(self) -> tuple[str, str, str]:
        """Return the page, which limit a tag exceeded or "", and what was left out."""
        text, at = self._text, 0
        while result := _MARKUP.search(text, at if self._inside or self._shown else _after_plain(text, at)):
            name = (result["name"] or "").lower()
            if not name:
                at = _after_comment(text, result)
                self._replace(result.start(), at, _NO_COMMENT)
            else:
                at = self._read_tag(result, name, is_start=text[result.start() + 1] != "/")
        if not self._inside:
            self._pieces.append(text[self._done :])
        else:
            self._leave_out(self._done, len(text))
        return "".join(self._pieces), self._cut, self._unseen

    def _read_tag(self, match: regex.Match[str], name: str, *, is_start: bool) -> int:
        """Handle a tag, and return where the text after it begins."""
        start, at = match.start(), _end_of_tag(self._text, match.end())
        if is_start and name == "plaintext" and not self._inside:
            # Everything after it is text.
            self._replace(start, len(self._text), f"<pre>{escape(self._text[at:])}")
            return len(self._text)
        if is_start and name == "noscript":
            end = end_of_text(self._text, at, name)
            self._leave_out(at, end)
            self._replace(start, end, "")
            return end
        if name == "template" and not self._inside and self._replace_shown(start, match.end(), at, is_start=is_start):
            return at
        was_inside = bool(self._inside)
        self._enter_or_leave(name, is_start=is_start)
        if not was_inside and self._inside:
            self._pieces.append(self._text[self._done : start])
            self._done = at
        if was_inside and not self._inside:
            self._leave_out(self._done, start)
            # The tag that closes a select by being another element is a part of the page.
            self._done = start if is_start and name != "select" else at
        if not self._inside:
            self._bound(match, at, is_raw=is_start and name in _RAW_TEXT)
        return end_of_text(self._text, at, name) if is_start and name in _RAW_TEXT else at

    def _leave_out(self, start: int, end: int) -> None:
        room = MAX_UNSEEN - len(self._unseen)
        self._unseen += self._text[start : min(end, start + room)] + "\n" if room > 0 else ""

    def _replace(self, start: int, end: int, replacement: str) -> None:
        if not self._inside:
            self._pieces += (self._text[self._done : start], replacement)
            self._done = end

    def _replace_shown(self, start: int, after_name: int, end: int, *, is_start: bool) -> bool:
        """Make a box of a template that browsers show as part of the page (a declarative shadow root)."""
        if is_start and not _SHADOW.search(self._text, after_name, end):
            return False
        if not is_start and not self._shown:
            return False
        self._shown += 1 if is_start else -1
        self._replace(start, end, "<div>" if is_start else "</div>")
        return True

    def _enter_or_leave(self, name: str, *, is_start: bool) -> None:
        inside = self._inside
        innermost = inside[-1] if inside else ""
        if innermost == "select" and (name in _CLOSE_SELECT if is_start else name == "select"):
            inside.pop()
        elif is_start and name in _LEFT_OUT:
            inside.append(name)
        elif name == "template" in inside:
            while inside.pop() != "template":
                pass

    def _bound(self, match: regex.Match[str], end: int, *, is_raw: bool) -> None:
        """Shorten a tag that ends at `end` to the limits."""
        start, after_name = match.start(), match.end()
        rest = written = self._text[after_name:end]
        excess = ""
        is_long = end - start > MAX_TAG_CHARACTERS
        if is_long and not _has_too_many_attributes(rest):
            rest = _ATTRIBUTES.sub(_bounded, rest)
            is_long = len(match[0]) + len(rest) > MAX_TAG_CHARACTERS
        if is_long:
            excess = f"one of its tags is longer than {MAX_TAG_CHARACTERS:,} characters"
        elif _has_too_many_attributes(rest):
            excess = f"one of its tags has more than {MAX_ATTRIBUTES:,} attributes"
        if excess:
            rest = ">"
            self._cut = excess
        if is_raw and rest.endswith("/>"):
            # Browsers ignore the slash, but the parser takes the element for an empty one.
            rest = f"{rest[:-2]} >"
        if rest is not written:
            self._replace(after_name, end, rest)


def _after_plain(text: str, at: int) -> int:
    plain = _PLAIN.match(text, at)
    return plain.end() if plain else at


def _after_comment(text: str, opening: regex.Match[str]) -> int:
    if opening["bogus"]:
        end = text.find(">", opening.end())
        return len(text) if end == -1 else end + 1
    rest = _COMMENT_REST.match(text, opening.end())
    return rest.end() if rest else len(text)


def _end_of_tag(text: str, after_name: int) -> int:
    rest = _TAG_REST.match(text, after_name)
    return rest.end() if rest else len(text)


def _bounded(attribute: regex.Match[str]) -> str:
    value = attribute["value"] or ""
    is_long = value.startswith(('"', "'")) and len(value) > MAX_VALUE_OF_LONG_TAG
    return f'{attribute["name"]}=""' if is_long else attribute[0]


def _has_too_many_attributes(rest: str) -> bool:
    """Return whether a tag has more than `MAX_ATTRIBUTES`, without reading those beyond them."""
    names = (result for result in _ATTRIBUTES.finditer(rest) if result["name"])
    return len(rest) > MAX_ATTRIBUTES and next(islice(names, MAX_ATTRIBUTES, None), None) is not None
