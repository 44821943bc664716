"""Find the prices of the product: visible ones, and those declared for machines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any

from price_parser import Price as ParsedPrice

from apps.core.web.urls import host_of
from apps.drafts.extraction.document import microdata
from apps.drafts.extraction.document.document import selector_of, text_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, Json, Node, strings, types_of
from apps.drafts.extraction.document.lines import Line
from apps.drafts.extraction.document.titles import domain_fit
from apps.drafts.extraction.page.facts import Source
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.pricing.price_words import (
    CURRENCIES,
    EXTRA_ABOVE,
    OTHER_AMOUNT,
    OTHER_DOLLARS,
    OWN_DOLLARS,
    PERIOD,
    USE,
)
from apps.drafts.extraction.site.page_kind_words import KIND_OF
from apps.drafts.extraction.site.page_kinds import kind_of_page
from apps.drafts.extraction.text.cleaning import clean, fold, in_western_digits

MAX_PRICE_LINE = 80
MAX_PRICES = 60
MAX_OFFERS = 20
MAX_CENTS = 10**9
SHORT_LINE = 24
_NUMBER = (
    r"(?P<{0}>\d{{1,3}}(?:[.,'’]\d{{3}})+(?:[.,]\d{{1,2}})?|\d{{1,7}}(?:[.,]\d{{1,2}})?)(?![\d_%]|[.,]\d|"
    r"\s?(?:k|m|bn|million|billion)\b)"
)
_SIGNS = "|".join(re.escape(sign) for sign in sorted(CURRENCIES, key=len, reverse=True))
# Languages without spaces put text directly beside an amount.
_SPACED = r"[^\W\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
_PRICE = re.compile(
    rf"(?<![$.,])(?<!{_SPACED})(?P<before>{_SIGNS})\s?{_NUMBER.format('one')}(?:\s?(?P<code>[A-Z]{{3}})\b)?"
    rf"|(?<![$.,])(?<!{_SPACED}){_NUMBER.format('two')}\s?(?P<after>{_SIGNS})(?!{_SPACED})"
)
_PRODUCT_TYPES = APPLICATION_TYPES | {"product", "service"}
NOT_OURS = frozenset({"quote", "struck", "nav", "footer", "faq", "versus"})
_SECTION = re.compile(
    r"(?<![a-z])(?:pricing|prices|plans|preise|tarife|tarifs|precios|planes|planos|prezzi|tariffe)(?![a-z])"
)


@dataclass(frozen=True)
class Price:
    """A visible or declared amount. `is_plain` is true when nothing says how often it is paid."""

    cents: int
    currency: str
    find: Find
    is_plain: bool = False


def shown_prices(page: ReadPage, *, is_home: bool) -> Iterator[Price]:
    """Yield prices in the lines of a pricing page or section."""
    lines = _joined(pricing_lines(page, is_home=is_home))
    if not lines:
        return
    dollar = _dollar_of(page)
    for number, line in enumerate(lines):
        if len(line.text) > MAX_PRICE_LINE or not any(char.isdigit() for char in line.text):
            continue
        above = lines[number - 1].text if number else ""
        below = lines[number + 1].text if number + 1 < len(lines) else ""
        yield from _prices_in(line, page, above=above, below=below, dollar=dollar, weight=0.75 if is_home else 0.85)


def _joined(lines: list[Line]) -> list[Line]:
    """Yield the lines, moving a currency sign on its own line before the number below it."""
    joined: list[Line] = []
    for line in lines:
        if joined and joined[-1].text in CURRENCIES and line.text[0].isdigit():
            joined[-1] = replace(joined[-1], text=f"{joined[-1].text}{line.text}")
        else:
            joined.append(line)
    return joined


def _prices_in(line: Line, page: ReadPage, *, above: str, below: str, dollar: str, weight: float) -> Iterator[Price]:
    found = list(islice(_PRICE.finditer(line.text), 5))
    if not found or len(found) > 2 or OTHER_AMOUNT.search(line.text):
        return
    if len(above) <= SHORT_LINE and EXTRA_ABOVE.search(above):
        return
    beneath = below if len(below) <= MAX_PRICE_LINE else ""
    if USE.search(line.text) or USE.match(beneath.strip()):
        return
    is_paid_often = bool(PERIOD.search(line.text) or PERIOD.search(beneath))
    rest = _PRICE.sub("", line.text)
    if not is_paid_often and len(rest.split()) > 3:
        return
    snippet = f"{line.text} {beneath}".strip() if is_paid_often and not PERIOD.search(line.text) else line.text
    for match in found:
        sign = match["code"] if match["code"] in CURRENCIES else match["before"] or match["after"]
        currency = CURRENCIES[sign]
        cents = _cents(match["one"] or match["two"])
        if cents is None:
            continue
        find = Find(
            str(cents), page, "text", selector_of(line.element), snippet, weight if is_paid_often else weight - 0.25
        )
        yield Price(cents, dollar if currency == "$" else currency, find, is_plain=not is_paid_often and cents > 0)


def pricing_lines(page: ReadPage, *, is_home: bool) -> list[Line]:
    """Return the lines in which a price is the product's. None on pages about something else."""
    is_about_prices = not is_home and kind_of_page(page) == "pricing"
    if not is_about_prices and not is_home:
        return []
    if is_about_prices:
        return [line for line in page.lines if not line.marks & NOT_OURS]
    sections = list(islice(_sections(page), 3))
    if not sections:
        return []
    return [
        line
        for line in page.lines
        if not line.marks & NOT_OURS
        and any(parent in sections for parent in (line.element, *islice(line.element.iterancestors(), 60)))
    ]


