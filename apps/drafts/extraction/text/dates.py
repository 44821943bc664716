"""Parse dates on pages: ISO 8601, RFC 2822, and day, month name and year in many languages.

Strict on purpose: a text without year, month and day gives nothing, and so do numbers such as 04/05/2016, which may be
day or month first. With dots, the day always comes first.
"""

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import NamedTuple

FIRST_YEAR = 1990
LAST_YEAR = 2100

_ISO = re.compile(
    r"(?<!\d)(?P<year>\d{4})(?:[-/.]|\.\s)(?P<month>\d{1,2})(?:[-/.]|\.\s)(?P<day>\d{1,2})"
    r"(?:(?:\s*T\s*|\s+)(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,9})?)?"
    r"\s*(?P<zone>Z|UTC|GMT|[+-]\d{1,2}(?:[:.]?\d{2})?)?)?(?!\d)",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"(?<![\d./-])(?P<first>\d{1,2})(?P<mark>[./-])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})(?![\d/-]|\.\d)"
)
_COMPACT = re.compile(r"^(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?Z?)?$")
_EPOCH = re.compile(r"^\d{10}(?:\d{3})?$")
_EMAIL = re.compile(r"^(?:[A-Za-z]{3},\s*)?\d{1,2} [A-Za-z]{3} \d{4} \d{2}:\d{2}")
_CLOCK = re.compile(
    r"(?<![\d:])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?\s*(?P<half>[ap]\.?m\b\.?)?"
    r"\s*(?P<zone>Z\b|[A-Z]{2,4}\b|[+-]\d{2}:?\d{2})?",
    re.IGNORECASE,
)
_ZONES = {
    "Z": 0,
    "UTC": 0,
    "GMT": 0,
    "BST": 1,
    "CET": 1,
    "CEST": 2,
    "EST": -5,
    "EDT": -4,
    "ET": -5,
    "CST": -6,
    "CDT": -5,
}
_ZONES |= {"MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "PT": -8}

# English, German, French, Spanish, Portuguese, Italian, Dutch, the Nordic languages, Polish, Czech, Romanian,
# Hungarian, Turkish, Indonesian, Finnish, Greek, Russian and Ukrainian, in the form used beside a day.
_MONTH_NAMES = (
    "january jan januar jänner janvier janv enero ene janeiro gennaio gen januari styczeń stycznia leden ledna"
    " ianuarie január ocak tammikuuta ιανουαρίου января янв січня",
    "february feb febr februar février févr fevrier febrero fevereiro fev febbraio februari lutego luty února"
    " februarie február şubat helmikuuta φεβρουαρίου февраля фев лютого",
    "march mar märz maerz mrz mars marts marzo março maart mrt marca marzec března martie március mart maret"
    " maaliskuuta μαρτίου марта мар березня",
    "april apr avril avr abril abr aprile kwietnia dubna aprilie április nisan huhtikuuta απριλίου апреля апр квітня",
    "may mai mayo maio maggio mag mei maj maja května május mayıs toukokuuta μαΐου мая травня",
    "june jun juni juin junio junho giugno giu czerwca června iunie június haziran kesäkuuta ιουνίου июня июн червня",
    "july jul juli juillet juil julio julho luglio lug lipca července iulie július temmuz heinäkuuta ιουλίου июля июл"
    " липня",
    "august aug août aout agosto ago augustus augusti sierpnia srpna augusztus ağustos agustus elokuuta αυγούστου"
    " августа авг серпня",
    "september sep sept septembre septiembre setembro set settembre września září septembrie szeptember eylül"
    " syyskuuta σεπτεμβρίου сентября сен сент вересня",
    "october oct oktober okt octobre octubre outubro out ottobre ott października října octombrie október ekim"
    " lokakuuta οκτωβρίου октября окт жовтня",
    "november nov novembre noviembre novembro listopada listopadu noiembrie kasım marraskuuta νοεμβρίου ноября ноя"
    " нояб листопада",
    "december dec dezember dez décembre déc decembre diciembre dic dezembro dicembre desember grudnia prosince"
    " decembrie aralık joulukuuta δεκεμβρίου декабря дек грудня",
)
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_MONTH = r"(?P<month>[^\W\d_]{3,12})\.?"
_NAMED = (
    re.compile(rf"(?<![\w]){_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})(?!\d)", re.IGNORECASE),
    re.compile(
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?[\s-]+(?:de\s+|of\s+)?{_MONTH},?[\s-]+(?:de\s+)?(?P<year>\d{{4}})(?!\d)",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<!\d)(?P<year>\d{{4}})[.,]?\s+{_MONTH}\s+(?P<day>\d{{1,2}})(?!\d)", re.IGNORECASE),
    re.compile(r"(?P<year>\d{4})\s*年\s*(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*日"),
    re.compile(r"(?P<year>\d{4})\s*년\s*(?P<month>\d{1,2})\s*월\s*(?P<day>\d{1,2})\s*일"),
)


_DAY_FIRST = re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})(?!\d)")
# With dots and without leading zeros, such as 2024.5.1, it may as well be a version.
_YEAR_FIRST = re.compile(
    r"(?<![\w.])(?P<year>\d{4})(?:(?P<sign>[-/])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})"
    r"|\.(?P<month_2>\d{2})\.(?P<day_2>\d{2}))(?![\d.]\d|\d)"
)


