"""Recognize countries, states and address lines as pages write them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from babel import Locale, UnknownLocaleError

from apps.core.text.countries import COUNTRIES
from apps.drafts.extraction.company.cities import COUNTRY_OF_CITY
from apps.drafts.extraction.site.page_kind_words import KIND_OF
from apps.drafts.extraction.text.cleaning import fold, words_of

# What countries call themselves and their neighbors, beside English names, codes and names in a page's language.
_OTHER_NAMES = """
AE uae|AR argentinien argentine|AT österreich autriche oostenrijk|AU australien australie|BE belgien belgique belgië
BE bélgica belgio|BG българия|BR brasil brasilien brésil|BY беларусь|CA kanada canadá|CH schweiz suisse svizzera suiza
CH zwitserland|CN 中国 中國|CZ česko tschechien česká-republika czech-republic|DE deutschland allemagne alemania
DE germania alemanha duitsland niemcy tyskland германия|DK danmark dänemark|EE eesti estland|ES españa spanien espagne
ES spanje spagna espanha|FI suomi finnland|FR frankreich francia frança frankrijk|GB uk united-kingdom great-britain
GB england scotland wales northern-ireland großbritannien royaume-uni reino-unido regno-unito|GR ελλάδα griechenland
HK hong-kong-sar|HR hrvatska kroatien|HU magyarország ungarn|IE irland irlande|IL ישראל|IN indien भारत|IT italien italia
IT italie itália|JP 日本 japon|KR 대한민국 south-korea korea republic-of-korea|LT lietuva|LU luxemburg|LV latvija
MX méxico mexiko|NL nederland niederlande the-netherlands holland pays-bas países-bajos paesi-bassi|NO norge norwegen
NZ aotearoa|PL polska polen pologne polonia|RO românia rumänien|RS srbija србија|RU россия russian-federation
SE sverige schweden suède|SG singapur|SI slovenija|SK slovensko slowakei|TR türkei turkey|TW 台灣 台湾|UA україна
US usa u.s.a. u.s. united-states-of-america the-united-states vereinigte-staaten états-unis estados-unidos|VN viet-nam
"""
_CODES = {fold(name): code for code, name in COUNTRIES.items()} | {
    fold(name): entry.split()[0]
    for entry in _OTHER_NAMES.replace("\n", "|").split("|")
    if entry.strip()
    for name in entry.split()[1:]
}
_STATES = """
AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia
FL Florida|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland
MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire
NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania
RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington
WV West Virginia|WI Wisconsin|WY Wyoming
"""
# Georgia is also a country, so it is left out.
_STATE_CODES = {entry[:2]: fold(entry[3:]) for entry in _STATES.replace("\n", "|").split("|") if entry}
_STATE_NAMES = frozenset(_STATE_CODES.values())

# Regions of other countries that stand between a city and its country, or in place of the country.
_COUNTRY_OF_REGION = {
    fold(name): entry[:2]
    for entry in """
