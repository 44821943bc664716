"""Find headline, summary and SEO texts, in the site's own words."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from lxml import etree

from apps.core.html.charset import LOST
from apps.drafts.extraction.document.addresses import domain_label
from apps.drafts.extraction.document.document import snippet_of, text_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, ORGANIZATION_TYPES, strings
from apps.drafts.extraction.document.titles import domain_fit, split_title
from apps.drafts.extraction.page.body_text import find_passages
from apps.drafts.extraction.page.read_page import Find, ReadPage, finds_of
from apps.drafts.extraction.site.page_kinds import kind_of_page
from apps.drafts.extraction.site.site_files import SiteFile, descriptions_in
from apps.drafts.extraction.text.cleaning import clean, cut, fold, sentences, weight_of

MAX_HEADLINE = 80
MAX_SUMMARY = 600
MAX_SEO_TITLE = 60
MAX_SEO_DESCRIPTION = 160
MIN_HEADLINE_WORDS = 3
MIN_SUMMARY = 40
MAX_HEADINGS = 20
MAX_CLIMB = 12

_GENERIC = re.compile(
    r"^(?:home(?:page)?|welcome\b.{0,30}|official (?:web)?site|start(?:seite)?|index|loading\.*|log ?in"
    r"|sign (?:in|up))$",
    re.IGNORECASE,
)
# Placeholder texts of a system whose site has no content yet, or that takes us for a bot.
_TEMPLATE = re.compile(
    r"just another wordpress (?:site|weblog)|web site created using create-react-app|lorem ipsum"
    r"|(?:generated|created) (?:by|with) create next app|ein weiterer wordpress-blog|un site utilisant wordpress"
    r"|otro sitio (?:realizado con|más de) wordpress|mais um site wordpress|un altro sito wordpress"
    r"|^(?:(?:enter|add|write|put) )?(?:a |the |your |my |site |page |meta |website )+description(?: here)?\W*$"
    r"|(?:enable|activate|turn on|requires) (?:java ?script|cookies)(?: (?:to|in|and|or|before|for)\b|\W*$)"
    r"|java ?script is (?:disabled|required)|(?:we|this (?:web)?site|our (?:web)?site) uses? cookies"
    r"|browser is (?:not supported|out of date|outdated)|^(?:vite|vue|angular|svelte) (?:\+ \w+|app)$"
    r"|^(?:gatsby|next(?:\.?js)?|nuxt|astro|svelte(?:kit)?|react|vue|remix|hugo|jekyll|eleventy|laravel)\b.{0,20}"
    r"\b(?:starter|boilerplate|template|blank project|theme)(?: project| kit)?$",
    re.IGNORECASE,
)
# Texts for sharing that came with the design of a page: a page about templates has the word in its text too.
_OF_DESIGN = re.compile(
    r"\b(?:landing ?page|page|web ?(?:site|page|flow)|portfolio|framer|wix|squarespace|wordpress|carrd|html5?|bootstrap"
    r"|tailwind|next\.?js|react|saas|startup|agency)(?:[ -](?!from|with|of|using|and|or|to)[\w.]+){0,3}[ -]"
    r"(?P<en>template|theme|boilerplate|ui kit|vorlage|sjabloon)\b"
    r"|\b(?P<other>plantilla|modèle|modelo|modello|template|tema|szablon|šablona|шаблон)"
    r"\s(?:(?:de|para|per|di|pour)\s)?(?:landing|web|sitio|site|sito|página|pagina|page|strony|webu|сайта)"
    r"|(?:ランディングページ|サイト|LP)(?:の|用)?(?P<ja>テンプレート)",
    re.IGNORECASE,
)
# News and sales, which describe a week rather than a product.
_ANNOUNCES = re.compile(
    r"\W*(?:(?:new|just (?:launched|released|shipped|in)|update|sale|black friday|cyber monday|nouveau(?:té)?|neu"
    r"|aktion|nuev[oa]|novedad|nov[oa]|novidade|nuovo|novità|nieuw|nyhet|nyt?|uutta|nowość|novinka|nové|uusi"
    r"|новинка|новое|新機能|新登場|お知らせ|新功能|全新|새 기능)\s*[:!：！]"
    r"|(?:now (?:live|available|open)|out now|save \d{1,2}\s?%|\d{1,2}\s?% (?:off|discount|rabatt|de réduction))\b)",
    re.IGNORECASE,
)
# Calls to action and boilerplate say nothing about this product.
_CALL = re.compile(
    r"^(?:(?:sign|log) (?:up|in)(?: (?:now|today|free|for free|to .*|with .*))?|free trial|learn more|read more"
    r"|official site|(?:contact|subscribe|download|order|buy|join) (?:us|now|today|us today)|page not found|skip to .*"
    r"|(?:cookie|privacy) (?:policy|settings|preferences|notice|consent|statement)"
    r"|(?:jetzt )?(?:kostenlos|gratis) (?:testen|starten|anmelden)|essai gratuit|prueba gratis)\W*$"
    r"|^(?:get started|start (?:your|a|my) (?:free|trial))\b|^(?:book|request|schedule|get) (?:a|your) (?:free )?demo\b"
    r"|^try (?:it )?(?:for )?free\b|^we (?:value|respect|care about) your privacy\b",
    re.IGNORECASE,
)
# A page's author says nothing about the product.
_BYLINE = re.compile(r"^(?:[Bb]y|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor|[Aa]v|[Aa]f)(?: [^\W\d_a-z][\w.'’-]*){2,4}$")
_EDITION = re.compile(
    r"(?:v?\d[\d.]*)?\s*(?:(?:for|für|pour|para|per|voor|on)\s+)?(?:(?:mac(?:os)?|windows|linux|ios|ipad|iphone|android"
    r"|web|desktop|mobile|chrome|firefox|safari|app|online)\b[\s,&/]*(?:and\s+)?){0,4}",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(r"\s*(?:…|\.{3}|\[(?:…|\.{3})\])\s*$")
_NOTICE = re.compile(r"cookie|consent|gdpr|privacy|modal|popup|banner-?_?notice|announcement", re.IGNORECASE)
_CLAUSE = re.compile(r"\s+[–—-]\s+|[,;:]\s+|\s+\(")


def find_headlines(home: ReadPage, *, name: str | None, files: Sequence[SiteFile] = ()) -> list[Find]:
    """Return taglines, best first: the title beside the name, a slogan, the h1, the description's first sentence.

    Texts that fit come before texts that had to be shortened.
    """
    described = [*finds_of(home.facts.description, home), *_in_files(files)]
    described = [find for find in described if not _announces(find.value, home)]
    finds = [*_taglines(home, name), *_slogans(home), *_heading(home, name), *_first_sentences(described)]
    finds = [find for find in finds if not _is_of_design(find.value, home)]
    usable = _legible([_capitalized(find, name) for find in finds if _says_something(find.value, name)])
    whole = [find for find in usable if len(find.value) <= MAX_HEADLINE]
    shortened = (
        replace(find, value=_shorten(find.value), confidence=find.confidence / 2)
        for find in usable
        if find not in whole
    )
    return [*whole, *(find for find in shortened if find.value)]


def find_summaries(
    home: ReadPage, *, others: list[ReadPage], name: str | None = None, files: Sequence[SiteFile] = ()
) -> list[Find]:
    """Return descriptions of at least a sentence, best first, each cut to `MAX_SUMMARY` at a sentence or a word.

    If the home page declares none, the site's files for programs and paragraphs of its body and of the about page are
    used, in their own words.
    """
    stated = [*finds_of(home.facts.description, home), *_json_ld_texts(home, "description", 0.7)]
    usable = [find for find in _whole_first(stated) if _describes(find, home)]
    declared = [find for find in usable if find.source != "text" and not _announces(find.value, home)]
    finds = [*declared]
    if not any(weight_of(find.value) >= MIN_SUMMARY for find in declared):
        about = [page for page in others if kind_of_page(page) == "about"][:1]
        finds.extend(find for find in _in_files(files) if not _TEMPLATE.search(find.value))
        finds.extend(find for page in (home, *about) for find in find_passages(page, name=name))
        finds.extend(find for find in usable if find not in declared)
    for page in others:
        described = [find for find in finds_of(page.facts.description, page)[:1] if _describes(find, page)]
        finds.extend(replace(find, confidence=find.confidence / 2) for find in described)
    finds = _legible(finds)
    long_enough = [find for find in finds if weight_of(find.value) >= MIN_SUMMARY]
    return [replace(find, value=text) for find in long_enough or finds if (text := cut(find.value, MAX_SUMMARY))]


def _legible(finds: list[Find]) -> list[Find]:
    """Put texts with characters that could not be decoded last, without those characters."""
    lost = (find for find in finds if LOST in find.value)
    without = [replace(find, value=find.value.replace(LOST, ""), confidence=find.confidence / 2) for find in lost]
    return [*(find for find in finds if LOST not in find.value), *without]


def _capitalized(find: Find, name: str | None) -> Find:
    """Begin a tagline that followed a colon or dash with a capital, unless it begins with the product's name."""
    first = find.value.split(" ", 1)[0]
    if not first.islower() or not first[0].isalpha() or fold(first) == fold(name or ""):
        return find
    return replace(find, value=f"{find.value[0].upper()}{find.value[1:]}")


