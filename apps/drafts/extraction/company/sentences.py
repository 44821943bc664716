"""Read founding year, location and team size from sentences about the site itself, not about others."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from typing import TypeAlias

from lxml import etree

from apps.drafts.extraction.company.about_us_words import (
    BASED,
    BEGUN,
    BORN,
    COMPANY_NOUN,
    FEW_PEOPLE,
    FOUNDED,
    FOUNDED_ALONE,
    FOUNDED_LABEL,
    FOUNDED_UNSAID,
    I_BEGAN,
    MADE_BY_PEOPLE,
    MADE_SINCE,
    NUMBER_OF,
    NUMBER_WORD,
    ONE_PERSON,
    OUR_FOUNDING,
    OURSELVES,
    PEOPLE_ALONE,
    PEOPLE_IN,
    SINCE_ALONE,
    TEAM_ALONE,
    TEAM_LABEL,
    TEAM_OF,
    TEAM_UNSAID,
    THE_COMPANY,
    WE_ARE_ALONE,
    WE_MAKE_SINCE,
    YEAR_ALONE,
)
from apps.drafts.extraction.company.cities import COUNTRY_OF_CITY
from apps.drafts.extraction.company.places import HOSTED, Place, country_of, country_of_region, is_state
from apps.drafts.extraction.document.document import selector_of
from apps.drafts.extraction.document.lines import Line
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.text.cleaning import fold, in_western_digits, sentences
from apps.drafts.extraction.text.dates import is_month

FIRST_YEAR = 1800
MAX_TEAM = 2_000_000
MAX_LABEL = 40
MAX_CLIMB = 4
MIN_NOUN = 3
MAX_VERB_WORDS = 3

YEAR = re.compile(r"(?<![\d.,/-])(1[89]\d\d|20\d\d)(?![\d%]|[.,/-]\d)")
_BEGINNINGS = frozenset({"", "in", "im", "im jahr", "en", "em", "nel", "año", "it was", "i", "w", "в", "عام", "في عام"})
_POINTS = re.compile(r"\s*[·•|]\s*")
_BY = re.compile(r"\s(?:by|von|par|por|da|door|av|af)\s")
_PRONOUN = re.compile(r"it|this|this (?:app|tool|game|site|letter)|er|sie|es|il|elle|het|den|det", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_OTHERS = re.compile(r"\b(?:customers?|clients?|partners?|kunden?|clientes?|clienti|klant(?:en)?)\b", re.IGNORECASE)
_IS = re.compile(
    r"^\s*(?:'re|’re|are|is|sind|ist|sommes|est|somos|es|é|siamo|è|zijn|är|to|has grown|have grown|grew|jesteśmy)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Us:
    """Who "we" is on a page: the product's name, and whether the page is about the company."""

    name: str | None
    is_about: bool


Said: TypeAlias = tuple[Us, ReadPage, Line]


def year_of(text: str) -> str:
    """Return the year if a company can have been founded in it, or an empty string."""
    return text if FIRST_YEAR <= int(text) <= datetime.now(UTC).year else ""


def size_of(text: str) -> str:
    """Return a number of people without separators. A range such as 11-50 does not count."""
    bare = re.sub(r"(?<=\d)[., ’'](?=\d{3}(?!\d))", "", text.strip())
    return str(int(bare)) if re.fullmatch(r"\d{1,7}", bare) and 0 < int(bare) <= MAX_TEAM else ""


def find_years(said: Iterable[Said]) -> list[Find]:
    """Yield years next to a word such as "founded" whose subject is the site or "we"."""
    finds: list[Find] = []
    above: Said | None = None
    for us, page, line in said:
        text = in_western_digits(line.text)
        if above is not None and above[1] is page and (result := _of_pair(above[2], line, page)):
            finds.append(result)
        elif YEAR.search(text):
            finds.extend(_years_in(text, us, page, line))
        above = (us, page, line)
    return finds[:10]