AU new-south-wales nsw victoria queensland south-australia western-australia tasmania
CA ontario quebec québec british-columbia alberta manitoba saskatchewan nova-scotia new-brunswick newfoundland
DE bavaria bayern sachsen baden-württemberg|ES catalonia cataluña catalunya andalucía|FR île-de-france bretagne
IN karnataka maharashtra tamil-nadu telangana kerala gujarat|IT lombardia toscana
""".replace("\n", "|").split("|")
    if entry
    for name in entry.split()[1:]
}

MAX_CITY = 60
_CITY = r"[^\W\d_][^\W\d_.'’ -]*+(?:[ .'’-]{1,2}[^\W\d_]+){0,3}"
_US_LINE = re.compile(
    rf"(?:^|[,•·|]\s*)(?P<city>{_CITY}),?\s+(?P<state>[A-Z]{{2}})\.?,?\s+\d{{5}}(?:-\d{{4}})?(?!\d)(?P<rest>.{{0,60}})"
)
_BEFORE = re.compile(
    rf"(?:^|[,•·|]\s*)(?:(?P<land>[A-Z]{{1,2}})-)?(?P<code>\d{{4}} ?[A-Z]{{2}}|\d{{2}}-\d{{3}}|\d{{3}} \d{{2}}|"
    rf"\d{{4}}-\d{{3}}|\d{{4,5}})"
    rf"\s+(?P<city>{_CITY})(?P<rest>.{{0,60}})"
)
_UK_LINE = re.compile(
    rf"(?:^|[,•·|]\s*)(?P<city>{_CITY}),?\s+(?P<code>[A-Z]{{1,2}}\d[A-Z\d]? ?\d[A-Z]{{2}})\b(?P<rest>.{{0,60}})"
)
_PROVINCE = (
    "(?:Alberta|British Columbia|Manitoba|New Brunswick|Newfoundland and Labrador|Nova Scotia|Ontario|"
    "Prince Edward Island|Québec|Quebec|Saskatchewan)"
)
_INDIAN_STATE = (
    "(?:Maharashtra|Karnataka|Tamil Nadu|Telangana|Kerala|Gujarat|Delhi|Haryana|Punjab|Rajasthan|Uttar Pradesh|"
    "West Bengal|Madhya Pradesh|Andhra Pradesh)"
)
_BRAZILIAN_STATE = re.compile(r"A[CLMP]|BA|CE|DF|ES|GO|M[AGST]|P[ABEIR]|R[JNORS]|S[CEP]|TO")
# Only one country writes addresses in each of these forms, so its name is not needed.
_OTHER_FORMS = (
    ("KR", re.compile(r"(?P<city>[가-힣]{2})(?:특별시|광역시)")),
    ("AU", re.compile(rf"(?:^|[,•·|]\s*)(?P<city>{_CITY}),?\s+(?:NSW|VIC|QLD|TAS|ACT|WA|SA|NT)\s+\d{{4}}(?!\d)")),
    ("IE", re.compile(rf"(?:^|[,•·|]\s*)(?P<city>{_CITY})(?: \d{{1,2}}W?)?,?\s+[A-Z]\d[\dW] [A-Z][A-Z\d]{{3}}(?!\w)")),
    (
        "NL",
        re.compile(rf"(?:^|[,•·|]\s*)\d{{4}} ?(?!SA|SD|SS|N[EW]|S[EW])[A-Z]{{2}}\s+(?=[^\W\d_a-z])(?P<city>{_CITY})"),
    ),
    ("PL", re.compile(rf"\d[A-Za-z]?,?\s+\d{{2}}-\d{{3}}\s+(?=[^\W\d_a-z])(?P<city>{_CITY})")),
    (
        "CA",
        re.compile(
            rf"(?:^|[,•·|]\s*)(?P<city>{_CITY}?),?\s+(?:(?:[A-Z]{{2}}|{_PROVINCE}),?\s+)?[A-Z]\d[A-Z] ?\d[A-Z]\d(?!\w)"
        ),
    ),
    (
        "IN",
        re.compile(
            rf"(?:^|[,•·|]\s*)(?P<city>{_CITY}),?\s+(?:{_INDIAN_STATE}[\s,–-]+\d{{3}} ?\d{{3}}(?!\d)"
            rf"|[–-]?\s?\d{{3}} ?\d{{3}},\s+{_INDIAN_STATE}(?!\w))"
        ),
    ),
    (
        "IN",
        re.compile(
            rf"(?:Pvt\.? Ltd|Private Limited)\b.{{0,120}}[,•·|]\s*(?P<city>{_CITY})[\s,–-]+\d{{3}} ?\d{{3}}(?!\d)"
        ),
    ),
    (
        "BR",
        re.compile(
            rf"(?:^|[,•·|]\s*)(?P<city>{_CITY}?)\s*[/–-]\s*(?:{_BRAZILIAN_STATE.pattern})"
            r"\W{1,4}(?:CEP:? )?\d{5}-\d{3}(?!\d)"
        ),
    ),
    (
        "BR",
        re.compile(
            rf"(?:CNPJ|\d{{5}}-\d{{3}}).{{0,80}}?[,•·|–\d-]\s*(?P<city>{_CITY})\s*[/–-]\s*(?:A[CLMP]|BA|CE|DF|ES|GO|M[AGST]"
            r"|P[ABEIR]|R[JNORS]|S[CEP]|TO)(?!\w)"
        ),
    ),
)
# A province or a district behind a city, and pictograms and labels such as "HQ:" before it.
_IN_BRACKETS = re.compile(r"\s?\([^(),\d]{2,20}\)")
_SIGNS_BESIDE = " ©.\ufe0f\u200d" + "".join(map(chr, (*range(0x2600, 0x27C0), *range(0x1F1E6, 0x1FB00))))
_LABEL = re.compile(r"^[^\W\d_]{2,20}:\s+")
_DISTRICT = re.compile(r"\s(?:\d{1,2}|[A-ZÆØÅ]{1,2})$")
# A prefecture and a city. Tokyo has wards instead.
_JAPANESE = re.compile(
    r"(?P<tokyo>東京)都|(?:北海道|(?:京都|大阪)府|[^\W\d_]{2,3}県)(?P<city>[^\W\d_][^\W\d_市区町村]{0,4}市)"
)
RIGHTS = re.compile(r"©|\(c\)|copyright|rights reserved", re.IGNORECASE)
MAX_FOOTER_LINE = 300
_SENTENCES = re.compile(
    r"(?<=[\w)]{2})(?<!\bSt)(?<!\bSte)(?<!\b[Ss]p)(?<!\b[Uu]l)(?<!\b[Aa]l)(?<!\bIng)(?<!\bMgr)(?<!\bDr)(?<!\bAv)[.!]\s+(?!(?<=[Ss]tr\.\s)\d|(?<=nr\.\s)\d)"
)
# "Figma is a trademark of Figma, Inc., 760 Market Street, San Francisco".
_OF_OTHERS = re.compile(
    r"\btrade ?marks?\b|\bmarques? (?:déposées?|commerciales?)\b|\bmarca registrada\b", re.IGNORECASE
)
_SINCE = re.compile(r",? (?:since|seit|depuis|desde|dal|sinds|sedan|siden|od) (?:19|20)\d\d\.?$", re.IGNORECASE)
_GROUPS = re.compile(r"[·•|()]|\s[-–—/]\s")
_COMMAS = re.compile(r"[,，]")
MADE = re.compile(
    r"(?:made|built|crafted|designed|developed|created|run|written|maintained|based|headquartered|located|hecho|hergestellt|entwickelt|fait|fabriqué|conçu|développé"
    r"|feito|desenvolvido|fatto|sviluppato|gemaakt|ontwikkeld|laget|lavet|wyprodukowano|vyrobeno)\b",
    re.IGNORECASE,
)
_MADE_IN = re.compile(
    rf"(?:^|\s){MADE.pattern}[^\w,]*(?:(?!(?:for|that|who|to|für|pour|para|per|voor)\b)\w+ ){{0,3}}?"
    r"(?:(?:with|mit|avec|con|com|met|med) (?:\w+|[^\w\s]+) )?"
    r"(?:(?:by|von|par|por|da|door|af|av) [^,·|]{1,60}? )?"
    r"\W*(?:in|from|en|à|em|a|i|w|v|aus)\s+(?P<place>[^\W\d_][^,·|]{1,40})$",
    re.IGNORECASE,
)
# "coopérative à Lyon", but not "hosted in Frankfurt".
_IN = re.compile(r"^[^\W\d_a-z]?[^\W\d_][^\d,]{1,40}?\s(?:in|à|en|em|aus|from)\s+(?=[^\W\d_a-z])")
_BY = re.compile(r"\s(?:by|von|par|por|van)\s.{1,60}$")
_ELSEWHERE = re.compile(r"host|héberg|server|serveur|data|daten|offices|customers|kunden|clients", re.IGNORECASE)
# What says that a place is that of a computer.
HOSTED = re.compile(
    r"(?<!self)(?<!self[- ])\bhosted\b|\bhosting\s?(?:[:：]|by\b|in\b|at\b|with\b|provider|partner|location|$)|\bhost:"
    r"|\b(?:web)?hoster\b|\bhéberg(?:é|eur|ement)|\bservers?\s?(?:[:：]|are\b|is\b|in\b|at\b|located|location|based|$)"
    r"|\bserver(?:n|standort\w*|na)?\s?(?:[:：]|in\b|stehen|steht|finns)|\bserver(?:standort|halle?)|\bservrar\b|\bserv(?:ere|erne)\b"
    r"|\bserveurs?\s(?:en|à|situés?|sont|basés?)\b|\b(?:servidor(?:es)?|server)\s(?:en|em|a|in)\b|\bserwer\w*\s(?:w|są)\b"
    r"|\bdata\s?(?:cent(?:er|re|rum|ralen)s?)\b|\brechenzentr\w+|\bcent(?:re|ro|ros)\s(?:de|di)\s(?:données|dat[ios]|dados)\b"
    r"|\bdata (?:is |are )?(?:stored|stays?|kept|lives?|resides?|held)\b|\bdonnées (?:sont )?(?:stockées|restent)\b"
    r"|\bdaten (?:liegen|bleiben|werden)\b|\bgehost(?:et|e)?\b|\bhostowan|\b(?:hospedad|alojad)[oa]s?\b"
    r"|\bospitat[oi]\b|\bdriftas\b"
    r"|サーバー|データセンター|服务器",
    re.IGNORECASE,
)
_OF_STREETS = re.compile(
    r"(?:road|street|avenue|boulevard|stra(?:ß|ss)e|straat|gatan?|gade|vej|veien)$|^(?:rue|via|calle|rua|avenida|ul)\s",
    re.IGNORECASE,
)
# Not a day such as "19 August 2026".
_STREET = re.compile(
    r"^\d{1,5}[a-z]?\s+[^\W\d_](?!.*\s(?:19|20)\d\d$)|[^\W\d_][.:]?\s+(?!(?:19|20)\d\d$)\d{1,4}\s?[a-z]?(?:[/-]\d{1,4}[a-z]?)?$",
    re.IGNORECASE,
)
# Postal codes before a city, and after it with a state's or province's letters.
_CODE = re.compile(
    r"(?:^|(?<=\s))(?:[A-Z]{1,2}-)?(?:\d{4} ?[A-Z]{2}(?= )|\d{2}-\d{3}|\d{3} \d{2}|\d{4,5}-\d{3}|\d{4,6})\s+"
    r"(?=[^\W\d_])"
)
_CODE_BEHIND = re.compile(
    r"(?:^|\s)(?:\d{5}-\d{3,4}|\d{3} \d{2,3}|\d{4,6}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})$"
)
_REGION_BEHIND = re.compile(r"[/ ][A-Z]{2,3}$")
_REGION = re.compile(r"(?!UK|US|EU|UAE)[A-Z]{2,3}")
LEGAL_FORM = re.compile(
    r"(?<!\w)(?:inc|llc|ltd|limited|gmbh|ug|ag|kg|corp|sas|sarl|sasu|s\.?a|s\.?l|b\.?v|n\.?v|pty|oy|ab|aps|a/s|as|srl|s\.?r\.?l"
    r"|s\.?p\.?a|sp\. z o\.o|d\.?o\.?o|lda|kft|s\.?r\.?o)(?!\w)",
    re.IGNORECASE,
)
# A tax or company number may follow an address. No address has seven digits in a row.
_REGISTRATION = re.compile(
    r"\d{7}|(?<!\w)(?:p\.? ?iva|cap(?=\.|$)|rea|rcs|siret|org\.? ?nr|cvr|kvk|hrb|ust|cif|nif|nip|krs|regon)(?!\w)",
    re.IGNORECASE,
)
_CITY_ALONE = re.compile(r"[^\W\d_a-z][^\W\d_.'’-]*+(?:[ .'’-]{1,2}[^\W\d_]+){0,3}")
# What footers say where a city could be.
_NO_CITY = frozenset(
    fold(word)
    for word in words_of("""
        privacy privacy-policy terms terms-of-service imprint impressum legal cookies cookie-policy sitemap status
        security careers jobs login sign-in all-rights-reserved rights-reserved support home datenschutz agb
        mentions-légales confidentialité privacidad aviso-legal privacidade termos accessibility
        licenses love europe eu earth worldwide
        remote global internet cloud trust-center partners affiliates press rss english deutsch français español powered
        no nr ing mgr dr software labs group holding ventures studio team docs api
    """)
)
# Countries of legal forms, and of languages that distinguish them.
_FORMS = (
    (re.compile(r"(?<!\w)(?:gmbh|ug|ag|kg)(?!\w)", re.IGNORECASE), frozenset({"DE", "AT", "CH"})),
    (re.compile(r"(?<!\w)(?:sas|sasu)(?!\w)", re.IGNORECASE), frozenset({"FR", "CO"})),
    (re.compile(r"(?<!\w)(?:s\.?r\.?l|s\.?p\.?a)(?!\w)", re.IGNORECASE), frozenset({"IT", "RO"})),
    (re.compile(r"(?<!\w)b\.v\.?(?!\w)", re.IGNORECASE), frozenset({"NL"})),
    (re.compile(r"(?<!\w)Oyj?(?!\w)"), frozenset({"FI"})),
    (re.compile(r"(?<!\w)(?:ApS|A/S)(?!\w)"), frozenset({"DK"})),
    (re.compile(r"(?<!\w)sp\. z o\.o", re.IGNORECASE), frozenset({"PL"})),
    (re.compile(r"(?<!\w)Kft(?!\w)"), frozenset({"HU"})),
    (re.compile(r"(?<!\w)AB(?!\w)"), frozenset({"SE", "FI"})),
    (re.compile(r"(?<!\w)S\.L\.(?:U\.?)?(?!\w)"), frozenset({"ES"})),
)
_LANGUAGES = {"fr": frozenset({"FR"}), "es": frozenset({"CO"}), "it": frozenset({"IT"}), "sv": frozenset({"SE"})}
_FIVE_DIGITS = re.compile(r"(?<!\d)\d{5}(?!\d)")
# Countries that write postal codes behind cities.
_CODES_BEHIND = words_of("AU CA GB IE IN NZ US")
# Countries that write postal codes before cities, and whose endings of domains are hardly used elsewhere.
_OWN_ENDINGS = words_of("AT BE CH CZ DE DK EE ES FI FR HR HU IT LT LU LV NL NO PL PT SE SI SK")
_LAND_SIGNS = {"D": "DE", "A": "AT", "F": "FR", "B": "BE", "I": "IT", "L": "LU"}


@dataclass(frozen=True)
class Place:
    """A city and a country code, either of them empty if unknown."""

    city: str
    country: str


def country_of(text: str, language: str = "") -> str:
    """Return the code of the country that a text consists of, or an empty string. It may be in the page's language."""
    bare = text.strip(" .,;:()")
    if len(bare) == 2 and bare.isupper():
        return {"UK": "GB", "EL": "GR"}.get(bare, bare if bare in COUNTRIES else "")
    name = fold(bare)
    return _CODES.get(name) or _codes_in(language[:2].lower()).get(name, "")


