"""Render people's plain text as HTML with paragraphs, line breaks and links only."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from apps.core.editing.plain_text import find_links, paragraphs

LINK_REL = "nofollow ugc noopener"
_PAIRS = {")": "(", "]": "[", "}": "{"}
_AFTER = ".,;:!?…'’*_" + "".join(_PAIRS)
# A dotted name in any script, shown as in the address bar, so that look-alikes are visible.
_HOST = re.compile(r"[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)+\.?")
_MAX_ADDRESS = 2000
_BREAK = SafeString("<br>")


class _Allowance:
    """The number of links still allowed."""

    def __init__(self, links: int) -> None:
        self.left = links

    def take(self) -> bool:
        if self.left <= 0:
            return False
        self.left -= 1
        return True


def render_text(text: str, *, max_links: int) -> SafeString:
    """Return text as HTML: blank lines separate paragraphs, other line ends stay, and URLs become links.

    Beyond `max_links`, URLs stay text. Markup is escaped.
    """
    return _render(text, _Allowance(max_links))


def render_sections(texts: Mapping[str, str], *, max_links: int) -> dict[str, SafeString]:
    """Render several texts by name, like `render_text`, with one common limit of links."""
    allowance = _Allowance(max_links)
    return {name: _render(text, allowance) for name, text in texts.items()}


def _render(text: str, allowance: _Allowance) -> SafeString:
    # Each paragraph has its own direction, because texts mix scripts.
    return format_html_join("\n", '<p dir="auto">{}</p>', ((_lines(part, allowance),) for part in paragraphs(text)))


def _lines(paragraph: str, allowance: _Allowance) -> SafeString:
    lines = (_line(line.strip(), allowance) for line in paragraph.splitlines())
    return format_html_join(_BREAK, "{}", ((line,) for line in lines))


def _line(line: str, allowance: _Allowance) -> SafeString:
    return format_html_join("", "{}", ((piece,) for piece in _pieces(line, allowance)))


def _pieces(line: str, allowance: _Allowance) -> Iterator[str]:
    """Return a line's HTML pieces: escaped text and links in turn."""
    end = 0
    for match in find_links(line):
        address = _without_punctuation(match[0])
        if not _is_linkable(address) or not allowance.take():
            continue
        yield escape(line[end : match.start()])
        # The URL keeps its own direction in a right-to-left line.
        yield format_html('<a href="{0}" rel="{1}" dir="ltr">{0}</a>', address, LINK_REL)
        end = match.start() + len(address)
    yield escape(line[end:])


def _without_punctuation(address: str) -> str:
    """Strip a sentence's punctuation from a URL. A closing bracket stays if the URL opened it."""
    unopened = {last: address.count(last) - address.count(first) for last, first in _PAIRS.items()}
    end = len(address)
    while (last := address[end - 1]) in _AFTER:
        if last in unopened:
            if unopened[last] <= 0:
                break
            unopened[last] -= 1
        end -= 1
    return address[:end]


def _is_linkable(address: str) -> bool:
    """Return whether a URL leads where it seems to: a dotted host and no user name."""
    if len(address) > _MAX_ADDRESS or "\\" in address:
        return False
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    return "@" not in parts.netloc and _HOST.fullmatch(host) is not None
