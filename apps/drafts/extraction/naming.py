"""What the product is called, and which parts of its title are a tagline."""

import re
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from apps.drafts.extraction.addresses import domain_label, domain_of
from apps.drafts.extraction.document import snippet_of, text_of
from apps.drafts.extraction.facts import Source
from apps.drafts.extraction.json_ld import strings
from apps.drafts.extraction.proposal import Find, ReadPage, finds_of
from apps.drafts.extraction.schema_types import APPLICATION_TYPES, ORGANIZATION_TYPES
from apps.drafts.extraction.text import clean, fold, is_placeholder, words_of

MAX_NAME = 80
MIN_AGREEMENT = 3
SURE_FIT = 0.8
MAX_BESIDE = 4

_PARTS = re.compile(r"\s+[-–—|·•»›~/]+\s+|\s*[|｜]\s*|\s*—\s*")
_COLON = re.compile(r"(?<=\w):\s+")
_GENERIC = words_of("""
    home homepage welcome index untitled mysite website wordpress startseite accueil inicio início главная
    hem forside hjem anasayfa document newtab mysitewordpress app webapp dashboard login signin official
    officialsite page site organization company blog error loading reactapp viteapp nextjsapp createnextapp
""")
_DOMAIN = re.compile(r"^(?:www\.)?[\w-]+(?:\.[\w-]+)+$")
_WELCOME = re.compile(r"^(?:welcome to|home of|willkommen bei|bienvenue (?:sur|chez)|bienvenidos? a)\s+", re.IGNORECASE)
_LEGAL = re.compile(
    r",?\s+(?:inc|llc|ltd|limited|gmbh|corp|s\.?a\.?s?|b\.?v|pty(?: ltd)?|ag|oy|ab|s\.?r\.?l)\.?$",
    re.IGNORECASE,
)
_PREFIXES = (
    "get",
    "try",
    "use",
    "go",
    "join",
    "hey",
    "my",
    "the",
    "with",
    "app",
    "meet",
    "hello",
    "we",
    "run",
)
_SUFFIXES = (
    "app",
    "hq",
    "io",
    "ai",
    "labs",
    "hub",
    "dev",
    "tech",
    "software",
    "official",
    "online",
    "inc",
    "team",
)
_NAME_KEYS: tuple[tuple[str, Source, float], ...] = (
    ("og:site_name", "og", 0.9),
    ("application-name", "meta", 0.8),
    ("apple-mobile-web-app-title", "meta", 0.75),
    ("al:ios:app_name", "meta", 0.7),
    ("twitter:app:name:iphone", "twitter", 0.7),
)


@dataclass(frozen=True)
class _Scored:
    find: Find
    score: float


def split_title(title: str, *, url: str) -> list[str]:
    """The parts of "Brand – tagline", "Title | Brand" or "Brand: tagline", in order.

    A colon parts them only after a name that fits the domain: elsewhere it belongs to the sentence.
    """
    first, *rest = _COLON.split(title, maxsplit=1)
    pieces = [first, *rest] if rest and agrees(first, url) >= SURE_FIT else [title]
    parts = (part.strip(" -–—|·•»") for piece in pieces for part in _PARTS.split(piece))
    return [part for part in parts if part]


def agrees(name: str, url: str) -> float:
    """How well a name fits the domain, from 0 to 1; "Cal.com" fits cal.com wholly.

    1 the same, .8 the same but for a word such as "get" or "app", .5 if one begins with the other.
    """
    label, domain, own = fold(domain_label(url)), fold(domain_of(url)), fold(name)
    if len(own) < 2 or not label:
        return 0
    if own in (label, domain):
        return 1
    if own in {label.removeprefix(word) for word in _PREFIXES} | {label.removesuffix(word) for word in _SUFFIXES}:
        return 0.8
    shorter, longer = sorted((own, label), key=len)
    return 0.5 if len(shorter) >= MIN_AGREEMENT and longer.startswith(shorter) and len(longer) <= 30 else 0


def find_names(home: ReadPage) -> list[Find]:
    """Names of the product, best first: what the page declares, weighed by the domain and the title.

    A title's part counts only if it fits the domain. Generic names ("Home") and whole sentences never count.
    Where nothing is declared a last resort stands in, hardly sure: a listing cannot be submitted without a name.
    """
    title = fold(" ".join(find.value for find in finds_of(home.facts.title, home)))
    scored: dict[str, _Scored] = {}
    for find in _declared(home):
        for value in _shortened(find.value, home.url):
            if not _is_name(value) or is_placeholder(find.value):
                continue
            fit = agrees(value, home.url)
            score = find.confidence + fit / 2 + (0.2 if fold(value) in title else 0)
            if _DOMAIN.match(value):
                # A site that has both calls itself by the name more gladly than by the address.
                score -= 0.5 if find.selector == "title" else 0.3
            confidence = min(1.0, find.confidence * 0.8 + fit * 0.2)
            kept = scored.get(fold(value))
            if kept is None or kept.score < score:
                scored[fold(value)] = _Scored(replace(find, value=value, confidence=confidence), score)
    found = [item.find for item in sorted(scored.values(), key=lambda item: -item.score)]
    return found or _last_resort(home)


