"""Text on pictures, in the site's own typeface: what it can draw, how wide that is, and where its lines break."""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from PIL import ImageDraw, ImageFont

# The files of the stylesheet, in the order in which they are asked for a letter.
_FILES = ("inter-latin.woff2", "inter-latin-ext.woff2")
# A code that stands for no letter in any font: it gives the shape that is drawn in place of a missing one.
_NOTHING = "\uffff"
_PROBE_SIZE = 40
# Pixels; closer than this, lines count as equally wide.
_BALANCE_STEP = 8
# Letters, marks over letters, and digits, by the first letter of their category.
_WRITTEN = frozenset("LMN")
# They only say how the emoji before them looks.
_EMOJI_PARTS = frozenset("\ufe0e\ufe0f\u20e3")
# They are not seen, and say how their neighbours are joined, broken or turned.
_UNSEEN = "Cf"


class Style(NamedTuple):
    """Size in pixels, weight from 100 to 900, and the color as hexadecimal."""

    size: int
    weight: int
    color: str


def drawable(text: str) -> str:
    """A text as it can be drawn: without signs that the typeface lacks, such as emoji.

    Where it lacks a letter or a digit, nothing of the text is drawn: half of a name is worse than none.
    """
    composed = [char for char in unicodedata.normalize("NFC", text) if not _is_unseen(char)]
    if any(unicodedata.category(char)[0] in _WRITTEN and _file_of(char) is None for char in composed):
        return ""
    return " ".join("".join(char for char in composed if char.isspace() or _file_of(char)).split())


def _is_unseen(char: str) -> bool:
    return char in _EMOJI_PARTS or unicodedata.category(char) == _UNSEEN


def width(text: str, style: Style) -> float:
    """How wide a drawable text is, in pixels."""
    return sum(font.getlength(run) for font, run in _runs(text, style))


def write(pencil: ImageDraw.ImageDraw, place: tuple[float, float], text: str, style: Style) -> None:
    """Draw a drawable text from `place` on: the left end of its baseline."""
    left, baseline = place
    for font, run in _runs(text, style):
        pencil.text((left, baseline), run, fill=style.color, font=font, anchor="ls")
        left += font.getlength(run)


def fit(text: str, style: Style, *, room: float, lines: int) -> list[str]:
    """The lines of a drawable text, each at most `room` pixels wide; what is over ends in an ellipsis."""
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
    """The lines as `fit` breaks them, as many, but of like widths: no word is left alone on the last one."""
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
    """The words, those wider than a line in parts."""
    for word in text.split():
        rest = word
        while len(rest) > 1 and width(rest, style) > room:
            end = max(1, _fitting(rest, style, room))
            yield rest[:end]
            rest = rest[end:]
        yield rest


def _fitting(text: str, style: Style, room: float) -> int:
    """How many of the first letters are at most `room` pixels wide."""
    return bisect_right(range(1, len(text)), room, key=lambda end: width(text[:end], style))


def _shortened(text: str, style: Style, room: float) -> str:
    end = bisect_right(range(1, len(text) + 1), room, key=lambda end: width(f"{text[:end]}…", style))
    text = text[:end]
    return f"{text.rstrip(' ,;:.–—-')}…"


def _runs(text: str, style: Style) -> Iterator[tuple[ImageFont.FreeTypeFont, str]]:
    """The text by the files that have its letters; a blank stays with what comes before it."""
    before = _FILES[0]
    named = []
    for char in text:
        before = before if char.isspace() else _file_of(char) or before
        named.append((before, char))
    for name, run in groupby(named, key=lambda pair: pair[0]):
        yield _font(name, style.size, style.weight), "".join(char for _, char in run)


@lru_cache(maxsize=4096)
def _file_of(char: str) -> str | None:
    """The file that has a letter, or None."""
    return next((name for name in _FILES if _shape(name, char) != _shape(name, _NOTHING)), None)


def _shape(name: str, char: str) -> tuple[tuple[int, int], bytes]:
    mask = _font(name, _PROBE_SIZE, 400).getmask(char)
    return mask.size, bytes(mask)


@cache
def _font(name: str, size: int, weight: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(Path(settings.FILES_DIR, "static", "fonts", name), size)
    font.set_variation_by_axes([weight])
    return font
