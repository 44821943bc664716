"""Measure, wrap and draw text in the site's own typeface."""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from PIL import ImageDraw, ImageFont

# The stylesheet's font files, in the order in which a letter is looked up.
_FILES = ("inter-latin.woff2", "inter-latin-ext.woff2")
# No font has this character, so it yields the shape of a missing letter.
_NOTHING = "\uffff"
_PROBE_SIZE = 40
# Pixels. Lines that differ by less count as equally wide.
_BALANCE_STEP = 8
# Letters, marks and digits, by the first letter of their Unicode category.
_WRITTEN = frozenset("LMN")
# Variation selectors only style the emoji before them.
_EMOJI_PARTS = frozenset("\ufe0e\ufe0f\u20e3")
# Invisible characters that join, break or turn their neighbors.
_UNSEEN = "Cf"


class Style(NamedTuple):
    """Size in pixels, weight from 100 to 900, and hexadecimal color."""

    size: int
    weight: int
    color: str


def drawable(text: str) -> str:
    """Return text without symbols that the typeface lacks, such as emoji.

    If it lacks a letter or digit, return nothing: half a name is worse than none.
    """
    composed = [char for char in unicodedata.normalize("NFC", text) if not _is_unseen(char)]
    if any(unicodedata.category(char)[0] in _WRITTEN and _file_of(char) is None for char in composed):
        return ""
    return " ".join("".join(char for char in composed if char.isspace() or _file_of(char)).split())


def _is_unseen(char: str) -> bool:
    return char in _EMOJI_PARTS or unicodedata.category(char) == _UNSEEN


def width(text: str, style: Style) -> float:
    """Return the width of drawable text in pixels."""
    return sum(font.getlength(run) for font, run in _runs(text, style))


def write(pencil: ImageDraw.ImageDraw, place: tuple[float, float], text: str, style: Style) -> None:
    """Draw drawable text. `place` is the left end of its baseline."""
    left, baseline = place
    for font, run in _runs(text, style):
        pencil.text((left, baseline), run, fill=style.color, font=font, anchor="ls")
        left += font.getlength(run)


def fit(text: str, style: Style, *, room: float, lines: int) -> list[str]:
    """Return lines of drawable text, each at most `room` pixels wide. Overflow ends in an ellipsis."""
    found = [""]
    for word in _pieces(text, style, room):
        longer = f"{found[-1]} {word}".strip()
        if width(longer, style) <= room:
            found[-1] = longer
        else:
            found.append(word)
    shown = [line for line in found if line]
    if len(shown) <= lines:
        return shown
    return [*shown[: lines - 1], _shortened(" ".join(shown[lines - 1 :]), style, room)]


def balanced(text: str, style: Style, *, room: float, lines: int) -> list[str]:
    """Return as many lines as `fit`, but of similar width, so that no single word is left on the last one."""
    widest = fit(text, style, room=room, lines=lines)
    best, narrow, wide = widest, room / 2, room
    while wide - narrow > _BALANCE_STEP:
        middle = (narrow + wide) / 2
        tried = fit(text, style, room=middle, lines=len(widest))
        if "".join(tried).replace(" ", "") == "".join(widest).replace(" ", ""):
            best, wide = tried, middle
        else:
            narrow = middle
    return best


def _pieces(text: str, style: Style, room: float) -> Iterator[str]:
    """Return the words, splitting those wider than a line."""
    for word in text.split():
        rest = word
        while len(rest) > 1 and width(rest, style) > room:
            end = max(1, _fitting(rest, style, room))
            yield rest[:end]
            rest = rest[end:]
        yield rest


def _fitting(text: str, style: Style, room: float) -> int:
    """Return how many leading letters fit into `room` pixels."""
    return bisect_right(range(1, len(text)), room, key=lambda end: width(text[:end], style))


def _shortened(text: str, style: Style, room: float) -> str:
    end = bisect_right(range(1, len(text) + 1), room, key=lambda end: width(f"{text[:end]}…", style))
    text = text[:end]
    return f"{text.rstrip(' ,;:.–—-')}…"


def _runs(text: str, style: Style) -> Iterator[tuple[ImageFont.FreeTypeFont, str]]:
    """Split text by font file. A space belongs to the text before it."""
    before = _FILES[0]
    named = []
    for char in text:
        before = before if char.isspace() else _file_of(char) or before
        named.append((before, char))
    for name, run in groupby(named, key=lambda pair: pair[0]):
        yield _font(name, style.size, style.weight), "".join(char for _, char in run)


@lru_cache(maxsize=4096)
def _file_of(char: str) -> str | None:
    """Return the font file that has a letter, or None."""
    return next((name for name in _FILES if _shape(name, char) != _shape(name, _NOTHING)), None)


def _shape(name: str, char: str) -> tuple[tuple[int, int], bytes]:
    mask = _font(name, _PROBE_SIZE, 400).getmask(char)
    return mask.size, bytes(mask)


@cache
def _font(name: str, size: int, weight: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(Path(settings.FILES_DIR, "static", "fonts", name), size)
    font.set_variation_by_axes([weight])
    return font
