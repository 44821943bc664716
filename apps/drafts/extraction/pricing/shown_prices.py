"""Find the prices of the product's plans in what pages show or fold away: in their parts about prices and beyond."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, islice, zip_longest

from lxml import etree

from apps.drafts.extraction.document.document import Document
from apps.drafts.extraction.document.lines import Line, heading_of, lines_of
from apps.drafts.extraction.page.read_page import ReadPage
from apps.drafts.extraction.pricing.amounts import MAX_PRICE_LINE, PRICE, cents_of, join_amounts, own_signs
from apps.drafts.extraction.pricing.billing import OTHER_SIDE, billed_around, billed_in
from apps.drafts.extraction.pricing.plan_cards import plan_cards, plan_tables
from apps.drafts.extraction.pricing.price_parts import NOT_OURS, by_topic, sells, with_topics
from apps.drafts.extraction.pricing.price_tables import MAX_COLUMNS, heading_in_table, of_plans, row_of
from apps.drafts.extraction.pricing.price_words import (
    ASKS_COST,
    INTRODUCES,
    LICENSE_FOR_LIFE,
    NOT_PAID_ONCE,
    OTHER_AMOUNT,
    PER_SEAT,
    PERIOD,
    PLAN_COSTS,
    PLAN_NAMES,
    USE,
)
from apps.drafts.extraction.pricing.prices import (
    CONFIDENCE,
    Price,
    Standing,
    is_all_about_price,
    is_paid_once,
    number_of,
    period_of,
    prices_in,
    read_price,
    standing_of,
)
from apps.drafts.extraction.site.page_kinds import kind_of_page
from apps.drafts.extraction.text.cleaning import fold, sentences

MAX_PRICES = 60
MAX_NOTE = 3
MAX_FOLDED = 200
_ROUNDED = 0.02
# How many months' price a year may cost at least.
_FEWEST_MONTHS = 6
_AND_PERIOD = re.compile(
    rf"\s?(?:{PERIOD.pattern})"
    r"(?P<rest>(?:[,;] | )(?:then|plus|including|includes|incl\.|inklusive|inkl\.|dann|puis|luego|poi)\b.+)",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\(([^()]+)\)")
_CLAUSES = re.compile(r"[;,:]\s|\s[–—]\s|\s(?:and|und|et|y|e|en|og|och|i)\s")


def shown_prices(page: ReadPage, lines: Sequence[Line], *, name: str | None) -> Iterator[Price]:
    """Yield prices of plans in the lines of a page's parts about prices."""
    joined = join_amounts(of_plans(lines, name))
    signs = own_signs(page) if joined else {}
    yearly: Price | None = None
    heading = ""
    for number, line in enumerate(joined):
        if heading_of(line.element):
            heading = line.text
        if not PRICE.search(line.text):
            continue
        above = _label_above(joined[number - 1], line) if number else ""
        side = billed_around(line.element, page.document)
        following = joined[number + 1 : number + 1 + MAX_NOTE]
        following = [one for one in following if not side or billed_around(one.element, page.document) in ("", side)]
        below = following[0].text if following and not heading_of(following[0].element) else ""
        labels = (heading_in_table(line.element), above, heading)
        parts = _segments(line.text)
        for at, part in enumerate(parts):
            beneath = parts[at + 1] if at + 1 < len(parts) else below
            # A line with two amounts has one of each side.
            sides = cycle((side, OTHER_SIDE[side]))
            for price in prices_in(replace(line, text=part), page, above=above, below=beneath, signs=signs):
                own_side = next(sides)
                # "$120 a year ($10 a month)" is one price.
                if (
                    yearly
                    and price.period == "month"
                    and abs(yearly.cents / 12 - price.cents) <= price.cents * _ROUNDED
                ):
                    continue
                yearly = price if price.period == "year" else None
                billed = price.billed or _note_below(following, price.cents) or own_side or billed_in(labels[0])
                yield replace(price, billed=billed, number=number_of(labels, f"{part} {beneath}"))


def _label_above(above: Line, line: Line) -> str:
    """Return the text above a price. If it is all about how often one pays, it has to be the price's own heading."""
    is_own = heading_of(above.element) or above.element.getparent() is line.element.getparent()
    return above.text if is_own or not PERIOD.fullmatch(above.text) else ""


def _note_below(lines: Sequence[Line], cents: int) -> str:
    """Return how a price is billed by what stands below it, before the next amount unless that is twelve times this."""
    for line in lines:
        amount = PRICE.search(line.text)
        if amount and cents_of(amount["one"] or amount["two"]) == cents * 12:
            return "year"
        text = line.text[: amount.start()] if amount else line.text
        if (billed := billed_in(text)) and not OTHER_AMOUNT.search(text):
            return billed
        if amount:
            break
    return ""


