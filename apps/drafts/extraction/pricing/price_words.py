"""Words around prices in common languages: which mark a plan's price, and which another amount."""

import re

from apps.drafts.extraction.text.cleaning import fold, words_of

CURRENCIES = {
    **dict.fromkeys(("US$", "US $", "USD", "$US"), "USD"),
    **dict.fromkeys(("€", "EUR", "euros", "euro", "Euros", "Euro"), "EUR"),
    **dict.fromkeys(("£", "GBP"), "GBP"),
    **dict.fromkeys(("JPY", "円"), "JPY"),
    **dict.fromkeys(("CNY", "RMB", "元"), "CNY"),
    **dict.fromkeys(("₹", "INR", "Rs.", "Rs"), "INR"),
    **dict.fromkeys(("R$", "BRL"), "BRL"),
    **dict.fromkeys(("zł", "PLN"), "PLN"),
    **{code: code for code in ("SEK", "NOK", "DKK", "ARS", "CLP", "COP", "UYU", "IDR")},
    "Rp": "IDR",
    **dict.fromkeys(("kr", "kronor", "kroner"), "kr"),
    **dict.fromkeys((":-", ",-"), ",-"),
    **dict.fromkeys(("¥", "￥"), "¥"),
    **dict.fromkeys(("CHF", "SFr.", "Fr."), "CHF"),
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
    **dict.fromkeys(("฿", "บาท", "THB"), "THB"),
    **dict.fromkeys(("₫", "đ", "VND"), "VND"),
    **dict.fromkeys(("ZAR",), "ZAR"),
    **dict.fromkeys(("ر.س", "ريال سعودي", "SAR"), "SAR"),
    **dict.fromkeys(("د.إ", "درهم إماراتي", "AED"), "AED"),
    **dict.fromkeys(("ج.م", "جنيه مصري", "EGP"), "EGP"),
    **dict.fromkeys(("د.أ", "دينار أردني", "JOD"), "JOD"),
    **dict.fromkeys(("$", "دولار", "دولارات", "دولارًا", "دولاراً"), "$"),
}
# Where a sign that several countries share means their own currency.
OWN_DOLLARS = {
    "ca": "CAD", "au": "AUD", "nz": "NZD", "sg": "SGD", "hk": "HKD", "tw": "TWD", "mx": "MXN", "ar": "ARS", "cl": "CLP",
    "uy": "UYU",
}  # fmt: skip
OWN_CROWNS = {"no": "NOK", "nb": "NOK", "nn": "NOK", "da": "DKK", "dk": "DKK"}
# Where a dash in place of cents stands for the currency.
DASHED = {"sv": "SEK", "nb": "NOK", "nn": "NOK", "no": "NOK", "da": "DKK", "de": "EUR", "nl": "EUR", "cs": "CZK"}
# What names another dollar or peso than the sign alone.
OTHER_DOLLARS = {
    code: re.compile(rf"\b{code}\b|(?i:{words})")
    for code, words in {
        "AUD": r"\bAU\$|\baustralian dollars?\b|دولار أسترالي",
        "CAD": r"\bCA\$|\bcanadian dollars?\b|\bdollars? canadiens?\b|دولار كندي",
        "NZD": r"\bNZ\$|\bnew zealand dollars?\b",
        "SGD": r"\bsingapore dollars?\b",
        "HKD": r"\bHK\$|\bhong kong dollars?\b",
        "TWD": r"\bNT\$|\bnew taiwan dollars?\b",
        "MXN": r"\bMX\$|\bmexican pesos?\b|\bpesos? mexicanos?\b",
        "ARS": r"\bargentine pesos?\b|\bpesos? argentinos?\b",
        "CLP": r"\bchilean pesos?\b|\bpesos? chilenos?\b",
        "COP": r"\bcolombian pesos?\b|\bpesos? colombianos?\b",
        "UYU": r"\buruguayan pesos?\b|\bpesos? uruguayos?\b",
    }.items()
}
US_DOLLARS = re.compile(
    r"\b(?:USD|(?:US|U\.S\.|American) dollars?|US-Dollar|dollars? américains?|"
    r"dólares (?:americanos|estadounidenses))\b",
    re.IGNORECASE,
)