@lru_cache(maxsize=32)
def _codes_in(language: str) -> Mapping[str, str]:
    """Return codes of countries by their names in a language."""
    try:
        names = Locale(language).territories if language.isalpha() else {}
    except UnknownLocaleError:
        return {}
    return {fold(name): code for code, name in names.items() if code in COUNTRIES}


def names_maker(label: str, texts: Iterable[str]) -> bool:
    """Return whether a text that tells who made the site, or holds its rights, names the owner of a label."""
    own = fold(label)
    return len(own) > 3 and any(own in fold(text) for text in texts if MADE.search(text) or RIGHTS.search(text))


def is_state(text: str) -> bool:
    """Return whether a text is the name or the code of a US state."""
    bare = text.strip(" .,;:()")
    return bare in _STATE_CODES or fold(bare) in _STATE_NAMES


def country_of_region(text: str) -> str:
    """Return the country of a region such as "Nova Scotia", or an empty string."""
    return _COUNTRY_OF_REGION.get(fold(text), "")


def is_region(text: str, country: str) -> bool:
    """Return whether a text is a state or region of a country, and no large city."""
    name = fold(text)
    return name not in COUNTRY_OF_CITY and (name in _COUNTRY_OF_REGION or (country == "US" and is_state(text)))


def place_in(line: str, *, above: str = "", below: tuple[str, ...] = (), language: str = "") -> Place | None:
    """Return the place named in an address line with a postal code. The country may follow in the lines `below`.

    Accepts only unambiguous forms: "Austin, TX 78701", "London EC1A 1BB", 京都府京都市, and "10115 Berlin" followed by
    a country, since numbers come before words everywhere. A possible year also needs a house number before it, in its
    line or in the one `above`.
    """
    line = _before_host(_IN_BRACKETS.sub("", line[:MAX_FOOTER_LINE]))
    if len(line) > 200 or RIGHTS.search(line):
        return None
    if place := _of_one_country(line):
        return place
    if result := _UK_LINE.search(line):
        return Place(_city(result["city"]), _country_after(result["rest"], below, language) or "GB")
    result = _BEFORE.search(line)
    may_be_year = result is not None and 1990 <= int(f"0{result['code']}" if result["code"].isdigit() else 0) <= 2040
    if (
        result
        and may_be_year
        and not result["land"]
        and not any(map(str.isdigit, line[: result.start("code")] + above))
    ):
        return None
    if result:
        country = _country_after(result["rest"], below, language) or _LAND_SIGNS.get(
            result["land"] or "", result["land"] or ""
        )
        is_house_number = country in _CODES_BEHIND or result["city"][:1].islower()
        if country in COUNTRIES and not is_house_number:
            return Place(_city(_without_country(result["city"])), country)
    return None


