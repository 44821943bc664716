"""Find the lowest price in US dollars, and whether there is a free plan next to paid ones."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from apps.core.web.urls import parts_of
from apps.drafts.extraction.document.document import SNIPPET_CHARACTERS, selector_of, snippet_of, text_of
from apps.drafts.extraction.document.titles import domain_fit
from apps.drafts.extraction.page.read_page import Find, ReadPage, finds_of
from apps.drafts.extraction.pricing.price_words import (
    FREE_PLAN,
    FREE_WORDS,
    OF_OTHERS,
    OPEN_SOURCE,
    PERIOD,
    WHOLLY_FREE,
)
from apps.drafts.extraction.pricing.prices import (
    MAX_CENTS,
    MAX_OFFERS,
    MAX_PRICE_LINE,
    MAX_PRICES,
    NOT_OURS,
    Price,
    declared_prices,
    pricing_lines,
    shown_prices,
    shows_price,
)
from apps.drafts.extraction.site.page_kinds import kind_of, kind_of_page
from apps.drafts.extraction.text.cleaning import fold, in_western_digits
from apps.listings.fields.socials import repository_owner

MIN_CENTS = 50

_SOME = re.compile(r"[1-9]")


@dataclass(frozen=True)
class Pricing:
    """Finds for `pricing_model` and `price_from_cents`, and the reason if the price is missing."""

    models: list[Find]
    prices: list[Find]
    reason: str


def find_pricing(pages: Sequence[ReadPage], *, name: str | None) -> Pricing:
    """Return the pricing model, and the lowest price above zero in US cents, as texts, best first.

    Prices count on pricing pages, in pricing sections of the home page, and in offers of the product in JSON-LD and
    microdata. Other currencies are not converted, because listings use US dollars.
    """
    shown = [amount for page in pages for amount in islice(shown_prices(page, is_home=page is pages[0]), MAX_PRICES)]
    # If any price on a page says how often it is paid, its bare amounts may be anything else.
    if any(not amount.is_plain for amount in shown):
        shown = [amount for amount in shown if not amount.is_plain]
    declared = [amount for page in pages for amount in islice(declared_prices(page, name), MAX_OFFERS)]
    amounts = [*shown, *declared]
    models = _models(pages, amounts, name=name)
    in_dollars = [amount for amount in amounts if amount.currency == "USD" and MIN_CENTS <= amount.cents <= MAX_CENTS]
    # Visible content is more up to date than structured data.
    ranked = [
        *sorted((amount for amount in in_dollars if amount in shown), key=lambda amount: amount.cents),
        *sorted((amount for amount in in_dollars if amount not in shown), key=lambda amount: amount.cents),
    ]
    return Pricing(models, [amount.find for amount in ranked], _reason(amounts, models))


def _reason(amounts: list[Price], models: list[Find]) -> str:
    others = sorted({amount.currency for amount in amounts if amount.currency != "USD" and amount.cents})
    if others:
        return f"We found prices in {', '.join(others[:3])}. Enter the USD price."
    if models and models[0].value in ("free", "open_source"):
        return "We found no paid plans."
    return "We found no prices."


def _models(pages: Sequence[ReadPage], amounts: list[Price], *, name: str | None) -> list[Find]:
    """Yield pricing models, best first."""
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


def _free_plans(pages: Sequence[ReadPage], amounts: list[Price]) -> list[Find]:
    """Yield plans that cost nothing. A free trial does not count."""
    # A machine-readable price of zero is often there only because the format requires a price.
    finds = [amount.find for amount in amounts if amount.cents == 0 and amount.find.source == "text"]
    for page in pages:
        for line in pricing_lines(page, is_home=page is pages[0]):
            if len(line.text) > MAX_PRICE_LINE:
                continue
            if fold(line.text) in FREE_WORDS or FREE_PLAN.search(line.text):
                finds.append(Find("free", page, "text", selector_of(line.element), line.text, 0.8))
    finds += [
        replace(amount.find, confidence=0.5) for amount in amounts if amount.cents == 0 and amount.find.source != "text"
    ]
    return sorted(finds, key=lambda find: -find.confidence)


def _wholly_free(pages: Sequence[ReadPage], free: list[Find]) -> list[Find]:
    """Yield statements that everything is free, when no page shows a price.

    On a site with a pricing page, only that page counts: otherwise its prices were not read, or not understood.
    """
    home = pages[0]
    said = [
        Find("free", home, "text", selector_of(line.element), line.text[:SNIPPET_CHARACTERS], 0.7)
        for line in home.lines
        if not line.marks & NOT_OURS and len(line.text) <= 200 and WHOLLY_FREE.search(line.text)
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
    if any(len(line.text) <= MAX_PRICE_LINE and shows_price(line.text) for line in home.lines):
        return []
    return [*said[:3], *free]


def _may_cost(page: ReadPage) -> bool:
    """Return whether a pricing page shows a number with a billing period, even in an unknown currency."""
    return any(
        len(line.text) <= MAX_PRICE_LINE
        and _SOME.search(text := in_western_digits(line.text)) is not None
        and PERIOD.search(text) is not None
        for line in pricing_lines(page, is_home=False)
    )


def _links_to_prices(home: ReadPage) -> bool:
    return any(
        (kind := kind_of(address, text_of(element, limit=60))) and kind[0] == "pricing"
        for address, element in home.document.anchors[:1000]
    )


def _open_source(pages: Sequence[ReadPage], *, name: str | None) -> list[Find]:
    """Yield open source, if the site says so and also links to its source code. Either alone is too weak."""
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
    return domain_fit(owner.name, page.url) > 0 or fold(name or "") in map(fold, parts_of(address).path.split("/")[1:3])
