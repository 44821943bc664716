"""What the product costs: the lowest price in US dollars, and whether there is a free plan beside paid ones."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any

from price_parser import Price

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.document import microdata
from apps.drafts.extraction.document.document import selector_of, snippet_of, text_of
from apps.drafts.extraction.document.json_ld import Json, Node, strings, types_of
from apps.drafts.extraction.document.lines import Line
from apps.drafts.extraction.document.schema_types import APPLICATION_TYPES
from apps.drafts.extraction.page.facts import SNIPPET_CHARACTERS, Source
from apps.drafts.extraction.pricing.words import (
    CURRENCIES,
    EXTRA_ABOVE,
    FREE_PLAN,
    FREE_WORDS,
    OF_OTHERS,
    OPEN_SOURCE,
    OTHER_AMOUNT,
    OTHER_DOLLARS,
    OWN_DOLLARS,
    PERIOD,
    USE,
    WHOLLY_FREE,
)
from apps.drafts.extraction.site.page_choice import kind_of
from apps.drafts.extraction.site.page_kinds import kind_of_page
from apps.drafts.extraction.site.page_words import KIND_OF
from apps.drafts.extraction.site.proposal import Find, ReadPage, finds_of
from apps.drafts.extraction.text.naming import agrees
from apps.drafts.extraction.text.words import clean, fold, in_western_digits
from apps.listings.fields.socials import repository_owner

MAX_PRICE_LINE = 80
MAX_PRICES = 60
MAX_OFFERS = 20
MIN_CENTS = 50
MAX_CENTS = 10**9
SHORT_LINE = 24

_NUMBER = (
    r"(?P<{0}>\d{{1,3}}(?:[.,'’]\d{{3}})+(?:[.,]\d{{1,2}})?|\d{{1,7}}(?:[.,]\d{{1,2}})?)(?![\d_%]|[.,]\d|"
    r"\s?(?:k|m|bn|million|billion)\b)"
)
_SIGNS = "|".join(re.escape(sign) for sign in sorted(CURRENCIES, key=len, reverse=True))
# Languages without blanks write on right beside an amount.
_SPACED = r"[^\W\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
_PRICE = re.compile(
    rf"(?<![$.,])(?<!{_SPACED})(?P<before>{_SIGNS})\s?{_NUMBER.format('one')}(?:\s?(?P<code>[A-Z]{{3}})\b)?"
    rf"|(?<![$.,])(?<!{_SPACED}){_NUMBER.format('two')}\s?(?P<after>{_SIGNS})(?!{_SPACED})"
)
_SOME = re.compile(r"[1-9]")
_PRODUCT_TYPES = APPLICATION_TYPES | {"product", "service"}
_NOT_OURS = frozenset({"quote", "struck", "nav", "footer", "faq", "versus"})
_SECTION = re.compile(
    r"(?<![a-z])(?:pricing|prices|plans|preise|tarife|tarifs|precios|planes|planos|prezzi|tariffe)(?![a-z])"
)


@dataclass(frozen=True)
class Pricing:
    """The finds for `pricing_model` and `price_from_cents`, and why the price is missing if it is."""

    models: list[Find]
    prices: list[Find]
    reason: str


@dataclass(frozen=True)
class _Amount:
    cents: int
    currency: str
    find: Find
    is_plain: bool = False


def find_pricing(pages: Sequence[ReadPage], *, name: str | None) -> Pricing:
    """The pricing model, and the lowest price above nothing in US cents, as texts; best first.

    Prices count on pricing pages, in sections of the home page that are called so, and in offers of the product in
    JSON-LD and microdata. Prices in other currencies are not converted, since a listing tells dollars.
    """
    shown = [amount for page in pages for amount in islice(_shown(page, is_home=page is pages[0]), MAX_PRICES)]
    # A page that says how often a price is paid has told its prices; bare amounts on it may be anything.
    if any(not amount.is_plain for amount in shown):
        shown = [amount for amount in shown if not amount.is_plain]
    declared = [amount for page in pages for amount in islice(_declared(page, name), MAX_OFFERS)]
    amounts = [*shown, *declared]
    models = _models(pages, amounts, name=name)
    in_dollars = [amount for amount in amounts if amount.currency == "USD" and MIN_CENTS <= amount.cents <= MAX_CENTS]
    # The page people see is kept up to date more surely than what machines are told.
    ranked = [
        *sorted((amount for amount in in_dollars if amount in shown), key=lambda amount: amount.cents),
        *sorted((amount for amount in in_dollars if amount not in shown), key=lambda amount: amount.cents),
    ]
    return Pricing(models, [amount.find for amount in ranked], _reason(amounts, models))


def _reason(amounts: list[_Amount], models: list[Find]) -> str:
    others = sorted({amount.currency for amount in amounts if amount.currency != "USD" and amount.cents})
    if others:
        return f"The website tells its prices in {', '.join(others[:3])}; a listing tells them in US dollars."
    if models and models[0].value in ("free", "open_source"):
        return "The website shows nothing that costs money."
    return "No page that was read shows what a plan costs."


def _shown(page: ReadPage, *, is_home: bool) -> Iterator[_Amount]:
    """Prices in the lines of a pricing page or section."""
    lines = _joined(_pricing_lines(page, is_home=is_home))
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
    """The lines, with a currency's sign that stands alone put before the number below it."""
    joined: list[Line] = []
    for line in lines:
        if joined and joined[-1].text in CURRENCIES and line.text[0].isdigit():
            joined[-1] = replace(joined[-1], text=f"{joined[-1].text}{line.text}")
        else:
            joined.append(line)
    return joined