def _of_one_country(line: str) -> Place | None:
    """Return the place of an address as only one country writes it."""
    if (result := _US_LINE.search(line)) and result["state"] in _STATE_CODES:
        return Place(_city(result["city"]), "US")
    if (result := _JAPANESE.search(line)) and any(map(str.isdigit, line)):
        return Place(result["tokyo"] or result["city"], "JP")
    if result := _UK_LINE.search(line):
        return Place(_city(result["city"]), country_of(result["rest"]) or "GB")
    for country, pattern in _OTHER_FORMS:
        if result := pattern.search(line):
            return Place(_city(result["city"]), country)
    return None


def place_in_country(line: str, *, above: str, country: str) -> Place | None:
    """Return the place of a line of nothing but a postal code and a city below a street, on a site of a country."""
    city = _CODE.sub("", line.strip(), count=1)
    is_address = country in _OWN_ENDINGS and city != line.strip() and _STREET.search(above)
    return Place(city, country) if is_address and _is_city(city, None) else None


def place_in_footer(line: str, *, name: str | None = None, language: str = "") -> Place | None:
    """Return the place in a line about the company: "Acme Ltd, 3 Quay Lane, Galway, Ireland · Imprint".

    Without a country, the city has to end a sentence and follow a street, a postal code, a legal form, or words such as
    "Made in". Then the country follows from a large city, or from the legal form with the postal code or the page's
    language.
    """
    alone = line.strip(_SIGNS_BESIDE)
    if (country := COUNTRY_OF_CITY.get(fold(alone))) and _is_city(alone, name):
        return Place(alone, country)
    for sentence in map(_before_host, _SENTENCES.split(_IN_BRACKETS.sub("", line[:MAX_FOOTER_LINE]))):
        if _OF_OTHERS.search(sentence):
            continue
        sentence = _SINCE.sub("", sentence)
        if (place := _of_one_country(sentence)) and _is_city(place.city, name):
            return place
        parts: list[str] = []
        place = None
        for group in _GROUPS.split(sentence):
            own = [_LABEL.sub("", part.strip(_SIGNS_BESIDE)) for part in _COMMAS.split(group)]
            parts += [part for part in own if part]
            latest = _place_of(parts, name, language) if any(own) else place
            place = latest or (place if _REGISTRATION.search(group) else None)
            if place and (place.country or fold(place.city) in COUNTRY_OF_CITY):
                break
        if place:
            return place if place.country else Place(place.city, _country_by(place.city, sentence, language))
    return None


