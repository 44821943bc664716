"""Tell which elements visitors don't see, by attributes, the page's own style rules, and inactive tabs."""

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import regex
from lxml import etree

MAX_CSS = 200_000
MAX_STYLES = 50

_BRACE = regex.compile(r"[{}]")
_COMMENT = regex.compile(r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/|<!--|-->")
# The selectors that count: tags, classes and ids, alone, of one element, or of some inside others.
_SELECTOR = regex.compile(r"[\w.#>*\s-]{1,200}")
_STEP = regex.compile(r"(?:(?<=\S)\s*(?P<child>>)\s*|(?<=\S)\s+)?(?P<names>[\w.#*-]+)")
_NAME = regex.compile(r"[.#]?[\w-]+")
# What scripts remove from the elements around before visitors see anything.
_BEFORE_SCRIPTS = regex.compile(
    r"\.(?:[\w-]*-)?(?:no-?js|no-?javascript|(?:pre)?loading|preload)(?:-[\w-]*)?", regex.IGNORECASE
)
# Comparing elements with selectors ends after so many steps, because pages of strangers can have any number of both.
_MAX_STEPS = 500_000
_HIDES = regex.compile(
    r"(?<![-\w])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden)"
)
_SHOWS = regex.compile(r"(?<![-\w])(?:display\s*:\s*(?!none)\w|visibility\s*:\s*visible)")
# How style sheets put a text out of sight: by property, the values that do, and those that undo it.
_CONCEALS = tuple(
    (regex.compile(rf"(?<![-\w])(?:{name})\s*:\s*{value}"), regex.compile(rf"(?<![-\w])(?:{name})\s*:\s*(?!{value})"))
    for name, value in (
        ("font-size", r"0(?:\.0+)?(?:[a-z%]{1,4})?\s*(?:[;!}]|$)"),
        ("text-indent", r"-\d{3,}"),
        ("left|top|right", r"-\d{4,}"),
    )
)
# Utility classes of common style sheets, which pages don't contain themselves.
_HIDING_CLASSES = frozenset({"hidden", "hide", "d-none", "invisible", "is-hidden", "u-hidden", "w-condition-invisible"})
# Such a class only counts without another that shows the element on larger screens: `hidden md:block`, `d-md-flex`.
# One for paper, or for a moment such as `hover:block`, doesn't.
_SHOWING_CLASS = regex.compile(
    r"""^(?!(?:[\w-]+:)*(?:print|(?:group-|peer-)?(?:active|checked|focus|hover|open)[\w-]*):)[\w@.\[\]-]+(?::[\w-]+)*
    :!?(?:block|contents|flex|flow-root|grid|inline|inline-\w+|list-item|table|table-\w+|visible)!?$
    |^d-(?!print-)\w+-(?!none)\w+""",
    regex.VERBOSE,
)
_WHOLE = frozenset({"html", "body", "main", "head"})
# Browsers show something else in their place than their content.
_REPLACED = frozenset({"template", "audio", "canvas", "datalist", "iframe", "noembed", "noframes", "video"})
# Media and rules with a condition that every visitor with a screen meets.
_ON_SCREENS = regex.compile(r"\s*(?:only\s+)?(?:all|screen)?\s*", regex.IGNORECASE)
_FOR_ALL = regex.compile(
    r"@layer\b.*|@supports\b(?!\s*not\b).*|@media\s+(?:only\s+)?(?:all|screen)", regex.IGNORECASE | regex.DOTALL
)
_INACTIVE = frozenset({"inactive", "closed"})
# Classes of tab panels, each with those that make one visible.
_PANELS = {"tab-pane": {"active", "show"}, "w-tab-pane": {"w--tab-active"}, "tab-panel": {"active", "is-active"}}


class _Rule(NamedTuple):
    """A style rule that hides or shows elements.

    `steps` are the names that an element must have, then those of elements around it, outwards, each with whether it
    must be the very next one. Of several rules that match, the one with the greatest `weight` counts.
    """

    steps: tuple[tuple[frozenset[str], bool], ...]
    hides: bool
    weight: tuple[int, ...]


class Visibility:
    """What the visitors of one page don't see at first."""

    def __init__(self, root: etree._Element) -> None:
        self._root = root
        self._hides: dict[etree._Element, bool] = {}
        self._steps_left = _MAX_STEPS

    def hides(self, element: etree._Element) -> bool:
        """Return whether an element or one around it is hidden, or folded. Screen reader text counts as visible."""
        unknown: list[etree._Element] = []
        known: etree._Element | None = element
        while known is not None and known not in self._hides:
            unknown.append(known)
            known = known.getparent()
        is_hidden = known is not None and self._hides[known]
        for inner in reversed(unknown):
            is_hidden = self._hides[inner] = is_hidden or self.is_hidden(inner) or _is_folded(inner)
        return is_hidden

    def is_hidden(self, element: etree._Element) -> bool:
        """Return whether an element itself is hidden."""
        if element.tag in _WHOLE or not isinstance(element.tag, str):
            return False
        if element.tag in _REPLACED or (element.tag == "dialog" and element.get("open") is None):
            return True
        if not element.attrib and not self._styled:
            return False
        if element.get("hidden") is not None or element.get("popover") is not None:
            return True
        # Shops hide the new price beside the old one from screen readers, which get both as a sentence.
        if (element.get("aria-hidden") or "").strip().lower() == "true" and element.tag != "ins":
            return True
        style = (element.get("style") or "")[:2000].lower()
        if _HIDES.search(style):
            return True
        classes = set((element.get("class") or "")[:2000].split())
        is_hidden = not _SHOWS.search(style) and self._is_hidden_by_style(element, classes)
        return is_hidden or self._is_inactive(element, classes)

    def is_out_of_sight(self, element: etree._Element) -> bool:
        """Return whether style sheets shrink an element's text to nothing or move it off the page.

        Blank parents of text that has a size are not, as in rows without gaps.
        """
        names = _names_of(element) if self._concealing else frozenset()
        for styled in self._concealing:
            if self._decides(styled, element, names):
                inner = islice(element.iterdescendants("*"), 50)
                return not any(names_inside & styled.keys() for names_inside in map(_names_of, inner))
        return False

    def _decides(self, styled: dict[str, list[_Rule]], element: etree._Element, names: frozenset[str]) -> bool:
        """Return whether the rule that counts for an element hides it."""
        if self._steps_left < 0:
            return False
        rules = [rule for name in names & styled.keys() for rule in styled[name]]
        result = [rule for rule in rules if self._matches(rule, element, names)]
        return bool(result) and max(result, key=lambda rule: rule.weight).hides

    def _is_hidden_by_style(self, element: etree._Element, classes: set[str]) -> bool:
        if classes & _HIDING_CLASSES and not any(map(_SHOWING_CLASS.match, classes)):
            return True
        return self._decides(self._styled, element, _names_of(element))

    def _matches(self, rule: _Rule, element: etree._Element, names: frozenset[str]) -> bool:
        (own, is_next), *around = rule.steps
        self._steps_left -= 1
        if self._steps_left < 0 or not own <= names:
            return False
        outer = element.getparent()
        while around and outer is not None and self._steps_left > 0:
            wanted, comes_next = around[0]
            outer_names = _names_of(outer)
            self._steps_left -= 1 + len(outer_names) // 10
            if wanted <= outer_names:
                around.pop(0)
                is_next = comes_next
            elif is_next:
                return False
            outer = outer.getparent()
        return not around

    def _is_inactive(self, element: etree._Element, classes: set[str]) -> bool:
        if element.get("role") == "tabpanel" or "tab" in " ".join(classes):
            if element.get("data-state") in _INACTIVE or element.get("data-active") == "false":
                return True
            if any(panel in classes and not classes & active for panel, active in _PANELS.items()):
                return True
        names = {element.get("id"), element.get("aria-labelledby")}
        return element.get("role") == "tabpanel" and not names.isdisjoint(self._unselected_tabs)

    @cached_property
    def _unselected_tabs(self) -> frozenset[str]:
        """The ids of unselected tabs, and of their panels."""
        tabs = islice(self._root.iterfind('.//*[@aria-selected="false"]'), 1000)
        return frozenset(name for tab in tabs for name in (tab.get("id"), tab.get("aria-controls")) if name)

    @cached_property
    def _styled(self) -> dict[str, list[_Rule]]:
        """The rules of the page's style sheets that hide or show elements, by a name that those elements have."""
        return self._rules_that(_HIDES, _SHOWS)

    @cached_property
    def _concealing(self) -> list[dict[str, list[_Rule]]]:
        """The same for each way to put text out of sight."""
        return [styled for hides, shows in _CONCEALS if (styled := self._rules_that(hides, shows))]

    def _rules_that(self, hiding: "regex.Pattern[str]", showing: "regex.Pattern[str]") -> dict[str, list[_Rule]]:
        styled: dict[str, list[_Rule]] = {}
        hides_any, order = False, 0
        for selectors, body, is_conditional in self._rules():
            hides = hiding.search(body) is not None
            if (hides and is_conditional) or not (hides or showing.search(body)):
                continue
            hides_any = hides_any or hides
            for one in selectors.split(",")[:50]:
                order += 1
                if rule := _rule_of(one.strip(), body, hides=hides, is_conditional=is_conditional, order=order):
                    # Sorting takes the rarest name: an id, then a class.
                    styled.setdefault(min(rule.steps[0][0]), []).append(rule)
        return styled if hides_any else {}

    def _rules(self) -> Iterator[tuple[str, str, bool]]:
        """Yield the selectors and declarations of each style rule, and whether only some visitors get it."""
        room = MAX_CSS
        for style in islice(self._root.iter("style"), MAX_STYLES):
            css = (style.text or "")[:room]
            room -= len(css)
            if (style.get("type") or "text/css").strip().lower() == "text/css":
                yield from _rules_of(css, is_conditional=not _ON_SCREENS.fullmatch(style.get("media") or ""))


def _rules_of(css: str, *, is_conditional: bool) -> Iterator[tuple[str, str, bool]]:
    css = _COMMENT.sub(" ", css)
    # The open heads, innermost last, each with whether only some visitors get what is inside.
    heads = [("", is_conditional)]
    at = 0
    for brace in _BRACE.finditer(css):
        piece, at = css[at : brace.start()], brace.end()
        if brace[0] == "{":
            head = piece.rsplit(";", 1)[-1].strip()
            heads.append((head, heads[-1][1] or not _FOR_ALL.fullmatch(head)))
        elif len(heads) > 1:
            head, _ = heads.pop()
            if not head.startswith("@"):
                yield head, piece.lower(), heads[-1][1]


def _rule_of(selector: str, body: str, *, hides: bool, is_conditional: bool, order: int) -> _Rule | None:
    """Return the rule of a selector, or None for one that doesn't count."""
    if not _SELECTOR.fullmatch(selector):
        return None
    steps, is_next = list[tuple[frozenset[str], bool]](), False
    for step in reversed(list(_STEP.finditer(selector))):
        names = frozenset(name if name[0] in ".#" else name.lower() for name in _NAME.findall(step["names"]))
        is_next = step["child"] is not None
        steps.append((names, is_next))
    if not steps or not steps[0][0]:
        return None
    if hides and any(_BEFORE_SCRIPTS.fullmatch(name) for names, _ in steps[1:] for name in names):
        return None
    kinds = [name[0] for names, _ in steps for name in names]
    specificity = (kinds.count("#"), kinds.count("."), len(kinds))
    # What is shown to some visitors isn't hidden, whatever else says so.
    return _Rule(tuple(steps), hides, (int(is_conditional), int("!important" in body), *specificity, order))


def _names_of(element: etree._Element) -> frozenset[str]:
    """Return the names that selectors have for an element: `div`, `.class` and `#id`."""
    names = [f".{name}" for name in (element.get("class") or "")[:2000].split()]
    if id_ := element.get("id"):
        names.append(f"#{id_}")
    return frozenset([*names, str(element.tag)])


def _is_folded(element: etree._Element) -> bool:
    """Return whether an element is in a closed `details`. Its text may still be an answer, so it isn't hidden."""
    parent = element.getparent()
    return parent is not None and parent.tag == "details" and parent.get("open") is None and element.tag != "summary"
