"""Measure, wrap and draw text of any script."""

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import NamedTuple

import budoux
import regex
import uharfbuzz as hb
from PIL import Image

from apps.sites.seo.preview_images.typefaces import Glyph, Line, Writing, clusters, has_font, set_line, writing_of

# Pixels. Lines that differ by less count as equally wide.
_BALANCE_STEP = 8
# Letters, marks and digits, by the first letter of their Unicode category.
_WRITTEN = frozenset("LMN")
_ORDINARY_WEIGHT = 400
# Controls, marks of direction, fillers, private letters: all that is not seen but what joins letters or styles emoji.
_UNSEEN = regex.compile(
    r"[[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]--[\s\u200c\u200d\p{Variation_Selector}\U000e0020-\U000e007f]]",
    regex.V1,
)
# No script needs more marks on a letter. Hundreds would reach over the other lines.
_MORE_MARKS = regex.compile(r"(\p{M}{8})\p{M}+")
_NO_SPACES = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")
_THAI = regex.compile(r"\p{Thai}")
_LOADERS: dict[str, Callable[[], budoux.Parser]] = {
    "ja": budoux.load_default_japanese_parser,
    "zh-hans": budoux.load_default_simplified_chinese_parser,
    "zh-hant": budoux.load_default_traditional_chinese_parser,
    "th": budoux.load_default_thai_parser,
}


class Style(NamedTuple):
    """Size in pixels, weight from 100 to 900, and hexadecimal color."""

    size: float
    weight: int
    color: str


@lru_cache(maxsize=256)
def drawable(text: str) -> str:
    """Return text on one line without controls, and without symbols that no font has.

    If no font has a letter or digit, return nothing: half a name is worse than none.
    """
    plain = _MORE_MARKS.sub(r"\1", unicodedata.normalize("NFC", _UNSEEN.sub("", text)))
    result = [_drawable_cluster(cluster) for cluster in clusters(" ".join(plain.split()))]
    if None in result:
        return ""
    line = " ".join("".join(filter(None, result)).split())
    return line if line and set_line(line, _ORDINARY_WEIGHT, writing_of(line)).is_drawn else ""


def _drawable_cluster(cluster: str) -> str | None:
    """Return a letter as fonts have it, an empty text for a symbol without font, and None for a letter without."""
    if has_font(cluster):
        return cluster
    if has_font(plain := unicodedata.normalize("NFKC", cluster)):
        return plain
    return None if any(unicodedata.category(char)[0] in _WRITTEN for char in cluster) else ""


def write(canvas: Image.Image, place: tuple[float, float], line: Line, style: Style, *, at_right: bool = False) -> None:
    """Draw a line. `place` is the left or right end of its baseline."""
    end, baseline = place
    place = (end - line.width * style.size if at_right else end, baseline)
    outlines = hb.RasterDraw()
    for glyph in line.glyphs:
        if glyph.font.face.has_color_paint:
            _paint(canvas, place, glyph, style.size)
            continue
        outlines.transform = _transform(place, glyph, style.size)
        outlines.draw_glyph(glyph.font, glyph.number)
    image = outlines.render()
    if image and image.buffer:
        canvas.paste(style.color, _corner(image.extents), _picture("L", "L", image))


def _paint(canvas: Image.Image, place: tuple[float, float], glyph: Glyph, size: float) -> None:
    """Draw a glyph that has colors of its own."""
    extents = glyph.font.get_glyph_extents(glyph.number)
    if not extents or not extents.width:
        return
    paint = hb.RasterPaint()
    paint.transform = _transform(place, glyph, size)
    paint.set_glyph_extents(extents)
    paint.paint_glyph(glyph.font, glyph.number)
    image = paint.render()
    if image and image.buffer:
        picture = _picture("RGBa", "BGRa", image).convert("RGBA")
        canvas.paste(picture, _corner(image.extents), picture)


def _transform(place: tuple[float, float], glyph: Glyph, size: float) -> tuple[float, ...]:
    left, baseline = place
    scale = size / glyph.font.face.upem
    return (scale, 0, 0, scale, left + glyph.x * size, glyph.y * size - baseline)


def _corner(extents: hb.RasterExtents) -> tuple[int, int]:
    """Return the upper left corner. The rasterizer's y axis points up."""
    return extents.x_origin, -(extents.y_origin + extents.height)


def _picture(mode: str, raw_mode: str, image: hb.RasterImage) -> Image.Image:
    extents = image.extents
    size = (extents.width, extents.height)
    return Image.frombytes(mode, size, image.buffer, "raw", raw_mode, extents.stride, -1)


def fit(text: str, style: Style, *, room: float, lines: int) -> list[Line]:
    """Return lines of drawable text, each at most `room` pixels wide. Overflow ends in an ellipsis."""
    writing = writing_of(text)
    breaks, ends = _breaks(text, writing), _ends(text)
    result: list[Line] = []
    start = 0
    while start < len(text):
        if len(result) == lines - 1 and _width(text[start:], style, writing) > room:
            return [*result, _shortened(text[start:], style, room, writing)]
        # A word that is wider than a line is split between letters.
        end = _last_fitting(text, start, breaks, style, room, writing) or (
            _last_fitting(text, start, ends, style, room, writing) or next(end for end in ends if end > start)
        )
        result.append(set_line(text[start:end].strip(), style.weight, writing))
        start = end
    return result


def balanced(text: str, style: Style, *, room: float, lines: int) -> list[Line]:
    """Return as many lines as `fit`, but of similar width, so that no single word is left on the last one."""
    widest = fit(text, style, room=room, lines=lines)
    best, narrow, wide = widest, room / 2, room
    while wide - narrow > _BALANCE_STEP:
        middle = (narrow + wide) / 2
        tried = fit(text, style, room=middle, lines=len(widest))
        if _joined(tried) == _joined(widest):
            best, wide = tried, middle
        else:
            narrow = middle
    return best


def _joined(lines: Sequence[Line]) -> str:
    return "".join(line.text for line in lines).replace(" ", "")


def _width(text: str, style: Style, writing: Writing) -> float:
    return set_line(text.strip(), style.weight, writing).width * style.size


@lru_cache(maxsize=256)
def _ends(text: str) -> list[int]:
    """Return where each letter ends."""
    return list(accumulate(map(len, clusters(text))))


@lru_cache(maxsize=256)
def _breaks(text: str, writing: Writing) -> list[int]:
    """Return where a line may end: after spaces, and between the phrases of scripts without spaces."""
    parts = [
        part
        for word in regex.findall(r"\S+\s*", text)
        for part in (
            _parser("th" if _THAI.search(word) else writing.language).parse(word) if _NO_SPACES.search(word) else [word]
        )
    ]
    return list(accumulate(map(len, parts)))


@cache
def _parser(language: str) -> budoux.Parser:
    return _LOADERS.get(language, budoux.load_default_simplified_chinese_parser)()


def _last_fitting(
    text: str, start: int, ends: Sequence[int], style: Style, room: float, writing: Writing
) -> int | None:
    """Return the last of the places up to which text fits on a line, or None."""
    first = bisect_right(ends, start)
    result = bisect_right(ends, room, lo=first, key=lambda end: _width(text[start:end], style, writing))
    return ends[result - 1] if result > first else None


def _shortened(text: str, style: Style, room: float, writing: Writing) -> Line:
    ends = _ends(text)
    result = bisect_right(ends, room, key=lambda end: _width(f"{text[:end]}…", style, writing))
    text = text[: ends[result - 1]] if result else ""
    return set_line(f"{text.rstrip(' ,;:.–—-、。，')}…", style.weight, writing)
