"""Find the prices of the product's plans: visible ones, and those declared for machines."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import IntEnum
from functools import partial
from itertools import cycle, islice, zip_longest
from typing import Any

from lxml import etree
from price_parser import Price as ParsedPrice

from apps.core.text.currencies import CURRENCIES as KNOWN
from apps.core.web.urls import host_of
from apps.drafts.extraction.document import microdata
from apps.drafts.extraction.document.document import Document, selector_of, text_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, Json, Node, strings, types_of
from apps.drafts.extraction.document.lines import Line, heading_of, is_called_cents, lines_of
from apps.drafts.extraction.document.titles import domain_fit
from apps.drafts.extraction.page.facts import Source
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.pricing.billing import OTHER_SIDE, billed_around, billed_in
from apps.drafts.extraction.pricing.plan_cards import is_of_plans, plan_cards, plan_tables
from apps.drafts.extraction.pricing.price_words import (
    AROUND_PRICE,
    ASKS_COST,
    BUYS,
    CREDITS,
    CURRENCIES,
    DASHED,
    EXTRA_ABOVE,
    FREE_FOR_SOME,
    INTRODUCES,
    INTRODUCTORY,
    LICENSE_FOR_LIFE,
    NOT_PAID_ONCE,
    OTHER_AMOUNT,
    OTHER_DOLLARS,
    OTHER_PART,
    OWN_CROWNS,
    OWN_DOLLARS,
    PAID_ONCE,
    PER_SEAT,
    PERIOD,
    PERIODS,
    PLAN_COSTS,
    PLAN_NAMES,
    PRICE_ROW,
    PRICES_PART,
    RESTATES,
    USE,
    USED_THING,
)
from apps.drafts.extraction.site.page_kind_words import KIND_OF
from apps.drafts.extraction.site.page_kinds import kind_of_page
from apps.drafts.extraction.text.cleaning import clean, fold, in_western_digits, is_dense, sentences, weight_of

MAX_PRICE_LINE = 80
MAX_PRICES = 60
MAX_OFFERS = 20
MAX_CENTS = 10**9
MAX_HEADING = 80
SHORT_LINE = 24
MAX_COLUMNS = 20
MAX_NOTE = 3
MAX_FOLDED = 200
_ROUNDED = 0.02
_MAX_CLIMB = 60
# A space divides thousands only where nothing that is counted may follow: not in "$9 100 contacts".
_DIGITS = (
    r"\d{{1,3}}(?:[.,'’]\d{{3}}){{1,3}}(?:[.,]\d{{1,2}})?|\d{{1,3}}(?: \d{{3}}){{1,3}}(?:,\d{{1,2}})?{1}|"
    r"\d{{1,7}}(?:[.,]\d{{1,2}})?"
)
_NUMBER = rf"(?P<{{0}}>{_DIGITS})(?![\d_%]|[.,]\d|\s?(?:k|m|bn|million|billion)\b)"
_SIGNS = "|".join(re.escape(sign) for sign in sorted(CURRENCIES, key=len, reverse=True))
# Languages without spaces put text directly beside an amount.
_SPACED = r"[^\W\u3005\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
_NOT_COUNTING = r"(?!\s?(?!(?:per|pr|par|pro|por|i|al|na|za|[A-Z]{3})\b)[^\W\d_])"
_PRICE = re.compile(
    rf"(?<![$.,])(?<!{_SPACED})(?![:,]-)(?P<before>{_SIGNS})\s?{_NUMBER.format('one', _NOT_COUNTING)}"
    r"(?:\s?(?P<code>[A-Z]{3})\b)?"
    rf"|(?<![$.,])(?<!{_SPACED}){_NUMBER.format('two', '')}(?:[.,][-–—]{{1,2}})?\s?(?P<after>{_SIGNS})"
    rf"(?:(?!{_SPACED})|(?=(?i:{PERIOD.pattern})))"
)
_SIGN_AND_PERIOD = re.compile(
    rf"(?!\$$)(?:{_SIGNS})\s?(?:(?:HT|TTC|netto|brutto)\s)?(?:/ ?)?(?:$|(?i:{PERIOD.pattern}))"
)
# Cents on their own line, or a dash instead of them.
_CENTS_BELOW = re.compile(r"[.,](?:[-–—]{1,2}$|\d\d(?!\d))")
_WHOLE = re.compile(rf"(?:{_SIGNS})?\s?\d{{1,4}}")
_PRODUCT_TYPES = APPLICATION_TYPES | {"product", "service"}
NOT_OURS = frozenset({"quote", "struck", "nav", "footer", "faq", "versus", "notice", "cart"})
_SECTION = re.compile(
    r"(?<![a-z])(?:pricing|prices|plans|preise|tarife|tarifs?|cennik|priser|prijzen|precios|planes|planos|prezzi|tariffe|price-?(?:table|list|box|"
    r"grid|card)s?)(?![a-z])"
)
_NAMES = ("class", "id", "data-framer-name")


_CLAUSES = re.compile(r"[;,:]\s|\s[–—]\s|\s(?:and|und|et|y|e|en|og|och|i)\s")


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
    month is said to be billed that way. A declared amount has no `element`.
    """

    cents: int
    currency: str
    find: Find
    period: str = ""
    is_plain: bool = False
    billed: str = ""
    standing: Standing = Standing.ALONE
    element: etree._Element | None = None


