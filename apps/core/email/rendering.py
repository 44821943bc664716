"""Render an email as plain text and as HTML in the site's colors."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import cos, radians
from typing import Any, Protocol
from urllib.parse import urljoin

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string

from apps.core.email.text import Block, Kind, Words, one_line
from apps.core.web.colors import dark_accents, hex_of, light_accents

# The preview that inboxes show beside the subject.
PREHEADER_LENGTH = 140
# As in account/email/base_message.txt.
GREETING = "Hello,"
QUOTE_MARK = ">"


class EmailSite(Protocol):
    """The site that an email comes from."""

    @property
    def name(self) -> str: ...
    @property
    def base_url(self) -> str: ...
    @property
    def hue(self) -> int: ...
    @property
    def color(self) -> str: ...
    @property
    def logo_url(self) -> str: ...
    @property
    def sender(self) -> str: ...
    @property
    def contact_email(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """The same as a value, for a stored email."""

    name: str
    base_url: str
    hue: int
    color: str = ""
    logo_url: str = ""
    sender: str = ""
    contact_email: str = ""


def compose(
    *, to: str, words: Words, site: EmailSite, headers: Mapping[str, str] | None = None
) -> EmailMultiAlternatives:
    """Build an email in the name of a site, from its sender or DEFAULT_FROM_EMAIL. `headers` are added unchanged."""
    text = "\n\n".join(words.paragraphs) + "\n"
    answered = {"Reply-To": site.contact_email} if site.contact_email else {}
    email = EmailMultiAlternatives(
        one_line(words.subject), text, site.sender or None, [to], headers={**answered, **(headers or {})}
    )
    email.attach_alternative(render_html(words, site=site), "text/html")
    return email


def render_html(words: Words, *, site: EmailSite) -> str:
    """Return the HTML of an email. It contains only what the subject and the text say."""
    parts = _parts(words)
    # The last one, because a person's own text may look like it.
    ends = max((place for place, part in enumerate(parts) if part["kind"] == Kind.SIGNATURE), default=len(parts))
    context = {
        "subject": one_line(words.subject),
        "preheader": _preheader(words),
        "parts": parts[:ends],
        "small_print": parts[ends + 1 :],
        "site": site,
        # Without a hash, because an email is read long after a release.
        "logo_url": site.logo_url,
        "mark_url": urljoin(f"{site.base_url}/", f"{settings.STATIC_URL}email-mark.png"),
        "light": light(site.hue, site.color),
        "dark": dark(site.hue, site.color),
    }
    return render_to_string("emails/email.html", context)


def _parts(words: Words) -> list[dict[str, Any]]:
    """Return the paragraphs in order with their styles. Adjacent entries form one list."""
    known = {block.text.strip(): block for block in words.blocks}
    parts: list[dict[str, Any]] = []
    for paragraph in words.paragraphs:
        block = known.get(paragraph)
        if block is None:
            parts.extend(_plain(paragraph))
        elif block.kind == Kind.ENTRY and parts and parts[-1]["kind"] == Kind.ENTRY:
            parts[-1]["entries"].append(block)
        else:
            parts.append(_marked(block))
    return parts


def _marked(block: Block) -> dict[str, Any]:
    part: dict[str, Any] = {"kind": block.kind, "text": block.text, "block": block}
    return part | {"entries": [block]} if block.kind == Kind.ENTRY else part


def _plain(paragraph: str) -> list[dict[str, Any]]:
    """Return a paragraph of text. Quoted lines are styled separately."""
    parts: list[dict[str, Any]] = []
    for line in paragraph.splitlines():
        kind = "quote" if line.startswith(QUOTE_MARK) else "text"
        if parts and parts[-1]["kind"] == kind:
            parts[-1]["text"] += f"\n{line}"
        else:
            parts.append({"kind": kind, "text": line})
    return parts


def _preheader(words: Words) -> str:
    """Return the beginning of the message after its greeting."""
    marked = {block.text.strip() for block in words.blocks}
    said = [text for text in words.paragraphs if text not in marked and text != GREETING]
    first = one_line(said[0]) if said else ""
    return first if len(first) <= PREHEADER_LENGTH else f"{first[: PREHEADER_LENGTH - 1].rstrip()}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """The colors of one scheme, each `#rrggbb`, named as in site.css."""

    page: str
    card: str
    sunken: str
    line: str
    text: str
    soft: str
    accent: str
    accent_text: str
    on_accent: str = "#ffffff"


@cache
def light(hue: int, color: str = "") -> Palette:
    """The light scheme of a site's hue, an angle in degrees, and of its brand color if it has one."""
    deeper = _deeper(hue)
    own = light_accents(color) if color else None
    return Palette(
        page=hex_of(0.972, 0.005, hue),
        card="#ffffff",
        sunken=hex_of(0.972, 0.005, hue),
        line=hex_of(0.923, 0.006, hue),
        text=hex_of(0.205, 0.02, hue),
        soft=hex_of(0.45, 0.02, hue),
        accent=own.fill if own else hex_of(0.53 - deeper, 0.215, hue),
        accent_text=own.text if own else hex_of(0.48 - deeper, 0.2, hue),
    )


@cache
def dark(hue: int, color: str = "") -> Palette:
    """The dark scheme. See `light`."""
    own = dark_accents(color) if color else None
    return Palette(
        page=hex_of(0.16, 0.009, hue),
        card=hex_of(0.196, 0.01, hue),
        sunken=hex_of(0.229, 0.012, hue),
        line=hex_of(0.277, 0.013, hue),
        text=hex_of(0.965, 0.004, hue),
        soft=hex_of(0.75, 0.014, hue),
        accent=own.fill if own else hex_of(0.55 - _deeper(hue), 0.2, hue),
        accent_text=own.text if own else hex_of(0.76, 0.12, hue),
    )


def _deeper(hue: int) -> float:
    """White text on green or teal of the same lightness is harder to read than on blue, so those are darker."""
    return max(0.0, cos(radians(hue - 175))) * 0.06