def _whole_first(finds: list[Find]) -> list[Find]:
    """Keep the order of the texts, but prefer a full text to its own shortened form or first sentence."""
    ordered = []
    for find in finds:
        is_begun = _ELLIPSIS.search(find.value) or find.value.endswith((".", "!", "。"))
        begun = fold(_ELLIPSIS.sub("", find.value)) if is_begun else None
        whole = next(
            (
                other
                for other in finds
                if begun and len(fold(other.value)) > len(begun) and fold(other.value).startswith(begun)
            ),
            None,
        )
        ordered.append(whole or find)
    return list(dict.fromkeys(ordered))


def _describes(find: Find, page: ReadPage) -> bool:
    """Return whether a description is usable: no template text, no keyword list, no repeated title."""
    text = find.value
    if _TEMPLATE.search(text) or _is_of_design(text, page):
        return False
    words = text.split()
    is_list = text.count(",") >= 4 and text.count(",") * 2.5 >= len(words) and text.rstrip()[-1:] not in ".!?。"
    titles = {fold(title.value) for title in finds_of(page.facts.title, page)}
    return not is_list and (fold(text) not in titles or len(words) >= 8)


def _is_of_design(text: str, page: ReadPage) -> bool:
    """Return whether a declared text describes the design of a page, which the page's own text never mentions."""
    if not (said := _OF_DESIGN.search(text)):
        return False
    word = (said["en"] or said["other"] or said["ja"]).lower()
    return bool(page.lines) and not any(word in line.text.lower() for line in page.lines)