def shown_prices(page: ReadPage, lines: Sequence[Line], *, name: str | None) -> Iterator[Price]:
    """Yield prices of plans in the lines of a page's parts about prices."""
    joined = _joined(_of_plans(lines, name))
    signs = _own_signs(page) if joined else {}
    yearly: Price | None = None
    for number, line in enumerate(joined):
        if not _PRICE.search(line.text):
            continue
        above = _label_above(joined[number - 1], line) if number else ""
        side = billed_around(line.element, page.document)
        following = joined[number + 1 : number + 1 + MAX_NOTE]
        following = [one for one in following if not side or billed_around(one.element, page.document) in ("", side)]
        below = following[0].text if following and not heading_of(following[0].element) else ""
        parts = _segments(line.text)
        for at, part in enumerate(parts):
            beneath = parts[at + 1] if at + 1 < len(parts) else below
            # A line with two amounts has one of each side.
            sides = cycle((side, OTHER_SIDE[side]))
            for price in _prices_in(replace(line, text=part), page, above=above, below=beneath, signs=signs):
                own_side = next(sides)
                # "$120 a year ($10 a month)" is one price.
                if (
                    yearly
                    and price.period == "month"
                    and abs(yearly.cents / 12 - price.cents) <= price.cents * _ROUNDED
                ):
                    continue
                yearly = price if price.period == "year" else None
                billed = price.billed or _note_below(following, price.cents) or own_side
                yield replace(price, billed=billed)


def _label_above(above: Line, line: Line) -> str:
    """Return the text above a price. If it is all about how often one pays, it has to be the price's own heading."""
    is_own = heading_of(above.element) or above.element.getparent() is line.element.getparent()
    return above.text if is_own or not PERIOD.fullmatch(above.text) else ""


def _note_below(lines: Sequence[Line], cents: int) -> str:
    """Return how a price is billed by what stands below it, before the next amount unless that is twelve times this."""
    for line in lines:
        amount = _PRICE.search(line.text)
        if amount and _cents(amount["one"] or amount["two"]) == cents * 12:
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
    signs = _own_signs(page)
    is_faq = kind_of_page(page) == "faq"
    asks_cost = False
    for topic, line in with_topics(page, name):
        if line.text.rstrip("# ").endswith("?"):
            asks_cost = ASKS_COST.search(line.text) is not None
        if topic == "others" or line.marks & (NOT_OURS - {"faq"}) or not any(char.isdigit() for char in line.text):
            continue
        if not asks_cost and (is_faq or "faq" in line.marks):
            continue
        for part in _clauses(line.text):
            if OTHER_AMOUNT.search(part) or USE.search(part):
                continue
            is_for_life = LICENSE_FOR_LIFE.search(NOT_PAID_ONCE.sub(" ", part)) or is_paid_once(line.text)
            once = "once" if is_for_life else ""
            for sentence in sentences(part):
                result = list(islice(_PRICE.finditer(sentence), 3))
                if result and (asks_cost or _is_introduced(result, part, sentence, name)):
                    said = replace(line, text=sentence)
                    yield from ((line, price) for price in _in_passing(result, said, page, once=once, signs=signs))
    yield from _beside_buying(page, name, signs=signs)


