"""Find the prices that a site declares for machines, in JSON-LD and microdata."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from apps.core.text.currencies import CURRENCIES as KNOWN
from apps.drafts.extraction.document import microdata
from apps.drafts.extraction.document.document import selector_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, Json, Node, strings, types_of
from apps.drafts.extraction.document.titles import domain_fit
from apps.drafts.extraction.page.facts import Source
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.pricing.amounts import cents_of
from apps.drafts.extraction.pricing.prices import Price, period_of
from apps.drafts.extraction.text.cleaning import clean, fold

MAX_OFFERS = 20
_PRODUCT_TYPES = APPLICATION_TYPES | {"product", "service"}


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
            cents = cents_of(text)
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