def _before_host(sentence: str) -> str:
    """Return a sentence without what it says about where computers are: "Made in Oslo, hosted in Paris, France"."""
    hosted = HOSTED.search(sentence)
    if hosted is None:
        return sentence
    made = MADE.search(sentence, hosted.end())
    return sentence[: hosted.start()].rstrip(" ,·|–-") or (sentence[made.start() :] if made else "")


def place_below(lines: list[str], *, name: str | None = None, language: str = "") -> Place | None:
    """Return the place of an address in several lines that end with its country, or with a postal code and the city.

    A street or the company's legal form has to stand above the city; without a country, the legal form.
    """
    *above, last = [line[:MAX_CITY].strip(" ,.") for line in lines]
    has_form = any(map(LEGAL_FORM.search, above))
    is_address = has_form or any(map(_STREET.search, above[:-1]))
    if not (is_address and country_of(last, language)) and not (has_form and _CODE.match(last)):
        return None
    return place_in_footer(", ".join([*above, last]), name=name, language=language)


def _country_by(city: str, sentence: str, language: str) -> str:
    """Return the only country that a city, or else a legal form, can be in. Empty if there are several."""
    if country := COUNTRY_OF_CITY.get(fold(city)):
        return country
    lands = next((lands for form, lands in _FORMS if form.search(sentence)), frozenset())
    if len(lands) > 1:
        lands &= (
            frozenset({"DE"})
            if "DE" in lands and _FIVE_DIGITS.search(sentence)
            else _LANGUAGES.get(language[:2], lands)
        )
    return next(iter(lands)) if len(lands) == 1 else ""


