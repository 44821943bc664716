"""Read amounts in a text: numbers with a currency, and which currency a sign means on a page."""

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import islice

from price_parser import Price as ParsedPrice

from apps.core.web.urls import host_of
from apps.drafts.extraction.document.lines import Line, is_called_cents
from apps.drafts.extraction.page.read_page import ReadPage
from apps.drafts.extraction.pricing.price_words import (
    CURRENCIES,
    DASHED,
    FORMER_PRICE,
    OTHER_DOLLARS,
    OWN_CROWNS,
    OWN_DOLLARS,
    PERIOD,
    PRICE_NOTE,
    US_DOLLARS,
)
from apps.drafts.extraction.text.cleaning import in_western_digits

MAX_PRICE_LINE = 80
MAX_CENTS = 10**9
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
PRICE = re.compile(
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


def join_amounts(lines: list[Line]) -> list[Line]:
    """Return the lines, with a currency sign on its own line beside the number below or above it, and its cents.

    What shops tell screen readers of a former price is left out.
    """
    joined: list[Line] = []
    for line in (replace(one, text=FORMER_PRICE.sub("", one.text)) for one in lines):
        last = joined[-1].text if joined else ""
        if not line.text:
            continue
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


def own_signs(page: ReadPage) -> dict[str, str]:
    """Return what "$", "kr" and "¥" mean: USD, SEK and JPY, unless the page or its URL names another currency."""
    language = (page.document.root.get("lang") or "").replace("_", "-").lower()
    region = language.rpartition("-")[2] if "-" in language else ""
    ending = host_of(page.url).rpartition(".")[2]
    own = OWN_DOLLARS.get(region) or OWN_DOLLARS.get(ending)
    dollar = ("USD" if _is_in_us_dollars(page) else own) if own else _named_dollar(page) or "USD"
    crown = OWN_CROWNS.get(language[:2]) or OWN_CROWNS.get(ending) or "SEK"
    dashed = OWN_CROWNS.get(ending) or DASHED.get(language[:2], "")
    return {"$": dollar, "kr": crown, ",-": dashed, "¥": "CNY" if language[:2] == "zh" or ending == "cn" else "JPY"}


def _is_in_us_dollars(page: ReadPage) -> bool:
    """Return whether a note such as "All prices in US dollars" says so of a page whose own dollar is another."""
    return any(PRICE_NOTE.search(text) and US_DOLLARS.search(text) for text in _notes_of(page))


def _named_dollar(page: ReadPage) -> str:
    """Return the other dollar or peso that a line such as "All prices in AUD" names first, or an empty text."""
    named = (code for text in _notes_of(page) for code, words in OTHER_DOLLARS.items() if words.search(text))
    return next(named, "")


def _notes_of(page: ReadPage) -> Iterator[str]:
    """Yield short lines, without the footer's: shops let visitors choose a country there."""
    return (line.text for line in page.lines if "footer" not in line.marks and len(line.text) <= MAX_PRICE_LINE * 2)


def cents_of(text: str) -> int | None:
    """Return a written number in hundredths, or None if it is not one or too large."""
    amount = ParsedPrice.fromstring(in_western_digits(text).replace("’", "").replace("'", "")).amount
    if amount is None or not 0 <= amount <= Decimal(MAX_CENTS) / 100:
        return None
    return int(amount * 100)


def shows_price(text: str) -> bool:
    """Return whether a text shows an amount above zero."""
    return any(cents_of(match["one"] or match["two"]) for match in islice(PRICE.finditer(text), 5))
