"""Facts of the company that the site states about itself: founding year, location, team size."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lxml import etree

from apps.core.web.urls import host_of
from apps.drafts.extraction.company import sentences
from apps.drafts.extraction.company.about_us_words import HEADQUARTERS
from apps.drafts.extraction.company.places import (
    HOSTED,
    LEGAL_FORM,
    MADE,
    RIGHTS,
    Place,
    country_of,
    place_below,
    place_in,
    place_in_country,
    place_in_footer,
)
from apps.drafts.extraction.company.sentences import MAX_LABEL, YEAR, Said, Us, size_of, year_of
from apps.drafts.extraction.document import microdata
from apps.drafts.extraction.document.document import NEUTRAL, selector_of
from apps.drafts.extraction.document.json_ld import ORGANIZATION_TYPES, Json, Node, strings
from apps.drafts.extraction.document.lines import Line, heading_of, lines_of
from apps.drafts.extraction.document.titles import domain_fit
from apps.drafts.extraction.page.facts import Source
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.site.page_kinds import kind_of_page
from apps.drafts.extraction.text.cleaning import clean, fold

MAX_NODES = 10
MAX_ADDRESSES = 40
MAX_FOOTERS = 3
MAX_FOOTER_LINES = 60
MAX_FOOTER_ELEMENTS = 200
MAX_HOST_LINES = 5

_PARTS = re.compile(r"\s*[·•|,–—]\s*")
# Where people work, which says more than where the company is registered.
_WORKPLACE = re.compile(
    r"^(?:[^\W\d_]+ (?:and|&) )?(?:(?:our|the) )?(?:team|office|studio|workshop|visit us|büro|atelier|bureaux?|oficina|"
    r"escritório|ufficio|kantoor|kontor)(?: (?:and|&) [^\W\d_]+)?\s?[:：]",
    re.IGNORECASE,
)
# Sentences leave out the number of a name such as "Acme 2".
_VERSION = re.compile(r"(?<=\w)\s\d{1,2}$")
_KINDS = (None, "about", "team", "contact", "faq")
_NOT_OURS = frozenset({"quote", "struck", "nav", "versus"})


@dataclass(frozen=True)
class Company:
    """The finds for the four facts, each best first."""

    founded_year: list[Find]
    country: list[Find]
    city: list[Find]
    team_size: list[Find]


@dataclass(frozen=True)
class _Property:
    """Return a property of the organization in structured data."""

    value: Any
    page: ReadPage
    source: Source
    selector: str


def find_company(pages: Sequence[ReadPage], *, name: str | None) -> Company:
    """Return year, country, city and team size as texts: declared ones first, then what the text says about "us"."""
    said = list(_said(pages, name))
    countries, cities = _places(pages, said, name=name)
    return Company(
        founded_year=_ranked([*_declared_years(pages, name), *sentences.find_years(said)]),
        country=countries,
        city=cities,
        team_size=_ranked([*_declared_sizes(pages, name), *sentences.find_sizes(said)]),
    )


def _said(pages: Sequence[ReadPage], name: str | None) -> Iterator[Said]:
    """Return the lines in which the site describes itself: at home, in answers, and on pages about the company."""
    own = _VERSION.sub("", name) if name else None
    for number, page in enumerate(pages):
        kind = kind_of_page(page) if number else None
        us = Us(own, is_about=kind in ("about", "team", "contact"))
        if kind in _KINDS:
            yield from ((us, page, line) for line in page.lines if not line.marks & _NOT_OURS)


def _ranked(finds: list[Find]) -> list[Find]:
    return sorted(finds, key=lambda find: -find.confidence)


def _declared(pages: Sequence[ReadPage], key: str, name: str | None) -> Iterator[_Property]:
    """Return a property of the site's own organization, from JSON-LD and microdata."""
    for page in pages:
        nodes = list(islice(page.document.json_ld.of_type(ORGANIZATION_TYPES), MAX_NODES))
        for node in nodes:
            if key in node and _is_own(_names(node), page, name, is_alone=len(nodes) == 1 and page is pages[0]):
                value = node[key]
                selector = f'script[type="application/ld+json"] {key}'
                yield _Property(page.document.json_ld.resolve(value), page, "json_ld", selector)
        for item in microdata.items_of(page.document, ORGANIZATION_TYPES):
            names = microdata.texts_of(item.properties.get("name"))
            if key in item.properties and _is_own(names, page, name, is_alone=False):
                yield _Property(item.properties[key], page, "itemprop", selector_of(item.element))


def _names(node: Node) -> list[str]:
    return [*strings(node.get("name")), *strings(node.get("alternateName")), *strings(node.get("legalName"))]


