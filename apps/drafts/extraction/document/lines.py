"""Split a page into lines of text, at the edges of blocks and at line breaks."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from lxml import etree

from apps.drafts.extraction.document.document import NEUTRAL, UNSEEN, clean_text

MAX_LINES = 4000
MAX_LINE = 1000
MAX_EVENTS = 200_000
MAX_PIECES = 200

# Elements with the words of others, or with outdated words: their lines say nothing about the product.
_MARKS: tuple[tuple[str, frozenset[str], re.Pattern[str] | None], ...] = (
    (
        "quote",
        frozenset({"blockquote", "q"}),
        re.compile(
            r"testimonial|(?<![a-z])(?:review|quote|endorse)|(?:customer|success)-?stor|case-?stud"
            r"|kundenstimm|referenz|temoignage|témoignage|testimonio|depoimento|wall-?of-?love"
        ),
    ),
    (
        "struck",
        frozenset({"del", "s", "strike"}),
        re.compile(
            r"line-?through|strike|(?<![a-z])(?:old|was|original|regular|crossed|compare-?at)-?_?price|price-?_?old"
            r"|^(?:old|was)(?= |$)"
        ),
    ),
    ("nav", frozenset({"nav"}), None),
    ("footer", frozenset({"footer"}), re.compile(r"(?<![a-z])(?<!has-)(?<!with-)(?<!no-)footer(?![a-z])")),
    ("faq", frozenset({"details"}), re.compile(r"(?<![a-z])(?:faqs?|accordion)(?![a-z])")),
    (
        "notice",
        frozenset({"dialog"}),
        re.compile(r"(?<![a-z])(?:cookies?|consent|gdpr)(?![a-z])|cookie-?(?:bar|banner|notice|consent|law|modal)"),
    ),
    (
        "cart",
        frozenset(),
        re.compile(
            r"(?<![a-z])(?:mini|header|side|nav|shopping|drawer)[-_]*(?:cart|basket)(?![a-z])"
            r"|(?<![a-z])(?:cart|basket)[-_]*(?:drawer|items?|total|subtotal|count|contents|amount|sidebar|widget|panel|popup)"
        ),
    ),
    ("versus", frozenset(), re.compile(r"(?<![a-z])(?:compar|compet|versus|vs(?![a-z])|alternativ|calculator)")),
)
_MARKS_OF_TAGS = {tag: frozenset({name}) for name, tags, _ in _MARKS for tag in tags}
_NONE: frozenset[str] = frozenset()
_WHOLE = frozenset({"html", "body", "main"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_SIGNS = "$€£¥₹"
# How a text goes on that is beside a price, never in the middle of a word: "/mo" and "per seat".
_BEGINS_WORD = re.compile(r"(?:per|pro|par|por|je|billed|excl|incl|plus|HT|TTC)[\s.]")
_CENTS = re.compile(r"cent|decimal|fraction")


@dataclass(frozen=True, slots=True)
class Line:
    """A line with the innermost element it begins in. `marks` names the kinds of element around it.

    quote (someone else's words), struck (crossed out), nav, footer, faq, notice (about cookies), cart (what a
    visitor is about to buy), versus (a comparison with other products).
    """

    text: str
    element: etree._Element
    marks: frozenset[str]


class _Writer:
    """Collects pieces of text until a line ends."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._pieces: list[str] = []
        self._element: etree._Element | None = None
        self._marks = _NONE

    def add(self, text: str | None, element: etree._Element, marks: frozenset[str], *, joint: bool) -> None:
        """Append a piece. `joint` means that an element begins or ends before it."""
        if not text or len(self._pieces) >= MAX_PIECES:
            return
        if self._element is None:
            if text.isspace():
                return
            self._element, self._marks = element, marks
        elif joint and text[0].isdigit() and self._pieces[-1][-1:].isdigit():
            self._pieces.append(_between(text, element))
        elif joint and (self._are_apart(self._pieces[-1][-1:], text[0]) or _BEGINS_WORD.match(text)):
            self._pieces.append(" ")
        self._pieces.append(text[: MAX_LINE * 2])

    @staticmethod
    def _are_apart(last: str, first: str) -> bool:
        """Return whether styles divide them: "$9" and "month", "Team" and "$9", "€" and "net", not "US" and "$9"."""
        is_beside_sign = first in _SIGNS and (last.islower() or (last.isdigit() and first == "$"))
        return (last.isdigit() or last in ("€", "£", "₹")) and first.isalpha() or is_beside_sign

    def end(self) -> None:
        """End the line, if one has begun."""
        if self._element is None:
            return
        if text := clean_text("".join(self._pieces))[:MAX_LINE]:
            self.lines.append(Line(text, self._element, self._marks))
        self._pieces, self._element, self._marks = [], None, _NONE


def lines_of(root: etree._Element, *, skip: Callable[[etree._Element], bool] | None = None) -> list[Line]:
    """Return an element's lines in reading order, at most `MAX_LINES`, without elements to `skip`.

    Digits separated only by an element's edge are kept apart: "$9" with a raised "99" becomes "$9.99". Ambiguous ones,
    as in "$29" beside "00", are joined with an underscore.
    """
    writer = _Writer()
    marks = [_NONE]
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, node in islice(walk, MAX_EVENTS):
        if len(writer.lines) >= MAX_LINES:
            break
        if event == "start":
            own = _marks_of(node)
            marks.append(marks[-1] | own if own else marks[-1])
        if node.tag not in NEUTRAL or marks[-1] != marks[-2 if len(marks) > 1 else -1]:
            writer.end()
        if event == "start":
            if node is not root and (node.tag in UNSEEN or (skip is not None and skip(node))):
                walk.skip_subtree()
            else:
                writer.add(node.text, node, marks[-1], joint=True)
        else:
            marks.pop()
            if node is not root:
                writer.add(node.tail, node.getparent(), marks[-1], joint=True)
    writer.end()
    return writer.lines


def heading_of(element: etree._Element) -> str:
    """Return h1 to h4 if the element is such a heading or inside one, or an empty text."""
    for parent in (element, *islice(element.iterancestors(), 3)):
        if parent.tag in _HEADINGS:
            return str(parent.tag)
    return ""


def is_called_cents(element: etree._Element) -> bool:
    """Return whether an element's class says that it holds the cents of a price."""
    return _CENTS.search((element.get("class") or "")[:300]) is not None


def _marks_of(node: etree._Element) -> frozenset[str]:
    if node.tag in _WHOLE:
        return _NONE
    own = _MARKS_OF_TAGS.get(node.tag, _NONE)
    classes, name = node.get("class") or "", node.get("id") or ""
    return own | _marks_of_words(f"{classes} {name}"[:300].lower()) if classes or name else own


@lru_cache(maxsize=4096)
def _marks_of_words(words: str) -> frozenset[str]:
    """Return the marks of an element with this class and id. Cached, since pages repeat them."""
    return frozenset(name for name, _, pattern in _MARKS if pattern and pattern.search(words))


def _between(text: str, element: etree._Element) -> str:
    """Return what separates two numbers that only an element's edge divides."""
    is_raised = element.tag == "sup"
    if len(text.strip()) == 2 and text.strip().isdigit() and (is_raised or is_called_cents(element)):
        return "."
    return " " if is_raised else "_"
