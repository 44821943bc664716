"""Split a title into parts, and rate how well a name fits the domain of its website."""

import re

from apps.drafts.extraction.document.addresses import domain_label, domain_of
from apps.drafts.extraction.text.cleaning import fold, words_of
from apps.drafts.extraction.text.spellings import spells

MIN_AGREEMENT = 3
MAX_LONGER = 30
SURE_FIT = 0.8
_PARTS = re.compile(r"\s+(?:[-–—|·•»›~/]+|::)\s+|\s*[|｜]\s*|\s*—\s*")
# French puts a space before a colon, and some titles a pictogram instead.
COLON = re.compile(r"(?<=\w)\s?:\s+|(?<=\w)：|\s+[\u2190-\u2bff\U0001f000-\U0001faff][\ufe0f\u200d]*\s+")
_PREFIXES = words_of("get try use go join hey my the with app meet hello we run")
_SUFFIXES = words_of("app hq io ai labs hub dev tech software official online inc team")
# What host names write for an ampersand, in the languages of most of them.
_AND = ("", *sorted(words_of("and n und et y e og och en i")))


def split_title(title: str, *, url: str) -> list[str]:
    """Return the parts of "Brand – tagline", "Title | Brand", "Brand: tagline" or "Brand 🎈 tagline", in order.

    A colon separates parts only after a name that fits the domain. Elsewhere it belongs to the sentence.
    """
    first, *rest = COLON.split(title, maxsplit=1)
    pieces = [first, *rest] if rest and domain_fit(first, url) >= SURE_FIT else [title]
    parts = (part.strip(" -–—|·•»") for piece in pieces for part in _PARTS.split(piece))
    return [part for part in parts if part]


def domain_fit(name: str, url: str) -> float:
    """Rate how well a name fits the domain, from 0 to 1. "Cal.com" fits cal.com completely.

    1: the same; .8: the same except for a word such as "get" or "app"; .5: one begins with the other. Accents and the
    usual spellings in Latin letters make no difference: "Krümel" fits krümel.de, krumel.de and kruemel.de.
    """
    if "&" in name:
        return max(_fit(name.replace("&", word), url) for word in _AND)
    return _fit(name, url)


def _fit(name: str, url: str) -> float:
    written = domain_label(url)
    label, domain, own = fold(written), fold(domain_of(url)), fold(name)
    if len(own) < 2 or not label:
        return 0
    if own in (label, domain) or spells(label, name) or spells(own, written):
        return 1
    bare = {label.removeprefix(word) for word in _PREFIXES} | {label.removesuffix(word) for word in _SUFFIXES}
    if own in bare or any(spells(one, name) for one in bare):
        return 0.8
    shorter, longer = sorted((own, label), key=len)
    if len(shorter) < MIN_AGREEMENT or len(longer) > MAX_LONGER:
        return 0
    return 0.5 if longer.startswith(shorter) or spells(label, name, in_part=True) else 0
