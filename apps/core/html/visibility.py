"""Tell which elements visitors don't see, by attributes, the page's own style rules, and inactive tabs."""

from collections.abc import Iterator
from functools import cached_property
from itertools import islice

import regex
from lxml import etree

MAX_CSS = 200_000
MAX_STYLES = 50

_BRACE = regex.compile(r"[{}]")
_COMMENT = regex.compile(r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/")
_SIMPLE = regex.compile(r"^[a-z]*([.#][\w-]+)$|^([a-z][a-z0-9-]*)$", regex.IGNORECASE)
_HIDES = regex.compile(
    r"(?<![-\w])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden)"
)
_SHOWS = regex.compile(r"(?<![-\w])(?:display\s*:\s*(?!none)\w|visibility\s*:\s*visible)")
# Utility classes of common style sheets, which pages don't contain themselves.
_HIDING_CLASSES = frozenset({"hidden", "hide", "d-none", "invisible", "is-hidden", "u-hidden", "w-condition-invisible"})
# Such a class only counts without another that shows the element on larger screens: `hidden md:block`, `d-md-flex`.
_SHOWING_CLASS = regex.compile(
    r"^[\w-]+:(?:block|flex|grid|inline|inline-block|inline-flex|contents|table|visible)$|^d-\w+-(?!none)\w+"
)
_WHOLE = frozenset({"html", "body", "main", "head"})
_INACTIVE = frozenset({"inactive", "closed"})
# Classes of tab panels, each with those that make one visible.
_PANELS = {"tab-pane": {"active", "show"}, "w-tab-pane": {"w--tab-active"}, "tab-panel": {"active", "is-active"}}


class Visibility:
    """What the visitors of one page don't see at first."""

    def __init__(self, root: etree._Element) -> None:
        self._root = root
        self._hides: dict[etree._Element, bool] = {}

    def hides(self, element: etree._Element) -> bool:
        """Return whether an element or one around it is hidden. Screen reader text counts as visible."""
        unknown: list[etree._Element] = []
        known: etree._Element | None = element
        while known is not None and known not in self._hides:
            unknown.append(known)
            known = known.getparent()
        is_hidden = known is not None and self._hides[known]
        for inner in reversed(unknown):
            is_hidden = self._hides[inner] = is_hidden or self.is_hidden(inner)
        return is_hidden

    def is_hidden(self, element: etree._Element) -> bool:
        """Return whether an element itself is hidden."""
        if element.tag in _WHOLE or not isinstance(element.tag, str):
            return False
        if element.tag == "template" or (element.tag == "dialog" and element.get("open") is None):
            return True
        if not element.attrib and not self._hidden_names:
            return False
        if element.get("hidden") is not None or element.get("popover") is not None:
            return True
        if (element.get("aria-hidden") or "").strip().lower() == "true":
            return True
        if _HIDES.search((element.get("style") or "")[:2000].lower()):
            return True
        classes = set((element.get("class") or "")[:2000].split())
        return self._is_hidden_by_style(element, classes) or self._is_inactive(element, classes)

    def _is_hidden_by_style(self, element: etree._Element, classes: set[str]) -> bool:
        if classes & _HIDING_CLASSES and not any(map(_SHOWING_CLASS.match, classes)):
            return True
        names = {f".{name}" for name in classes} | {str(element.tag)}
        if name := element.get("id"):
            names.add(f"#{name}")
        return bool(names & self._hidden_names)

    def _is_inactive(self, element: etree._Element, classes: set[str]) -> bool:
        if element.get("role") == "tabpanel" or "tab" in " ".join(classes):
            if element.get("data-state") in _INACTIVE or element.get("data-active") == "false":
                return True
            if any(panel in classes and not classes & active for panel, active in _PANELS.items()):
                return True
        return element.get("role") == "tabpanel" and (element.get("aria-labelledby") or "") in self._unselected_tabs

    @cached_property
    def _unselected_tabs(self) -> frozenset[str]:
        tabs = islice(self._root.iterfind('.//*[@aria-selected="false"]'), 1000)
        return frozenset(name for tab in tabs if (name := tab.get("id")))

    @cached_property
    def _hidden_names(self) -> frozenset[str]:
        """Classes, ids and tags that a rule of the page's style sheets hides, and no other rule shows."""
        hidden: set[str] = set()
        shown: set[str] = set()
        for selectors, body, is_nested in self._rules():
            names = {
                found[1] or found[2].lower()
                for one in selectors.split(",")[:50]
                if (found := _SIMPLE.match(one.strip()))
            }
            if _HIDES.search(body):
                hidden |= set() if is_nested else names
            elif _SHOWS.search(body):
                shown |= names
        return frozenset(hidden - shown)

    def _rules(self) -> Iterator[tuple[str, str, bool]]:
        """Yield the selectors and declarations of each style rule, and whether it is inside a rule such as @media."""
        css = "\n".join((style.text or "")[:MAX_CSS] for style in islice(self._root.iter("style"), MAX_STYLES))
        css = _COMMENT.sub(" ", css[:MAX_CSS])
        heads: list[str] = []
        at = 0
        for brace in _BRACE.finditer(css):
            piece, at = css[at : brace.start()], brace.end()
            if brace[0] == "{":
                heads.append(piece.rsplit(";", 1)[-1].strip())
            elif heads:
                head = heads.pop()
                if not head.startswith("@"):
                    yield head, piece.lower(), bool(heads)
