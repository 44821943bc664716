"""Recognize countries, states and address lines as pages write them."""

import re
from dataclasses import dataclass

from apps.core.countries import COUNTRIES
from apps.drafts.extraction.text.cleaning import fold

# What countries call themselves and their neighbors, in addition to English names and codes.
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
_RIGHTS = re.compile(r"©|\(c\)|copyright|rights reserved", re.IGNORECASE)
_LAND_SIGNS = {"D": "DE", "A": "AT", "F": "FR", "B": "BE", "I": "IT", "L": "LU"}


@dataclass(frozen=True)
class Place:
    """A city and a country code, either of them empty if unknown."""

    city: str
    country: str


def country_of(text: str) -> str:
    """Return the code of the country that a text consists of, or an empty string."""
    bare = text.strip(" .,;:()")
    if len(bare) == 2 and bare.isupper():
        return {"UK": "GB", "EL": "GR"}.get(bare, bare if bare in COUNTRIES else "")
    return _CODES.get(fold(bare), "")


def is_state(text: str) -> bool:
    """Return whether a text is the name or the code of a US state."""
    bare = text.strip(" .,;:()")
    return bare in _STATE_CODES or fold(bare) in _STATE_NAMES


def place_in(line: str, *, above: str = "", below: tuple[str, ...] = ()) -> Place | None:
    """Return the place named in an address line with a postal code. The country may follow in the lines `below`.

    Accepts only unambiguous forms: "Austin, TX 78701", "London EC1A 1BB", and "10115 Berlin" followed by a country,
    since numbers come before words everywhere. A possible year also needs a house number before it, in its line or in
    the one `above`.
    """
    if len(line) > 200 or _RIGHTS.search(line):
        return None
    if (found := _US_LINE.search(line)) and found["state"] in _STATE_CODES:
        return Place(_city(found["city"]), "US")
    if found := _UK_LINE.search(line):
        return Place(_city(found["city"]), _country_after(found["rest"], below) or "GB")
    found = _BEFORE.search(line)
    may_be_year = found is not None and 1990 <= int(f"0{found['code']}" if found["code"].isdigit() else 0) <= 2040
    if found and may_be_year and not found["land"] and not any(map(str.isdigit, line[: found.start("code")] + above)):
        return None
    if found:
        country = _country_after(found["rest"], below) or _LAND_SIGNS.get(found["land"] or "", found["land"] or "")
        if country in COUNTRIES:
            return Place(_city(_without_country(found["city"])), country)
    return None


def _city(text: str) -> str:
    city = text.strip(" ,.-")
    return city if len(city) <= MAX_CITY else ""


def _without_country(text: str) -> str:
    """Split "Berlin Germany" into a city and its country."""
    words = text.split()
    while len(words) > 1 and country_of(words[-1]) and len(words[-1]) > 2:
        words.pop()
    return " ".join(words)


def _country_after(rest: str, below: tuple[str, ...]) -> str:
    parts = [part for part in re.split(r"[,•·|()–—]|\s-\s", rest) if part.strip()][:3]
    for part in (*parts, *(line for line in below if len(line) <= 40)):
        for piece in (part, part.split(",")[0]):
            if code := country_of(piece):
                return code
    return ""
