"""Words around prices in common languages: which mark a plan's price, and which another amount."""

import re

from apps.drafts.extraction.text.cleaning import fold, words_of

CURRENCIES = {
    **dict.fromkeys(("US$", "USD", "$US"), "USD"),
    **dict.fromkeys(("€", "EUR", "euros", "euro"), "EUR"),
    **dict.fromkeys(("£", "GBP"), "GBP"),
    **dict.fromkeys(("¥", "￥", "JPY", "円"), "JPY"),
    **dict.fromkeys(("CNY", "RMB", "元"), "CNY"),
    **dict.fromkeys(("₹", "INR", "Rs."), "INR"),
    **dict.fromkeys(("R$", "BRL"), "BRL"),
    **dict.fromkeys(("zł", "PLN"), "PLN"),
    **dict.fromkeys(("SEK", "NOK", "DKK", "kr"), "SEK"),
    **dict.fromkeys(("CHF", "Fr."), "CHF"),
    **dict.fromkeys(("₽", "RUB", "руб"), "RUB"),
    **dict.fromkeys(("₺", "TRY", "TL"), "TRY"),
    **dict.fromkeys(("Kč", "CZK"), "CZK"),
    **dict.fromkeys(("₩", "KRW", "원"), "KRW"),
    **dict.fromkeys(("₴", "UAH", "грн"), "UAH"),
    **dict.fromkeys(("₪", "ILS"), "ILS"),
    **dict.fromkeys(("A$", "AU$", "AUD"), "AUD"),
    **dict.fromkeys(("C$", "CA$", "CAD"), "CAD"),
    **dict.fromkeys(("NZ$", "NZD"), "NZD"),
    **dict.fromkeys(("S$", "SGD"), "SGD"),
    **dict.fromkeys(("HK$", "HKD"), "HKD"),
    **dict.fromkeys(("NT$", "TWD"), "TWD"),
    **dict.fromkeys(("MX$", "MXN"), "MXN"),
    **dict.fromkeys(("Ft", "HUF"), "HUF"),
    **dict.fromkeys(("lei", "RON"), "RON"),
    **dict.fromkeys(("฿", "THB"), "THB"),
    **dict.fromkeys(("₫", "VND"), "VND"),
    **dict.fromkeys(("ZAR",), "ZAR"),
    **dict.fromkeys(("ر.س", "ريال سعودي", "SAR"), "SAR"),
    **dict.fromkeys(("د.إ", "درهم إماراتي", "AED"), "AED"),
    **dict.fromkeys(("ج.م", "جنيه مصري", "EGP"), "EGP"),
    **dict.fromkeys(("د.أ", "دينار أردني", "JOD"), "JOD"),
    **dict.fromkeys(("$", "دولار", "دولارات", "دولارًا", "دولاراً"), "$"),
}
# Where the dollar sign alone means another dollar, or a peso.
OWN_DOLLARS = frozenset({"ca", "au", "nz", "sg", "hk", "tw", "mx", "ar", "cl", "uy"})
OTHER_DOLLARS = re.compile(
    r"\b(?:AUD|CAD|NZD|SGD|HKD|TWD|MXN|ARS|CLP|COP|UYU)\b|\b(?:AU|CA|NZ|HK|NT|MX)\$|دولار (?:كندي|أسترالي)"
)

