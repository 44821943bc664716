"""Find plans side by side on a page without a part about prices: cards, items of a list, rows or columns of a table."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice

from lxml import etree

from apps.drafts.extraction.document.document import text_of
from apps.drafts.extraction.document.lines import Line
from apps.drafts.extraction.pricing.price_words import PLAN_NAMES, PRICE_ROW
from apps.drafts.extraction.text.cleaning import fold, words_of

MAX_CARDS = 8
MAX_CARD_LINES = 40
MAX_PRICED = 60
_MAX_CLIMB = 12
_CALLED_PLAN = re.compile(r"(?<![a-z])(?:plans?|pric(?:e|es|ing)|tiers?|packages?|tarif|offre)(?![a-z])", re.IGNORECASE)
_PLANS = words_of("plan plans tarif tarife tarifs offre piano plano paket abonnement abo プラン")
_PLAN = frozenset(map(fold, _PLANS))
_LABEL = re.compile(r"[^\d$€£¥:–—]{1,30}")


def plan_cards(lines: Sequence[Line], priced: Sequence[Line]) -> list[Line]:
    """Return the lines of the first plans side by side. `priced` are the lines with an amount and a period.

    Other lists of amounts look the same, so one of the plans must have the name of a plan, or a class that says so.
    """
    inside: defaultdict[etree._Element, list[Line]] = defaultdict(list)
    for line in lines if priced else ():
        for element in (line.element, *line.element.iterancestors()):
            inside[element].append(line)
    for line in priced[:MAX_PRICED]:
        for card in (line.element, *islice(line.element.iterancestors(), _MAX_CLIMB)):
            if card.tag in ("td", "th") and (table := next(card.iterancestors("table"), None)) is not None:
                if _is_of_plans(table):
                    return inside[table]
                continue
            cards = _alike(card)
            if 2 <= len(cards) <= MAX_CARDS and _are_plans({one: inside[one] for one in cards}, priced):
                return [line for one in cards for line in inside[one]]
    return []


def _alike(card: etree._Element) -> list[etree._Element]:
    """Return the element and its siblings with the same tag, and with a class in common if it has any.

    The one with the page's heading is no plan.
    """
    around = card.getparent()
    if around is None or card.tag == "body":
        return []
    classes = _classes_of(card)
    alike = (one for one in around.iterchildren(card.tag) if _classes_of(one) & classes or _classes_of(one) == classes)
    return list(islice((one for one in alike if next(one.iter("h1"), None) is None), MAX_CARDS + 1))


def _are_plans(cards: dict[etree._Element, list[Line]], priced: Sequence[Line]) -> bool:
    if any(len(lines) > MAX_CARD_LINES for lines in cards.values()):
        return False
    named = [card for card, lines in cards.items() if lines and _is_plan_name(lines[0].text)]
    paid = [card for card, lines in cards.items() if any(line in priced for line in lines)]
    is_called_plan = any(_CALLED_PLAN.search(" ".join(_classes_of(card))) for card in cards)
    return bool(paid and (named or is_called_plan) and len({*named, *paid}) > 1)


def plan_tables(lines: Sequence[Line], priced: Sequence[Line]) -> list[Line]:
    """Return the lines of the first table with a column of plans and one of their prices."""
    for line in priced[:MAX_PRICED]:
        for table in islice(line.element.iterancestors("table"), 1):
            if is_of_plans(table):
                return [one for one in lines if table in one.element.iterancestors("table")]
    return []


def _is_of_plans(table: etree._Element) -> bool:
    return any(map(_is_plan_name, _heads_of(table))) or is_of_plans(table)


def is_of_plans(table: etree._Element) -> bool:
    """Return whether a table has a column of plans and one of their prices."""
    return _has_columns(_heads_of(table))


def _has_columns(heads: list[str]) -> bool:
    return any(fold(head) in _PLAN for head in heads) and any(head and PRICE_ROW.match(head) for head in heads)


def _heads_of(table: etree._Element) -> list[str]:
    return [text_of(cell, limit=60) for cell in _head_of(table)]


def _head_of(table: etree._Element) -> list[etree._Element]:
    head = next(table.iter("tr"), None)
    return list(islice(head, MAX_CARDS + 1)) if head is not None else []


def _is_plan_name(text: str) -> bool:
    label = _LABEL.match(text)
    return label is not None and fold(label[0]) in PLAN_NAMES


def _classes_of(element: etree._Element) -> set[str]:
    return set((element.get("class") or "")[:300].split())
