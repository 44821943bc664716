"""Keep text that gives assistants orders, such as "ignore previous instructions", and hidden text out of proposals.

Assistants read drafts, so a page can try to give them orders.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from lxml import etree

from apps.core.html.visibility import Visibility
from apps.drafts.extraction import ReadPage
from apps.drafts.extraction.document.document import UNSEEN, text_of
from apps.drafts.extraction.document.lines import lines_of
from apps.drafts.extraction.text.cleaning import MAX_TEXT, clean, fold
from apps.drafts.proposals.apply_filter import drop
from apps.drafts.proposals.instruction_rules import addresses_assistants

ADDRESSED, HIDDEN = "addressed_to_assistants", "hidden_text"
REASONS = {
    ADDRESSED: "This text gives assistants instructions, so we left it out.",
    HIDDEN: "Visitors can't see this text, so we left it out.",
}
_LEFT_OUT = "The website's text gives assistants instructions or is hidden."
MAX_WARNINGS = 10
# Only these have to be visible, because nothing else is worth hiding.
_SHOWN = frozenset({"name", "headline", "summary", "seo_title", "seo_description", "faqs"})
_MAX_EVENTS = 60_000
# Elements whose text no line has, and attributes that tools read aloud or show.
_UNREAD = UNSEEN - {"script", "style", "head"}
_SPOKEN = ("alt", "title", "aria-label", "placeholder")

_UNSHOWN = re.compile(
    r"font-size:0(?![.\d]*[1-9])|text-indent:-\d{3,}|(?:left|top|right):-\d{3,}"
    r"|clip:rect\(0|(?<![-\w])color:transparent"
)
# An answer may fade in with a click on its question.
_FADED = re.compile(r"opacity:0(?![.\d]*[1-9])")
# Whole sections fade and move in as visitors scroll.
_MOVES_IN = re.compile(r"(?<![-\w])transform:[^;]*translate")
_FOLDED = re.compile(r"display:none|visibility:hidden")
_STRICTEST_FIRST = (_UNSHOWN, _FADED, _FOLDED, None)
# What may hide questions and answers, since visitors open them.
_LATER = (_FOLDED, _FADED)
_TAG = re.compile(r"^<[^<>]*>")
_OPENED = {"faqs": (_FOLDED,), "question": (_FOLDED,), "answer": (_FOLDED, _FADED)}
_WHITE = re.compile(r"^(?:white|#fff(?:f{3}|f{5})?|rgba?\(255,255,255(?:,1)?\))$")
_BLACK = re.compile(r"^(?:black|#000(?:0{3}|0{3}ff)?|rgba?\(0,0,0(?:,1)?\))$")
_MAX_AROUND = 6
_COLORS = re.compile(r"(?<![-\w])(color|background|background-color):([^;!]{1,40})")


def drop_instructions(found: dict[str, Any], pages: Sequence[ReadPage]) -> dict[str, Any]:
    """Return `{fields, evidence, missing, warnings}` without text that addresses assistants.

    Such a value is replaced by its first harmless runner-up, or is in `missing`. Headline, summary and questions also
    have to be visible. A warning has `field` (empty for text that no field would use), `page_url`, `code`, `detail`.
    """
    unseen = _Unseen(pages)

    def objection(name: str, value: Any) -> str:
        texts = list(_texts(value, name))
        if any(addresses_assistants(text) for _, text in texts):
            return ADDRESSED
        if name in _SHOWN and any(unseen.hides(text, besides=_OPENED.get(part, ())) for part, text in texts):
            return HIDDEN
        return ""

    def check(name: str) -> Callable[[Any], bool]:
        return lambda value: not objection(name, value)

    warnings = list(_warnings(found, pages, objection))
    result = drop(found, {name: check(name) for name in found["fields"]}, reason=lambda _: _LEFT_OUT)
    for item in result["evidence"]:
        for reading in (item, *item["runners_up"]):
            if addresses_assistants(reading["snippet"]) or unseen.hides(
                _TAG.sub("", reading["snippet"]), besides=_LATER
            ):
                reading["snippet"] = ""
    return {**result, "warnings": warnings}


def _texts(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Yield each text of a value, with the name of the innermost part that holds it."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        yield from chain.from_iterable(_texts(part, key) for key, part in value.items())
    elif isinstance(value, list):
        yield from chain.from_iterable(_texts(part, name) for part in value)


def _warnings(
    found: Mapping[str, Any], pages: Sequence[ReadPage], objection: Callable[[str, Any], str]
) -> Iterable[dict[str, str]]:
    warned: dict[tuple[str, str], str] = {}
    for item in found["evidence"]:
        name, _, part = item["field"].partition(".")
        entries = found["fields"].get(name)
        whole = [entries[int(part)]] if isinstance(entries, list) and part.isdecimal() else []
        for reading in (item, *item["runners_up"]):
            if code := objection(name, [reading["value"], *whole]):
                warned.setdefault((name, reading["page_url"]), code)
    with_fields = {page_url for _, page_url in warned}
    for page in pages:
        if page.url not in with_fields and addresses_assistants("\n".join(_everything(page))):
            warned["", page.url] = ADDRESSED
    for (name, page_url), code in islice(warned.items(), MAX_WARNINGS):
        yield {"field": name, "page_url": page_url, "code": code, "detail": REASONS[code]}


def _everything(page: ReadPage) -> Iterator[str]:
    """Yield each text of a page that an assistant could read, also what visitors don't see."""
    yield from (line.text for line in lines_of(page.document.root))
    yield clean(page.unseen)
    yield from (meta.content for metas in page.document.metas.values() for meta in metas)
    yield from (text for node in page.document.json_ld.nodes for text in node.values() if isinstance(text, str))
    for element in islice(page.document.root.iter("*"), _MAX_EVENTS):
        yield from (value[:MAX_TEXT] for name in _SPOKEN if (value := element.get(name)))
        if element.tag in _UNREAD:
            yield text_of(element, limit=MAX_TEXT)


