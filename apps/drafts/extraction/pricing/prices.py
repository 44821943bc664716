"""Tell what an amount in a line is: the price of a plan and how often it is paid, or another amount."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import islice

from lxml import etree

from apps.drafts.extraction.document.document import selector_of
from apps.drafts.extraction.document.lines import Line, heading_of
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.pricing.amounts import MAX_PRICE_LINE, PRICE, cents_of
from apps.drafts.extraction.pricing.billing import billed_in
from apps.drafts.extraction.pricing.price_tables import heading_in_table
from apps.drafts.extraction.pricing.price_words import (
    AROUND_PRICE,
    CREDITS,
    CURRENCIES,
    EACH_OF_SEVERAL,
    EXTRA_ABOVE,
    FOR_ONE,
    FOR_SEVERAL,
    FREE_FOR_SOME,
    INTRODUCTORY,
    NOT_PAID_ONCE,
    OTHER_AMOUNT,
    PAID_ONCE,
    PERIOD,
    PERIODS,
    RESTATES,
    USE,
    USED_THING,
)
from apps.drafts.extraction.text.cleaning import is_dense, weight_of

SHORT_LINE = 24


class Standing(IntEnum):
    """How clearly a text is a plan's price: the price alone, a name with it, or a sentence about it."""

    SENTENCE = 1
    NAMED = 2
    ALONE = 3


CONFIDENCE = {Standing.ALONE: 0.9, Standing.NAMED: 0.75, Standing.SENTENCE: 0.6}


@dataclass(frozen=True)
class Price:
    """A visible or declared amount. `period` is day, week, month, year or once, or empty where nothing says it.

    `is_plain` is true when nothing says how often or for whom it is paid. `billed` is month or year, where a price a
    month is said to be billed that way. `number` is one or several, where a plan is for one of what several cost less
    each. A declared amount has no `element`.
    """

    cents: int
    currency: str
    find: Find
    period: str = ""
    is_plain: bool = False
    billed: str = ""
    number: str = ""
    standing: Standing = Standing.ALONE
    element: etree._Element | None = None


def is_all_about_price(text: str) -> bool:
    """Return whether a text has nothing but amounts and the small words around them."""
    rest = AROUND_PRICE.sub(" ", PERIOD.sub(" ", PRICE.sub(" ", text)))
    return not any(map(str.isalnum, rest))


def prices_in(line: Line, page: ReadPage, *, above: str, below: str, signs: dict[str, str]) -> Iterator[Price]:
    """Yield the prices of plans in a line, by its words, those above and below, and the heads of its table."""
    text = line.text
    result = list(islice(PRICE.finditer(text), 5))
    if not result or len(result) > 2 or OTHER_AMOUNT.search(text):
        return
    if len(above) <= SHORT_LINE and EXTRA_ABOVE.search(above):
        return
    beneath = below if len(below) <= MAX_PRICE_LINE else ""
    heading = heading_in_table(line.element)
    if USE.search(text) or USE.match(beneath.strip()) or USE.search(heading) or EXTRA_ABOVE.search(heading):
        return
    label = above if PERIOD.fullmatch(above) else ""
    is_paid_often = any(map(PERIOD.search, (text, heading, beneath, label)))
    if not is_paid_often and (USED_THING.search(text) or USED_THING.match(beneath.strip())):
        return
    standing = standing_of(text)
    # A plan's heading may have its name and its price: "Member, $9 a month or $90 a year".
    if standing == Standing.NAMED and heading_of(line.element):
        standing = Standing.ALONE
    if standing == Standing.SENTENCE and not (is_paid_often and PERIOD.search(text)):
        return
    is_pack = not is_paid_often and any(map(CREDITS.fullmatch, (above, beneath.strip())))
    snippet = text if PERIOD.search(text) or not is_paid_often else f"{heading} {text} {beneath}".strip()
    for at, match in enumerate(result):
        after = text[match.end() : result[at + 1].start() if at + 1 < len(result) else None]
        before = text[result[at - 1].end() if at else 0 : match.start()]
        own = period_of(before) if is_dense(before) else ""
        said = (own, *map(period_of, (after, text, heading, beneath, label)), "once" if is_pack else "")
        period = next(filter(None, said), "")
        price = read_price(match, line, page, signs=signs, snippet=snippet)
        is_other = _is_introductory(before, after, beneath) or RESTATES.search(before)
        is_for_some = price and not price.cents and FREE_FOR_SOME.search(above)
        if price and not (is_other or is_for_some):
            is_plain = not (is_paid_often or is_pack) and price.cents > 0
            yield replace(
                price, period=period, is_plain=is_plain, billed=billed_in(after) or billed_in(before), standing=standing
            )


def _is_introductory(before: str, after: str, beneath: str) -> bool:
    """Return whether an amount is only paid at first: "$1 for the first month", "First month $1"."""
    result = INTRODUCTORY.search(before)
    is_before = result is not None and not before[result.end() :].strip(" :,–—-")
    return is_before or any(map(INTRODUCTORY.match, (after, beneath)))


def standing_of(text: str) -> Standing:
    """Return how clearly a text with an amount is a plan's price."""
    rest = AROUND_PRICE.sub(" ", PERIOD.sub(" ", PRICE.sub(" ", text)))
    words = [word for word in re.findall(r"[^\W\d_]+", rest) if len(word) > 1]
    much = weight_of(rest.strip()) - len(rest.strip())
    if len(words) <= 1 and much <= 8:
        return Standing.ALONE
    return Standing.NAMED if len(words) <= 3 and not _ABOUT.search(rest) else Standing.SENTENCE


_ABOUT = re.compile(r"\b(?:for|with|each|extra|add|plus|more|für|pour|para|per|voor)\b", re.IGNORECASE)


def number_of(labels: Iterable[str], text: str) -> str:
    """Return whether a plan's labels say that it is for one, or for several that its text tells the price of each."""
    for label in labels:
        if FOR_ONE.match(label):
            return "one"
        if FOR_SEVERAL.search(label) and EACH_OF_SEVERAL.search(f"{label} {text}"):
            return "several"
    return ""


def period_of(text: str) -> str:
    """Return the first period that a text names."""
    text = NOT_PAID_ONCE.sub(" ", text)
    places = {period: result.start() for period, words in PERIODS if (result := words.search(text))}
    return min(places, key=lambda period: places[period]) if places else ""


def is_paid_once(text: str) -> bool:
    """Return whether a text says that there is nothing to pay again."""
    return PAID_ONCE.search(NOT_PAID_ONCE.sub(" ", text)) is not None


def read_price(
    match: "re.Match[str]", line: Line, page: ReadPage, *, signs: dict[str, str], snippet: str
) -> Price | None:
    sign = match["code"] if match["code"] in CURRENCIES else match["before"] or match["after"]
    currency = signs.get(CURRENCIES[sign], CURRENCIES[sign])
    cents = cents_of(match["one"] or match["two"])
    if cents is None or not currency:
        return None
    find = Find(str(cents), page, "text", selector_of(line.element), snippet, 0.0)
    return Price(cents, currency, find, element=line.element)
