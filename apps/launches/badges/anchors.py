"""Find a link to a site in an external page."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import SplitResult, urljoin, urlsplit

import regex
from lxml import etree

from apps.core.html import decode, parse_within_limits
from apps.core.html.visibility import Visibility
from apps.core.web.hosts import ascii_host

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
    """The first link to the target that visitors see, if any, and the number of links on the page.

    `is_hidden` says that the only links to it are hidden. `cut` says which limit left out a part of the page, or is
    empty.
    """

    link: Link | None
    links_seen: int
    cut: str = ""
    is_hidden: bool = False


def find_link(body: bytes, *, content_type: str, page_url: str, target: str) -> Found:
    """Find a real anchor to the target's host and port, by http or https, that visitors see.

    Anchors in comments, scripts, templates and the like don't count, nor do those that the page hides (see
    `Visibility`). `rel` and the anchor's content don't matter. Raises UnreadablePage for anything but a page.
    """
    root, cut, _ = parse_within_limits(decode(body, content_type=content_type))
    base = _base(root, page_url)
    wanted = origin_of(target)
    count = 0
    is_hidden = False
    for anchor, is_shown in _anchors(root):
        href = anchor.get("href")
        if href is None:
            continue
        count += is_shown
        if wanted is not None and origin_of(href, base=base) == wanted:
            if is_shown:
                return Found(Link(href.strip()[:HREF_CHARACTERS], _snippet(anchor)), count)
            is_hidden = True
    return Found(None, count, cut, is_hidden)


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
    try:
        host = ascii_host(parts.hostname or "")
    except ValueError:
        return None
    return host.lower().removesuffix(".") or None


def _base(root: etree._Element, page_url: str) -> str:
    """Return the base of relative links, which the first <base> with a URL sets."""
    first = next((base.get("href") for base in root.iter("base") if base.get("href") is not None), None)
    if first is None:
        return page_url
    try:
        return urljoin(page_url, _as_browsers_read(first))
    except ValueError:
        return page_url


def _anchors(root: etree._Element) -> Iterator[tuple[etree._Element, bool]]:
    """Yield anchors, and whether visitors see them."""
    visibility = Visibility(root)
    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        if element.tag in _INERT:
            walk.skip_subtree()
        elif element.tag == "a":
            yield element, not visibility.hides(element)


def _snippet(anchor: etree._Element) -> str:
    code = etree.tostring(anchor, encoding="unicode", method="html", with_tail=False)
    return " ".join(code.split())[:SNIPPET_CHARACTERS]