class _Unseen:
    """What the pages of a site hide from visitors."""

    def __init__(self, pages: Sequence[ReadPage]) -> None:
        texts: dict[re.Pattern[str] | None, list[str]] = {how: [] for how in _STRICTEST_FIRST}
        for page in pages:
            body = page.document.root.find("body")
            for text, how in _pieces(body, page.document.visibility) if body is not None else ():
                texts[how].append(fold(text))
            texts[None] += [fold(meta.content) for metas in page.document.metas.values() for meta in metas]
            texts[None] += [fold(title.text or "") for title in page.document.root.iter("title")]
        self._shown = "".join(texts.pop(None))
        self._hidden = {how: "".join(pieces) for how, pieces in texts.items()}

    def hides(self, text: str, *, besides: Collection[re.Pattern[str]]) -> bool:
        """Return whether the text is on the pages, but nowhere where visitors see it.

        What a style in `besides` hides, visitors can open.
        """
        key = fold(text)
        is_hidden = any(key in written for how, written in self._hidden.items() if how not in besides)
        return bool(key) and is_hidden and key not in self._shown


def _pieces(body: etree._Element, visibility: Visibility) -> Iterator[tuple[str, re.Pattern[str] | None]]:
    """Yield pieces of text, each with the pattern of the style that hides it, or None."""
    hidden: list[re.Pattern[str] | None] = [None]
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, node in islice(walk, _MAX_EVENTS):
        if event == "start" and node.tag in UNSEEN and node is not body:
            hidden.append(hidden[-1])
            walk.skip_subtree()
        elif event == "start":
            hidden.append(min(hidden[-1], _hiding(node, visibility), key=_STRICTEST_FIRST.index))
            yield node.text or "", hidden[-1]
        else:
            hidden.pop()
            yield node.tail or "", hidden[-1]


def _hiding(element: etree._Element, visibility: Visibility) -> re.Pattern[str] | None:
    style = _style_of(element)
    if _UNSHOWN.search(style) or _is_on_its_color(element, style) or visibility.is_out_of_sight(element):
        return _UNSHOWN
    if _FADED.search(style):
        return _FOLDED if _MOVES_IN.search(style) else _FADED
    return _FOLDED if element.get("hidden") is not None or _FOLDED.search(style) else None


def _style_of(element: etree._Element) -> str:
    return "".join(element.get("style", "")[:2000].lower().split())


def _is_on_its_color(element: etree._Element, style: str) -> bool:
    """Return whether an element's text has the color behind it, which is its own or that of an element around it."""
    colors = {name: _WHITE.sub("#fff", _BLACK.sub("#000", color)) for name, color in _COLORS.findall(style)}
    color = colors.pop("color", "")
    around = islice(element.iterancestors(), _MAX_AROUND) if color and not colors else ()
    for parent in around:
        behind = [value for name, value in _COLORS.findall(_style_of(parent)) if name != "color"]
        if behind:
            colors["background"] = _WHITE.sub("#fff", _BLACK.sub("#000", behind[-1]))
            break
    return bool(color) and color in colors.values()
