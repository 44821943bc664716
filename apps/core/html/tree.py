"""Parse an untrusted page into a tree, within limits."""

from itertools import islice

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

_RAW_TEXT = frozenset({"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"})
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
_PLAIN_TAG = rf"""<(?!(?i:{"|".join(_RAW_TEXT)})[\s/>])/?+[a-zA-Z][\w:-]{{0,40}}+(?=[{BLANKS}/>])
    (?:{_PLAIN_PIECE}){{0,60}}+>"""
_PLAIN = regex.compile(rf"(?:[^<]++|<(?![a-zA-Z/!?])|{_PLAIN_TAG})*+", regex.VERBOSE)


class UnreadablePage(Exception):  # noqa: N818 - named for what the page is
    """The page can't be parsed as HTML within the limits. The message says which limit."""


def parse(html: str) -> etree._Element:
    """Parse a page that may be hostile and return its root element.

    Time and memory are proportional to the length of the page. Raises `UnreadablePage` for a page without elements,
    beyond `MAX_CHARACTERS`, with a tag beyond `MAX_TAG_CHARACTERS` or `MAX_ATTRIBUTES`, or nested deeper than the
    parser allows. The long values of a longer tag are emptied and don't count.
    """
    if len(html) > MAX_CHARACTERS:
        raise UnreadablePage(f"longer than {MAX_CHARACTERS} characters")
    text = html.replace("\x00", "")
    if "data:" in text:
        # Inline images are not facts, and would make honest tags look like attacks.
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


def _with_bounded_tags(text: str) -> str:
    """Return the page without tags beyond the limits. Raises UnreadablePage if emptying long values is not enough.

    Runs before parsing, because the parser's time grows with the square of a tag's attributes. Reads tags as the parser
    does, so that none hides in something that only one of them takes for a comment or script. Removes comments.
    """
    pieces: list[str] = []
    at = done = 0
    while found := _MARKUP.search(text, _after_plain(text, at)):
        name = (found["name"] or "").lower()
        if not name:
            at = _after_comment(text, found)
            pieces += (text[done : found.start()], _NO_COMMENT)
            done = at
            continue
        at = _end_of_tag(text, found.end())
        rest = written = text[found.end() : at]
        _check_number_of_attributes(rest)
        if at - found.start() > MAX_TAG_CHARACTERS:
            rest = _ATTRIBUTES.sub(_bounded, rest)
            if len(found[0]) + len(rest) > MAX_TAG_CHARACTERS:
                raise UnreadablePage(f"a tag longer than {MAX_TAG_CHARACTERS} characters")
        is_raw = name in _RAW_TEXT and text[found.start() + 1] != "/"
        if is_raw and rest.endswith("/>"):
            # Browsers ignore the slash, but the parser takes the element for an empty one.
            rest = f"{rest[:-2]} >"
        if rest is not written:
            pieces += (text[done : found.end()], rest)
            done = at
        if is_raw:
            at = end_of_text(text, at, name)
    return "".join([*pieces, text[done:]])


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


def _check_number_of_attributes(rest: str) -> None:
    """Raise UnreadablePage beyond `MAX_ATTRIBUTES`, without reading the rest of them."""
    if len(rest) > MAX_ATTRIBUTES:
        names = (found for found in _ATTRIBUTES.finditer(rest) if found["name"])
        if next(islice(names, MAX_ATTRIBUTES, None), None):
            raise UnreadablePage(f"a tag with more than {MAX_ATTRIBUTES} attributes")