def _place_of(parts: list[str], name: str | None, language: str) -> Place | None:
    parts = [*parts[:-1], parts[-1] if MADE.search(parts[-1]) else _BY.sub("", parts[-1])]
    for at in (-1, -2, -3):
        if len(parts) >= -at and (made := _MADE_IN.search(parts[at])):
            place = _BY.sub("", made["place"]).strip()
            parts = [*parts[:at], "Made in", place, *(parts[at + 1 :] if at < -1 else ())]
            break
    if len(parts) > 2 and _REGISTRATION.search(parts[-1]):
        parts = parts[:-1]
    if len(parts) < 2:
        return None
    last, before = parts[-1], parts[-2]
    if country := _country_at_end(last, before, language):
        if before == "Made in":
            return None if is_state(last) else Place("", country)
        city = _city_before_country(parts[:-1], country, name)
        if not _is_city(city, name) and fold(last) in COUNTRY_OF_CITY:
            city = last
        if is_region(city, country):
            return Place("", country)
        return Place(city, country) if _is_city(city, name) else None
    city = _bare(last) if fold(_bare(last)) in COUNTRY_OF_CITY else _CODE.split(last)[-1]
    is_known = fold(city) in COUNTRY_OF_CITY
    is_ours = is_known and (
        RIGHTS.search(before) or fold(before) == fold(name or "") or any(map(_STREET.search, parts[:-1]))
    )
    is_sure = city != last or before == "Made in" or _STREET.search(before) or LEGAL_FORM.search(before) or is_ours
    return Place(city, "") if is_sure and _is_city(city, name) else None


