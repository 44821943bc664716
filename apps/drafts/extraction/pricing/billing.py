"""Tell whether a price a month is billed by the month or by the year, by the words beside it and around it."""

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from apps.drafts.extraction.document.document import Document, text_of

MAX_AROUND = 8
MAX_ATTRIBUTES = 20
MAX_VALUE = 120
_BILL = (
    r"(?:bill\w*|paid|pay(?:ing|ment)?|charged|invoiced|abgerechn\w*|abrechnung|zahl\w+|gezahlt|factur\w*|pay[ée]\w*|"
    r"paiement|engagement|pag\w+|cobr\w+|fatturat\w*|fatturazione|gefactureerd|betal\w*|betaald|płatn\w*|rozlicz\w*|"
    r"faktur\w*|laufzeit|kündigung|kündbar|plano?|piano|abo)"
)
_BY_YEAR = (
    r"(?:annual\w*|annually|yearly|(?:a|per|every|each) year|per annum|jährlich\w*|(?:pro|im) jahr|annuel\w*|par an|"
    r"12 monate?n?|"
    r"à l['’]année|anual\w*|al año|por año|por ano|annualmente|all['’]anno|jaarlijks\w*|per jaar|roczn\w*|årlig\w*|"
    r"årsvis|per år|om året)"
)
_BY_MONTH = (
    r"(?:monthly|month[- ]to[- ]month|(?:a|per|every|each) month|monatlich\w*|mensuel\w*|mensual\w*|mensal\w*|"
    r"mensil\w*|maandelijks\w*|miesięczn\w*|månedlig\w*|månadsvis)"
)
_BILLED = tuple(
    (
        period,
        re.compile(rf"\b{_BILL}\W+(?:\w+\W+){{0,2}}{words}\b|\b{words}\W+(?:\w+\W+)?{_BILL}\b|{dense}", re.IGNORECASE),
    )
    for period, words, dense in (
        ("year", _BY_YEAR, "年払い|年一括|按年|årsbetalning|jahres(?:zahlung|abo|vertrag)"),
        ("month", rf"(?:{_BY_MONTH})", "月払い|按月"),
    )
)
_ANY_MONTH = re.compile(
    r"\b(?:month[- ](?:to|by)[- ]month|mes a mes|mês a mês|mese per mese|mois par mois|no commitment|sans engagement|"
    r"sin permanencia|sem fidelidade|senza vincoli|"
    r"ohne (?:bindung|laufzeit)|monatlich kündbar)\b",
    re.IGNORECASE,
)
# Parts of names in styles and scripts: "price-yearly", "isAnnual", "data-billing".
_NAMED_YEAR = re.compile(r"annu|anual|year|j(?:ä|ae?)hr|jaar|roczn|[åa]rlig|[åa]rsvis", re.IGNORECASE)
_NAMED_MONTH = re.compile(r"month|monat|mensu|mensal|mensil|maand|miesi|m[åa]nad|m[åa]ned", re.IGNORECASE)
_NAMES = frozenset({"class", "id", "aria-label", "aria-labelledby", "x-show", "v-if", "v-show", "ng-if", "ng-show"})
OTHER_SIDE = {"month": "year", "year": "month", "": ""}


def billed_in(text: str) -> str:
    """Return month or year if a text says that a price is billed that way, or an empty text."""
    if _ANY_MONTH.search(text):
        return "month"
    return next((period for period, words in _BILLED if words.search(text)), "")


def billed_around(element: etree._Element, document: Document) -> str:
    """Return month or year by the names of an element and those around it, as on both sides of a switch."""
    for one in (element, *islice(element.iterancestors(), MAX_AROUND)):
        if one.tag in ("body", "html"):
            break
        names = list(_names_of(one, document))
        is_year, is_month = (any(map(words.search, names)) for words in (_NAMED_YEAR, _NAMED_MONTH))
        if is_year != is_month:
            result = "year" if is_year else "month"
            return OTHER_SIDE[result] if _is_negated(one) else result
        if is_year:
            break
    return ""


def _names_of(element: etree._Element, document: Document) -> Iterator[str]:
    for name, value in islice(element.items(), MAX_ATTRIBUTES):
        named = f"{name!s} {value!s:.{MAX_VALUE}}"
        if name in _NAMES or named.startswith("data-"):
            yield named
    label = document.by_id.get(element.get("aria-labelledby") or "")
    if label is not None:
        yield text_of(label, limit=MAX_VALUE)


def _is_negated(element: etree._Element) -> bool:
    """Return whether an element shows when its condition doesn't hold: `x-show="!yearly"`."""
    return any((element.get(name) or "").startswith("!") for name in ("x-show", "v-if", "v-show", "ng-if", "ng-show"))