def _beside_buying(page: ReadPage, name: str | None, *, signs: dict[str, str]) -> Iterator[tuple[Line, Price]]:
    """Yield amounts alone in a line above one that tells how often they are paid, and one that sells the product."""
    lines = [line for topic, line in with_topics(page, name) if topic != "others" and not line.marks & NOT_OURS]
    for line, note, button in zip(lines, lines[1:], lines[2:], strict=False):
        match = _PRICE.fullmatch(line.text) if _sells(button.text, name) else None
        period = period_of(note.text) if match and len(note.text) <= MAX_PRICE_LINE else ""
        if match and period and (price := _price(match, line, page, signs=signs, snippet=f"{line.text} {note.text}")):
            find = replace(price.find, confidence=CONFIDENCE[Standing.NAMED])
            yield line, replace(price, period=period, find=find)


def lone_prices(page: ReadPage, *, name: str | None) -> Iterator[tuple[Line, Price]]:
    """Yield amounts for each user that are alone in their line, or only beside how often they are paid."""
    lines = _joined(_by_topic(page, name, lambda topic, _: topic != "others"))
    signs = _own_signs(page) if lines else {}
    for line, below in zip_longest(lines, lines[1:]):
        if len(line.text) > MAX_PRICE_LINE or not _is_all_about_price(line.text) or _row_of(line) is not None:
            continue
        beneath = below.text if below and _is_all_about_price(below.text) else ""
        if PER_SEAT.search(f"{line.text} {beneath}"):
            for price in _prices_in(line, page, above="", below=beneath, signs=signs):
                if price.period and price.standing == Standing.ALONE:
                    find = replace(price.find, confidence=CONFIDENCE[Standing.SENTENCE])
                    yield line, replace(price, find=find)


def _is_all_about_price(text: str) -> bool:
    rest = AROUND_PRICE.sub(" ", PERIOD.sub(" ", _PRICE.sub(" ", text)))
    return not any(map(str.isalnum, rest))


def _is_introduced(matches: "list[re.Match[str]]", part: str, sentence: str, name: str | None) -> bool:
    """Return whether a sentence offers its first amount: by its words, a plan's name, or by saying nothing else."""
    before = sentence[: matches[0].start()]
    if INTRODUCES.search(before):
        return True
    if costs := PLAN_COSTS.search(before):
        return fold(costs["name"]) in {*PLAN_NAMES, fold(name or "")} - {""}
    is_alone = not before.strip() and _standing_of(sentence) == Standing.ALONE
    return is_alone and (sentence != part or len(matches) > 1)


def _in_passing(
    matches: "list[re.Match[str]]", line: Line, page: ReadPage, *, once: str, signs: dict[str, str]
) -> Iterator[Price]:
    for at, match in enumerate(matches):
        after = line.text[match.end() : matches[at + 1].start() if at + 1 < len(matches) else None]
        period = period_of(after) or once
        price = _price(match, line, page, signs=signs, snippet=line.text) if period else None
        if price:
            find = replace(price.find, confidence=CONFIDENCE[Standing.SENTENCE])
            yield replace(price, period=period, standing=Standing.SENTENCE, find=find)


def cards_with_prices(page: ReadPage, *, name: str | None, is_home: bool) -> list[Line]:
    """Return the lines of plans side by side, outside of a part about prices; other pages need a table of plans."""
    lines = _by_topic(page, name, lambda topic, _: topic != "others")
    joined = _joined(lines)
    signs = _own_signs(page)
    priced = []
    for number, line in enumerate(joined):
        below = joined[number + 1].text if number + 1 < len(joined) else ""
        prices = _prices_in(line, page, above="", below=below, signs=signs) if len(line.text) <= MAX_PRICE_LINE else ()
        if any(price.period and price.standing > Standing.SENTENCE for price in prices):
            priced.append(line)
    return plan_cards(lines, priced) if is_home else plan_tables(lines, priced)


