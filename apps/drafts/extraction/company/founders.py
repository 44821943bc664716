"""Find the founders: people whom the site itself calls founders, with their role and a link."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lxml import etree

from apps.drafts.extraction.company.sentences import Us, subject_of
from apps.drafts.extraction.document import microdata
from apps.drafts.extraction.document.addresses import absolute
from apps.drafts.extraction.document.document import selector_of, snippet_of, text_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, ORGANIZATION_TYPES, Node, strings, types_of
from apps.drafts.extraction.document.lines import Line, lines_of
from apps.drafts.extraction.document.titles import domain_fit
from apps.drafts.extraction.page.facts import Source
from apps.drafts.extraction.page.read_page import Entry, Find, ReadPage
from apps.drafts.extraction.site.page_kinds import kind_of_page
from apps.drafts.extraction.text.cleaning import clean, fold, sentences
from apps.listings.fields.socials import profile_of

MAX_FOUNDERS = 8
MAX_NODES = 10
MAX_NAME = 80
MAX_ROLE = 80
MAX_CARD = 1500
MAX_CARD_CLIMB = 4
MAX_ROLES = 60

_FOUNDER = re.compile(
    r"(?<![^\W\d_])(?:co-?\s?)?founder\b|\bfounding (?:partner|ceo|cto)\b|(?<![^\W\d_])(?:mit)?(?:be)?gründer(?:in)?\b"
    r"|\b(?:co-?)?fondat(?:eur|rice|ore)\b|\b(?:co-?)?fundador[ae]?\b|\b(?:mede-?)?oprichter\b|\b(?:med)?grundare\b"
    r"|\b(?:współ)?założyciel(?:ka)?\b|(?<!\w)(?:со)?основатель(?:ница)?\b|\bkurucu\b|創業者|創始人|创始人|共同創業者|창업자",
    re.IGNORECASE,
)
# Founders of other companies, or not founders at all.
_NOT_ROLE = re.compile(
    r"\b(?:advisor|adviser|investor|angel|former|ex-|foundation|beirat|investisseur)\b", re.IGNORECASE
)
_OF_FIRM = re.compile(
    r"(?:\s+(?:at|of|von|bei|chez|de|di|van|в)\s+|\s*@\s*|,\s+|\s+[|·–—-]\s+)(?P<firm>[^,|·–—]+)$", re.IGNORECASE
)
_TITLE = re.compile(
    r"\b(?:c[a-z]o|chief|head|lead|director|president|partner|chair\w*|vp|engineer\w*|design\w*|product|"
    r"developer|tech\w*|"
    r"geschäftsführer(?:in)?|managing|directeur|directrice|director[a]?|diret\w+|entwickler\w*|maker|owner|inhaber\w*|"
    r"founder|gründer\w*|operations|marketing|sales|research|science|scientist|architect|company|team|ceo|cto|"
    r"coo|cfo)\b",
    re.IGNORECASE,
)
_WORD = r"[^\W\d_a-z][^\W\d_]*(?:[.'’-][^\W\d_]*)*"
_PARTICLE = r"(?:van|von|der|den|de|da|di|la|le|del|dos|bin|al|zu|ter)"
_NAME = rf"{_WORD}(?:\s+(?:{_PARTICLE}\s+){{0,2}}{_WORD}){{1,3}}"
_WHOLE_NAME = re.compile(rf"^{_NAME}$")
# Scripts without capitals and spaces.
_SHORT_NAME = re.compile(
    r"^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,5}(?:[\s·・][\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,8})?$"
)
_NO_NAME = re.compile(
    r"\b(?:team|about|our|the|meet|contact|company|story|mission|read|more|learn|view|follow|linkedin|twitter|"
    r"github|inc|"
    r"gmbh|llc|ltd|founders?|ceo|cto|chief|head|join|us|über|unser\w*|equipe|équipe|equipo)\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\b(?i:(?:co-)?founded(?: in (?:1[89]|20)\d\d)?(?: in [^,.]{2,30}?)? by|gegründet von|fondée? par|"
    r"fundad[ao] por|fondat[ao] da|"
    rf"opgericht door|grundat av|założon[aey] przez|создан[ао]? )\s*(?P<names>{_NAME}(?:(?:,| and| und| et| y|"
    rf" e| en| och| i|,? &)\s+{_NAME}){{0,4}})"
)
_SENTENCE_END = re.compile(r"(?<=\w{3})\.$")
_AND = re.compile(r",\s+|\s+(?:and|und|et|y|e|en|och|i|&)\s+")


@dataclass(frozen=True)
class _Person:
    name: str
    role: str
    url: str
    find: Find


def find_founders(pages: Sequence[ReadPage], *, name: str | None) -> list[Entry]:
    """Return founders as {name, role, url}, at most 8: declared ones, then from team pages, then from sentences.

    Role and url are empty where the site does not state them. On home pages only founders in JSON-LD and microdata
    count, because other quotes from founders there are customers' praise.
    """
    result: dict[str, _Person] = {}
    for number, page in enumerate(pages):
        persons = [*_declared(page, name), *_marked(page, name)]
        if number and kind_of_page(page) in ("team", "about"):
            persons += [*_cards(page, name), *_sentences(page, name)]
        for person in persons:
            key = fold(person.name)
            result[key] = _merged(result[key], person) if key in result else person
    ranked = sorted(result.values(), key=lambda person: -person.find.confidence)[:MAX_FOUNDERS]
    return [Entry({"name": item.name, "role": item.role, "url": item.url}, [item.find]) for item in ranked]


def _merged(person: _Person, other: _Person) -> _Person:
    """Merge two findings of a person: each fills what the other lacks."""
    first, second = (person, other) if person.find.confidence >= other.find.confidence else (other, person)
    return _Person(first.name, first.role or second.role, first.url or second.url, first.find)


def _declared(page: ReadPage, name: str | None) -> Iterator[_Person]:
    """Yield founders of the site's own organization in JSON-LD, and employees with a founder's role."""
    nodes = list(islice(page.document.json_ld.of_type(ORGANIZATION_TYPES | APPLICATION_TYPES), MAX_NODES))
    for node in nodes:
        if not _is_own(strings(node.get("name")), page, name, is_alone=len(nodes) == 1):
            continue
        for key in ("founder", "founders", "employee", "employees"):
            value = node.get(key)
            for inner in islice(value if isinstance(value, list) else [value], MAX_ROLES):
                person = page.document.json_ld.resolve(inner)
                if key.startswith("founder") and isinstance(person, str):
                    person = {"name": person}
                if isinstance(person, dict):
                    yield from _declared_person(person, page, key)


def _declared_person(node: Node, page: ReadPage, key: str) -> Iterator[_Person]:
    if types_of(node) & ORGANIZATION_TYPES:
        return
    called = clean(next(iter(strings(node.get("name"))), ""))
    role = clean(next(iter(strings(node.get("jobTitle"))), ""))
    is_founder = key.startswith("founder") or _says_founder(role)
    if is_founder and _is_name(called, is_declared=True):
        selector = f'script[type="application/ld+json"] {key}'
        snippet = f'"{key}": {{"name": "{called}", "jobTitle": "{role}"}}'
        find = Find(called, page, "json_ld", selector, snippet, 0.95)
        yield _Person(called, role[:MAX_ROLE], _link(node, page), find)


def _link(node: Node, page: ReadPage) -> str:
    for value in (*strings(node.get("sameAs"), key="url"), *strings(node.get("url"), key="@id")):
        if address := absolute(value, page.url):
            return address
    return ""


def _marked(page: ReadPage, name: str | None) -> Iterator[_Person]:
    """Yield founders of the site's own organization in microdata."""
    for item in microdata.items_of(page.document, ORGANIZATION_TYPES):
        if not _is_own(microdata.texts_of(item.properties.get("name")), page, name, is_alone=False):
            continue
        for key in ("founder", "founders", "employee", "employees"):
            value: Any = item.properties.get(key)
            for inner in islice(value if isinstance(value, list) else [value], MAX_ROLES):
                properties = inner.get("properties", {}) if isinstance(inner, dict) else {"name": inner}
                called = clean(next(iter(microdata.texts_of(properties.get("name"))), ""))
                role = clean(next(iter(microdata.texts_of(properties.get("jobTitle"))), ""))
                if (key.startswith("founder") or _says_founder(role)) and _is_name(called, is_declared=True):
                    find = _find(called, page, "itemprop", item.element, 0.95)
                    yield _Person(called, role[:MAX_ROLE], _link(properties, page), find)