def _declared(home: ReadPage) -> list[Find]:
    finds = _from_json_ld(home)
    for key, source, confidence in _NAME_KEYS:
        for meta in home.document.metas.get(key, ())[:2]:
            finds.append(Find(clean(meta.content), home, source, meta.selector, snippet_of(meta.element), confidence))
    for find in finds_of(home.facts.title, home):
        finds.extend(
            replace(find, value=part, confidence=0.6)
            for part in split_title(find.value, url=home.url)
            if agrees(_WELCOME.sub("", part), home.url)
        )
    stated = (find for find in finds_of(home.facts.publisher, home) if find.source not in ("dom", "text"))
    finds.extend(replace(find, confidence=find.confidence * 0.8) for find in stated)
    finds.extend(_from_logo(home))
    return [replace(find, value=_WELCOME.sub("", find.value)) for find in finds]


def _from_json_ld(home: ReadPage) -> list[Find]:
    finds = []
    for types, confidence in (
        (APPLICATION_TYPES, 0.85),
        (frozenset({"website"}), 0.85),
        (ORGANIZATION_TYPES, 0.8),
    ):
        for node in home.document.json_ld.of_type(types):
            for key in ("name", "alternateName"):
                for value in strings(node.get(key), limit=1):
                    text = clean(value)
                    selector = f'script[type="application/ld+json"] {key}'
                    weight = confidence if key == "name" else confidence - 0.25
                    finds.append(Find(text, home, "json_ld", selector, f'"{key}": "{text}"', weight))
    return finds


def _from_logo(home: ReadPage) -> list[Find]:
    """The words of a logo count only if they fit the domain: pictures of customers are logos too."""
    finds = []
    for words, element in home.document.classed[:400]:
        if "logo" in words or "brand" in words:
            alternative = next((picture.get("alt") or "" for picture in element.iter("img")), "")
            for text in (
                text_of(element, limit=MAX_NAME),
                re.sub(r"(?i)\s*\blogo\b\s*", " ", alternative).strip(),
            ):
                if text and agrees(text, home.url) >= SURE_FIT:
                    finds.append(Find(text, home, "dom", f".{words.split()[0]}", snippet_of(element), 0.5))
    return finds


def _last_resort(home: ReadPage) -> list[Find]:
    """What the title has beside the heading; else the domain's own word, and of a bare number the title's shortest."""
    if beside := _beside_heading(home):
        return beside
    label = domain_label(home.url)
    value = " ".join(part.capitalize() for part in label.split("-") if part)
    if len(value) > 1 and not value.replace(" ", "").isdigit():
        return [Find(value[:MAX_NAME], home, "text", "address", urlsplit(home.url).netloc, 0.2)]
    for find in finds_of(home.facts.title, home):
        parts = [part for part in split_title(find.value, url=home.url) if len(part) <= MAX_NAME]
        if parts:
            return [replace(find, value=min(parts, key=len), confidence=0.1)]
    return []


def _beside_heading(home: ReadPage) -> list[Find]:
    """The other part of a title that repeats the page's heading: "How to fold | Paper Boats" on "How to fold".

    Of two parts the name is the shorter one: beside a name stands a tagline as well.
    """
    titles = finds_of(home.facts.title, home)
    others = {fold(find.value) for find in titles if find.selector != "title"}
    if heading := home.document.first_text("h1"):
        others.add(fold(heading[0]))
    for find in titles:
        parts = split_title(find.value, url=home.url)
        if len(parts) == 1:
            parts = [part.strip() for part in _COLON.split(find.value, maxsplit=1)]
        if find.selector != "title" or len(parts) != 2:
            continue
        for part, other in (parts, parts[::-1]):
            if fold(other) in others and _is_name(part) and len(part.split()) <= min(len(other.split()), MAX_BESIDE):
                return [replace(find, value=part, confidence=0.2)]
    return []


def _shortened(value: str, url: str) -> list[str]:
    """A declared name, without a tagline or legal form if it carries one."""
    parts = split_title(value, url=url)
    if len(parts) > 1:
        fitting = max(parts, key=lambda part: agrees(part, url))
        value = fitting if agrees(fitting, url) else parts[0]
    bare = _LEGAL.sub("", value).strip()
    return [bare] if bare else []


def _is_name(value: str) -> bool:
    return 1 < len(value) <= MAX_NAME and fold(value) not in _GENERIC and len(value.split()) <= 8 and bool(fold(value))