def _segments(text: str) -> list[str]:
    """Return a short line whole, and the sentences of a longer one."""
    return [text] if len(text) <= MAX_PRICE_LINE else [part for part in sentences(text) if len(part) <= MAX_PRICE_LINE]


def _clauses(text: str) -> list[str]:
    """Return a text's segments, and of longer sentences the clauses, unless they name another amount."""
    parts = _segments(text)
    for sentence in sentences(text) if len(text) > MAX_PRICE_LINE else ():
        if len(sentence) > MAX_PRICE_LINE and not OTHER_AMOUNT.search(sentence):
            parts += [part for part in _CLAUSES.split(sentence) if len(part) <= MAX_PRICE_LINE]
    return parts


def _joined(lines: list[Line]) -> list[Line]:
    """Return the lines, with a currency sign on its own line beside the number below or above it, and its cents."""
    joined: list[Line] = []
    for line in lines:
        last = joined[-1].text if joined else ""
        if last in CURRENCIES and line.text[0].isdigit():
            joined[-1] = replace(joined[-1], text=f"{last}{line.text}")
        elif re.fullmatch(r"\d\d", line.text) and _WHOLE.fullmatch(last) and is_called_cents(line.element):
            joined[-1] = replace(joined[-1], text=f"{last}.{line.text}")
        elif _CENTS_BELOW.match(line.text) and last[-1:].isdigit():
            joined[-1] = replace(joined[-1], text=f"{last}{line.text}")
        elif re.fullmatch(r"\d[\d.,]*(?:[.,][-–—]{1,2})?", last) and _SIGN_AND_PERIOD.match(line.text):
            joined[-1] = replace(joined[-1], text=f"{last} {line.text}")
        else:
            joined.append(line)
    return joined


def _prices_in(line: Line, page: ReadPage, *, above: str, below: str, signs: dict[str, str]) -> Iterator[Price]:
    text = line.text
    result = list(islice(_PRICE.finditer(text), 5))
    if not result or len(result) > 2 or OTHER_AMOUNT.search(text):
        return
    if len(above) <= SHORT_LINE and EXTRA_ABOVE.search(above):
        return
    beneath = below if len(below) <= MAX_PRICE_LINE else ""
    heading = _heading_in_table(line.element)
    if USE.search(text) or USE.match(beneath.strip()) or USE.search(heading) or EXTRA_ABOVE.search(heading):
        return
    label = above if PERIOD.fullmatch(above) else ""
    is_paid_often = any(map(PERIOD.search, (text, heading, beneath, label)))
    if not is_paid_often and (USED_THING.search(text) or USED_THING.match(beneath.strip())):
        return
    standing = _standing_of(text)
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
        price = _price(match, line, page, signs=signs, snippet=snippet)
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


def _standing_of(text: str) -> Standing:
    rest = AROUND_PRICE.sub(" ", PERIOD.sub(" ", _PRICE.sub(" ", text)))
    words = [word for word in re.findall(r"[^\W\d_]+", rest) if len(word) > 1]
    much = weight_of(rest.strip()) - len(rest.strip())
    if len(words) <= 1 and much <= 8:
        return Standing.ALONE
    return Standing.NAMED if len(words) <= 3 and not _ABOUT.search(rest) else Standing.SENTENCE


_ABOUT = re.compile(r"\b(?:for|with|each|extra|add|plus|more|für|pour|para|per|voor)\b", re.IGNORECASE)


def period_of(text: str) -> str:
    """Return the first period that a text names."""
    text = NOT_PAID_ONCE.sub(" ", text)
    places = {period: result.start() for period, words in PERIODS if (result := words.search(text))}
    return min(places, key=lambda period: places[period]) if places else ""


def is_paid_once(text: str) -> bool:
    """Return whether a text says that there is nothing to pay again."""
    return PAID_ONCE.search(NOT_PAID_ONCE.sub(" ", text)) is not None


def _price(match: "re.Match[str]", line: Line, page: ReadPage, *, signs: dict[str, str], snippet: str) -> Price | None:
    sign = match["code"] if match["code"] in CURRENCIES else match["before"] or match["after"]
    currency = signs.get(CURRENCIES[sign], CURRENCIES[sign])
    cents = _cents(match["one"] or match["two"])
    if cents is None or not currency:
        return None
    find = Find(str(cents), page, "text", selector_of(line.element), snippet, 0.0)
    return Price(cents, currency, find, element=line.element)


