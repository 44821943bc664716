"""Find the product's name, and the taglines in its title."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import urlsplit

from lxml import etree

from apps.core.html.charset import LOST
from apps.drafts.extraction.document.addresses import domain_label, page_key
from apps.drafts.extraction.document.document import selector_of, snippet_of, text_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, ORGANIZATION_TYPES, strings
from apps.drafts.extraction.document.titles import COLON, SURE_FIT, domain_fit, split_title
from apps.drafts.extraction.page.facts import Source
from apps.drafts.extraction.page.read_page import Find, ReadPage, finds_of
from apps.drafts.extraction.site.site_files import MANIFEST, SiteFile, names_in
from apps.drafts.extraction.text.cleaning import clean, fold, is_placeholder, weight_of, words_of

MAX_NAME = 80
MAX_BESIDE = 4
MAX_AGREED = 40
MAX_LINK_TEXT = 200
MAX_LOGOS = 400
MAX_HOME_LINKS = 40

_ANY_COLON = re.compile(r"\s*：\s*|(?<=\w):\s+")
_LOGO_WORD = re.compile(r"\s*(?:\blogo\b|ロゴ|标志|標誌|로고|شعار|логотип)\s*", re.IGNORECASE)
# Letters that a domain can't contain: all but Latin ones.
_OWN_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")
_RIGHTS = re.compile(r"©|\(c\)|copyright", re.IGNORECASE)
_GENERIC_WORDS = words_of("""
    home homepage welcome index untitled mysite website wordpress startseite accueil inicio início главная
    hem forside hjem anasayfa document newtab mysitewordpress app webapp dashboard login signin official
    officialsite page site organization company blog error loading reactapp viteapp nextjsapp createnextapp
    createreactappsample
    ホーム トップ トップページ ホームページ 公式サイト 公式ホームページ 首页 首頁 主页 官网 官方网站 홈 홈페이지
    الرئيسية الصفحةالرئيسية الموقعالرسمي stronaglowna paginaprincipal paginainicial