_PERSONS = (
    r"(?:users?|seats?|members?|editors?|agents?|persons?|people|team|workspace|site|domain|project|company|nutzer|"
    r"benutzer|person|arbeitsplatz|utilisateur|usuario|usuário|utente|gebruiker|användare|użytkownik\w*)"
)
_SPAN = (
    r"(?:months?|mo|mth|mnth|years?|yr|annum|weeks?|wk|monat|jahr|woche|mois|an|année|mes|año|mês|ano|mese|anno|maand|"
    r"jaar|månad|år|miesiąc|mies|rok|mesiąc|месяц|мес|год|ay|yıl)"
)
# What makes an amount the price of a plan: how often and for whom it is paid.
PERIOD = re.compile(
    rf"(?:/|\b(?:per|pro|par|por|al|all'|a|an|each|je|na|за|в|im|jährlich|monatlich|"
    rf"every))\s*(?:{_PERSONS}\s*(?:/|per|pro|par|por|,)\s*)?"
    rf"(?:{_SPAN}|{_PERSONS})\b"
    r"|\b(?:monthly|yearly|annually|annual|billed|lifetime|one[- ]time|monatlich|jährlich|einmalig|mensuel\w*|annuel\w*"
    r"|mensual\w*|anual\w*|mensal|mensile|annuale|maandelijks|jaarlijks|miesięcznie|rocznie|ежемесячно)\b"
    r"|/\s*(?:月|年|월)|(?:每月|每年|毎月|月額|年額|か月|ヶ月|매월)"
    r"|\b(?:شهري|سنوي|يوميا|أسبوعيا)|(?:/|\bفي|\bكل)\s*(?:ال)?(?:شهر|سنة|عام|مستخدم)",
    re.IGNORECASE,
)
# Next to these words, an amount is not a plan's price: discounts, extras, usage, other people's money.
OTHER_AMOUNT = re.compile(
    r"\b(?:sav(?:e|es|ed|ings?)|off|discount\w*|credits?|coupon|bonus|additional|extra|add-?ons?|overages?|setup|fees?|"
    r"worth|valued?|raised|funding|revenue|up to|over|more than|limits?|budget|instead|was|refund\w*|money-back|"
    r"guarantee\w*|"
    r"referral|gift|donat\w+|spend\w*|spent|earn\w*|compared|competitors?|versus|vs|elsewhere|others?|salar\w+|"
    r"sold|paid out|"
    r"processed|arr|mrr|sparen|spar\w+|rabatt|gutschein|statt|zusätzlich\w*|économis\w+|remise|réduction|"
    r"supplémentaire\w*|"
    r"ahorr\w+|descuento|adicional\w*|desconto|economiz\w+|risparmi\w*|sconto|aggiuntiv\w+|korting|bespaar|"
    r"rabat|zniżk\w+|"
    r"скидк\w+|вместо)\b|割引|优惠|節約|\+\s*[$€£]|[-–−]\s*[$€£]",
    re.IGNORECASE,
)
EXTRA_ABOVE = re.compile(
    r"\b(?:additional|extra|add-?ons?|overages?|was|instead|worth|valued?|setup|zusätzlich\w*|statt|"
    r"competitors?|others?)\b",
    re.IGNORECASE,
)
_THINGS = (
    r"(?:gb|mb|tb|requests?|tokens?|e-?mails?|messages?|sms|minutes?|min|hours?|hr|calls?|pages?|events?|transactions?|"
    r"queries|query|images?|documents?|api|downloads?|credits?|clicks?|leads?|contacts?|orders?|invoices?|subscribers?|"
    r"units?|items?|copies|build|kilometer|km|stunde|heure|hora|ora|uur)"
)
USE = re.compile(
    rf"(?:/|\b(?:per|pro|par|por|each|je)\b)\s*(?:\d[\d,. ]*\s*(?:k|m|million|thousand)?\s*)?(?:\w+\s+)?{_THINGS}\b",
    re.IGNORECASE,
)
_FREE_WORDS = words_of("""
    free freeforever foreverfree kostenlos kostenfrei gratuit gratis gratuito grátis ilmainen bezpłatny zadarmo
    бесплатно ücretsiz 無料 免费 免費 무료
    مجاني مجانا مجانية
""")
FREE_WORDS = frozenset(fold(word) for word in _FREE_WORDS)
FREE_PLAN = re.compile(
    r"\b(?:free forever|forever free|free (?:plan|tier|version|edition)|always free|(?:für )?immer kostenlos|"
    r"kostenlose[rs]? "
    r"(?:plan|tarif|version)|gratuit pour toujours|(?:plan|offre|version) gratuite?|gratis para siempre|(?:plan|"
    r"versión|plano) "
    r"grat(?:is|uito)|grátis para sempre|(?:piano|versione) gratuit[oa]|gratis (?:plan|versie)|бесплатный тариф)\b"
    r"|無料プラン|免费版|免費版|무료 플랜|(?:الخطة|الباقة) المجانية",
    re.IGNORECASE,
)
WHOLLY_FREE = re.compile(
    r"\b(?:100\s?% free|completely free|totally free|free forever|forever free|always free|"
    r"(?:100\s?%|komplett|völlig|dauerhaft) kostenlos|(?:100\s?%|entièrement|totalement) gratuit|"
    r"(?:100\s?%|totalmente|completamente) grat(?:is|uito)|completamente gratuito|helemaal gratis|"
    r"полностью бесплатн\w+)\b(?!\s+(?:of|from|von|de|di)\b)"
    r"|\bfree of charge\b|完全無料|完全免费",
    re.IGNORECASE,
)
OPEN_SOURCE = re.compile(
    r"\bopen[- ]?source[d]?\b|\blibre software\b|\bfree software\b|\bcódigo abierto\b|\bcódigo aberto\b|"
    r"\bopensource\b|\blogiciel libre\b|\bquelloffen\w*|オープンソース|开源|開源|오픈소스",
    re.IGNORECASE,
)
# These are about other open source software, not the product.
OF_OTHERS = re.compile(
    r"\b(?:find|discover|explore|browse|directory|list|best|top|built (?:on|with)|based on|powered by|uses?|"
    r"using|for open|"
    r"support\w*|contribut\w+|alternatives to|projects|maintainers|licen[cs]es|compliance|dependencies)\b",
    re.IGNORECASE,
)