def _years_in(text: str, us: Us, page: ReadPage, line: Line) -> Iterator[Find]:
    """Yield years of a line that says nothing else, or of a sentence that says who was founded."""
    if year := _labelled_year(text, FOUNDED_LABEL):
        yield Find(year, page, "text", selector_of(line.element), line.text, 0.75)
        return
    says_who = us.is_about and not _OTHERS.search(text)
    for number, sentence in enumerate(islice(sentences(text), 20)):
        year = _founding_year(sentence, us)
        if not year and says_who and (number == 0 or subject_of(us).search(text)):
            # "Founded in 2017 in Leipzig. We are …"
            parts = islice(_POINTS.split(sentence), 6)
            year = next((year for part in parts if (year := _labelled_year(part, FOUNDED_LABEL))), "")
        if not year and says_who and (unsaid := FOUNDED_UNSAID.match(sentence)):
            year = year_of(unsaid["year"])
        year = year or _year_since(sentence, text, us, line)
        if year:
            snippet = sentence if sentence in line.text else line.text
            yield Find(year, page, "text", selector_of(line.element), snippet, 0.8)


def _year_since(sentence: str, text: str, us: Us, line: Line) -> str:
    """Return the year since which people make the product, or its footer says that it exists."""
    if (made := MADE_SINCE.match(sentence)) and _is_own_making(made, us):
        return year_of(made["year"])
    if us.is_about and (making := WE_MAKE_SINCE.search(sentence)):
        return year_of(making["year"])
    parts = list(islice(_POINTS.split(sentence), 6))
    is_tagline = "footer" in line.marks and len(parts) > 1 and bool(us.name) and fold(us.name or "") in map(fold, parts)
    is_of_us = us.is_about and sentence != text and re.match(OURSELVES, text, re.IGNORECASE) is not None
    if is_tagline or is_of_us:
        return next((year_of(alone["year"]) for part in parts if (alone := SINCE_ALONE.match(part))), "")
    return ""


def _is_own_making(made: re.Match[str], us: Us) -> bool:
    """Return whether a sentence such as "Made in Oslo, Norway since 2019" is about the product and people."""
    subject = (made["subject"] or "").rsplit(" ", 2)[0].strip()
    if subject and fold(subject) != fold(us.name or "") and not _PRONOUN.fullmatch(subject):
        return False
    place = made["place"]
    if place is None:
        return True
    last = place.rsplit(",", 1)[-1].strip()
    return bool(country_of(last)) or fold(last) in COUNTRY_OF_CITY


def _labelled_year(text: str, pattern: re.Pattern[str]) -> str:
    result = pattern.match(text) if len(text) <= MAX_LABEL else None
    if result is None or (result["month"] and not is_month(result["month"])):
        return ""
    return year_of(result["year"])


def _of_pair(above: Line, below: Line, page: ReadPage) -> Find | None:
    """Yield the year of a table or list row that has the word in one cell and the year in the other."""
    if max(len(above.text), len(below.text)) > MAX_LABEL:
        return None
    if not (_DIGIT.search(above.text) or _DIGIT.search(below.text)):
        return None
    for word, value in ((above, below), (below, above)):
        if not FOUNDED_ALONE.match(word.text):
            continue
        year = _labelled_year(in_western_digits(value.text), YEAR_ALONE)
        if year and _are_a_pair(above.element, below.element):
            snippet = f"{above.text} {below.text}"
            return Find(year, page, "text", selector_of(value.element), snippet, 0.75)
    return None


def _are_a_pair(first: etree._Element, second: etree._Element) -> bool:
    """Return whether two elements are in adjacent cells, with no third one between them."""
    around = (second, *islice(second.iterancestors(), MAX_CLIMB))
    for cell in (first, *islice(first.iterancestors(), MAX_CLIMB)):
        after = cell.getnext()
        if after is None or not any(after is element for element in around):
            continue
        if cell.tag == "dt":
            further = after.getnext()
            return after.tag == "dd" and (further is None or further.tag == "dt")
        frame = cell.getparent()
        return frame is not None and len(frame) == 2
    return False


def _founding_year(sentence: str, us: Us) -> str:
    years = YEAR.findall(sentence)
    if us.name and len(set(years)) == 1 and (born := _born(us.name).match(sentence)):
        return year_of(born["year"])
    ours = OUR_FOUNDING.search(sentence) or (us.name and _begun(us.name, us.is_about).search(sentence)) or None
    verb = ours or FOUNDED.search(sentence)
    if verb is None or len(set(years)) != 1:
        return ""
    at = YEAR.search(sentence)
    if at is None or max(at.start() - verb.end(), verb.start() - at.end()) > 60:
        return ""
    first, last = min(at.start(), verb.start()), max(at.end(), verb.end())
    before, after = sentence[:first], sentence[last:]
    # "Founded in 2019, Acme …" and "In 2019 we founded …" name the subject later or in the middle.
    begins = before.strip().lower() in _BEGINNINGS
    later = sentence[first:last] + " " + " ".join(after.split()[:8])
    is_unsaid = us.is_about and begins and _BY.match(after) and "," not in after
    if ours or is_unsaid or _is_of_us(before, us) or (begins and subject_of(us).search(later)):
        return year_of(at[1])
    return ""