def _announces(text: str, page: ReadPage) -> bool:
    """Return whether a text begins as news or a sale does, and not with the website's own name."""
    said = _ANNOUNCES.match(text)
    return said is not None and fold(said[0]) not in fold(domain_label(page.url))


def find_seo_titles(home: ReadPage, *, name: str | None) -> list[Find]:
    """Return SEO titles, best first, the title element's own before the one for sharing."""
    finds = sorted(finds_of(home.facts.title, home), key=lambda find: find.selector != "title")
    finds = [find for find in finds if not _GENERIC.match(find.value) and not _is_of_design(find.value, home)]
    finds = _legible([find for find in finds if any(map(str.isalpha, find.value))])
    # "Home | Acme" says less than the heading.
    finds.sort(key=lambda find: any(map(_GENERIC.match, split_title(find.value, url=home.url))))
    return [replace(find, value=text) for find in finds if (text := _title_within(find.value, name=name, url=home.url))]


def find_seo_descriptions(home: ReadPage) -> list[Find]:
    """Return SEO descriptions, best first, the meta description before those for sharing."""
    finds = [find for find in finds_of(home.facts.description, home) if _describes(find, home)]
    finds.sort(key=lambda find: (_announces(find.value, home), find.selector != 'meta[name="description"]'))
    return [replace(find, value=text) for find in finds if (text := cut(find.value, MAX_SEO_DESCRIPTION))]


def _title_within(title: str, *, name: str | None, url: str) -> str:
    """Shorten a title by dropping parts from its end, except the product's name, or words if that is too little."""
    if len(title) <= MAX_SEO_TITLE:
        return title
    parts = split_title(title, url=url)
    whole = title
    for part in reversed(parts[1:]):
        rest = title[: title.rfind(part)].rstrip(" -–—|·•»:")
        if len(rest) <= MAX_SEO_TITLE and fold(rest) != fold(name or "") and _names(rest, name, whole):
            return rest
        title = rest if len(rest) > MAX_SEO_TITLE and _names(rest, name, whole) else title
    return cut(title, MAX_SEO_TITLE)