def folded_prices(page: ReadPage) -> Iterator[Price]:
    """Yield prices that visitors don't see at first, such as those on the other side of a switch."""
    for element in islice(_folded(page.document), MAX_FOLDED):
        lines = [line for line in lines_of(element) if not line.marks & NOT_OURS]
        for price in shown_prices(page, lines, name=None):
            yield replace(price, find=replace(price.find, confidence=CONFIDENCE[Standing.NAMED]))


def told_monthly(page: ReadPage) -> Iterator[Price]:
    """Yield the amounts of notes about paying by the month: "Paying month by month? Team is $12"."""
    signs = own_signs(page)
    for line in page.lines:
        if not line.marks & NOT_OURS and billed_in(line.text) == "month":
            for match in islice(PRICE.finditer(line.text), MAX_COLUMNS):
                if price := read_price(match, line, page, signs=signs, snippet=line.text):
                    find = replace(price.find, confidence=CONFIDENCE[Standing.SENTENCE])
                    yield replace(price, find=find, billed="month", standing=Standing.SENTENCE)


def _folded(document: Document) -> Iterator[etree._Element]:
    """Yield the hidden elements of a page, without those inside of another."""
    walk = etree.iterwalk(document.root, events=("start",))
    for _, element in walk:
        if document.visibility.is_hidden(element):
            yield element
            walk.skip_subtree()


def introduced_prices(page: ReadPage, *, name: str | None) -> Iterator[tuple[Line, Price]]:
    """Yield prices that sentences outside a part about prices introduce: "from $9 a month", "Buy for $79".

    Also those that answer a question about cost. Each comes with the whole line.
    """
    signs = own_signs(page)
    kind = kind_of_page(page)
    asks_cost = False
    for topic, line in with_topics(page, name):
        if line.text.rstrip("# ").endswith("?"):
            asks_cost = ASKS_COST.search(line.text) is not None
        if topic == "others" or line.marks & (NOT_OURS - {"faq"}) or not any(char.isdigit() for char in line.text):
            continue
        if not asks_cost and (kind == "faq" or "faq" in line.marks):
            continue
        for part in _clauses(line.text):
            if OTHER_AMOUNT.search(part) or USE.search(part):
                continue
            is_for_life = LICENSE_FOR_LIFE.search(NOT_PAID_ONCE.sub(" ", part)) or is_paid_once(line.text)
            once = "once" if is_for_life else ""
            for sentence in sentences(part):
                result = list(islice(PRICE.finditer(sentence), 3))
                if _offers_plan(result, line, sentence, name, asks_cost=asks_cost, kind=kind):
                    said = replace(line, text=sentence)
                    yield from ((line, price) for price in _in_passing(result, said, page, once=once, signs=signs))
    yield from _beside_name(page, name, signs=signs)


def _beside_name(page: ReadPage, name: str | None, *, signs: dict[str, str]) -> Iterator[tuple[Line, Price]]:
    """Yield amounts alone in a line: below a heading that begins with the product's name, or above one that sells it.

    Above such a line another one has to tell how often they are paid.
    """
    lines = join_amounts(by_topic(page, name, lambda topic, _: topic != "others"))
    texts = ["", *(line.text for line in lines), "", ""]
    for at, line in enumerate(lines):
        match = PRICE.fullmatch(line.text)
        above, note, button = texts[at], texts[at + 2], texts[at + 3]
        is_named = name and fold(above).startswith(fold(name)) and heading_of(lines[at - 1].element)
        period = period_of(note) if sells(button, name) and len(note) <= MAX_PRICE_LINE else ""
        snippet = f"{above} {line.text}" if is_named else f"{line.text} {note}"
        if match and (period or is_named) and (price := read_price(match, line, page, signs=signs, snippet=snippet)):
            find = replace(price.find, confidence=CONFIDENCE[Standing.NAMED])
            yield line, replace(price, period=period, find=find)