def pricing_lines(page: ReadPage, *, name: str | None, is_home: bool) -> list[Line]:
    """Return the lines of a pricing page, or of a home page's parts about prices."""
    parts = list(islice(_sections(page), 8)) if is_home else []
    return _by_topic(
        page,
        name,
        lambda topic, line: topic != "others" and (not is_home or topic == "prices" or _is_in(line.element, parts)),
    )


def _by_topic(page: ReadPage, name: str | None, is_wanted: Callable[[str, Line], bool]) -> list[Line]:
    """Return the lines of the product itself that are wanted by what the heading above them is about."""
    return [line for topic, line in with_topics(page, name) if is_wanted(topic, line) and not line.marks & NOT_OURS]


def with_topics(page: ReadPage, name: str | None) -> Iterator[tuple[str, Line]]:
    """Yield each line with what the heading above it is about."""
    topic, level = "", 9
    is_about_prices = kind_of_page(page) == "pricing"
    for line in page.lines:
        heading = heading_of(line.element)
        if heading and len(line.text) <= MAX_HEADING:
            # The heading of a whole page of prices is about the product's own: "Credits you can count".
            latest = _topic_of(line.text, name) if heading != "h1" or not is_about_prices else ""
            if latest or int(heading[1]) <= level:
                topic, level = latest, int(heading[1])
        yield topic, line


def _topic_of(heading: str, name: str | None) -> str:
    """Return what a part of a page is about by its heading: `prices` of the product, those of `others`, or neither."""
    if CREDITS.fullmatch(heading):
        return ""
    if OTHER_PART.search(heading):
        return "others"
    is_pricing = KIND_OF.get(fold(heading)) == "pricing" or PRICES_PART.search(heading)
    return "prices" if is_pricing or _sells(heading, name) else ""


def _sells(text: str, name: str | None) -> bool:
    """Return whether a text is "Buy" and the product's name."""
    return BUYS.search(text) is not None and fold(BUYS.sub("", text)) == fold(name or "")


def _sections(page: ReadPage) -> Iterator[etree._Element]:
    """Yield elements that are called pricing."""
    for element in islice(page.document.root.iter("section", "div", "ul", "table", "article"), 20_000):
        words = " ".join(element.get(name) or "" for name in _NAMES)[:300].lower()
        if not words.isspace() and _SECTION.search(words):
            yield element


def _is_in(element: etree._Element, parts: Sequence[etree._Element]) -> bool:
    return bool(parts) and any(parent in parts for parent in (element, *islice(element.iterancestors(), _MAX_CLIMB)))


def _of_plans(lines: Sequence[Line], name: str | None) -> list[Line]:
    """Return the lines without table rows of extras, and without tables that compare the product with others.

    In a table of several plans the first row of amounts, or one called so, has their prices. In one whose rows begin
    with the product's name or that of a plan, the other rows are of extras.
    """
    placed = [(line, _row_of(line)) for line in lines]
    amounts = Counter(row for line, row in placed if row is not None and _PRICE.search(line.text))
    first: dict[etree._Element, etree._Element] = {}
    for row, count in amounts.items():
        if count > 1:
            first.setdefault(_table_of(row), row)
    named = {row for row, count in amounts.items() if count == 1 and _names(row, name)}
    with_names = {table for row in named if not is_of_plans(table := _table_of(row))}
    comparing = {table for row in amounts if _compares(table := _table_of(row), name)}
    return [
        line
        for line, row in placed
        if row is None
        or not (
            (table := _table_of(row)) in comparing
            or _is_of_extras(row, amounts, first.get(table))
            or (table in with_names and amounts[row] == 1 and row not in named)
        )
    ]


def _names(row: etree._Element, name: str | None) -> bool:
    """Return whether a row begins with the product's name or that of a plan."""
    head = text_of(row[0], limit=MAX_HEADING) if len(row) else ""
    return bool(name) and (fold(head).startswith(fold(name or "")) or fold(head) in PLAN_NAMES)


