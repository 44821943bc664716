"""Read tables with prices: which rows are of plans, and what heads a cell."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from lxml import etree

from apps.drafts.extraction.document.document import text_of
from apps.drafts.extraction.document.lines import Line
from apps.drafts.extraction.pricing.amounts import PRICE
from apps.drafts.extraction.pricing.plan_cards import is_of_plans
from apps.drafts.extraction.pricing.price_words import OTHER_PART, PLAN_NAMES, PRICE_ROW
from apps.drafts.extraction.text.cleaning import fold

MAX_HEADING = 80
MAX_COLUMNS = 20


def of_plans(lines: Sequence[Line], name: str | None) -> list[Line]:
    """Return the lines without table rows of extras, and without tables that compare the product with others.

    In a table of several plans the first row of amounts, or one called so, has their prices. In one whose rows begin
    with the product's name or that of a plan, the other rows are of extras.
    """
    placed = [(line, row_of(line)) for line in lines]
    amounts = Counter(row for line, row in placed if row is not None and PRICE.search(line.text))
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


def row_of(line: Line) -> etree._Element | None:
    """Return the row of a table that a line is in."""
    around = islice(line.element.iterancestors("tr"), 1)
    return line.element if line.element.tag == "tr" else next(around, None)


def heading_in_table(element: etree._Element) -> str:
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
    return " ".join(text for text in texts if len(text) <= MAX_HEADING and not PRICE.search(text))


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
    """Return whether the table's first row names the product beside others, or calls them so."""
    head = next(table.iter("tr"), None)
    texts = [text_of(cell, limit=60) for cell in islice(head, 8)] if head is not None else []
    cells = [fold(text) for text in texts]
    is_named = bool(name) and fold(name or "") in cells and sum(map(bool, cells)) > 1
    return is_named or any(map(OTHER_PART.search, texts))
