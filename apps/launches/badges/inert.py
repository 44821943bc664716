"""Leaving out of a page what browsers do not take as a part of it.

The parser, libxml2, reads tags as browsers do but builds its tree in its own way: in `<div><template></div><a>` it lets
the end of the div close the template, and the anchor looks real. In browsers only its own end tag closes a template,
few others close a select, and a noscript is text, since scripts run. Source: HTML, 'Parsing HTML documents'.
"""

import re

from apps.core.html.raw_text import BLANKS, end_of_text

# One token each: comments of all forms, and tags with their attributes. What fits none of them is text. Each pattern
# ends at the end of the page at the latest, so that no place is read twice.
_TOKEN = re.compile(
    rf"""
    <!--(?: -?> | (?: [^-]++ | -(?!-!?>) )*+ (?: --!?> | \Z ) )
    | <(?: [!?] | /[^a-zA-Z>] )[^>]*+(?: > | \Z )
    | <(?P<end>/?)(?P<name>[a-zA-Z][^{BLANKS}/>]*+)
      (?: [{BLANKS}/]++
        | [^{BLANKS}/>][^{BLANKS}/>=]*+
          (?: [{BLANKS}]*+=[{BLANKS}]*+(?: "[^"]*+(?:"|\Z) | '[^']*+(?:'|\Z) | [^{BLANKS}>"'][^{BLANKS}>]*+ )?+ )?+
      )*+(?: > | \Z )
    """,
    re.VERBOSE,
)
# Their content is text until their own end tag, whatever it looks like.
_TEXTS = frozenset({"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript"})
_CUT = frozenset({"template", "select"})
_CLOSE_SELECT = frozenset({"select", "input", "keygen", "textarea"})


def without_inert(html: str) -> str:
    """The page without its noscripts, templates and selects; one that is never closed reaches to the end.

    Time is proportional to the length of the page.
    """
    kept: list[str] = []
    inside: list[str] = []
    since = at = 0
    while token := _TOKEN.search(html, at):
        was_inside, start, at = bool(inside), token.start(), token.end()
        name, is_start = (token["name"] or "").lower(), not token["end"]
        is_cut = is_start and name in _CUT
        if is_start and name in _TEXTS:
            at = end_of_text(html, at, name)
            is_cut = name == "noscript"
        _enter_or_leave(inside, name, is_start=is_start)
        if is_cut and not was_inside:
            kept.append(html[since:start])
        if not inside and (was_inside or is_cut):
            since = at
        if name == "plaintext":
            break
    return "".join(kept if inside else [*kept, html[since:]])


def _enter_or_leave(inside: list[str], name: str, *, is_start: bool) -> None:
    """Keep the open templates and selects, the innermost last."""
    innermost = inside[-1] if inside else ""
    if innermost == "select" and (name in _CLOSE_SELECT if is_start else name == "select"):
        inside.pop()
    elif is_start and name in _CUT:
        inside.append(name)
    elif name == "template" in inside:
        while inside.pop() != "template":
            pass