@lru_cache(maxsize=16)
def _begun(name: str, is_about: bool) -> re.Pattern[str]:
    """Build the pattern for people who began the product. On pages about them anyone may have."""
    own = re.escape(name)
    mine = rf"{I_BEGAN} (?:(?:the|el|la|o|a|il|de|het) )?{own}\b"
    if not is_about:
        return re.compile(mine, re.IGNORECASE)
    nouns = "|".join(re.escape(word) for word in name.split()[1:] if len(word) > MIN_NOUN)
    it = rf"\b{BEGUN} (?:it|(?:the|this) (?:{nouns}))\b" if nouns else rf"\b{BEGUN} it\b"
    return re.compile(rf"{mine}|\b{BEGUN} {own}\b|\b{own} begonnen\b|{it}", re.IGNORECASE)


@lru_cache(maxsize=16)
def _born(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:the )?{re.escape(name)}\s+{BORN}", re.IGNORECASE)


def _is_of_us(before: str, us: Us) -> bool:
    """Return whether the text before a verb is about the site alone. Rejects "we love Foo, founded"."""
    subjects = list(islice(subject_of(us).finditer(before), 20))
    if not subjects or _OTHERS.search(before):
        return False
    between = before[subjects[-1].end() :]
    # "We are a team of 12, based in …": after a comma the subject is still "we", unless another name follows.
    return "," not in between or (_IS.match(between) is not None and between.islower())


@lru_cache(maxsize=16)
def subject_of(us: Us) -> re.Pattern[str]:
    """Build the pattern for the site as a subject: its name, or "we" in several languages."""
    own = rf"|(?<!\w){re.escape(us.name)}(?!\w)" if us.name and len(us.name) > 1 else ""
    return re.compile(f"{OURSELVES}{THE_COMPANY if us.is_about else ''}{own}", re.IGNORECASE)


def find_sizes(said: Iterable[Said]) -> list[Find]:
    """Yield team sizes whose subject is the site or "we"."""
    finds: list[Find] = []
    above: Said | None = None
    for us, page, line in said:
        text = NUMBER_WORD.sub(lambda word: NUMBER_OF[word[0].lower()], in_western_digits(line.text))
        is_pair = above is not None and above[1] is page and us.is_about and TEAM_ALONE.match(above[2].text)
        if is_pair and above and (pair := PEOPLE_ALONE.match(text)) and _are_a_pair(above[2].element, line.element):
            snippet = f"{above[2].text} {line.text}"
            finds.extend(_size(pair, page, line, snippet, 0.7))
        elif _DIGIT.search(text) or ONE_PERSON.search(text) or WE_ARE_ALONE.search(text):
            finds.extend(_sizes_in(text, us, page, line))
        above = (us, page, line)
    return finds[:10]


def _size(match: re.Match[str], page: ReadPage, line: Line, snippet: str, confidence: float) -> Iterator[Find]:
    if size := size_of(next(filter(None, match.groups()), "")):
        yield Find(size, page, "text", selector_of(line.element), snippet, confidence)


def _sizes_in(text: str, us: Us, page: ReadPage, line: Line) -> Iterator[Find]:
    label = TEAM_LABEL.match(text) if us.is_about and len(text) <= MAX_LABEL else None
    if label and (sizes := list(_size(label, page, line, line.text, 0.6))):
        yield from sizes
        return
    is_ours = us.is_about or bool(us.name and _born(us.name).match(text))
    for said, sentence in zip(sentences(line.text), islice(sentences(text), 20), strict=False):
        result = TEAM_OF.search(sentence)
        if result and not FOUNDED.search(sentence) and _is_our_team(sentence, result, us):
            yield from _size(result, page, line, said, 0.7)
        elif (is_ours or " of us" in sentence or " here" in sentence) and (unsaid := TEAM_UNSAID.search(sentence)):
            yield from _size(unsaid, page, line, said, 0.7)
        elif size := _size_of_few(sentence, us, line):
            yield Find(size, page, "text", selector_of(line.element), said, 0.65)