def _prices_in(line: Line, page: ReadPage, *, above: str, below: str, dollar: str, weight: float) -> Iterator[_Amount]:
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
        yield _Amount(cents, dollar if currency == "$" else currency, find, is_plain=not is_paid_often and cents > 0)


def _pricing_lines(page: ReadPage, *, is_home: bool) -> list[Line]:
    """The lines in which a price is that of the product; none on pages about something else."""
    is_about_prices = not is_home and kind_of_page(page) == "pricing"
    if not is_about_prices and not is_home:
        return []
    if is_about_prices:
        return [line for line in page.lines if not line.marks & _NOT_OURS]
    sections = list(islice(_sections(page), 3))
    if not sections:
        return []
    return [
        line
        for line in page.lines
        if not line.marks & _NOT_OURS
        and any(parent in sections for parent in (line.element, *islice(line.element.iterancestors(), 60)))
    ]


def _sections(page: ReadPage) -> Iterator[Any]:
    for element in islice(page.document.root.iter("section", "div", "h2", "h3"), 20_000):
        if element.tag in ("h2", "h3"):
            if KIND_OF.get(fold(text_of(element, limit=80))) == "pricing":
                parent = element.getparent()
                # A heading often has a frame of its own.
                section = parent if parent is None or parent.tag == "section" else parent.getparent()
                if section is not None and section.tag not in ("body", "html"):
                    yield section
            continue
        words = f"{element.get('class') or ''} {element.get('id') or ''}"[:300].lower()
        if words != " " and _SECTION.search(words):
            yield element


def _dollar_of(page: ReadPage) -> str:
    """What a bare dollar sign means on a page: USD, unless the page or its address names another dollar."""
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
    amount = Price.fromstring(in_western_digits(text)).amount
    if amount is None or not 0 <= amount <= Decimal(MAX_CENTS) / 100:
        return None
    return int(amount * 100)


def _declared(page: ReadPage, name: str | None) -> Iterator[_Amount]:
    """Prices of offers of the product itself: other products have prices as well."""
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
    if agrees(called, page.url) >= 0.5 or (name and fold(name) == own):
        return True
    return is_application and bool(name) and fold(name or "") in own


def _amounts_of(offer: Node, page: ReadPage, source: Source, selector: str) -> Iterator[_Amount]:
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
            yield _Amount(cents, code, Find(str(cents), page, source, selector, snippet, 0.8))
            break