def _is_of_extras(row: etree._Element, amounts: "Counter[etree._Element]", first: etree._Element | None) -> bool:
    is_below = first is not None and row is not first and amounts[row] > 0
    return is_below and not PRICE_ROW.match(text_of(row[0], limit=60) if len(row) else "")


def _row_of(line: Line) -> etree._Element | None:
    around = islice(line.element.iterancestors("tr"), 1)
    return line.element if line.element.tag == "tr" else next(around, None)


def _heading_in_table(element: etree._Element) -> str:
    """Return what heads a table's cell in its row and column, or a description, unless that is an amount as well."""
    cell = next((one for one in (element, *islice(element.iterancestors(), 5)) if one.tag in _CELLS), None)
    row = cell.getparent() if cell is not None else None
    if cell is None or row is None:
        return ""
    if cell.tag == "dd":
        heads = [*islice(cell.itersiblings("dt", preceding=True), 1)]
    else:
        place = next((place for place, one in _placed(row) if one is cell), -1)
        over = [one for at, one in _placed(next(_table_of(row).iter("tr"), row)) if at <= place]
        heads = [one for one in (*islice(row.iterchildren("td", "th"), 1), *over[-1:]) if one is not cell]
    texts = [text_of(head, limit=MAX_HEADING) for head in heads]
    return " ".join(text for text in texts if len(text) <= MAX_HEADING and not _PRICE.search(text))


_CELLS = ("td", "th", "dd")


def _placed(row: etree._Element) -> Iterator[tuple[int, etree._Element]]:
    """Yield the cells of a row, each with the number of columns before it."""
    place = 0
    for cell in islice(row.iterchildren("td", "th"), MAX_COLUMNS):
        yield place, cell
        width = cell.get("colspan") or ""
        place += int(width) if re.fullmatch(r"[1-9]\d?", width, re.ASCII) else 1


def _table_of(row: etree._Element) -> etree._Element:
    return next(row.iterancestors("table"), row)


def _compares(table: etree._Element, name: str | None) -> bool:
    """Return whether the table's first row names the product beside others."""
    head = next(table.iter("tr"), None)
    cells = [fold(text_of(cell, limit=60)) for cell in islice(head, 8)] if head is not None else []
    return bool(name) and fold(name or "") in cells and sum(map(bool, cells)) > 1


def _own_signs(page: ReadPage) -> dict[str, str]:
    """Return what "$", "kr" and "¥" mean: USD, SEK and JPY, unless the page or its URL names another currency."""
    language = (page.document.root.get("lang") or "").replace("_", "-").lower()
    region = language.rpartition("-")[2] if "-" in language else ""
    ending = host_of(page.url).rpartition(".")[2]
    dollar = OWN_DOLLARS.get(region) or OWN_DOLLARS.get(ending) or _named_dollar(page) or "USD"
    crown = OWN_CROWNS.get(language[:2]) or OWN_CROWNS.get(ending) or "SEK"
    dashed = OWN_CROWNS.get(ending) or DASHED.get(language[:2], "")
    return {"$": dollar, "kr": crown, ",-": dashed, "¥": "CNY" if language[:2] == "zh" or ending == "cn" else "JPY"}


def _named_dollar(page: ReadPage) -> str:
    """Return the other dollar that a line such as "All prices in AUD" names, or an empty text.

    Shops let visitors choose a country in the footer.
    """
    for line in page.lines:
        if (
            "footer" not in line.marks
            and len(line.text) <= MAX_PRICE_LINE * 2
            and (other := OTHER_DOLLARS.search(line.text))
        ):
            return CURRENCIES.get(other[0], "AUD" if "أسترالي" in other[0] else "CAD")
    return ""


def _cents(text: str) -> int | None:
    amount = ParsedPrice.fromstring(in_western_digits(text).replace("’", "").replace("'", "")).amount
    if amount is None or not 0 <= amount <= Decimal(MAX_CENTS) / 100:
        return None
    return int(amount * 100)


