"""Read how often all prices of a site are paid, where no price says so: in a note, on a switch, or as once for all."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from lxml import etree

from apps.drafts.extraction.document.document import SNIPPET_CHARACTERS, selector_of
from apps.drafts.extraction.document.lines import Line, heading_of
from apps.drafts.extraction.page.read_page import Find, ReadPage, finds_of
from apps.drafts.extraction.pricing.amounts import MAX_PRICE_LINE, shows_price
from apps.drafts.extraction.pricing.price_words import (
    NOT_PAID_ONCE,
    OTHER_AMOUNT,
    PAYS_ONCE,
    PERIOD,
    PRICE_NOTE,
    WHEN_BILLED,
)
from apps.drafts.extraction.pricing.prices import SHORT_LINE, Price, is_paid_once, period_of

_CHOSEN = frozenset({"active", "selected", "checked", "current", "on", "is-active", "is-selected"})
_NOT_SAID = frozenset({"quote", "struck", "nav", "versus", "notice"})
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


def paid_once(page: ReadPage, lines: Sequence[Line], prices: Sequence[Price]) -> Find | None:
    """Return the line of the first price's plan, or the heading above all plans, that says there is no more to pay.

    `lines` are those of the page's part about prices.
    """
    priced = {price.element for price in prices if price.element is not None}
    places = [at for at, line in enumerate(lines) if line.element in priced]
    place = next((at for at in places if lines[at].element is prices[0].element), None)
    if place is None:
        return None
    said = (*_plan_around(place, lines, priced), *(line for line in lines[: places[0]] if heading_of(line.element)))
    return next((_find("once", page, line) for line in said if is_paid_once(line.text) or _is_lifetime(line)), None)


def said_once(page: ReadPage) -> Find | None:
    """Return what a page says of the product as a whole, in its description or a statement: "bought once"."""
    told = (find for find in finds_of(page.facts.description, page) if period_of(find.value) == "once")
    lines = (line for line in page.lines if not line.marks & _NOT_SAID and not line.text.rstrip("# ").endswith("?"))
    said = (_find("once", page, line) for line in lines if PAYS_ONCE.search(NOT_PAID_ONCE.sub(" ", line.text)))
    result = next(chain((replace(find, value="once") for find in told), said), None)
    return replace(result, confidence=0.6) if result else None


def _is_lifetime(line: Line) -> bool:
    """Return whether a plan is called "Lifetime" or the like."""
    return bool(heading_of(line.element)) and len(line.text) <= SHORT_LINE and period_of(line.text) == "once"


def _plan_around(place: int, lines: Sequence[Line], priced: Collection[etree._Element]) -> Iterator[Line]:
    """Yield the lines from a price's heading to the next plan's heading, without lines beside other prices."""
    own = {*_from(lines[place].element)}
    others = {element for one in priced for element in _from(one)} - own
    level = "h2"
    for line in reversed(lines[: place + 1]):
        if not others.isdisjoint(_from(line.element)):
            break
        yield line
        if heading := heading_of(line.element):
            level = max(level, heading)
            break
    for line in lines[place + 1 :]:
        heading = heading_of(line.element)
        if (heading and heading <= level) or not others.isdisjoint(_from(line.element)):
            return
        yield line


def _from(element: etree._Element) -> Iterator[etree._Element]:
    """Yield an element and those around it, outwards."""
    yield element
    yield from element.iterancestors()


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