def _names(rest: str, name: str | None, title: str) -> bool:
    """Return whether the rest of a title still names the product, if the title does."""
    own = fold(name or "")
    return not own or own in fold(rest) or own not in fold(title)


def _taglines(home: ReadPage, name: str | None) -> list[Find]:
    """Yield the parts of the titles that are not the name."""
    finds = []
    for find in finds_of(home.facts.title, home):
        if find.selector == "h1":
            continue
        for part in split_title(find.value, url=home.url):
            is_name = fold(part) == fold(name or "") or domain_fit(part, home.url) == 1
            if not is_name and not _is_edition(part, name):
                tagline = part.removeprefix(f"{name}, ")
                finds.append(replace(find, value=tagline, confidence=min(find.confidence, 0.85)))
    return finds


def _is_edition(part: str, name: str | None) -> bool:
    """Return whether a part of a title is the name with a version or platform, such as "Acme 3 for Mac"."""
    if not name or not part.lower().startswith(name.lower()):
        return False
    return _EDITION.fullmatch(part[len(name) :].strip()) is not None


def _slogans(home: ReadPage) -> list[Find]:
    return _json_ld_texts(home, "slogan", 0.8)


def _json_ld_texts(home: ReadPage, key: str, confidence: float) -> list[Find]:
    finds = []
    for node in home.document.json_ld.of_type(APPLICATION_TYPES | ORGANIZATION_TYPES | {"website"}):
        for value in strings(node.get(key), limit=1):
            text = clean(value)
            selector = f'script[type="application/ld+json"] {key}'
            finds.append(Find(text, home, "json_ld", selector, f'"{key}": "{text}"', confidence))
    return finds


def _heading(home: ReadPage, name: str | None) -> list[Find]:
    """Return the first headings, without the product's name in an element of its own before the rest."""
    finds = []
    for element in islice(home.document.root.iter("h1"), MAX_HEADINGS):
        if not _is_notice(element) and (text := home.document.shown_text_of(element)):
            rest = text.removeprefix(name or "")
            is_glued = rest[:1].isupper() and fold(text_of(element[0]) if len(element) else "") == fold(name or "")
            finds.append(Find(rest if is_glued else text, home, "dom", "h1", snippet_of(element), 0.6))
    return finds[:3]


def _is_notice(element: etree._Element) -> bool:
    """Return whether a heading is part of an overlay, such as a cookie notice."""
    return any(
        parent.tag == "dialog"
        or parent.get("role") in ("dialog", "alertdialog")
        or (parent.tag not in ("body", "html") and _NOTICE.search(f"{parent.get('class')} {parent.get('id')}"[:300]))
        for parent in islice(element.iterancestors(), MAX_CLIMB)
    )


def _in_files(files: Sequence[SiteFile]) -> list[Find]:
    """Return the descriptions in the site's files for programs."""
    return [Find(said.text, said.file, "text", said.key, said.text, 0.6) for said in descriptions_in(files)]


def _first_sentences(described: list[Find]) -> list[Find]:
    finds = []
    for find in described:
        if first := next(iter(sentences(find.value)), ""):
            finds.append(replace(find, value=first.rstrip("."), confidence=min(find.confidence, 0.5)))
    return finds


def _says_something(text: str, name: str | None) -> bool:
    words = text.split()
    if text.count('"') % 2 or text.count("“") != text.count("”"):
        return False
    if _TEMPLATE.search(text) or _CALL.search(text) or _ELLIPSIS.search(text) or _BYLINE.match(text):
        return False
    if _GENERIC.match(text) or (name and fold(text) == fold(name)):
        return False
    # Languages without spaces write a whole tagline as one word.
    return len(words) >= MIN_HEADLINE_WORDS or (len(text) >= 8 and not text.isascii())


def _shorten(text: str) -> str:
    """Return the first clause if it fits and is informative, or else the words that fit."""
    first = _CLAUSE.split(text, maxsplit=1)[0]
    if len(first.split()) > MIN_HEADLINE_WORDS and len(first) <= MAX_HEADLINE:
        return first
    return cut(text, MAX_HEADLINE)