def _is_own(names: list[str], page: ReadPage, name: str | None, *, is_alone: bool) -> bool:
    own = fold(name or "")
    if not names:
        return is_alone
    return any(domain_fit(clean(text), page.url) >= 0.5 or (own and own in fold(clean(text))) for text in names)


def _find(called: str, page: ReadPage, source: Source, element: etree._Element, confidence: float) -> Find:
    return Find(called, page, source, selector_of(element), snippet_of(element), confidence)


def _cards(page: ReadPage, name: str | None) -> Iterator[_Person]:
    """Find a short line with a founder's role next to a line with a name."""
    lines = [line for line in page.lines if not line.marks & {"quote", "nav", "footer"}]
    roles = [at for at, line in enumerate(lines) if len(line.text) <= MAX_ROLE and _says_founder(line.text)]
    for at in roles[:MAX_ROLES]:
        line = lines[at]
        called, role = _apart(line.text)
        if called and _is_our_role(role, page, name):
            yield _Person(called, role, _linked(line.element, page), _find_of(called, page, line, 0.8))
            continue
        if not _is_our_role(line.text, page, name):
            continue
        # Most pages put the name above the role, some below it.
        for beside in (at - 1, at + 1, at - 2):
            if 0 <= beside < len(lines) and _is_name(lines[beside].text) and _share_a_card(line, lines[beside]):
                called = lines[beside].text
                card = _card(line.element, lines[beside].element)
                find = Find(called, page, "dom", selector_of(card), f"{called} {line.text}", 0.85)
                yield _Person(called, line.text, _linked(lines[beside].element, page), find)
                break