def _size_of_few(sentence: str, us: Us, line: Line) -> str:
    """Return how many a sentence names without a subject: "Five people, one workshop", "We are eight: …"."""
    placed = PEOPLE_IN.match(sentence)
    is_placed = placed is not None and placed.end() >= len(sentence) - 1 and _people_place(placed) is not None
    counted = (
        (us.is_about and not _OTHERS.search(sentence) and FEW_PEOPLE.match(sentence))
        or ((us.is_about or "footer" in line.marks) and MADE_BY_PEOPLE.match(sentence))
        or (placed if is_placed else None)
        or (us.is_about and WE_ARE_ALONE.search(sentence))
    )
    if counted:
        size = next(filter(None, counted.groups()), counted[0].split()[-1].lower())
        return size_of(NUMBER_OF.get(size, size))
    one = ONE_PERSON.search(sentence)
    return "1" if one and _is_own_maker(sentence[: one.start()], us) else ""


def _is_own_maker(before: str, us: Us) -> bool:
    """Return whether the text before "by one person" has only the product and the verb."""
    subject, _, rest = before.strip().partition(" ")
    if us.name and before.lower().startswith(us.name.lower()):
        subject, rest = us.name, before[len(us.name) :].strip()
    is_own = bool(us.name) and fold(subject) == fold(us.name or "")
    return len(rest.split()) <= MAX_VERB_WORDS and (is_own or _PRONOUN.fullmatch(subject) is not None)


def _is_our_team(sentence: str, match: re.Match[str], us: Us) -> bool:
    """Return whether a number of people is "ours": "Acme is a team of 12", but not "Acme fits every team of 12"."""
    own = subject_of(us).search(sentence)
    if own is None or own.start() > match.start() + 12:
        return False
    between = sentence[own.end() : match.start()]
    is_verb_of_its_own = own[0].lower() in ("somos", "siamo", "jesteśmy", "we're", "we’re")
    # A match next to the subject contains the verb itself, as in "our team".
    return not between.strip() or ("," not in between and (is_verb_of_its_own or bool(_IS.match(between))))


def find_places(said: Iterable[Said]) -> Iterator[tuple[Place, Find]]:
    """Read places from sentences such as "we are based in Lisbon, Portugal"."""
    for us, page, line in said:
        yield from _places_of_people(us, page, line)
        if not BASED.search(line.text):
            continue
        for sentence, result in _in_sentences(line.text):
            if not (result["city"] or result["country"]) or HOSTED.search(sentence[: result.end("city")]):
                continue
            begins = result.start() == 0 and subject_of(us).search(sentence[result.end() :][:40])
            if not (begins or _is_of_us(sentence[: result.start()], us)):
                continue
            if place := _place_of(result["city"] or "", result["country"] or ""):
                yield place, Find("", page, "text", selector_of(line.element), sentence, 0.65)


def _places_of_people(us: Us, page: ReadPage, line: Line) -> Iterator[tuple[Place, Find]]:
    text = NUMBER_WORD.sub(lambda word: NUMBER_OF[word[0].lower()], line.text)
    for sentence in islice(sentences(text), 20) if _DIGIT.search(text) else ():
        result = PEOPLE_IN.search(sentence)
        if result is None:
            continue
        before = sentence[: result.start()]
        is_alone = not before and result.end() >= len(sentence) - 1
        is_made = _BY.search(before) is not None and subject_of(us).search(before) is not None
        if (is_alone or is_made) and (place := _people_place(result)):
            yield place, Find("", page, "text", selector_of(line.element), line.text[:300], 0.65)


def _people_place(result: re.Match[str]) -> Place | None:
    """Return the place of so many people, which a country or a region has to follow."""
    country = country_of(result["country"]) or country_of_region(result["country"])
    if country:
        return Place(result["city"], country)
    return _place_of(result["city"], result["country"]) if is_state(result["country"]) else None


def _in_sentences(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    for sentence in islice(sentences(text), 20):
        yield from ((sentence, result) for result in islice(BASED.finditer(sentence), 3))


def _place_of(city: str, country: str) -> Place | None:
    city, country = city.strip(), country.strip()
    if "Georgia" in (city, country):
        # Also the name of a state.
        return Place(city, "") if country else None
    if code := country_of(city):
        # "based in Germany". City states such as Singapore are left to the address.
        return Place("", code)
    if is_state(country) and len(country) != 2:
        return Place(city, "US")
    if country and (code := country_of(country)):
        return Place(city, code)
    if is_state(city) or COMPANY_NOUN.search(city):
        return None
    return Place(city, "")