def _models(pages: Sequence[ReadPage], amounts: list[_Amount], *, name: str | None) -> list[Find]:
    """How the product is paid for, best first."""
    paid = [amount for amount in amounts if amount.cents >= MIN_CENTS]
    free = _free_plans(pages, amounts)
    found: list[Find] = []
    if paid and free:
        snippet = f"{free[0].snippet[:140]} … {paid[0].find.snippet[:140]}"
        found.append(replace(free[0], value="freemium", snippet=snippet))
    if paid:
        found.append(replace(paid[0].find, value="paid", confidence=min(paid[0].find.confidence, 0.8)))
    source = _open_source(pages, name=name)
    if not paid:
        found = [*source, *found, *(replace(find, value="free") for find in _wholly_free(pages, free))]
    else:
        found = [*found, *source]
    return found


def _free_plans(pages: Sequence[ReadPage], amounts: list[_Amount]) -> list[Find]:
    """Where a plan costs nothing; a free trial is none."""
    # A price of nothing for machines is as often put there only because they ask for one.
    finds = [amount.find for amount in amounts if amount.cents == 0 and amount.find.source == "text"]
    for page in pages:
        for line in _pricing_lines(page, is_home=page is pages[0]):
            if len(line.text) > MAX_PRICE_LINE:
                continue
            if fold(line.text) in FREE_WORDS or FREE_PLAN.search(line.text):
                finds.append(Find("free", page, "text", selector_of(line.element), line.text, 0.8))
    finds += [
        replace(amount.find, confidence=0.5) for amount in amounts if amount.cents == 0 and amount.find.source != "text"
    ]
    return sorted(finds, key=lambda find: -find.confidence)


def _wholly_free(pages: Sequence[ReadPage], free: list[Find]) -> list[Find]:
    """What says that nothing costs money, where no page shows a price.

    On a site with a page of prices only that page may say so: otherwise it was not read, or not understood.
    """
    home = pages[0]
    said = [
        Find("free", home, "text", selector_of(line.element), line.text[:SNIPPET_CHARACTERS], 0.7)
        for line in home.lines
        if not line.marks & _NOT_OURS and len(line.text) <= 200 and WHOLLY_FREE.search(line.text)
    ]
    said += [
        replace(find, confidence=0.7)
        for find in (*finds_of(home.facts.title, home), *finds_of(home.facts.description, home))
        if WHOLLY_FREE.search(find.value)
    ]
    if not said and not free:
        return []
    if any(_may_cost(page) for page in pages[1:]):
        return []
    if any(kind_of_page(page) == "pricing" for page in pages[1:]) or _links_to_prices(home):
        return [find for find in free if find.source == "text" and find.confidence >= 0.8][:1]
    if any(len(line.text) <= MAX_PRICE_LINE and _costs(line.text) for line in home.lines):
        return []
    return [*said[:3], *free]


def _may_cost(page: ReadPage) -> bool:
    """Whether a page of prices tells a number beside how often it is paid, be it in a currency nobody here knows."""
    return any(
        len(line.text) <= MAX_PRICE_LINE
        and _SOME.search(text := in_western_digits(line.text)) is not None
        and PERIOD.search(text) is not None
        for line in _pricing_lines(page, is_home=False)
    )


def _links_to_prices(home: ReadPage) -> bool:
    return any(
        (kind := kind_of(address, text_of(element, limit=60))) and kind[0] == "pricing"
        for address, element in home.document.anchors[:1000]
    )


def _costs(text: str) -> bool:
    return any(_cents(match["one"] or match["two"]) for match in islice(_PRICE.finditer(text), 5))


def _open_source(pages: Sequence[ReadPage], *, name: str | None) -> list[Find]:
    """Where the site calls the product open source and links to its source; either alone says too little."""
    home = pages[0]
    heading = home.document.first_text("h1")
    said = [*finds_of(home.facts.title, home), *finds_of(home.facts.description, home)]
    if heading:
        said.append(Find(heading[0], home, "dom", "h1", snippet_of(heading[1]), 0.7))
    said = [find for find in said if OPEN_SOURCE.search(find.value) and not OF_OTHERS.search(find.value)]
    if not said or not any(
        _is_own_source(address, page, name) for page in pages for address, _ in page.document.anchors
    ):
        return []
    return [replace(said[0], value="open_source", confidence=0.75)]


def _is_own_source(address: str, page: ReadPage, name: str | None) -> bool:
    owner = repository_owner(address)
    if owner is None:
        return False
    return agrees(owner.name, page.url) > 0 or fold(name or "") in map(fold, parts_of(address).path.split("/")[1:3])
