"""Headline, summary and search engine texts, in the site's own words."""

import re
from dataclasses import replace

from apps.drafts.extraction.document import snippet_of, text_of
from apps.drafts.extraction.json_ld import strings
from apps.drafts.extraction.naming import agrees, split_title
from apps.drafts.extraction.proposal import Find, ReadPage, finds_of
from apps.drafts.extraction.schema_types import APPLICATION_TYPES, ORGANIZATION_TYPES
from apps.drafts.extraction.text import clean, cut, fold, sentences

MAX_HEADLINE = 80
MAX_SUMMARY = 600
MAX_SEO_TITLE = 60
MAX_SEO_DESCRIPTION = 160
MIN_HEADLINE_WORDS = 3
MIN_SUMMARY = 40

_GENERIC = re.compile(
    r"^(?:home(?:page)?|welcome\b.{0,30}|official (?:web)?site|start(?:seite)?|index|loading\.*|log ?in"
    r"|sign (?:in|up))$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\s+[–—-]\s+|[,;:]\s+|\s+\(")


def find_headlines(home: ReadPage, *, name: str | None) -> list[Find]:
    """Taglines, best first: the title beside the name, a slogan, the h1, the description's first sentence.

    Texts that fit whole come before texts that had to be shortened.
    """
    finds = [*_taglines(home, name), *_slogans(home), *_heading(home), *_first_sentences(home)]
    usable = [find for find in finds if _says_something(find.value, name)]
    whole = [find for find in usable if len(find.value) <= MAX_HEADLINE]
    shortened = (
        replace(find, value=_shorten(find.value), confidence=find.confidence / 2)
        for find in usable
        if find not in whole
    )
    return [*whole, *(find for find in shortened if find.value)]


def find_summaries(home: ReadPage, *, others: list[ReadPage]) -> list[Find]:
    """Descriptions of at least a sentence, best first, each cut to `MAX_SUMMARY` at a sentence or a word."""
    finds = [*finds_of(home.facts.description, home), *_json_ld_texts(home, "description", 0.7)]
    for page in others:
        finds.extend(
            replace(find, confidence=find.confidence / 2) for find in finds_of(page.facts.description, page)[:1]
        )
    long_enough = [find for find in finds if len(find.value) >= MIN_SUMMARY]
    return [replace(find, value=text) for find in long_enough or finds if (text := cut(find.value, MAX_SUMMARY))]


def find_seo_titles(home: ReadPage, *, name: str | None) -> list[Find]:
    """Titles for search engines, best first, the title element's own before the one for sharing."""
    finds = sorted(finds_of(home.facts.title, home), key=lambda find: find.selector != "title")
    finds = [find for find in finds if not _GENERIC.match(find.value)]
    return [replace(find, value=text) for find in finds if (text := _title_within(find.value, name=name, url=home.url))]


def find_seo_descriptions(home: ReadPage) -> list[Find]:
    """Descriptions for search engines, best first, the meta description before those for sharing."""
    finds = sorted(finds_of(home.facts.description, home), key=lambda find: find.selector != 'meta[name="description"]')
    return [replace(find, value=text) for find in finds if (text := cut(find.value, MAX_SEO_DESCRIPTION))]


def _title_within(title: str, *, name: str | None, url: str) -> str:
    """A title shortened by leaving out whole parts from its end, or by words if that is not enough."""
    if len(title) <= MAX_SEO_TITLE:
        return title
    parts = split_title(title, url=url)
    for part in reversed(parts[1:]):
        kept = title[: title.rfind(part)].rstrip(" -–—|·•»:")
        if len(kept) <= MAX_SEO_TITLE and fold(kept) != fold(name or ""):
            return kept
        title = kept if len(kept) > MAX_SEO_TITLE else title
    return cut(title, MAX_SEO_TITLE)


def _taglines(home: ReadPage, name: str | None) -> list[Find]:
    """The parts of the titles that are not the name."""
    finds = []
    for find in finds_of(home.facts.title, home):
        if find.selector == "h1":
            continue
        for part in split_title(find.value, url=home.url):
            is_name = fold(part) == fold(name or "") or agrees(part, home.url) == 1
            if not is_name:
                finds.append(replace(find, value=part, confidence=min(find.confidence, 0.85)))
    return finds


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


def _heading(home: ReadPage) -> list[Find]:
    finds = []
    for element in home.document.root.iter("h1"):
        if text := text_of(element):
            finds.append(Find(text, home, "dom", "h1", snippet_of(element), 0.6))
    return finds[:3]


def _first_sentences(home: ReadPage) -> list[Find]:
    finds = []
    for find in finds_of(home.facts.description, home):
        if first := next(iter(sentences(find.value)), ""):
            finds.append(replace(find, value=first.rstrip("."), confidence=min(find.confidence, 0.5)))
    return finds


def _says_something(text: str, name: str | None) -> bool:
    words = text.split()
    if text.count('"') % 2 or text.count("“") != text.count("”"):
        return False
    if _GENERIC.match(text) or (name and fold(text) == fold(name)):
        return False
    # Languages without spaces write a whole tagline as one word.
    return len(words) >= MIN_HEADLINE_WORDS or (len(text) >= 8 and not text.isascii())


def _shorten(text: str) -> str:
    """The first clause if it fits and says something, else the words that fit."""
    first = _CLAUSE.split(text, maxsplit=1)[0]
    if len(first.split()) > MIN_HEADLINE_WORDS and len(first) <= MAX_HEADLINE:
        return first
    return cut(text, MAX_HEADLINE)