def _is_own(names: list[str], page: ReadPage, name: str | None, *, is_alone: bool) -> bool:
    """Publishers also declare other organizations. Without a name, only a single one on the home page counts."""
    if not names:
        return is_alone
    own = fold(name or "")
    return any(domain_fit(clean(text), page.url) >= 0.5 or (own and own in fold(clean(text))) for text in names)


def _find(prop: _Property, value: str, snippet: str, confidence: float = 0.95) -> Find:
    return Find(value, prop.page, prop.source, prop.selector, snippet, confidence)


def _declared_years(pages: Sequence[ReadPage], name: str | None) -> list[Find]:
    finds = []
    for prop in _declared(pages, "foundingDate", name):
        texts = [str(prop.value)] if isinstance(prop.value, int) else strings(prop.value)
        for text in texts[:1]:
            if (result := YEAR.search(text.split("-")[0])) and (year := year_of(result[1])):
                finds.append(_find(prop, year, f'"foundingDate": "{text[:60]}"'))
    return finds


def _declared_sizes(pages: Sequence[ReadPage], name: str | None) -> list[Find]:
    finds = []
    for prop in _declared(pages, "numberOfEmployees", name):
        value: Json = prop.value
        if isinstance(value, dict):
            inner = value.get("properties", value)
            value = inner.get("value") if isinstance(inner, dict) else None
        text = str(value).strip() if isinstance(value, int | str) and not isinstance(value, bool) else ""
        if size := size_of(text):
            finds.append(_find(prop, size, f'"numberOfEmployees": "{text[:20]}"'))
    return finds


def _places(pages: Sequence[ReadPage], said: list[Said], *, name: str | None) -> tuple[list[Find], list[Find]]:
    """Return countries and cities. A site with several addresses and no main one has no single city."""
    countries: list[Find] = []
    cities: list[Find] = []
    for place, find in (
        *_declared_places(pages, name),
        *_agreeing(_shown_addresses(pages, name=name) or _footer_places(pages, name=name)),
        *sentences.find_places(said),
    ):
        if place.country:
            countries.append(_with(find, place.country))
        if place.city:
            cities.append(_with(find, place.city))
    return _ranked(countries), _ranked(cities)


def _with(find: Find, value: str) -> Find:
    return Find(value, find.page, find.source, find.selector, find.snippet, find.confidence)


def _declared_places(pages: Sequence[ReadPage], name: str | None) -> Iterator[tuple[Place, Find]]:
    for prop in _declared(pages, "address", name):
        value = prop.value[0] if isinstance(prop.value, list) and len(prop.value) == 1 else prop.value
        if not isinstance(value, dict):
            continue
        inner: Any = value.get("properties", value)
        city = clean(next(iter(strings(inner.get("addressLocality"))), ""))
        written = clean(next(iter(strings(inner.get("addressCountry"))), ""))
        place = Place(
            city if 1 < len(city) <= 80 and not any(map(str.isdigit, city)) else "",
            country_of(written, _language_of(prop.page)),
        )
        snippet = f'"addressLocality": "{city}", "addressCountry": "{written}"'
        yield place, _find(prop, "", snippet)


def _shown_addresses(pages: Sequence[ReadPage], *, name: str | None) -> list[tuple[Place, Find]]:
    """Yield address lines in footers, address elements, below the company, and anywhere on contact and about pages."""
    result: list[tuple[Place, Find]] = []
    for number, page in enumerate(pages):
        language = _language_of(page)
        ending = host_of(page.url).rpartition(".")[2].upper()
        is_about_us = number > 0 and kind_of_page(page) in ("about", "contact")
        lines = _without_hosts([line for line in page.lines if not line.marks & _NOT_OURS], name)
        for at, line in enumerate(lines):
            before = lines[at - 1].text if at else ""
            is_below_name = any(_is_company(other.text, name) for other in lines[max(at - 2, 0) : at])
            in_place = "footer" in line.marks or _in_address(line) or is_below_name or _is_office(line.text)
            if not (is_about_us or in_place) or len(result) >= MAX_ADDRESSES:
                continue
            if not any(map(str.isdigit, line.text)) and not country_of(line.text, language):
                continue
            below = tuple(next_line.text for next_line in lines[at + 1 : at + 3])
            above = " ".join(other.text for other in lines[max(at - 4, 0) : at])
            place = place_in(line.text, below=below, above=before, language=language) or place_below(
                [other.text for other in lines[max(at - 3, 0) : at + 1]], name=name, language=language
            )
            goes_on = bool(below) and place_in(below[0], above=line.text, language=language) is not None
            if place is None and not goes_on and (_is_company(before, name) or HEADQUARTERS.match(line.text)):
                place = place_in_footer(f"{above}, {line.text}", name=name, language=language)
            place = place or place_in_country(line.text, above=before, country=ending)
            if place:
                is_main = HEADQUARTERS.search(f"{above} {line.text}") is not None
                snippet = " ".join((line.text, *(text for text in below if len(text) <= MAX_LABEL)))[:300]
                is_workplace = _WORKPLACE.match(line.text) is not None
                confidence = 0.85 if is_workplace else 0.8 if is_main else 0.7 if in_place else 0.6
                result.append((place, Find("", page, "text", selector_of(line.element), snippet, confidence)))
    return result