def declared_prices(page: ReadPage, name: str | None) -> Iterator[Price]:
    """Yield prices of offers of the product itself, because other products have prices, too."""
    is_ours = partial(_is_ours, page=page, name=name)
    for node in islice(page.document.json_ld.of_type(_PRODUCT_TYPES), MAX_OFFERS):
        if not is_ours(next(iter(strings(node.get("name"))), ""), bool(types_of(node) & APPLICATION_TYPES)):
            continue
        for offer in _offers_in(node.get("offers"), page.document.json_ld.resolve):
            selector = 'script[type="application/ld+json"] offers.price'
            yield from _amounts_of(offer, page, "json_ld", selector)
    for item in microdata.items_of(page.document, _PRODUCT_TYPES):
        called = next(iter(microdata.texts_of(item.properties.get("name"))), "")
        if not is_ours(called, item.kind in APPLICATION_TYPES):
            continue
        for offer in _offers_in(item.properties.get("offers"), _properties_of):
            yield from _amounts_of(offer, page, "itemprop", selector_of(item.element))


def _offers_in(value: Any, read: Callable[[Any], Any]) -> Iterator[Node]:
    """Yield the offers of a product, with those inside an offer of several before it."""
    for offer in filter(_is_node, map(read, _listed(value))):
        yield from filter(_is_node, map(read, _listed(offer.get("offers"))))
        yield offer


def _listed(value: Any) -> list[Any]:
    return value[:MAX_OFFERS] if isinstance(value, list) else [value]


def _is_node(value: Any) -> bool:
    return isinstance(value, dict)


def _properties_of(item: Any) -> Any:
    return item.get("properties") if isinstance(item, dict) else None


def _is_ours(called: str, is_application: bool, *, page: ReadPage, name: str | None) -> bool:
    own = fold(clean(called))
    if not own:
        return False
    if domain_fit(called, page.url) >= 0.5 or (name and fold(name) == own):
        return True
    return is_application and bool(name) and fold(name or "") in own


def _amounts_of(offer: Node, page: ReadPage, source: Source, selector: str) -> Iterator[Price]:
    nodes: list[Json] = [offer]
    specification = offer.get("priceSpecification")
    nodes += specification[:5] if isinstance(specification, list) else [specification]
    named = next(filter(None, map(period_of, (*strings(offer.get("name")), *strings(offer.get("category"))))), "")
    shared = strings(offer.get("priceCurrency"))
    for given in nodes:
        if not isinstance(given, dict):
            continue
        node = given.get("properties", given) if source == "itemprop" else given
        currency = next(iter([*strings(node.get("priceCurrency") if isinstance(node, dict) else None), *shared]), "")
        for key in ("lowPrice", "price"):
            value = node.get(key) if isinstance(node, dict) else None
            text = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
            if not isinstance(text, str) or not re.fullmatch(
                r"\s*[$€£]?\s*\d[\d.,' ]{0,14}(?:[$€£]|[A-Z]{3})?\s*", text
            ):
                continue
            cents = _cents(text)
            code = currency.strip().upper()[:3] or ("USD" if "$" in text else "")
            if cents is None or not (code in KNOWN or cents == 0):
                continue
            snippet = f'"{key}": "{text.strip()}", "priceCurrency": "{code}"'
            find = Find(str(cents), page, source, selector, snippet, 0.75)
            yield Price(cents, code, find, period=_declared_period(node) or named)
            break


def _declared_period(node: Json) -> str:
    """Return how often the price of an offer is paid, by its billing duration or unit."""
    for key in ("billingDuration", "referenceQuantity", "unitCode", "unitText"):
        value = node.get(key) if isinstance(node, dict) else None
        number = value.get("value", 1) if isinstance(value, dict) else value
        if isinstance(value, dict | int | float) and str(number) not in ("1", "1.0"):
            return ""
        for unit in (*strings(value, key="unitCode"), *strings(value, key="unitText")):
            if period := _DECLARED_PERIODS.get(unit.strip().upper()) or period_of(unit):
                return period
    return ""


_DECLARED_PERIODS = {
    **dict.fromkeys(("P1M", "MON", "MONTH"), "month"),
    **dict.fromkeys(("P1Y", "P12M", "ANN", "YEAR"), "year"),
    **dict.fromkeys(("P1W", "WEE", "WEEK"), "week"),
    **dict.fromkeys(("P1D", "DAY"), "day"),
}


def shows_price(text: str) -> bool:
    return any(_cents(match["one"] or match["two"]) for match in islice(_PRICE.finditer(text), 5))
