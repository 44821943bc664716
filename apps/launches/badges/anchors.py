"""Find a link to a site in an external page."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import SplitResult, urljoin, urlsplit

import idna
import regex
from lxml import etree

from apps.core.html import decode, parse
from apps.core.html.raw_text import BLANKS, end_of_text

# Each match is a token: a comment of any form, or a tag with its attributes. The rest is text. Each pattern ends at the
# end of the page at the latest, so that nothing is read twice.
_TOKEN = regex.compile(
    rf"""
    <!--(?: -?> | (?: [^-]++ | -(?!-!?>) )*+ (?: --!?> | \Z ) )
    | <(?: [!?] | /[^a-zA-Z>] )[^>]*+(?: > | \Z )
    | <(?P<end>/?)(?P<name>[a-zA-Z][^{BLANKS}/>]*+)
      (?: [{BLANKS}/]++
        | [^{BLANKS}/>][^{BLANKS}/>=]*+
          (?: [{BLANKS}]*+=[{BLANKS}]*+(?: "[^"]*+(?:"|\Z) | '[^']*+(?:'|\Z) | [^{BLANKS}>"'][^{BLANKS}>]*+ )?+ )?+
      )*+(?: > | \Z )
    """,
    regex.VERBOSE,
)
# Their content is text up to their own end tag, even if it looks like tags.
_TEXTS = frozenset({"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript"})
_CUT = frozenset({"template", "select"})
_CLOSE_SELECT = frozenset({"select", "input", "keygen", "textarea"})


def without_inert(html: str) -> str:
    """Return the page without its noscripts, templates and selects. An unclosed one extends to the end.

    Runs in time proportional to the page's length.
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
    """Update the stack of open templates and selects, innermost last."""
    innermost = inside[-1] if inside else ""
    if innermost == "select" and (name in _CLOSE_SELECT if is_start else name == "select"):
        inside.pop()
    elif is_start and name in _CUT:
        inside.append(name)
    elif name == "template" in inside:
        while inside.pop() != "template":
            pass


SNIPPET_CHARACTERS = 200
HREF_CHARACTERS = 300

_DEFAULT_PORTS = {"http": 80, "https": 443}
# Elements whose content is hidden or is not text.
_INERT = frozenset(
    {
        "noscript", "template", "select", "textarea", "iframe", "script", "style", "title", "xmp",
        "audio", "canvas", "datalist", "frameset", "noembed", "noframes", "video",
    }
)  # fmt: skip
# Browsers drop these characters from a URL before parsing it, and read a backslash as a slash.
_DROPPED = regex.compile(r"[\t\n\r]")
_AT_THE_ENDS = "".join(map(chr, range(0x21)))


@dataclass(frozen=True, slots=True)
class Link:
    """An anchor in the page: its target and the start of its HTML."""

    href: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Found:
    """The first link to the target, if any, and the number of links on the page."""

    link: Link | None
    links_seen: int


def find_link(body: bytes, *, content_type: str, page_url: str, target: str) -> Found:
    """Find a real anchor to the target's host and port, by http or https.

    Anchors in comments, scripts, templates and the like don't count. `rel` and the anchor's content don't matter. Nor
    do `hidden`, `aria-hidden` and styles: menus and rotating logos are hidden at times, and only style sheets and
    scripts, which aren't read, decide whether a link is ever visible. Raises UnreadablePage for anything but a page.
    """
    root = parse(without_inert(decode(body, content_type=content_type)))
    base = _base(root, page_url)
    wanted = origin_of(target)
    count = 0
    for anchor in _visible(root, "a"):
        href = anchor.get("href")
        if href is None:
            continue
        count += 1
        if wanted is not None and origin_of(href, base=base) == wanted:
            return Found(Link(href.strip()[:HREF_CHARACTERS], _snippet(anchor)), count)
    return Found(None, count)


def origin_of(href: str, *, base: str = "") -> tuple[str, int | None] | None:
    """Return the host and port of a URL as a browser reads it, or None for anything but a plain web URL.

    The host is lowercase ASCII. The port is None for the scheme's default. A URL with a user name returns None, because
    its only use is to mislead.
    """
    try:
        parts = urlsplit(urljoin(base, _as_browsers_read(href)))
        port = parts.port
    except ValueError:
        return None
    host = _host(parts)
    if host is None or parts.scheme not in _DEFAULT_PORTS or "@" in parts.netloc:
        return None
    return host, None if port == _DEFAULT_PORTS[parts.scheme] else port


def _as_browsers_read(href: str) -> str:
    written = _DROPPED.sub("", href.strip(_AT_THE_ENDS))
    before, mark, after = written.partition("?")
    return before.replace("\\", "/") + mark + after


def _host(parts: SplitResult) -> str | None:
    host = parts.hostname or ""
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except idna.IDNAError:
            return None
    return host.lower().removesuffix(".") or None


def _base(root: etree._Element, page_url: str) -> str:
    """Return the base of relative links, which the first <base> with a URL sets."""
    first = next((base.get("href") for base in _visible(root, "base") if base.get("href") is not None), None)
    if first is None:
        return page_url
    try:
        return urljoin(page_url, _as_browsers_read(first))
    except ValueError:
        return page_url


def _visible(root: etree._Element, name: str) -> Iterator[etree._Element]:
    """Yield visible anchors in one walk. Checking each anchor's ancestors is quadratic on a deep page."""
    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        if element.tag in _INERT:
            walk.skip_subtree()
        elif element.tag == name:
            yield element


def _snippet(anchor: etree._Element) -> str:
    code = etree.tostring(anchor, encoding="unicode", method="html", with_tail=False)
    return " ".join(code.split())[:SNIPPET_CHARACTERS]
