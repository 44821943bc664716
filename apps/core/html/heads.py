"""Find the `meta` tags in a page's head as browsers do.

The parser of whole pages (libxml2) is too lenient for a proof: it accepts a tag inside a title or a template, and moves
tags from the text into the head. Here a head ends where browsers end it, and the content of another element is text.
Source: HTML, 'Parsing HTML documents', the insertion modes up to "in head".
"""

from collections.abc import Iterator

import regex

from apps.core.html.raw_text import BLANKS, end_of_text

# Comments of all forms, declarations, and tags with their attributes. Possessive, so that no character is read twice.
_TOKEN = regex.compile(
    rf"""
    [{BLANKS}]++
    | <!--(?: -?> | (?: [^-]++ | -(?!-!?>) )*+ (?: --!?> | \Z ) )
    | <[!?][^>]*+(?: > | \Z )
    | <(?P<end>/?)(?P<name>[a-zA-Z][^{BLANKS}/>]*+)
      (?P<attributes>(?: [{BLANKS}/]++
        | [^{BLANKS}/>][^{BLANKS}/>=]*+
          (?: [{BLANKS}]*+=[{BLANKS}]*+
            (?: "[^"]*+(?: "|\Z ) | '[^']*+(?: '|\Z ) | [^{BLANKS}>"'][^{BLANKS}>]*+ )?+
          )?+
      )*+)(?:(?P<close>>)|\Z)
    """,
    regex.VERBOSE,
)
_ATTRIBUTE = regex.compile(
    rf"""
    (?P<name>[^{BLANKS}/>][^{BLANKS}/>=]*+)
    (?: [{BLANKS}]*+=[{BLANKS}]*+
      (?: "(?P<double>[^"]*+)" | '(?P<single>[^']*+)' | (?P<bare>[^{BLANKS}>"'][^{BLANKS}>]*+) )?+
    )?+
    """,
    regex.VERBOSE,
)
# Their content is text until their own end tag. Browsers read a noscript in the head as text, since scripts run.
_TEXTS = frozenset({"title", "style", "script", "noscript", "noframes"})
_WITHIN_HEAD = frozenset({"html", "head", "base", "basefont", "bgsound", "link", "meta"})
_END_TAGS_OF_HEAD = frozenset({"head", "body", "html", "br"})


def meta_tags(html: str, *, anywhere: bool = False) -> Iterator[dict[str, str]]:
    """Return the attributes of each `meta` in the head, by lower-case name, with values as written (entities
    unresolved).

    Stops at the first thing that can't be in a head, including a template, unless `anywhere` is set. Time is
    proportional to the head's length.
    """
    at = 1 if html.startswith("\ufeff") else 0
    find = _TOKEN.search if anywhere else _TOKEN.match
    while token := find(html, at):
        at, name = token.end(), (token["name"] or "").lower()
        if not name:
            continue
        if not token["close"]:
            return
        if token["end"]:
            if name in _END_TAGS_OF_HEAD and not anywhere:
                return
        elif name in _TEXTS:
            at = end_of_text(html, at, name)
        elif name not in _WITHIN_HEAD and not anywhere:
            return
        elif name == "meta":
            yield _attributes(token["attributes"])


def _attributes(written: str) -> dict[str, str]:
    result: dict[str, str] = {}
    for attribute in _ATTRIBUTE.finditer(written):
        value = attribute["double"] or attribute["single"] or attribute["bare"] or ""
        # Browsers use the first of two attributes with one name.
        result.setdefault(attribute["name"].lower(), value)
    return result