""")
_GENERIC = frozenset(fold(word) for word in _GENERIC_WORDS)
_DOMAIN = re.compile(r"^(?:www\.)?[\w-]+(?:\.[\w-]+)+$")
_WELCOME = re.compile(r"^(?:welcome to|home of|willkommen bei|bienvenue (?:sur|chez)|bienvenidos? a)\s+", re.IGNORECASE)
_RESERVED = re.compile(r"(?<=\w)\s?[™®℠]")
_LEGAL = re.compile(
    r",?\s+(?:inc|llc|ltd|limited|gmbh|corp|s\.?a\.?s?|b\.?v|pty(?: ltd)?|ag|oy|ab|s\.?r\.?l)\.?$",
    re.IGNORECASE,
)
# What follows a name: "the official site of".
_OFFICIAL = re.compile(
    r"\s*(?:公式(?:サイト|ホームページ|HP|Webサイト|ウェブサイト)?|オフィシャルサイト|官方网站|官方網站|官网|官網"
    r"|공식 ?(?:홈페이지|사이트)"
    r"|\s+(?:[-–—|:] )?(?:the )?official (?:web)?site|\s+offizielle (?:web)?seite|\s+site officiel|\s+sitio oficial"
    r"|\s+site oficial|\s+sito ufficiale)$",
    re.IGNORECASE,
)
# Pictures beside a name, and the number of a version behind it: "Acme 4.2", "Acme v3".
_PICTOGRAMS = re.compile(
    r"^[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff\s]+|[\s\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]+$"
)
_NUMBER = r"\s+(?:v\d{1,4}(?:\.\d{1,4}){0,3}|\d{1,4}(?:\.\d{1,4}){1,3})$"
# "Acme 3 for Mac" is the title of an edition, and "Acme for Mac" if the rest is the domain.
_FOR_SYSTEM = r"\s+(?:for|für|pour|para|per|voor)\s+(?:mac(?:os)?|windows|linux|ios|ipad|iphone|android|web)\b.*$"
_EDITION = re.compile(rf"(?<=\w)\s+v?\d[\d.]*{_FOR_SYSTEM}", re.IGNORECASE)
_VERSION = re.compile(rf"(?<=[^\W\d_]){_NUMBER}|(?<=\w){_FOR_SYSTEM}", re.IGNORECASE)
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


def find_names(home: ReadPage, files: Sequence[SiteFile] = ()) -> list[Find]:
    """Return names of the product, best first: the declared ones, weighed by the domain and the title.

    A title's part counts only if it fits the domain. Generic names ("Home") and whole sentences never count. If nothing
    is declared, the site's files for programs count, or else a fallback with low confidence, because a listing requires
    a name.
    """
    title = fold(" ".join(find.value for find in finds_of(home.facts.title, home)))
    scored: dict[str, _Scored] = {}
    for find in _declared(home):
        for value in _shortened(find.value, home.url):
            if not _is_name(value) or is_placeholder(find.value):
                continue
            fit = domain_fit(value, home.url)
            score = find.confidence + fit / 2 + (0.2 if fold(value) in title else 0)
            if _DOMAIN.match(value):
                # A site with both usually prefers its name to its domain.
                score -= 0.5 if find.selector == "title" else 0.3
            if LOST in value:
                score -= 1
            confidence = min(1.0, find.confidence * 0.8 + fit * 0.2)
            best = scored.get(fold(value))
            # Settings often have the name in small letters, where the title has its capital.
            is_smaller = best is not None and value.islower() and not best.find.value.islower()
            if best is None or (best.score < score and not is_smaller) or _is_capitalized(value, best.find.value):
                scored[fold(value)] = _Scored(replace(find, value=value, confidence=confidence), score)
    result = [item.find for item in sorted(scored.values(), key=lambda item: -item.score)]
    return result or _in_files(home, files) or _last_resort(home)


def _is_capitalized(value: str, other: str) -> bool:
    return other.islower() and not value.islower() and value.isascii()


def _declared(home: ReadPage) -> list[Find]:
    finds = _from_json_ld(home)
    for key, source, confidence in _NAME_KEYS:
        for meta in home.document.metas.get(key, ())[:2]:
            finds.append(Find(clean(meta.content), home, source, meta.selector, snippet_of(meta.element), confidence))
    for find in finds_of(home.facts.title, home):
        finds.extend(
            replace(find, value=part, confidence=0.6)
            for part in split_title(find.value, url=home.url)
            if domain_fit(_WELCOME.sub("", part), home.url)
        )
    stated = (find for find in finds_of(home.facts.publisher, home) if find.source not in ("dom", "text"))
    finds.extend(replace(find, confidence=find.confidence * 0.8) for find in stated)
    finds.extend(_from_logo(home))
    return [replace(find, value=_WELCOME.sub("", _RESERVED.sub("", find.value))) for find in finds]


def _in_files(home: ReadPage, files: Sequence[SiteFile]) -> list[Find]:
    """Return the app's name in its manifest, and an llms.txt's title if it fits the domain."""
    return [
        Find(value, said.file, "text", said.key, said.text, 0.7 if said.file.path == MANIFEST else 0.6)
        for said in names_in(files)
        for value in _shortened(said.text, home.url)
        if _is_name(value) and (said.file.path == MANIFEST or domain_fit(value, home.url))
    ]


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
    """Yield a logo's words if they fit the domain, because customers' logos are on the page, too."""
    return [
        Find(text, home, "dom", selector_of(element), snippet_of(element), 0.5)
        for text, element in _marks(home)
        if domain_fit(text, home.url) >= SURE_FIT
    ]


def _texts_of_mark(element: etree._Element) -> Iterator[str]:
    """Return a logo's text and the alt text of its first picture."""
    pictures = [element] if element.tag == "img" else islice(element.iter("img"), 1)
    alternatives = (_LOGO_WORD.sub(" ", (picture.get("alt") or "")[:MAX_LINK_TEXT]).strip() for picture in pictures)
    yield from (text for text in (text_of(element, limit=MAX_NAME), *alternatives) if text)


def _last_resort(home: ReadPage) -> list[Find]:
    """Yield the name the page agrees on, or the part of the title beside the heading, or else the domain's name.

    For a numeric domain, and one without a Unicode form, yield the shortest part of the title.
    """
    label = domain_label(home.url)
    value = " ".join(part.capitalize() for part in label.split("-") if part)
    is_word = len(value) > 1 and not value.replace(" ", "").isdigit()
    word = [Find(value[:MAX_NAME], home, "text", "address", urlsplit(home.url).netloc, 0.2)] if is_word else []
    if agreed := _agreed(home):
        return [*agreed, *word]
    if beside := _beside_heading(home):
        return beside
    # Nobody is called what a domain is in ASCII, so anything in the title is better.
    if word and not label.startswith("xn--"):
        # A domain spells a name in Latin letters only. Only the owner knows whether it spells this one.
        own = (find for find in _short_parts(home) if _OWN_SCRIPT.search(find.value))
        return [*word, *(replace(find, confidence=0.15) for find in islice(own, 2))]
    for find in finds_of(home.facts.title, home):
        parts = [part for part in split_title(find.value, url=home.url) if len(part) <= MAX_NAME]
        if parts and not (word and find.selector == "h1"):
            return [replace(find, value=min(parts, key=len), confidence=0.1)]
    return word