def _footer_places(pages: Sequence[ReadPage], *, name: str | None) -> list[tuple[Place, Find]]:
    """Return the places in the last lines of pages, in footers or beside ©."""
    result: list[tuple[Place, Find]] = []
    for page in pages[:MAX_FOOTERS]:
        lines = [line for line in page.lines[-MAX_FOOTER_LINES:] if not line.marks & _NOT_OURS]
        lines = _without_hosts(lines, name)
        for line in lines:
            in_place = "footer" in line.marks or _in_address(line) or RIGHTS.search(line.text) or MADE.match(line.text)
            is_ours = bool(in_place) or _begins_with_company(line.text, name)
            texts = [line.text] if is_ours and not _is_link(line.element) else []
            for text in (*texts, *(_texts_beside_links(line) if is_ours else ())):
                if place := place_in_footer(text, name=name, language=_language_of(page)):
                    result.append((place, Find("", page, "text", selector_of(line.element), line.text[:300], 0.6)))
                    break
    return result


def _without_hosts(lines: list[Line], name: str | None) -> list[Line]:
    """Return the lines without addresses of web hosts: those below "Hébergeur", up to a heading or the company."""
    result: list[Line] = []
    left = 0
    for line in lines:
        is_label = len(line.text) <= MAX_LABEL and HOSTED.search(line.text) is not None
        if is_label or heading_of(line.element) or _is_company(line.text, name) or HEADQUARTERS.match(line.text):
            left = MAX_HOST_LINES if is_label else 0
        if left == 0:
            result.append(line)
        left = max(left - 1, 0)
    return result


def _is_company(line: str, name: str | None) -> bool:
    """Return whether a line is the site's name with a legal form, as at the top of an address."""
    own = fold(name or "")
    return len(line) <= MAX_LABEL and bool(own) and fold(line).startswith(own) and LEGAL_FORM.search(line) is not None


def _begins_with_company(line: str, name: str | None) -> bool:
    """Return whether a line is an address that begins with the company: "Acme S.L. · Calle Mayor 8, 29005 Málaga"."""
    company = _PARTS.split(line, maxsplit=1)
    return len(company) > 1 and _is_company(company[0], name) and any(map(str.isdigit, company[1]))


def _is_office(line: str) -> bool:
    """Return whether a line begins with a label such as "Registered office:"."""
    label = HEADQUARTERS.match(line)
    return label is not None and line[label.end() :].lstrip().startswith((":", "："))


def _language_of(page: ReadPage) -> str:
    return (page.document.root.get("lang") or "").lower()


def _texts_beside_links(line: Line) -> list[str]:
    """Return what a line says without its links, which footers put beside an address."""
    block = next((each for each in (line.element, *line.element.iterancestors()) if each.tag not in NEUTRAL), None)
    tags = [each.tag for each in islice(block.iter(), MAX_FOOTER_ELEMENTS)] if block is not None else []
    if block is None or "a" not in tags or len(tags) == MAX_FOOTER_ELEMENTS:
        return []
    others = lines_of(block, skip=_is_link)
    return [other.text for other in others if all(word in line.text for word in other.text.split())]


def _is_link(element: etree._Element) -> bool:
    return any(each.tag == "a" for each in (element, *islice(element.iterancestors(), 2)))


def _in_address(line: Line) -> bool:
    return any(element.tag == "address" for element in (line.element, *islice(line.element.iterancestors(), 4)))


def _agreeing(places: list[tuple[Place, Find]]) -> list[tuple[Place, Find]]:
    best = max((find.confidence for _, find in places), default=0.0)
    main = [pair for pair in places if pair[1].confidence == best]
    if best >= 0.8:
        return main
    one_city = len({fold(place.city) for place, _ in places}) == 1
    one_country = len({place.country for place, _ in places}) == 1
    return [
        (Place(place.city if one_city else "", place.country if one_country else ""), find) for place, find in places
    ]