def lone_prices(page: ReadPage, *, name: str | None) -> Iterator[tuple[Line, Price]]:
    """Yield amounts for each user that are alone in their line, or only beside how often they are paid."""
    lines = join_amounts(by_topic(page, name, lambda topic, _: topic != "others"))
    signs = own_signs(page) if lines else {}
    for line, below in zip_longest(lines, lines[1:]):
        if len(line.text) > MAX_PRICE_LINE or not is_all_about_price(line.text) or row_of(line) is not None:
            continue
        beneath = below.text if below and is_all_about_price(below.text) else ""
        if PER_SEAT.search(f"{line.text} {beneath}"):
            for price in prices_in(line, page, above="", below=beneath, signs=signs):
                if price.period and price.standing == Standing.ALONE:
                    find = replace(price.find, confidence=CONFIDENCE[Standing.SENTENCE])
                    yield line, replace(price, find=find)


def _offers_plan(
    matches: "list[re.Match[str]]", line: Line, sentence: str, name: str | None, *, asks_cost: bool, kind: str | None
) -> bool:
    """Return whether a sentence is about the price of a plan. The story of a company has other amounts, too."""
    if not matches or _is_month_or_year(matches, sentence):
        return bool(matches)
    return kind != "about" and (asks_cost or _is_introduced(matches, line, sentence, name))


def _is_introduced(matches: "list[re.Match[str]]", line: Line, sentence: str, name: str | None) -> bool:
    """Return whether a sentence offers its first amount: by its words, a plan's name, or by saying nothing else."""
    before = sentence[: matches[0].start()]
    if INTRODUCES.search(before):
        return True
    if costs := PLAN_COSTS.search(before):
        return fold(costs["name"]) in {*PLAN_NAMES, fold(name or "")} - {""}
    is_alone = not before.strip() and standing_of(sentence) == Standing.ALONE
    return is_alone and (sentence != line.text or len(matches) > 1)


def _is_month_or_year(matches: "list[re.Match[str]]", sentence: str) -> bool:
    """Return whether two amounts are what one plan costs a month or a year: "£6 a month or £60 a year"."""
    if len(matches) != 2:
        return False
    first, second = matches
    periods = period_of(sentence[first.end() : second.start()]), period_of(sentence[second.end() :])
    month, year = (cents_of(match["one"] or match["two"]) or 0 for match in matches)
    return periods == ("month", "year") and month * _FEWEST_MONTHS <= year <= month * 12


def _in_passing(
    matches: "list[re.Match[str]]", line: Line, page: ReadPage, *, once: str, signs: dict[str, str]
) -> Iterator[Price]:
    for at, match in enumerate(matches):
        after = line.text[match.end() : matches[at + 1].start() if at + 1 < len(matches) else None]
        period = period_of(after) or once
        price = read_price(match, line, page, signs=signs, snippet=line.text) if period else None
        if price:
            find = replace(price.find, confidence=CONFIDENCE[Standing.SENTENCE])
            yield replace(price, period=period, standing=Standing.SENTENCE, find=find)


def cards_with_prices(page: ReadPage, *, name: str | None, is_home: bool) -> list[Line]:
    """Return the lines of plans side by side, outside of a part about prices; other pages need a table of plans."""
    lines = by_topic(page, name, lambda topic, _: topic != "others")
    joined = join_amounts(lines)
    signs = own_signs(page)
    priced = []
    for number, line in enumerate(joined):
        below = joined[number + 1].text if number + 1 < len(joined) else ""
        prices = prices_in(line, page, above="", below=below, signs=signs) if len(line.text) <= MAX_PRICE_LINE else ()
        if any(price.period and price.standing > Standing.SENTENCE for price in prices):
            priced.append(line)
    return plan_cards(lines, priced) if is_home else plan_tables(lines, priced)


def _segments(text: str) -> list[str]:
    """Return a short line whole, and the sentences of a longer one. What comes with a plan's price is cut off."""
    parts = [text] if len(text) <= MAX_PRICE_LINE else sentences(text)
    return [part for part in map(_price_at_start, parts) if len(part) <= MAX_PRICE_LINE]


def _price_at_start(text: str) -> str:
    """Return "$29 a month" of "$29 a month, then $5 for each extra seat", any other text whole."""
    amount = PRICE.match(text)
    period = _AND_PERIOD.match(text, amount.end()) if amount else None
    return text[: period.start("rest")] if period else text


def _clauses(text: str) -> list[str]:
    """Return a text's segments, and of longer sentences what is in brackets and the clauses.

    Those that name another amount have no clauses.
    """
    parts = _segments(text)
    for sentence in sentences(text) if len(text) > MAX_PRICE_LINE else ():
        if len(sentence) > MAX_PRICE_LINE:
            clauses = [] if OTHER_AMOUNT.search(sentence) else _CLAUSES.split(sentence)
            parts += [part for part in (*clauses, *_IN_BRACKETS.findall(sentence)) if len(part) <= MAX_PRICE_LINE]
    return parts