def _country_at_end(last: str, before: str, language: str) -> str:
    """Return the country of an address's last part: a country, a state, or a region of one."""
    if _BRAZILIAN_STATE.fullmatch(last) and COUNTRY_OF_CITY.get(fold(_bare(before))) == "BR":
        # PE is Peru's code too.
        return "BR"
    state = _CODE_BEHIND.sub("", last)
    if is_state(state) and state != "Georgia":
        return "US"
    return country_of(last, language) or _COUNTRY_OF_REGION.get(fold(last), "")


def _city_before_country(parts: list[str], country: str, name: str | None) -> str:
    """Return the last of the parts that is not a postal code or a state: "Boise" of "Boise, Idaho 83702"."""
    bare = [text for text in map(_bare, parts[-3:]) if text] or [""]
    if len(bare) > 1 and fold(bare[-1]) not in COUNTRY_OF_CITY and _is_city(bare[-2], name):
        is_between = _REGION.fullmatch(bare[-1]) or is_region(bare[-1], country)
        bare = bare[:-1] if is_between or COUNTRY_OF_CITY.get(fold(bare[-2])) == country else bare
    city = _IN.sub("", bare[-1])
    return city if city == bare[-1] or (len(parts) > 1 and not _ELSEWHERE.search(bare[-1])) else ""


def _bare(text: str) -> str:
    """Return a part of an address without a postal code, and without the state or the district beside a city."""
    city = _CODE_BEHIND.sub("", _CODE.split(text)[-1])
    city = city if LEGAL_FORM.search(city) else _REGION_BEHIND.sub("", city)
    without_district = _DISTRICT.sub("", city)
    return without_district if fold(without_district) in COUNTRY_OF_CITY else city


def _is_city(text: str, name: str | None) -> bool:
    """Return whether a text can be a city: few capitalized words, none that footers use for something else."""
    if not _CITY_ALONE.fullmatch(text) or len(text) > MAX_CITY or LEGAL_FORM.search(text) or _OF_STREETS.search(text):
        return False
    return fold(text) not in {*_NO_CITY, *KIND_OF, fold(name or "")} and (
        fold(text) in COUNTRY_OF_CITY or not country_of(text)
    )


def _city(text: str) -> str:
    city = text.strip(" ,.-")
    return city if len(city) <= MAX_CITY else ""


def _without_country(text: str) -> str:
    """Split "Berlin Germany" into a city and its country."""
    words = text.split()
    while len(words) > 1 and country_of(words[-1]) and len(words[-1]) > 2:
        words.pop()
    return " ".join(words)


def _country_after(rest: str, below: tuple[str, ...], language: str) -> str:
    parts = [part for part in re.split(r"[,•·|()–—]|\s-\s", rest) if part.strip()][:3]
    for part in (*parts, *(line for line in below if len(line) <= 40)):
        for piece in (part, part.split(",")[0]):
            if code := country_of(piece, language):
                return code
    return ""