class Day(NamedTuple):
    """A calendar day as "2017-07-05", and where its text begins and ends."""

    iso: str
    start: int
    end: int


def find_day(text: str) -> Day | None:
    """Return the first complete date in a short text as written, regardless of time and time zone.

    In addition to the forms of `parse_date`, it accepts 5.7.2017, which is always day first.
    """
    days = (_day_of(one) for pattern in (_YEAR_FIRST, _DAY_FIRST, *_NAMED) for one in pattern.finditer(text[:300]))
    return min((day for day in days if day), key=lambda day: day.start, default=None)


def _day_of(match: re.Match[str]) -> Day | None:
    parts = match.groupdict()
    name = (parts["month"] or parts.get("month_2") or "").lower()
    month = int(name) if name.isdigit() else _MONTHS.get(name, 0)
    try:
        iso = _day(int(parts["year"]), month, int(parts["day"] or parts["day_2"]))
    except ValueError:
        return None
    return Day(iso, match.start(), match.end()) if iso else None


def is_month(name: str) -> bool:
    """Return whether a word is the name of a month in one of the supported languages."""
    return name.lower() in _MONTHS


def parse_date(value: str) -> str | None:
    """Parse a text into a UTC moment in ISO 8601, or a day ("2017-07-05") if it has no time.

    A time without a zone counts as UTC. None unless the text has a full date between the years 1990 and 2100.
    """
    text = value.strip()[:200]
    if not any(char.isdigit() for char in text):
        return None
    try:
        return _from_numbers(text) or _from_iso(text) or _from_named(text) or _from_ordered(text)
    except (ValueError, OverflowError):
        return None


def _from_numbers(text: str) -> str | None:
    if _EPOCH.match(text):
        return _in_utc(datetime.fromtimestamp(int(text[:10]), tz=UTC))
    if compact := _COMPACT.match(text):
        year, month, day, hour, minute, second = (int(part) if part else 0 for part in compact.groups())
        if compact[4] is None:
            return _day(year, month, day)
        return _in_utc(datetime(year, month, day, hour, minute, second, tzinfo=UTC))
    if _EMAIL.match(text):
        moment = parsedate_to_datetime(text)
        return _in_utc(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    return None


def _from_iso(text: str) -> str | None:
    result = _ISO.search(text)
    if result is None:
        return None
    year, month, day = int(result["year"]), int(result["month"]), int(result["day"])
    if result["hour"] is None:
        return _day(year, month, day)
    zone = _offset(result["zone"] or "Z")
    second = int(result["second"] or 0)
    hour, minute = int(result["hour"]), int(result["minute"])
    return _in_utc(datetime(year, month, day, hour, minute, second, tzinfo=zone))


def _from_named(text: str) -> str | None:
    for pattern in _NAMED:
        for one in pattern.finditer(text):
            name = one["month"].lower()
            month = int(name) if name.isdigit() else _MONTHS.get(name)
            if month is not None:
                rest = text[: one.start()] + " | " + text[one.end() :]
                return _with_clock(int(one["year"]), month, int(one["day"]), rest)
    return None


def _from_ordered(text: str) -> str | None:
    """Return a day from numbers, if only one reading is possible."""
    result = _NUMBERS.search(text)
    if result is None:
        return None
    first, second = int(result["first"]), int(result["second"])
    if result["mark"] == "." or first > 12 or first == second:
        day, month = first, second
    elif second > 12:
        day, month = second, first
    else:
        return None
    return _with_clock(int(result["year"]), month, day, text[: result.start()] + " | " + text[result.end() :])


def _with_clock(year: int, month: int, day: int, rest: str) -> str | None:
    clock = _CLOCK.search(rest)
    if clock is None:
        return _day(year, month, day)
    hour, half = int(clock["hour"]), (clock["half"] or "").lower()[:1]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    zone = _offset(clock["zone"] or "Z")
    return _in_utc(datetime(year, month, day, hour, int(clock["minute"]), tzinfo=zone))


def _offset(zone: str) -> timezone:
    if zone[0] in "+-":
        hours, rest = re.findall(r"^(\d{1,2}?)[:.]?(\d{2})?$", zone[1:])[0]
        minutes = int(hours) * 60 + int(rest or 0)
        return timezone(timedelta(minutes=-minutes if zone[0] == "-" else minutes))
    return timezone(timedelta(hours=_ZONES.get(zone.upper(), 0)))


def _day(year: int, month: int, day: int) -> str | None:
    moment = datetime(year, month, day, tzinfo=UTC)
    return moment.date().isoformat() if FIRST_YEAR <= year <= LAST_YEAR else None


def _in_utc(moment: datetime) -> str | None:
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        return None
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