def _find_of(called: str, page: ReadPage, line: Line, confidence: float) -> Find:
    return Find(called, page, "text", selector_of(line.element), line.text, confidence)


def _apart(text: str) -> tuple[str, str]:
    """Split "Ada Lovelace, Co-founder & CEO" into name and role. Empty for any other form."""
    for mark in (", ", " – ", " — ", " - ", " | ", " · ", ": ", " ("):
        called, result, role = text.partition(mark)
        if result and _is_name(called.strip()) and _says_founder(role):
            return called.strip(), role.strip(" )")
    return "", ""


def _is_our_role(text: str, page: ReadPage, name: str | None) -> bool:
    """Return whether a role is in this company: "Founder" and "Founder of Acme", not "Founder, Customer Inc."."""
    if len(text.split()) > 9 or text.endswith((".", "!", "?", "”")) and not text.lower().endswith(("inc.", "co.")):
        return False
    rest = text
    while result := _OF_FIRM.search(rest):
        firm = result["firm"].strip()
        own = fold(name or "")
        if not (
            _TITLE.search(firm)
            or _FOUNDER.search(firm)
            or domain_fit(firm, page.url) >= 0.5
            or (own and own in fold(firm))
        ):
            return False
        rest = rest[: result.start()]
    return bool(_FOUNDER.search(text))


def _says_founder(text: str) -> bool:
    return bool(_FOUNDER.search(text)) and not _NOT_ROLE.search(text)


def _is_name(text: str, *, is_declared: bool = False) -> bool:
    """Return whether a text is nothing but a person's name."""
    if not 2 <= len(text) <= MAX_NAME or any(map(str.isdigit, text)) or "@" in text:
        return False
    if _SHORT_NAME.match(text):
        return not _FOUNDER.search(text)
    if is_declared and not _NO_NAME.search(text):
        return 1 <= len(text.split()) <= 6
    return bool(_WHOLE_NAME.match(text)) and not _NO_NAME.search(text) and not _FOUNDER.search(text)


def _share_a_card(one: Line, other: Line) -> bool:
    return _card(one.element, other.element).tag not in ("body", "html", "main")


def _card(one: etree._Element, other: etree._Element) -> etree._Element:
    """Return the innermost element around both, or the root if they are far apart."""
    around = [one, *islice(one.iterancestors(), MAX_CARD_CLIMB)]
    for element in (other, *islice(other.iterancestors(), MAX_CARD_CLIMB)):
        if element in around:
            return element
    return one.getroottree().getroot()


def _linked(element: etree._Element, page: ReadPage) -> str:
    """Return the profile in a person's card, if the card is about one person."""
    at = element
    for _ in range(MAX_CARD_CLIMB):
        for anchor in islice(at.iter("a"), 12):
            address = absolute(anchor.get("href"), page.document.base)
            if address and (profile_of(address) is not None or "me" in (anchor.get("rel") or "").split()):
                return address
        parent = at.getparent()
        if parent is None or parent.tag in ("body", "html", "main", "section"):
            return ""
        text = text_of(parent, limit=MAX_CARD)
        if len(text) >= MAX_CARD or sum(_is_name(line.text) for line in lines_of(parent)) > 1:
            return ""
        at = parent
    return ""


def _sentences(page: ReadPage, name: str | None) -> Iterator[_Person]:
    """Find sentences such as "Acme was founded by Ada Lovelace and Charles Babbage"."""
    own = subject_of(Us(name, is_about=True))
    for line in page.lines:
        if line.marks & {"quote", "nav", "footer"}:
            continue
        for sentence in islice(sentences(line.text), 20):
            result = _BY.search(sentence)
            if not result:
                continue
            before, after = sentence[: result.start()], sentence[result.end() :]
            if "," in before or not own.search(before or after[:20]):
                continue
            for part in _AND.split(result["names"])[:5]:
                called = _SENTENCE_END.sub("", part.strip())
                if _is_name(called):
                    evidence = Find(called, page, "text", selector_of(line.element), sentence, 0.7)
                    yield _Person(called, "", "", evidence)