def _short_parts(home: ReadPage) -> Iterator[Find]:
    """Return the parts of the titles that are short enough for a name, each title's shortest first."""
    for find in finds_of(home.facts.title, home):
        if find.selector == "h1":
            continue
        parts = [part for piece in split_title(find.value, url=home.url) for part in _ANY_COLON.split(piece)]
        for part in sorted(parts[:6], key=weight_of):
            if _is_name(part) and len(part.split()) <= MAX_BESIDE and weight_of(part) <= MAX_AGREED:
                yield replace(find, value=part)


def _agreed(home: ReadPage) -> list[Find]:
    """Yield the part of a title that the page's logo, or its footer beside ©, repeats.

    In non-Latin scripts, a heading or description that begins with the part also confirms it, but only the shortest
    part, because a heading may be the tagline.
    """
    marks = {fold(text) for text, _ in _marks(home)}
    rights = [fold(line.text) for line in home.lines[-60:] if _RIGHTS.search(line.text)]
    heading = home.document.first_text("h1")
    beginnings = [heading[0] if heading else "", *(find.value for find in finds_of(home.facts.description, home))]
    result: dict[str, Find] = {}
    titles: set[str] = set()
    for find in _short_parts(home):
        own = fold(find.value)
        count = (own in marks) + any(own in line for line in rights)
        if find.snippet not in titles and _OWN_SCRIPT.search(find.value):
            count += any(fold(text).startswith(own) for text in beginnings)
        titles.add(find.snippet)
        if count and own not in result:
            result[own] = replace(find, confidence=0.5 if count == 1 else 0.6)
    return sorted(result.values(), key=lambda find: -find.confidence)


def _marks(home: ReadPage) -> Iterator[tuple[str, etree._Element]]:
    """Yield the texts of the page's logos: elements called logo or brand, and links to the home page."""
    for words, element in home.document.classed[:MAX_LOGOS]:
        if "logo" in words or "brand" in words:
            yield from ((text, element) for text in _texts_of_mark(element))
    key = page_key(home.url)
    for address, element in home.document.anchors[:MAX_HOME_LINKS]:
        if page_key(address.split("#")[0]) == key and "#" not in address:
            yield from ((text, element) for text in _texts_of_mark(element))


def _beside_heading(home: ReadPage) -> list[Find]:
    """Yield the other part of a title that repeats the heading: "How to fold | Paper Boats" on "How to fold".

    Of two parts, the name is the shorter one, because a tagline may also be beside a name.
    """
    titles = finds_of(home.facts.title, home)
    others = {fold(find.value) for find in titles if find.selector != "title"}
    if heading := home.document.first_text("h1"):
        others.add(fold(heading[0]))
    for find in titles:
        parts = split_title(find.value, url=home.url)
        if len(parts) == 1:
            parts = [part.strip() for part in COLON.split(find.value, maxsplit=1)]
        if find.selector != "title" or len(parts) != 2:
            continue
        for part, other in (parts, parts[::-1]):
            # Words can't be counted in scripts without spaces.
            is_lighter = part.isascii() or weight_of(part) <= weight_of(other)
            if (
                is_lighter
                and fold(other) in others
                and _is_name(part)
                and len(part.split()) <= min(len(other.split()), MAX_BESIDE)
            ):
                return [replace(find, value=part, confidence=0.2)]
    return []


def _shortened(value: str, url: str) -> list[str]:
    """Return a declared name without its tagline or legal form."""
    parts = split_title(value, url=url)
    if len(parts) > 1:
        fitting = max(parts, key=lambda part: domain_fit(part, url))
        value = fitting if domain_fit(fitting, url) else parts[0]
    bare = _LEGAL.sub("", _EDITION.sub("", _OFFICIAL.sub("", _PICTOGRAMS.sub("", value)))).strip()
    unnumbered = _VERSION.sub("", bare)
    bare = unnumbered if domain_fit(unnumbered, url) >= SURE_FIT else bare
    return [bare] if bare else []


def _is_name(value: str) -> bool:
    return 1 < len(value) <= MAX_NAME and fold(value) not in _GENERIC and len(value.split()) <= 8 and bool(fold(value))
