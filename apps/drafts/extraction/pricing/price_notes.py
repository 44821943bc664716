"""Read how often all prices of a site are paid, where no price says so: in a note, on a switch, or as once for all."""

from collections.abc import Iterable, Sequence
from itertools import islice

from lxml import etree

from apps.drafts.extraction.document.document import SNIPPET_CHARACTERS, selector_of
from apps.drafts.extraction.document.lines import Line
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.pricing.price_words import OTHER_AMOUNT, PAID_ONCE, PERIOD, PRICE_NOTE, WHEN_BILLED
from apps.drafts.extraction.pricing.prices import MAX_PRICE_LINE, NOT_OURS, SHORT_LINE, period_of, shows_price

_CHOSEN = frozenset({"active", "selected", "checked", "current", "on", "is-active", "is-selected"})
_STATES = ("aria-selected", "aria-pressed", "aria-checked")


def noted_period(page: ReadPage, lines: Sequence[Line]) -> Find | None:
    """Return the period that a note names ("All prices are per month"), or that a switch shows at first."""
    noted = {period_of(line.text): line for line in lines if _is_note(line.text)}
    if len(noted) == 1:
        ((period, line),) = noted.items()
        return _find(period, page, line)
    labels = [(line, period_of(line.text)) for line in lines if _is_label(line.text)]
    months = [number for number, (_, period) in enumerate(labels) if period == "month"]
    years = [number for number, (_, period) in enumerate(labels) if period == "year"]
    # What a switch shows for a year is often the price of a month, so only the month counts.
    if months and years and months[0] < years[0] and not _is_chosen(labels[years[0]][0].element):
        return _find("month", page, labels[months[0]][0])
    return None


def paid_once(pages: Iterable[ReadPage]) -> Find | None:
    """Return the first line that says there is nothing to pay again."""
    said = (
        _find("once", page, line)
        for page in pages
        for line in page.lines
        if not line.marks & (NOT_OURS - {"faq"}) and len(line.text) <= 200 and PAID_ONCE.search(line.text)
    )
    return next(said, None)


def _find(period: str, page: ReadPage, line: Line) -> Find:
    return Find(period, page, "text", selector_of(line.element), line.text[:SNIPPET_CHARACTERS], 0.7)


def _is_note(text: str) -> bool:
    is_short = len(text) <= MAX_PRICE_LINE and not shows_price(text)
    other = is_short and (WHEN_BILLED.search(text) or OTHER_AMOUNT.search(text))
    return bool(is_short and not other and PRICE_NOTE.search(text) and period_of(text))


def _is_label(text: str) -> bool:
    """Return whether a line is a word for a period, perhaps with what it saves."""
    if len(text) > SHORT_LINE * 2 or not (result := PERIOD.match(text)):
        return False
    rest = text[result.end() :].split()
    return bool(period_of(text)) and (
        not rest or len(rest[0]) <= 3 or "%" in text or OTHER_AMOUNT.search(text) is not None
    )


def _is_chosen(element: etree._Element) -> bool:
    for one in (element, *islice(element.iterancestors(), 1)):
        if any(one.get(state) == "true" for state in _STATES) or one.get("data-state") in _CHOSEN:
            return True
        if _CHOSEN.intersection((one.get("class") or "")[:300].lower().split()):
            return True
    return False