_PERSONS = (
    r"(?:users?|seats?|members?|editors?|agents?|persons?|people|team|workspace|site|domain|project|company|employees?|"
    r"learners?|practitioners?|providers?|locations?|stores?|clients?|devices?|hosts?|staff|nutzer|benutzer|person|"
    r"arbeitsplatz|mitarbeiter(?:in)?|utilisateur|collaborateur|salariée?|praticien|usuario|usuário|empleado|"
    r"colaborador|"
    r"funcionário|utente|gebruiker|medewerker|användare|użytkownik\w*)"
)
_MONTH = (
    r"months?|mo|mth|mnth|monat|mon|mt|mois|mes|mês|mese|maand|mnd|månad(?:en)?|mån|måned(?:en)?|mdr?|miesiąc|mies|"
    r"mesiąc|"
    r"měsíc|měs|mesiac|hónap|hó|luna|lună|kuukausi|kk|месяц|мес|місяць|міс|месец|mjesec|μήνα|ay|tháng|bulan|bln|เดือน"
)
_YEAR = (
    r"school years?|schuljahr|années? scolaires?|curso escolar|ano letivo|anno scolastico|schooljaar|skoleår|läsår|"
    r"rok szkolny|years?|yr|annum|jahr|an|année|año|ano|anno|jaar|jr|år(?:et)?|"
    r"rok|év|vuosi|год|рік|година|godina|έτος|χρόνο|"
    r"yıl|năm|"
    r"tahun|thn|ปี"
)
_WEEK = r"weeks?|wk|woche|semaine|semana|settimana|week"
_DAY = r"days?|tag|jour|día|dia|giorno|dag"
_PER = (
    r"(?:[/／]|\b(?:per|pr\.?|pro|par|por|al|a|an|each|je|na|за|в|im|i|every|ogni|cada|chaque|jede[nsrm]?|elke?|"
    r"iedere?|varje|"
    r"hver(?:t)?|každ[ýé])(?!\w)|\b(?:al)?l['’])\s*"
)
_ONE = r"(?:1|one|single|eine?[nrs]?|une?|uno|una|uma?|één|een|ett?|en|jeden|jedna)"
_MORE_THAN_ONE = (
    r"(?:[2-9]|[1-9]\d{1,3}|two|three|four|five|six|ten|zwei|drei|vier|fünf|zehn|deux|trois|quatre|cinq|dix|dos|cuatro|"
    r"cinco|diez|dois|duas|dez|três|tres|due|tre|quattro|cinque|dieci|twee|drie|vijf|tien|två|fem|tio)"
)
# How many a plan is for, where more of them cost less each: "One venue", and "Two to five venues" per venue.
FOR_ONE = re.compile(rf"\W*{_ONE}\s+(?!(?:time|off|simple|plan|price|tarif|preis|prix)\b)[^\W\d_]{{3,}}", re.IGNORECASE)
FOR_SEVERAL = re.compile(
    rf"\b(?:from|ab|dès|à partir de|desde|a partir de|da|vanaf|från|fra|od)\s+{_MORE_THAN_ONE}\b|"
    rf"\b{_MORE_THAN_ONE}\s*(?:\+|(?:[-–—]|to|bis|à|a|tot|till|til|do)\s*{_MORE_THAN_ONE}\b)|"
    rf"\b{_MORE_THAN_ONE}(?:\s[^\W\d_]+)? (?:or more|and (?:more|up)|oder mehr|und mehr|ou plus|et plus|o más|y más|"
    r"ou mais|e mais|o più|e più|of meer|en meer|eller fler|eller flere|i więcej)\b",
    re.IGNORECASE,
)
EACH_OF_SEVERAL = re.compile(
    rf"(?:[/／]|\b(?:per|pro|par|por|je|pr\.?|cada|ogni|za|för|each)\b)\s*(?!(?:{_MONTH}|{_YEAR})\b)[^\W\d_]{{3,}}|"
    r"\b(?:each|jeweils|chacune?|cadauno|cada uno)\b",
    re.IGNORECASE,
)
# What only software is sold by.
PER_SEAT = re.compile(
    rf"{_PER}(?:users?|seats?|members?|editors?|agents?|nutzer|benutzer|utilisateur|usu[aá]rio|utente|gebruiker|"
    r"användare|bruger|bruker|użytkownik\w*)\b",
    re.IGNORECASE,
)
# Whom a price is for, in any word, where what joins it to a span of time tells that it is a price: "per writer and".
_EACH = (
    rf"(?:{_PERSONS}\s*(?:/|per|pro|par|por|und|and|et|y|e|en|och|og|,)?|"
    r"[^\W\d_]{2,30}(?:\s*[/,]|\s+(?:und|and|et|y|e|en|och|og)\b)|"
    r"(?:[^\W\d_]{2,30}\s+){1,2}(?:per|pro|par|por|al|im|a)\b)"
)
# "A year of updates" comes with a price, and isn't how often it is paid.
_NOT_OF = r"(?!(?:(?<=month)|(?<=year)) of\b)"
# How often a price is paid, by its words.
PERIODS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (period, re.compile(pattern, re.IGNORECASE))
    for period, pattern in (
        (
            "month",
            rf"{_PER}(?:{_EACH}\s*)?(?:{_MONTH})\b{_NOT_OF}|\b(?:monthly|month-to-month|mes a mes|mês a mês|"
            rf"mese per mese|mois par mois|p/m|pcm)\b|"
            r"^\s?pm\b|(?:(?<=[$€£]\d)|(?<=[$€£]\d\d)|(?<=[$€£]\d\d\d)|(?<=\.\d\d))\s?pm\b|"
            rf"\bmonatlich|\bmtl\b|\bp\.\s?m\.|/\s?m-c\b|"
            r"\bmensuel|\bmensual|\bmensal|\bmensile|\bmaandelijks|miesięcznie|ежемесячно|[/／]\s*(?:月|월)|毎月|每月|月額|"
            r"月々|月あたり|か月|"
            r"ヶ月|매월|(?<!\w)월\s?(?=[\d₩])|"
            r"\b(?:månedlig|månadsvis|měsíčně|mesačne|havonta|aylık|mỗi tháng|щомісяц|mjesečno)|[לב]חודש|ต่อเดือน|"
            r"شهري|(?:/|\bفي|\bكل)\s*(?:ال)?شهر",
        ),
        (
            "year",
            rf"{_PER}(?:{_EACH}\s*)?(?:{_YEAR})\b{_NOT_OF}|\b(?:yearly|annually|annual)\b|"
            rf"\bjährlich|\bp\.\s?a\.|"
            r"\bannuel|\banual|\bannu(?:ale|[oi]\b)|\bjaarlijks|rocznie|[/／]\s*(?:年|년)|每年|年額|年間|"
            r"(?<!\w)연\s?(?=[\d₩])|\b(?:årlig|ročně|ročne|évente|yıllık|щороку|godišnje)|[לב]שנה|ต่อปี|سنوي|(?:/|\bفي|"
            r"\bكل)\s*(?:ال)?(?:سنة|عام)",
        ),
        ("week", rf"{_PER}(?:{_WEEK})\b|\bweekly\b|أسبوعي"),
        ("day", rf"{_PER}(?:{_DAY})\b|\bdaily\b|يوميا"),
        (
            "once",
            r"\b(?:lifetime|one[- ]time|once(?! (?:a|an|per|every|each)\b)|perpetual|pay once|einmalig\w*|"
            r"à vie|de por vida|vitalício|una tantum|eenmalig\w*|engångs\w*|(?:betala|köp) en gång|engangs\w+|"
            r"kertamaksu\w*|jednorázov\w+|jednorazow\w+|einmal (?:zahlen|bezahlen|kaufen)|"
            r"une (?:seule )?fois(?! par\b)|(?:en gång|én gang|en gang)(?! (?:i|per|om|pr)\b)|"
            r"(?:pago|pagamento) (?:único|unico)|(?:achat|paiement) unique|una sola vez|"
            r"uma única vez|una sola volta|tek seferlik|einmalzahlung|одноразов\w+|разов(?:ый|ая) \w+)\b"
            r"|買い切り|一次性|买断|買斷|평생",
        ),
    )
)
# What makes an amount the price of a plan: how often and for whom it is paid.
PERIOD = re.compile(
    "|".join(pattern.pattern for _, pattern in PERIODS)
    + rf"|{_PER}{_PERSONS}\b|\bbilled\b|(?:/|\bفي|\bكل)\s*(?:ال)?مستخدم",
    re.IGNORECASE,
)
# Small words around a price.
AROUND_PRICE = re.compile(
    r"\b(?:from|starting|starts|at|only|just|now|sale|regular|price|plans?|billed|usd|eur|gbp|user|seat|month|year|"
    r"per|excl|"
    r"incl|vat|tax|"
    r"ab|nur|zzgl|mwst|dès|à partir de|seulement|ht|ttc|desde|a partir de|solo|da|soli|vanaf|excl|btw|od|tylko|от|от)\b"
    r"|（税込）|（税抜）|税込|税抜|から|부터|起|/",
    re.IGNORECASE,
)
# What comes before an amount that only restates another one: "59,99 € par an, soit 5 € par mois".
RESTATES = re.compile(
    r"(?:\b(?:soit|that['’]s|which is|i\.?e\.?|equals|equivalent to|works out (?:at|to)|entspricht|das sind|"
    r"umgerechnet|ossia|cioè|o sea|ou seja|dvs\.?|tj\.?|czyli|oftewel|ovvero)\s*(?:only|just|about|nur|etwa)?|"
    r"[（(](?:1[かヶ]?)?月あたり)\s*$",
    re.IGNORECASE,
)
# A price for the beginning, after which another one counts.
INTRODUCTORY = re.compile(
    r"\s*(?:for |your |the |für |den |pour |le |por |el |o |il |de )*(?:first|erste[nrs]?|premi(?:er|ère)|"
    r"primer|primeiro|primo|eerste|första|første|pierwsz\w+) "
    r"(?:\d+ |two |three |six )?(?:days?|weeks?|months?|years?|monate?n?|"
    r"jahr|mois|année|mes(?:es)?|año|mês|ano|mese|anno|maand(?:en)?|jaar|månad(?:en)?|måned|miesiąc)\b"
    r"(?! (?:is |are |ist |est )?(?:free|on us|kostenlos|gratis|gratuit\w*|grátis|offert|bezpłatn))",
    re.IGNORECASE,
)
# What a price without a span of time buys.
CREDITS = re.compile(r"\d[\d.,\s]*(?:credits?|crédits?|créditos|crediti|krediter|kredyt\w*|tokens?)", re.IGNORECASE)
# For whom a plan costs nothing while it costs something for others.
FREE_FOR_SOME = re.compile(
    r"stud(?:ent|ier)|étudiant|estudiant|estudant|schüler|school|educat|academi|teacher|non-?profit|charit|trial|"
    r"open[- ]source",
    re.IGNORECASE,
)
# Parts of pages of prices that name none but ask visitors to get in touch.
ON_REQUEST = re.compile(
    r"\b(?:(?:contact|talk to|speak to|call) (?:sales|us|our (?:sales )?team)|(?:get|request|ask for) (?:a|your) quote|"
    r"custom (?:pricing|quote)|pric(?:e|es|ing) on request|(?:preis|preise) auf anfrage|angebot (?:anfordern|anfragen)|"
    r"sur devis|demander un devis|(?:precio|presupuesto) a medida|(?:pedir|solicitar|pida) (?:un )?presupuesto|"
    r"sob consulta|(?:pedir|solicitar) (?:um )?orçamento|su richiesta|(?:richiedi|chiedi) un preventivo|op aanvraag|"
    r"get in touch for (?:a quote|pricing|prices)|offerte aanvragen|begär offert|"
    r"(?:få|be om) tilbud|wycena indywidualna)\b|要見積|お見積|要お問い合わせ",
    re.IGNORECASE,
)
# What introduces a price in a sentence: "from $9 a month", "Buy for $79".
INTRODUCES = re.compile(
    r"\b(?:from|starting at|starts at|then|dann|puis|luego|depois|poi|daarna|sedan|potem|only|just|for|"
    r"buy(?: it)?(?: now| once)?,?|costs?|price:?|ab|kostet|dès|"
    r"à partir de|coûte|desde|cuesta|"
    r"a partir de|custa|da|costa|vanaf|kost)\s*(?:only|just|nur)?\s*$",
    re.IGNORECASE,
)
LICENSE_FOR_LIFE = re.compile(
    r"\b(?:lifetime|one[- ]time|perpetual|licen[cs]e|purchase|buy|forever|app store|einmalig\w*|kaufen)\b",
    re.IGNORECASE,
)
# What says how the product is paid for, of whichever plan.
PAYS_ONCE = re.compile(
    r"\b(?:you (?:only )?(?:buy|purchase)|pay|buy it|paid(?: for)?|bought) (?:just |only )?once\b|"
    r"\b(?:einmal(?:ig)? (?:zahlen|bezahlen|kaufen)|payer une (?:seule )?fois|une (?:seule )?fois pour toutes|"
    r"(?:paga|pagas|compra) una sola vez|(?:betala|betal|köp|køb|kjøp) en (?:gång|gang)|eenmalig betalen|"
    r"płacisz (?:tylko )?raz|(?:za)?platíte (?:jen )?jednou)\b|買い切り(?:です|型|版|ライセンス)|一次性买断|一次性購買",
    re.IGNORECASE,
)
# What says in a plan, or above all plans, that there is nothing to pay again.
PAID_ONCE = re.compile(
    rf"{PAYS_ONCE.pattern}|"
    r"\b(?:lifetime (?:licen[cs]e|access|deal)|(?:one[- ]time|one|single) (?:purchase|payment|fee)|buy once|"
    r"(?:no|not a|without(?: a)?) subscriptions?|perpetual licen[cs]e|shareware|"
    r"einmalzahlung|einmalkauf|einmalige[rsn]? (?:kauf|zahlung|preis)|"
    r"(?:kein|ohne) abo\w*|(?:achat|paiement) unique|sans abonnement|pago único|sin suscripci\w+|pagamento único|"
    r"sem assinatura|pagamento unico|(?:senza|nessun) abbonamento|licenza (?:unica|perpetua)|eenmalige (?:betaling|"
    r"aankoop)|geen abonnement|engångs\w+|"
    r"engangs(?:beløb|betaling|kjøp|køb|pris)|(?:ingen|inget|utan|uten|uden) (?:prenumeration|abonne?ment)|kertamaksu|"
    r"kertaostos|jednorázov\w+|jednorazow\w+|bez (?:předplatného|abonamentu|subskrypcji)|tek seferlik|без подписки|"
    r"без підписки)\b|買い切り|サブスク(?:リプション)?なし|一次性|买断|買斷",
    re.IGNORECASE,
)
# What denies that.
NOT_PAID_ONCE = re.compile(
    r"\b(?:no|not|never|nor|without|neither|(?:is|are|was|were|do|does|did|ca)n['’]t|cannot|kein\w*|nicht|ohne|pas|"
    r"sans|sin|"
    r"não|sem|non|senza|geen|niet|zonder|inte|ingen|utan|bez|nie|не|без)\b"
    r"(?:\s+(?:offer|sell|have|do|accept|provide|support|be|es|é|è|a|an|any|the|just|only|longer|eine?[nr]?|une?|una|"
    r"uma?|en|ett)\b){0,3}\s+(?:d['’]\s?)?"
    r"(?:(?:lifetime|one[- ]time|single|perpetual|lebenslang\w*|eenmalig\w*)\b\W*\w*|"
    r"(?:pay|paid|buy|bought) once|einmal\w*|engångs\w*|jednorazow\w*|(?:achat|paiement|pagamento|pago) (?:unique|"
    r"único|unico)|à vie|de por vida|vitalício|"
    r"una tantum)\b"
    r"|\b(?:lifetime|one[- ]time|single|perpetual) \w+ (?:is|are|was|were)(?: not|n['’]t| no longer)\b"
    r"|(?:買い切り|一次性)[^。、]{0,8}?(?:ありません|ございません|ではない)|(?:不是|没有|非)(?:一次性|买断)",
    re.IGNORECASE,
)
# How shops tell screen readers a former price.
FORMER_PRICE = re.compile(
    r"(?:original price was|ursprünglicher preis war|le prix initial était|el precio original era|"
    r"il prezzo originale era|oorspronkelijke prijs was|o preço original era|det ursprungliga priset var|"
    r"den oprindelige pris var|opprinnelig pris var|pierwotna cena wynosiła|původní cena byla)\s?: ?"
    r"[^\w\s]{0,3}[\d.,'’ ]{1,15}[^\d\s.]{0,4}\.\s?",
    re.IGNORECASE,
)
# Words of a note about all prices.
PRICE_NOTE = re.compile(
    r"\b(?:prices?|pricing|preise?|prix|tarifs?|precios?|preços?|prezz[io]|prij[sz]\w*|priser|ceny|cena|цены|"
    r"fiyatlar)\b|"
    r"料金|価格|价格|價格|가격|요금",
    re.IGNORECASE,
)
# When money is taken, or a subscription ends: not what the price is for.
WHEN_BILLED = re.compile(
    r"\b(?:bill|charge|pay|cancel|renew|switch|compar|künd|gekünd|abgerechn|zahl|wechsel|résili|factur|annul|"
    r"cobr|disd|fattur|opzeg|gefactur|wypowiedz)",
    re.IGNORECASE,
)
# Headings of parts about other people's prices, other products, extras and savings.
OTHER_PART = re.compile(
    r"\b(?:others?|elsewhere|compar\w+|compet\w+|alternatives?|versus|vs\.?|savings?|calculat\w+|roi|worth|"
    r"add-?ons?|extras?|"
    r"additional|services|usage|overages?|credits|cost per|everyone else|instead|why pay|cheaper|anderswo|"
    r"vergleich\w*|rechner|"
    r"zusatz\w*|dodatki|complementos|tillegg|tilvalg|tillval|aggiunte|why not (?!free)|"
    r"comparaison|ailleurs|comparación|comparação|confronto|vergelijk\w*|"
    r"you (?:might|may|could|will|['’]ll) also (?:like|love|enjoy|need)|also bought|bought together|also by|"
    r"(?:more|also) from us|related (?:products|items|apps)|auch gefallen|"
    r"(?:ähnliche|verwandte|weitere) (?:produkte|artikel)|"
    r"(?:aimerez|aimeriez) aussi|produits (?:similaires|apparentés|associés)|también te (?:puede )?gust\w+|"
    r"productos (?:relacionados|similares)|também (?:pode|vai) gostar|produtos (?:relacionados|semelhantes)|"
    r"piacerti anche|prodotti (?:correlati|simili)|gerelateerde producten|ook (?:leuk|interessant))\b|比較|関連商品",
    re.IGNORECASE,
)
# Headings of a part with the product's prices.
PRICES_PART = re.compile(
    r"\b(?:pricing|prices?|plans|(?:one|a|your|our|the|right|simple) plan|subscriptions?|preise?|tarife?|tarifs?|"
    r"prix|nos offres|"
    r"precios?|planes|preços?|planos|prezz[io]|piani|tariffe|prijzen|prijs|abonnementen|priser|cennik|ceny|цены|"
    r"тарифы|fiyat\w*)\b"
    r"|料金|価格|プラン|价格|定价|價格|요금|الأسعار",
    re.IGNORECASE,
)
# Before or after the product's name in such a heading.
BUYS = re.compile(r"^(?:buy|purchase|acheter|comprar|acquista|koop|köp|køb|kup)\s+|\s+(?:kaufen|kopen)$", re.IGNORECASE)
PRICE_ROW = re.compile(
    r"^(?:(?:monthly|annual|yearly|base|list|starting)?\s*(?:prices?|cost|fee|pricing)|monthly|annually|yearly|"
    r"per month|per year|"
    r"billed (?:monthly|annually|yearly)|preis(?: pro monat)?|prix|precio|preço|prezzo|prijs|pris(?:er)?|cena|цена|"
    r"(?:月額|年額)?(?:料金|価格)|月額|年額)?"
    r"(?:,? (?:per|billed|paid|pro|par|por|bei|bij|vid)\b[^.]{0,40})?(?:\s*[/(].*)?\W*$",
    re.IGNORECASE,
)
# Next to these words, an amount is not a plan's price: discounts, extras, usage, other people's money.
OTHER_AMOUNT = re.compile(
    r"\b(?:sav(?:e|es|ed|ings?)|off|discount\w*|credits?|coupon|bonus|additional|extra|add-?ons?|overages?|setup|fees?|"
    r"worth|valued?|raised|funding|grants?|"
    r"revenue|up to|over|more than|limits?|budget|instead|was|refund\w*|money-back|"
    r"(?<!/)(?<!/ )(?<!per )(?<!pro )(?<!par )(?<!por )"
    r"(?:stud(?:ent|ier)\w*|étudiant\w*|estudiantes?|estudantes?|"
    r"schüler\w*|ученик\w*)|sponsor\w*|rivals?|wants|quoted|buy (?:me|us) a (?:coffee|beer)|"
    r"open collective|patreon|ko-?fi|liberapay|nachweis|proof of|justificatif|"
    r"(?:storage|hosting|cloud) provider|dodatkow\w*|"
    r"charit(?:y|ies)|gemeinnützig\w*|"
    r"non-?profits?|elsewhere|agenc(?:y|ies)|consultants?|einrichtung\w*|onboarding|installation|"
    r"guarantee\w*|"
    r"referral|gift|donat\w+|spend\w*|spent|earn\w*|compared|competitors?|versus|vs|elsewhere|others?|salary|salaries|"
    r"sold|paid out|"
    r"minimum (?:de facturation|billing|charge|spend|monthly|annual|invoice|order)|mindest(?:umsatz|betrag|gebühr)\w*|"
    r"(?:facturación|fatturazione) mínima|fatturazione minima|faturamento mínimo|minimumbedrag|minsta debitering|"
    r"processed|arr|mrr|sparen|spar\w+|rabatt|gutschein|statt|zusätzlich\w*|économis\w+|remise|réduction|"
    r"supplémentaire\w*|"
    r"ahorr\w+|descuento|adicional\w*|desconto|economiz\w+|risparmi\w*|sconto|aggiuntiv\w+|korting|bespaar|"
    r"rabat|zniżk\w+|"
    r"скидк\w+|вместо)\b|割引|優惠|优惠|学割|学生|学校向け|節約|初期費用|初期|\+\s*[$€£]|(?<![.,–-])[-–−]\s*[$€£]",
    re.IGNORECASE,
)
EXTRA_ABOVE = re.compile(
    r"\b(?:additional|extra|upgrade from|renewals?|optional\w*|add-?ons?|overages?|was|instead|worth|valued?|setup|"
    r"zusätzlich\w*|statt|competitors?|others?|update (?:from|von)|upgrade (?:von|auf)|mise à jour|dodatkow\w*|"
    r"supplémentaire\w*|adicional\w*|aggiuntiv\w*|ekstra)\b",
    re.IGNORECASE,
)
_THINGS = (
    r"(?:gb|mb|tb|requests?|tokens?|e-?mails?|messages?|sms|minutes?|min|hours?|hr|calls?|pages?|events?|transactions?|"
    r"queries|query|images?|documents?|api|downloads?|credits?|clicks?|leads?|contacts?|orders?|invoices?|subscribers?|"
    r"units?|items?|copies|build|kilometer|km|stunde|heure|hora|ora|uur|resolutions?|conversations?|tasks?|credits?|"
    r"transfers?|signatures?|scans?|builds?|deploys?|tickets?|bookings?|shipments?)"
)
USE = re.compile(
    rf"(?:/|\b(?:per|pro|par|por|each|je)\b)\s*(?:\d[\d,. ]*\s*(?:k|m|million|thousand)?\s*)?(?:\w+\s+)?{_THINGS}\b",
    re.IGNORECASE,
)
# "per resolution": neither a span of time nor a person, so it is a price of use.
USED_THING = re.compile(r"(?:/|\b(?:per|pro|par|por|each|je)\b)\s*(?:\d|[^\W\d_]{3,})", re.IGNORECASE)
_FREE_WORDS = words_of("""
    free freeforever foreverfree kostenlos kostenfrei gratuit gratuite gratis gratuito gratuita grátis ilmainen
    ilmaiseksi bezpłatny bezpłatna bezpłatnie darmowy darmowa zadarmo zdarma ingyenes ingyen
    besplatno brezplačno nemokamai tasuta
    бесплатно бесплатный безкоштовно безкоштовний безплатно ücretsiz miễn-phí δωρεάν ฟรี フリー חינם 無料 免费 免費 무료
    مجاني مجانا مجانية
""")
FREE_WORDS = frozenset(fold(word) for word in _FREE_WORDS)
_PLANS = words_of("""
    starter start basic basics plus pro premium team teams business company enterprise growth scale personal solo
    individual hobby indie professional standard essential essentials advanced unlimited lite light monthly yearly
    annual annually freelancer startup community pay-as-you-go
    basis profi unternehmen einzelperson monatlich jährlich
    essentiel équipe entreprise mensuel annuel découverte indépendant
    básico profesional empresa equipo mensual anual esencial profissional equipe mensal essencial individuale
    professionale azienda mensile annuale zakelijk maandelijks jaarlijks podstawowy miesięcznie rocznie
    företag företaget privat enskild liten mellan stor förening virksomhed erhverv virksomhet bedrift
    базовый стандарт профи бизнес ベーシック スタンダード プロ プレミアム ビジネス 基础版 专业版 企业版 标准版
""")
# Names that plans have, rarely anything else with a price.
PLAN_NAMES = frozenset({fold(name + word) for name in _PLANS for word in ("", "plan", "tarif")}) | FREE_WORDS
# What follows the product's name in the heading of a page about its paid edition: "Acme Cloud".
EDITIONS = PLAN_NAMES | words_of("cloud hosted hosting max")
# What introduces the price of a plan by its name: "Pro is $5 per month".
PLAN_COSTS = re.compile(
    r"\b(?P<name>[^\W\d_][\w'’.-]*)(?: (?:plan|tarif|abo))? ?(?:is|are|ist|est|es|é|è|:|–|—|for)\s*$", re.IGNORECASE
)
# Questions about what the product costs.
ASKS_COST = re.compile(
    r"\b(?:how much (?:is|are)|costs?|price|priced|pricing|prices|kostet|kosten|preis|coûte|prix|tarif|cuesta|"
    r"precio|custa|"
    r"preço|costa|prezzo|kost|prijs|kosztuje|cena|стоит|цена)\b|いくら|料金|价格|多少钱|요금",
    re.IGNORECASE,
)
# What comes free with a plan that costs.
_INCLUDED = r"(?:updates?|upgrades?|support)\b"
_SOME_NUMBER = (
    r"(?:\d[\d,.]*|one|two|three|four|five|ten|twenty|eine[nr]?|zwei|drei|vier|fünf|zehn|deux|trois|quatre|cinq|dix|"
    r"dos|tres|cinco|diez|dois|duas|três|due|tre|twee|drie|vijf|tien)"
)
_SPAN = (
    r"(?:-|(?:days?|weeks?|months?|years?|hours?|tage?n?|wochen?|monate?|jahre?|jours?|semaines?|mois|ans?|días?|"
    r"semanas?|mes(?:es)?|años?|dias?|anos?|giorni|settimane|mesi|anni|dagen|weken|maanden)\b)"
)
FREE_PLAN = re.compile(
    r"^(?:[$€£]\s?0|0\s?(?:€|£|EUR|kr|zł|CHF|Kč)) (?:forever|for ever|für immer|pour toujours|para siempre|"
    r"para sempre|per sempre|voor altijd|för alltid|for alltid|na zawsze)\b|"
    r"^[^\W\d_][^\W\d_ ]{2,20}(?:, |: | [–—-] )(?:free|kostenlos|gratuite?|gratis|grátis|gratuito|zdarma|darmowy)$|"
    rf"^(?!{_INCLUDED})(?:[\w-]{{1,20}}\W{{1,3}}){{0,3}}(?:free|kostenlos|gratuit|gratis|grátis),? (?:forever|for ever|"
    r"für immer|pour toujours)\b|"
    r"^(?:free:|(?:free|kosten(?:los|frei)|gratuite?|gratis|gratuito|grátis),? (?:(?:for|für|pour|para|per|voor) )?"
    rf"(?:up to |the first |bis zu |jusqu['’]à |hasta |até |fino a |tot )?{_SOME_NUMBER} (?!{_SPAN}))"
    r"(?!.*\btrial\b)|"
    rf"\bfirst {_SOME_NUMBER} (?!{_SPAN})[\w ]{{0,30}}(?:are|is) free\b|"
    r"\b(?<!no )(?:free forever|forever free|free (?:plan|tier|version|edition)|"
    r"(?<!are )always free|free for (?:personal|private|home|non-?commercial|individual)|"
    r"free,? with (?:an? )?(?:pro|premium|optional|in-app)|(?:privat|private nutzung) kostenlos|"
    r"gratuit pour (?:un )?usage (?:personnel|privé)|gratis (?:voor privé|para uso personal|per uso personale)|"
    r"(?:für )?immer kostenlos|"
    r"kostenlose[rs]? "
    r"(?:plan|tarif|version)|gratuit pour toujours|(?:plan|offre|version) gratuite?|gratis para siempre|(?:plan|"
    r"versión|plano) "
    r"grat(?:is|uito)|grátis para sempre|(?:piano|versione) gratuit[oa]|gratis (?:plan|versie|pakket|abonnement)|"
    r"gratis (?:voor altijd|för alltid|for alltid|altid|per sempre)|gratuito per sempre|"
    r"gratis(?:plan|version|konto)(?:en)?|"
    r"(?:darmowy|bezpłatny) (?:plan|pakiet)|(?:darmowa|bezpłatna) wersja|(?:plan|pakiet) (?:darmowy|bezpłatny)|"
    r"(?:verze|tarif) zdarma|ilmais(?:en|versio|paketti)\w*|ilmainen (?:versio|paketti|tili)|"
    r"ingyenes (?:csomag|verzió)|ücretsiz (?:plan|sürüm|paket)|gói miễn phí|"
    r"бесплатный (?:тариф|план)|безкоштовний (?:тариф|план))\b"
    r"|\b(?:grund|basis)version (?:ist (?:und bleibt )?)?kostenlos\b|\bversion de base (?:est )?gratuite\b"
    r"|\b(?:versión básica|versão básica|versione base) (?:es |é |è )?(?:gratis|gratuita|grátis)\b"
    r"|\b(?:basversionen|grundversionen|basisversjonen) (?:är|er) gratis\b|\bbasisversie is gratis\b"
    r"|無料プラン|無料版|免费版|免費版|무료 플랜|(?:الخطة|الباقة) المجانية",
    re.IGNORECASE,
)
# What says so of a part of the product inside of a longer sentence.
FREE_FOR_EVER = re.compile(
    rf"^(?!.*\b{_INCLUDED}).*\b(?:(?:is|are) free,? for ?ever|(?:ist|sind|bleibt) (?:für immer|dauerhaft) kostenlos|"
    r"(?:est gratuite?|sont gratuite?s),? pour toujours|(?:es|son) gratis para siempre|(?:é|são) grátis para sempre)\b"
    rf"|^(?!.*\btrial\b).*\bis free for (?:(?:up to|the first) )?{_SOME_NUMBER} (?!{_SPAN})",
    re.IGNORECASE,
)
_BETA = r"(?:beta|bêta|alpha|public preview|early access)"
WHOLLY_FREE = re.compile(
    r"\b(?:100\s?% free|completely free|totally free|free forever|forever free|always free|"
    r"(?:100\s?%|komplett|völlig|dauerhaft) kostenlos|(?:100\s?%|entièrement|totalement) gratuit|"
    r"(?:100\s?%|totalmente|completamente) grat(?:is|uito)|completamente gratuito|helemaal gratis|"
    r"полностью бесплатн\w+)\b(?!\s+(?:of|from|von|de|di)\b)"
    r"|\bfree(?: of charge|ware)\b|完全無料|完全免费"
    rf"|\bfree (?:while|during|throughout|in) (?:\w+ ){{0,4}}{_BETA}\b"
    rf"|\b{_BETA},? (?:and|so|is|it(?:['’]s| is)) (?:\w+ )?free\b"
    rf"|\bkosten(?:los|frei) (?:während|solange|in) (?:\w+ ){{0,4}}{_BETA}"
    rf"|\bwährend der (?:\w+ )?{_BETA}\w* kosten(?:los|frei)\b"
    rf"|\b(?:gratuite?|gratis|gratuito|grátis) (?:pendant|durant|tant que|durante|mientras|enquanto|mentre|tijdens) "
    rf"(?:\w+ ){{0,4}}{_BETA}|ベータ(?:版|期間中?)?(?:の間)?は?(?:全て|すべて)?無料|公测期间免费",
    re.IGNORECASE,
)
_FREE = (
    r"(?:free|kostenlos|kostenfrei|gratuite?|gratis|gratuit[oa]|grátis|darmow[yae]|bezpłatn[yae]|zdarma|zadarmo|"
    r"ilmainen|"
    r"ingyenes|besplatn[oa]|бесплатн\w+|безкоштовн\w+|ücretsiz)"
)
# After that it is a plan, a trial, a part or a first time that costs nothing.
_NOT_WHOLLY = (
    r"(?![\w-])(?!.{0,40}\d)(?! (?:trial|plan|tier|version|of|from|von|to (?:try|start|download|install|join|sign)|"
    r"zu testen|testen|(?:zum|te|at|att|å|a|à|para|da|per) (?:testen|proberen|prøve|prova|testa|teste|essayer|probar|"
    r"provare|experimentar)))"
)
# What follows the product's name, or "it" and the like, in a sentence that says it's free.
IS_FREE = re.compile(
    r"(?: (?:is|ist|est|es|é|è|är|er|jest|on|je|este|remains|stays|bleibt|reste)|['’]s) "
    r"(?:(?:and (?:always will be|stays|remains)|und bleibt|et reste(?:ra)?|och förblir|og forbliver|en blijft|"
    r"completely|totally|entirely|wholly|still|always|komplett|völlig|entièrement|totalement|totalmente|completamente|"
    rf"helt|altid|alltid|helemaal|całkowicie|zcela|täysin|und|e|y|et|,) )?{_FREE}{_NOT_WHOLLY}"
    rf"|は(?:完全)?無料(?!トライアル|で試|体験|プラン)|는 무료|完全免费",
    re.IGNORECASE,
)
# Other words for the product at the start of a sentence.
THE_PRODUCT = re.compile(
    r"(?:it|the (?:app|tool|site|service|extension|plugin|software|game|editor|website)|die app|das (?:tool|programm)|"
    r"der dienst|die (?:software|erweiterung)|l['’](?:app|application|outil)|le (?:site|service|logiciel)|"
    r"la (?:app|aplicación|herramienta)|el (?:servicio|programa)|o (?:app|aplicativo|serviço)|de app|het programma|"
    r"appen|tjänsten|tjenesten|programmet|verktyget|aplikacja|aplikace)(?=['’ ])",
    re.IGNORECASE,
)
# Sentences without a verb, and those about what it costs.
SAYS_FREE = re.compile(
    r"^(?:\w+ is )?free(?:[.,]| and)? (?:no (?:ads|accounts?|sign-?up|catch|tracking|payment|strings)|"
    r"without (?:ads|an account)|for (?:everyone|everybody|all|anyone))\b(?!.*\b(?:trial|credit card|plans?)\b)"
    r"|\bcosts? (?:you )?(?:nothing|no money)\b(?! to (?:try|start))|\bkostet nichts\b|\bne coûte rien\b"
    r"|\bno cuesta nada\b"
    r"|\bnão custa nada\b|\bnon costa (?:nulla|niente)\b|\bkost niets\b|\bkostar (?:inget|ingenting)\b"
    r"|\bkoster (?:ikke noget|ingenting)\b|\bnic nie kosztuje\b|\bnic nestojí\b"
    rf"|^(?:helt|altid|alltid|całkowicie|zcela) {_FREE}(?![\w-])(?! \d)",
    re.IGNORECASE,
)
# "A free app", in what a site says of itself. Not "ad free" or "try the free app".
FREE_PRODUCT = re.compile(
    r"(?:^|\b(?:is|ist|est|es|é|è|är|er) (?:an?|one|our|eine?|une?|una?|uma?|en|et)\s|[.,:–—|•·]\s(?:(?:an?|the|"
    r"eine?|une?|una?|en) )?|^(?:an?|the) )"
    r"(?:free(?:,? (?:and )?open[- ]source)?|(?:kostenlose[sr]?|gratuite?|gratis)) (?:[\w-]+ ){0,2}"
    r"(?:apps?|tool|extension|plugin|editor|game|website|service|software|calculator|generator|library|client|player|"
    r"programm?|werkzeug|programma|verktyg)\b",
    re.IGNORECASE,
)
OPEN_SOURCE = re.compile(
    r"\bopen[- ]?source[d]?\b|\blibre software\b|\bfree software\b|\bcódigo abierto\b|\bcódigo aberto\b|"
    r"\bopensource\b|\blogiciel libre\b|\bquelloffen\w*|オープンソース|开源|開源|오픈소스",
    re.IGNORECASE,
)
SELF_HOSTED = re.compile(
    r"\bself[- ]?host\w*|\bhost it yourself\b|\b(?:on|run) your own (?:server|hardware|machine|infrastructure)s?\b|"
    r"\bselbst (?:hosten|betreiben|gehostet\w*)|\bauf (?:dem eigenen|deinem|ihrem eigenen) server\b|"
    r"\bauto-?h[ée]berg\w+|\bauto-?alojad\w+|\bautohospedad\w+|セルフホスト|自托管|自架",
    re.IGNORECASE,
)
# Links of products that are sold by people or a shop, and not by a page of prices.
SOLD_BY_PEOPLE = re.compile(
    r"add to (?:cart|basket|bag)|in den warenkorb|ajouter au panier|añadir al carrito|adicionar ao carrinho|"
    r"aggiungi al carrello|in (?:de )?winkelwagen|lägg i varukorgen?|læg i kurv|legg i handlekurv|do koszyka|do košíku|"
    r"(?:contact|talk to|speak (?:to|with)) (?:our )?sales|vertrieb kontaktieren|"
    r"contacter (?:le service commercial|l['’]équipe commerciale)|contactar con ventas|falar com vendas|"
    r"contatta le vendite|kontakta säljare|kontakt salg|"
    r"(?:request|book|schedule|get) (?:a |your )?(?:(?:free|live|personal) )?demo|"
    r"demo (?:anfordern|buchen|vereinbaren|aanvragen)|(?:demander|réserver|planifier) une démo(?:nstration)?|"
    r"(?:solicitar?|pedir|pide|agendar?) (?:una |uma )?demo(?:stración|nstração)?|(?:richiedi|prenota) una demo|"
    r"boka (?:en )?demo|(?:umów|zamów) (?:demo|prezentację)|資料請求|デモを(?:申し込む|予約する)",
    re.IGNORECASE,
)
# What is used for nothing every month before it costs.
FREE_USE = re.compile(
    rf"\b(?:first )?{_SOME_NUMBER} [\w ]{{3,30}}(?:each|every|per|a|of each|of every) (?:month|day|"
    rf"week)\b[\w ]{{0,12}}\bfree\b"
    rf"|\bfree\b[^.]{{0,30}}\b{_SOME_NUMBER} [\w ]{{3,30}}(?:each|every|per|a) (?:month|day|week)\b"
    rf"|\bfirst {_SOME_NUMBER} (?!{_SPAN})[\w ]{{2,30}}(?:are|is|for)? ?free\b",
    re.IGNORECASE,
)
# Names of licenses of open source.
LICENSE = re.compile(
    r"\b(?:mit|apache(?:[- ]2(?:\.0)?)?|bsd(?:-[23])?|isc|mpl(?:[- ]2(?:\.0)?)?|a?gpl(?:[- ]?v?[23](?:\.0)?)?|lgpl|"
    r"eupl)"
    r"(?:[- ](?:2-clause|3-clause))?[- ](?:licen[cs]ed?|lizenz)\b|\blicen[cs]ed? under\b.{0,20}\b(?:mit|apache|"
    r"a?gpl|bsd|mpl)"
    r"|\b(?:under|unter|sous|bajo)\b.{0,12}\b(?:mit|apache[- ]2(?:\.0)?|a?gpl[- ]?v?[23](?:\.0)?|mpl[- ]2(?:\.0)?)\b"
    r"|\b(?:agpl|gpl)[- ]?v?3(?:\.0)?\b|\bapache[- ]2\.0\b"
    r"|\b(?:(?:affero |lesser )?general|mozilla|eclipse|european union) public licen[cs]e\b|\bapache licen[cs]e\b",
    re.IGNORECASE,
)
# These are about other open source software, not the product.
OF_OTHERS = re.compile(
    r"\b(?:find|discover|explore|browse|directory|list|best|top|built (?:on|with)|based on|powered by|uses?|"
    r"using|for open|"
    r"support\w*|contribut\w+|alternatives to|projects|maintainers|licen[cs]es|compliance|dependencies)\b",
    re.IGNORECASE,
)
