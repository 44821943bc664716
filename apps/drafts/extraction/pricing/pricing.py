"""Find the lowest price of a paid plan, and whether there is a free plan next to paid ones."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from apps.core.web.urls import parts_of
from apps.drafts.extraction.document.addresses import page_key
from apps.drafts.extraction.document.document import SNIPPET_CHARACTERS, selector_of, snippet_of, text_of
from apps.drafts.extraction.document.lines import Line
from apps.drafts.extraction.document.titles import domain_fit
from apps.drafts.extraction.page.read_page import Find, ReadPage, finds_of
from apps.drafts.extraction.pricing.amounts import MAX_CENTS, MAX_PRICE_LINE, shows_price
from apps.drafts.extraction.pricing.declared_prices import MAX_OFFERS, declared_prices
from apps.drafts.extraction.pricing.price_notes import noted_period, paid_once, said_once
from apps.drafts.extraction.pricing.price_parts import NOT_OURS, pricing_lines, with_topics
from apps.drafts.extraction.pricing.price_words import (
    ASKS_COST,
    EDITIONS,
    FREE_FOR_EVER,
    FREE_PLAN,
    FREE_PRODUCT,
    FREE_USE,
    FREE_WORDS,
    IS_FREE,
    LICENSE,
    OF_OTHERS,
    ON_REQUEST,
    OPEN_SOURCE,
    OTHER_AMOUNT,
    PERIOD,
    SAYS_FREE,
    SELF_HOSTED,
    SOLD_BY_PEOPLE,
    THE_PRODUCT,
    USE,
    WHOLLY_FREE,
)
from apps.drafts.extraction.pricing.prices import CONFIDENCE, Price, Standing
from apps.drafts.extraction.pricing.shown_prices import (
    MAX_PRICES,
    cards_with_prices,
    folded_prices,
    introduced_prices,
    lone_prices,
    shown_prices,
    told_monthly,
)
from apps.drafts.extraction.site.page_kinds import kind_of, kind_of_page, linked_kinds
from apps.drafts.extraction.text.cleaning import fold, in_western_digits, sentences
from apps.listings.fields.socials import repository_owner

MIN_CENTS = 50

_OF_OTHERS = frozenset({"quote", "struck", "versus"})
_OPENING_QUOTES = "“„”«»"
_SOME = re.compile(r"[1-9]")
# How much more a plan costs when billed monthly; what costs more still is another plan.
_MOST_FOR_MONTHLY = 1.7


@dataclass(frozen=True)
class Pricing:
    """Finds for the pricing model and the lowest price, its currency and period, and the reason if it is missing."""

    models: list[Find]
    prices: list[Find]
    currencies: list[Find]
    periods: list[Find]
    reason: str


def find_pricing(pages: Sequence[ReadPage], *, name: str | None) -> Pricing:
    """Return the pricing model, and the lowest price above zero in hundredths of its currency, as texts, best first.

    Prices count on pricing pages, in parts about prices on the home page, and in offers of the product in JSON-LD and
    microdata. Without any, plans side by side on the home page count, and then sentences that offer the product.
    Nothing is converted: of several currencies US dollars count on pages in English, or else the one of most prices.
    """
    parts = list(_parts(pages, name))
    shown = _for_one([price for part in parts for price in _shown_in(part, name)])
    prices = _clearest(shown)
    declared = [price for page in pages for price in islice(declared_prices(page, name), MAX_OFFERS)]
    if not prices:
        cards = next((part for part in _cards(pages, name) if part.lines), _Part(pages[0], []))
        said = list(islice(_introduced(pages, name), MAX_PRICES)) if not cards.lines else []
        parts += [cards, *(part for part, _ in said)]
        prices = _clearest(_shown_in(cards, name)) or [price for _, price in said]
    amounts = [*prices, *declared]
    models = _models(pages, parts, amounts, name=name)
    paid = [price for price in amounts if MIN_CENTS <= price.cents <= MAX_CENTS]
    currency = _currency_of(paid, (pages[0].document.root.get("lang") or "")[:2].lower())
    # Visible content is more up to date than structured data.
    ranked = sorted(
        (price for price in paid if price.currency == currency), key=lambda one: (one in declared, _rank(one))
    )
    ranked = _billed_monthly(ranked, shown)
    return Pricing(
        models,
        [price.find for price in ranked],
        [replace(price.find, value=price.currency) for price in ranked[:1]],
        _periods(ranked, parts, pages, name=name),
        "We found no paid plans." if models and models[0].value in ("free", "open_source") else "We found no prices.",
    )


@dataclass(frozen=True)
class _Part:
    """Lines of a page about prices. `doubt` lowers the confidence of the prices in them."""

    page: ReadPage
    lines: list[Line]
    doubt: float = 0.0


def _parts(pages: Sequence[ReadPage], name: str | None) -> Iterator[_Part]:
    """Yield the parts about prices: on the home page, and pages that they or the home page's links call so.

    Also pages about a paid edition, such as "Acme Cloud", if they tell how often a price is paid.
    """
    home = pages[0]
    yield _Part(home, pricing_lines(home, name=name, is_home=True), doubt=0.05)
    kinds = linked_kinds(home.document, [page.url for page in pages[1:]])
    for page in pages[1:]:
        kind = kind_of_page(page) or kinds.get(page_key(page.url))
        if kind == "pricing" or (kind is None and _is_edition(page, name)):
            part = _Part(page, pricing_lines(page, name=name, is_home=False))
            if kind or any(price.period for price in _shown_in(part, name)):
                yield part


def _is_edition(page: ReadPage, name: str | None) -> bool:
    """Return whether a page's heading is the product's name with that of an edition."""
    heading = page.document.first_text("h1")
    own, title = fold(name or ""), fold(heading[0]) if heading else ""
    return bool(own) and title.startswith(own) and title.removeprefix(own) in EDITIONS


def _shown_in(part: _Part, name: str | None) -> list[Price]:
    return [
        replace(
            price,
            find=replace(price.find, confidence=CONFIDENCE[price.standing] - part.doubt - price.is_plain * 0.2),
        )
        for price in islice(shown_prices(part.page, part.lines, name=name), MAX_PRICES)
    ]


def _cards(pages: Sequence[ReadPage], name: str | None) -> Iterator[_Part]:
    """Yield plans side by side on the home page, then on pages about nothing that we know, such as one of a cloud.

    Deeper pages are left out: articles have tables of other products.
    """
    for number, page in enumerate(pages):
        is_deep = "/" in parts_of(page.url).path.strip("/")
        if number == 0 or not (is_deep or kind_of_page(page)):
            yield _Part(page, cards_with_prices(page, name=name, is_home=number == 0), doubt=0.1)


def _introduced(pages: Sequence[ReadPage], name: str | None) -> Iterator[tuple[_Part, Price]]:
    """Yield what sentences of the home page and of pages about the company or of questions offer, and lone prices.

    Each comes with its line.
    """
    for number, page in enumerate(pages):
        if number == 0 or kind_of_page(page) in ("faq", "about"):
            yield from ((_Part(page, [line]), price) for line, price in introduced_prices(page, name=name))
    yield from ((_Part(pages[0], [line]), price) for line, price in lone_prices(pages[0], name=name))


def _clearest(prices: list[Price]) -> list[Price]:
    """Return the prices that are most clearly those of plans: what others say is about extras or in passing.

    If any price says how often it is paid, bare amounts may be anything else.
    """
    if any(not price.is_plain and price.cents for price in prices):
        prices = [price for price in prices if not price.is_plain]
    best = max((price.standing for price in prices if price.cents), default=Standing.ALONE)
    return [price for price in prices if price.standing >= best or not price.cents]


def _for_one(prices: list[Price]) -> list[Price]:
    """Return the prices without what each of several costs, if any price is for one."""
    has_one = any(price.number == "one" and price.cents for price in prices)
    return [price for price in prices if not (has_one and price.number == "several")]


def _currency_of(paid: list[Price], language: str) -> str:
    """Return US dollars on pages in English, or else the currency of most prices, of several the first."""
    counts = Counter(price.currency for price in paid)
    is_english = language in ("", "en")
    return "USD" if is_english and "USD" in counts else counts.most_common(1)[0][0] if counts else ""


def _periods(
    ranked: Sequence[Price], parts: Sequence[_Part], pages: Sequence[ReadPage], *, name: str | None
) -> list[Find]:
    """Return how often the first price is paid. If no price says that, its plan or a note about all prices may.

    Otherwise another page may say it, with the same amount or of the product itself.
    """
    if any(price.period or (price.find.source == "text" and not price.is_plain) for price in ranked):
        return [replace(price.find, value=price.period) for price in ranked[:1] if price.period]
    if not ranked:
        return []
    own = [part for part in parts if part.page is ranked[0].find.page]
    noted = (noted_period(part.page, part.lines) for part in own)
    once = (paid_once(part.page, part.lines, ranked) for part in own)
    again = (
        replace(price.find, value=price.period)
        for page in pages
        for _, price in introduced_prices(page, name=name)
        if (price.cents, price.currency) == (ranked[0].cents, ranked[0].currency)
    )
    said = (said_once(page) for page in pages if page is ranked[0].find.page or page is pages[0])
    find = next(filter(None, chain(noted, once, again, said)), None)
    return [find] if find else []


def _billed_monthly(ranked: list[Price], shown: Sequence[Price]) -> list[Price]:
    """Return the prices with what the first plan costs when billed monthly before what it costs when billed yearly.

    A switch may hide that, a line may have it beside the other, and a note may tell it.
    """
    first = ranked[0] if ranked else None
    if first is None or first.billed != "year" or not isinstance(first.find.page, ReadPage):
        return ranked
    months = {"month": 1, "year": 12}.get(first.period, 0)
    by_month = [one for one in shown if one.period == "month"]
    place = by_month.index(first) if first in by_month else len(by_month) + 1
    beside = (one for one in by_month[max(place - 1, 0) : place + 2] if not one.billed)
    told = (*shown, *folded_prices(first.find.page), *told_monthly(first.find.page))
    others = (one for one in told if one.billed == "month")
    monthly = [
        replace(one, period="month")
        for one in (*beside, *others)
        if one.currency == first.currency
        and one.period in ("", "month")
        and first.cents < one.cents * months <= first.cents * _MOST_FOR_MONTHLY
    ]
    return [min(monthly, key=lambda one: one.cents), *ranked] if monthly else ranked


def _rank(price: Price) -> tuple[int, int]:
    """Order prices: monthly before yearly ones of the same plans, then the lowest."""
    return _PERIODS_IN_ORDER.index(price.period) if price.period in _PERIODS_IN_ORDER else len(
        _PERIODS_IN_ORDER
    ), price.cents


_PERIODS_IN_ORDER = ("month", "year")


def _models(pages: Sequence[ReadPage], parts: Sequence[_Part], amounts: list[Price], *, name: str | None) -> list[Find]:
    """Yield pricing models, best first."""
    paid = [amount for amount in amounts if amount.cents >= MIN_CENTS]
    free = [*_free_plans(parts, amounts), *_free_for_ever(pages[0])]
    source = _open_source(pages, name=name)
    result: list[Find] = []
    if paid and not free:
        free = [find for find in source if _is_self_hosted(pages[0])]
    if paid and free:
        snippet = f"{free[0].snippet[:140]} … {paid[0].find.snippet[:140]}"
        result.append(replace(free[0], value="freemium", snippet=snippet))
    if paid:
        result.append(replace(paid[0].find, value="paid", confidence=min(paid[0].find.confidence, 0.8)))
    if not paid:
        result = [
            *source,
            *result,
            *(replace(find, value="free") for find in _wholly_free(pages, parts, free, name=name)),
        ]
        result = result or _by_use(parts) or ([] if free else _on_request(parts, pages[0]))
    else:
        result = [*result, *source]
    return result


def _free_plans(parts: Sequence[_Part], amounts: list[Price]) -> list[Find]:
    """Yield plans that cost nothing. A free trial does not count."""
    # A machine-readable price of zero is often there only because the format requires a price.
    finds = [amount.find for amount in amounts if amount.cents == 0 and amount.find.source == "text"]
    finds += [
        Find("free", part.page, "text", selector_of(line.element), line.text[:SNIPPET_CHARACTERS], 0.8)
        for part in parts
        for line in part.lines
        if any(map(_says_free_plan if len(line.text) > MAX_PRICE_LINE else _is_free_plan, sentences(line.text)))
    ]
    if not any(amount.cents for amount in amounts):
        declared = [amount.find for amount in amounts if amount.find.source != "text"]
        finds += [replace(find, confidence=0.5) for find in declared]
    return sorted(finds, key=lambda find: -find.confidence)


def _free_for_ever(home: ReadPage) -> Iterator[Find]:
    """Yield what the home page says is free for ever, outside of its part about prices."""
    for line in home.lines:
        if not line.marks & NOT_OURS and any(map(_says_free_plan, sentences(line.text))):
            yield Find("free", home, "text", selector_of(line.element), line.text[:SNIPPET_CHARACTERS], 0.6)


def _is_free_plan(text: str) -> bool:
    is_asked = text.rstrip().endswith("?")
    return not is_asked and (fold(text) in FREE_WORDS or FREE_PLAN.search(text) is not None or _says_free_plan(text))


def _says_free_plan(text: str) -> bool:
    return len(text) <= MAX_PRICE_LINE * 2 and FREE_FOR_EVER.match(text) is not None


def _wholly_free(
    pages: Sequence[ReadPage], parts: Sequence[_Part], free: list[Find], *, name: str | None
) -> list[Find]:
    """Yield statements that everything is free, when no page shows a price.

    On a site with a pricing page, only that page counts: otherwise its prices were not read, or not understood.
    """
    home = pages[0]
    said = [
        Find("free", home, "text", selector_of(line.element), line.text[:SNIPPET_CHARACTERS], 0.7)
        for line in home.lines
        if not line.marks & NOT_OURS and len(line.text) <= 200 and _says_free(line.text, name)
    ]
    said += [
        replace(find, confidence=0.7)
        for find in (*finds_of(home.facts.title, home), *finds_of(home.facts.description, home))
        if _says_free(find.value, name) or FREE_PRODUCT.search(find.value)
    ]
    if not said and not free:
        return []
    others = [part for part in parts if part.page is not home]
    if any(map(_may_cost, others)):
        return []
    if others or _links_to_prices(home):
        return [find for find in free if find.source == "text" and find.confidence >= 0.8][:1]
    if any(topic != "others" and _may_be_price(line) for topic, line in with_topics(home, name)):
        return []
    return [*said[:3], *free]


def _on_request(parts: Sequence[_Part], home: ReadPage) -> list[Find]:
    """Return that the product costs, if its page of prices names none and asks visitors to get in touch instead."""
    others = [part for part in parts if part.page is not home]
    said = (
        Find("paid", part.page, "text", selector_of(line.element), line.text[:SNIPPET_CHARACTERS], 0.6)
        for part in others
        for line in part.lines
        if len(line.text) <= MAX_PRICE_LINE and ON_REQUEST.search(line.text)
    )
    if any(map(_may_cost, others)):
        return []
    return list(islice(said, 1)) or (_sold_by_people(home) if not others else [])


def _sold_by_people(home: ReadPage) -> list[Find]:
    """Return that a product without a page of prices costs: an answer about its price says so, or a link to sales."""
    asks_cost = False
    for line in home.lines:
        if asks_cost and ON_REQUEST.search(line.text):
            return [Find("paid", home, "text", selector_of(line.element), line.text[:SNIPPET_CHARACTERS], 0.6)]
        if line.text.rstrip().endswith("?"):
            asks_cost = ASKS_COST.search(line.text) is not None
    for _, element in home.document.anchors[:1000]:
        if SOLD_BY_PEOPLE.fullmatch(text_of(element, limit=60).strip()):
            return [Find("paid", home, "dom", selector_of(element), snippet_of(element), 0.5)]
    return []


def _by_use(parts: Sequence[_Part]) -> list[Find]:
    """Return that the product costs by what is used, on its page of prices, or is free up to an amount a month."""
    others = [(part.page, line) for part in parts[1:] for line in part.lines]
    paid = [(page, line) for page, line in others if shows_price(line.text) and USE.search(line.text)]
    free = [(page, line) for page, line in others if FREE_USE.search(line.text)]
    return [
        Find(model, page, "text", selector_of(line.element), line.text[:SNIPPET_CHARACTERS], 0.6)
        for model, one in (("freemium", free), ("paid", paid))
        for page, line in one[:1]
        if paid
    ]


def _may_be_price(line: Line) -> bool:
    is_of_others = line.marks & _OF_OTHERS or OTHER_AMOUNT.search(line.text) or line.text[0] in _OPENING_QUOTES
    return len(line.text) <= MAX_PRICE_LINE and not is_of_others and shows_price(line.text)


def _says_free(text: str, name: str | None) -> bool:
    """Return whether a text says that everything costs nothing, or that the product does."""
    rest = text.partition(name)[2] if name else ""
    if WHOLLY_FREE.search(text) or IS_FREE.match(rest):
        return True
    for sentence in sentences(text):
        product = THE_PRODUCT.match(sentence)
        if SAYS_FREE.search(sentence) or (product and IS_FREE.match(sentence, product.end())):
            return True
    return False


def _may_cost(part: _Part) -> bool:
    """Return whether a pricing page shows a number with a billing period, even in an unknown currency."""
    return any(
        len(line.text) <= MAX_PRICE_LINE
        and _SOME.search(text := in_western_digits(line.text)) is not None
        and PERIOD.search(text) is not None
        for line in part.lines
    )


def _links_to_prices(home: ReadPage) -> bool:
    return any(
        (kind := kind_of(address, text_of(element, limit=60))) and kind[0] == "pricing"
        for address, element in home.document.anchors[:1000]
    )


def _open_source(pages: Sequence[ReadPage], *, name: str | None) -> list[Find]:
    """Yield open source, if the site says so or names a license, and also links to its source code.

    Either alone is too weak.
    """
    home = pages[0]
    heading = home.document.first_text("h1")
    said = [*finds_of(home.facts.title, home), *finds_of(home.facts.description, home)]
    if heading:
        said.append(Find(heading[0], home, "dom", "h1", snippet_of(heading[1]), 0.75))
    said = [find for find in said if OPEN_SOURCE.search(find.value) and not OF_OTHERS.search(find.value)]
    said += [
        Find(line.text, home, "text", selector_of(line.element), line.text[:SNIPPET_CHARACTERS], 0.7)
        for line in home.lines
        if LICENSE.search(line.text) and not line.marks & {"quote", "versus"}
    ]
    if not said or not any(
        _is_own_source(address, page, name) for page in pages for address, _ in page.document.anchors
    ):
        return []
    return [replace(said[0], value="open_source", confidence=min(said[0].confidence, 0.75))]


def _is_self_hosted(home: ReadPage) -> bool:
    """Return whether the home page offers the product for one's own server, which costs nothing if it's open source."""
    said = [*finds_of(home.facts.title, home), *finds_of(home.facts.description, home)]
    texts = [*(find.value for find in said), *(line.text for line in home.lines if not line.marks & NOT_OURS)]
    return any(SELF_HOSTED.search(text) for text in texts)


def _is_own_source(address: str, page: ReadPage, name: str | None) -> bool:
    owner = repository_owner(address)
    if owner is None:
        return False
    return domain_fit(owner.name, page.url) > 0 or fold(name or "") in map(fold, parts_of(address).path.split("/")[1:3])