def _sections(page: ReadPage) -> Iterator[Any]:
    for element in islice(page.document.root.iter("section", "div", "h2", "h3"), 20_000):
        if element.tag in ("h2", "h3"):
            if KIND_OF.get(fold(text_of(element, limit=80))) == "pricing":
                parent = element.getparent()
                # A heading often has an element of its own around it.
                section = parent if parent is None or parent.tag == "section" else parent.getparent()
                if section is not None and section.tag not in ("body", "html"):
                    yield section
            continue
        words = f"{element.get('class') or ''} {element.get('id') or ''}"[:300].lower()
        if words != " " and _SECTION.search(words):
            yield element


def _dollar_of(page: ReadPage) -> str:
    """Return what a bare dollar sign means on a page: USD, unless the page or its URL names another dollar."""
    body = page.document.root
    declared = (body.get("lang") or "").replace("_", "-").lower().rpartition("-")[2]
    if declared in OWN_DOLLARS and "-" in (body.get("lang") or "").replace("_", "-"):
        return f"dollars of {declared.upper()}"
    ending = host_of(page.url).rpartition(".")[2]
    if ending in OWN_DOLLARS:
        return f"dollars of {ending.upper()}"
    for line in page.lines:
        if len(line.text) <= MAX_PRICE_LINE * 2 and (other := OTHER_DOLLARS.search(line.text)):
            return CURRENCIES.get(other[0], other[0])
    return "USD"


def _cents(text: str) -> int | None:
    amount = ParsedPrice.fromstring(in_western_digits(text)).amount
    if amount is None or not 0 <= amount <= Decimal(MAX_CENTS) / 100:
        return None
    return int(amount * 100)


def declared_prices(page: ReadPage, name: str | None) -> Iterator[Price]:
    """Yield prices of offers of the product itself, because other products have prices, too."""
    is_ours = partial(_is_ours, page=page, name=name)
    for node in islice(page.document.json_ld.of_type(_PRODUCT_TYPES), MAX_OFFERS):
        if not is_ours(next(iter(strings(node.get("name"))), ""), bool(types_of(node) & APPLICATION_TYPES)):
            continue
        offers = node.get("offers")
        for offer in islice(offers if isinstance(offers, list) else [offers], MAX_OFFERS):
            resolved = page.document.json_ld.resolve(offer)
            if isinstance(resolved, dict):
                selector = 'script[type="application/ld+json"] offers.price'
                yield from _amounts_of(resolved, page, "json_ld", selector)
    for item in microdata.items_of(page.document, _PRODUCT_TYPES):
        called = next(iter(microdata.texts_of(item.properties.get("name"))), "")
        if not is_ours(called, item.kind in APPLICATION_TYPES):
            continue
        offered = item.properties.get("offers")
        for offer in islice(offered if isinstance(offered, list) else [offered], MAX_OFFERS):
            properties: Any = offer.get("properties") if isinstance(offer, dict) else None
            if isinstance(properties, dict):
                yield from _amounts_of(properties, page, "itemprop", selector_of(item.element))


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
    for given in nodes:
        if not isinstance(given, dict):
            continue
        node = given.get("properties", given) if source == "itemprop" else given
        currency = next(iter(strings(node.get("priceCurrency")) if isinstance(node, dict) else ()), "")
        for key in ("lowPrice", "price"):
            value = node.get(key) if isinstance(node, dict) else None
            text = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
            if not isinstance(text, str) or not re.fullmatch(r"\s*[$€£]?\s*\d[\d.,' ]{0,14}\s*", text):
                continue
            cents = _cents(text)
            code = currency.strip().upper()[:3] or ("USD" if "$" in text else "")
            if cents is None or not (code or cents == 0):
                continue
            snippet = f'"{key}": "{text.strip()}", "priceCurrency": "{code}"'
            yield Price(cents, code, Find(str(cents), page, source, selector, snippet, 0.8))
            break


def shows_price(text: str) -> bool:
    return any(_cents(match["one"] or match["two"]) for match in islice(_PRICE.finditer(text), 5))
