"""Set a line of text in the site's typeface and, for letters it lacks, in those of other scripts."""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby
from typing import Any, NamedTuple

import regex
import uharfbuzz as hb
from bidi import algorithm
from bidi.mirror import MIRRORED

_Font = tuple[str, str]

# Package and file of each font, in the order in which a letter is looked up. Fonts are mapped, not read: those that
# nobody writes in take no memory.
_INTER = ("fontpkg_inter", "files/Inter[opsz,wght].ttf")
_CJK = ("manimgx_fonts_cjk", "NotoSansCJK-VF.otf.ttc")
# Noto Color Emoji 2.057 with its vector table COLR, but without its table SVG, which takes 20 MB.
_EMOJI = ("apps.sites.seo.preview_images", "NotoColorEmoji.ttf")
_SCRIPTS = (
    "", "Arabic", "Hebrew", "Devanagari", "Thai", "Bengali", "Armenian", "Georgian", "Ethiopic", "Gujarati", "Gurmukhi",
    "Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Symbols",
)  # fmt: skip
_FONTS = (_INTER, *(("manimgx_fonts", f"NotoSans{script}[wght].ttf") for script in _SCRIPTS), _CJK, _EMOJI)

_CLUSTER = regex.compile(r"\X")
_IN_COLOR = regex.compile(r"[\p{Emoji_Presentation}\ufe0f\u20e3]")
_TEXT_STYLE = "\ufe0e"
_TURNED = regex.compile(r"[\p{Bidi_Class=R}\p{Bidi_Class=AL}\p{Bidi_Class=AN}]")
_HAN, _KANA, _HANGUL = map(regex.compile, (r"\p{Han}", r"[\p{Hiragana}\p{Katakana}]", r"\p{Hangul}"))
# The characters of Chinese and Japanese that each of these has, in the order of how many people read them.
_HAN_CODECS = {"gb2312": "zh-hans", "big5": "zh-hant", "shift_jis": "ja"}


class Writing(NamedTuple):
    """How a paragraph is written: the language that its Chinese characters are of, and its direction."""

    language: str
    right_to_left: bool


class Glyph(NamedTuple):
    """A glyph of a font and its place on a line, from the left and upwards, in fractions of the text's size."""

    font: hb.Font
    number: int
    x: float
    y: float


class Line(NamedTuple):
    """A line of positioned glyphs. Lengths are fractions of the text's size."""

    text: str
    writing: Writing
    glyphs: tuple[Glyph, ...]
    width: float

    @property
    def is_drawn(self) -> bool:
        """Return whether every letter is in a font, and any leaves ink."""
        return all(glyph.number for glyph in self.glyphs) and any(map(sum, self._inks()))

    @property
    def rise(self) -> float:
        """Return the ink above the baseline."""
        return max((top for top, _ in self._inks()), default=0)

    @property
    def fall(self) -> float:
        """Return the ink below the baseline."""
        return max((fall for _, fall in self._inks()), default=0)

    def _inks(self) -> list[tuple[float, float]]:
        return [_ink(glyph) for glyph in self.glyphs]


def clusters(text: str) -> list[str]:
    """Return what readers see as letters: each with its marks, an emoji with its joined parts."""
    return _CLUSTER.findall(text)


def has_font(cluster: str) -> bool:
    """Return whether a font has a letter with its marks."""
    return cluster.isspace() or _font_of(cluster) is not None


@lru_cache(maxsize=256)
def writing_of(text: str) -> Writing:
    """Return how a paragraph is written. Its first letter with a direction gives the direction."""
    return Writing(_language_of(text), bool(algorithm.get_base_level(text)))


def _language_of(text: str) -> str:
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    letters = "".join(_HAN.findall(text))
    return next((language for codec, language in _HAN_CODECS.items() if _has_all(codec, letters)), "zh-hans")


def _has_all(codec: str, letters: str) -> bool:
    return letters == letters.encode(codec, "ignore").decode(codec)


@lru_cache(maxsize=256)
def set_line(text: str, weight: int, writing: Writing) -> Line:
    """Set a line of a paragraph."""
    glyphs: list[Glyph] = []
    width = 0.0
    for name, is_reversed, run in _runs(text, writing):
        font = _font(name, weight)
        scale = 1 / font.face.upem
        buffer = _shaped(font, run, writing.language, is_reversed=is_reversed)
        for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            x, y = width + position.x_offset * scale, position.y_offset * scale
            glyphs.append(Glyph(font, info.codepoint, x, y))
            width += position.x_advance * scale
    return Line(text, writing, tuple(glyphs), width)


def _runs(text: str, writing: Writing) -> Iterator[tuple[_Font, bool, str]]:
    """Return stretches of one font and direction, from left to right. A space is as wide as its neighbor's font has it.

    That of emoji is too wide for a text.
    """
    name, named = _INTER, []
    for cluster, is_reversed in _from_left(text, writing):
        if not cluster.isspace():
            name = _font_of(cluster) or _INTER
        elif name == _EMOJI:
            name = _INTER
        named.append((name, is_reversed, cluster))
    for (name, is_reversed), stretch in groupby(named, key=lambda part: part[:2]):
        result = [cluster for *_, cluster in stretch]
        yield name, is_reversed, "".join(reversed(result) if is_reversed else result)


def _from_left(text: str, writing: Writing) -> Iterator[tuple[str, bool]]:
    """Return the letters from left to right by the Unicode Bidirectional Algorithm, and whether each is read leftwards.

    Marks and joined parts go where their letter goes.
    """
    result = clusters(text)
    if not writing.right_to_left and not _TURNED.search(text):
        yield from ((cluster, False) for cluster in result)
        return
    storage = algorithm.get_empty_storage()
    level = int(writing.right_to_left)
    storage.update(base_level=level, base_dir="LR"[level])
    algorithm.get_embedding_levels("".join(cluster[0] for cluster in result), storage)
    for char, cluster in zip(storage["chars"], result, strict=True):
        # Emoji newer than Python have no type.
        char.update(cluster=cluster, type=char["type"] or "ON")
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    _turn_brackets(storage["chars"], "LR"[level])
    algorithm.resolve_neutral_types(storage, debug=False)
    algorithm.resolve_implicit_levels(storage, debug=False)
    algorithm.reorder_resolved_levels(storage, debug=False)
    yield from ((char["cluster"], char["level"] % 2 == 1) for char in storage["chars"])


def _turn_brackets(chars: Sequence[dict[str, Any]], direction: str) -> None:
    """Give both brackets of a pair the same direction: rule N0, which the library leaves out."""
    for first, last in _bracket_pairs(chars):
        inside = {_strong(char) for char in chars[first + 1 : last]} - {""}
        if not inside:
            continue
        before = next(filter(None, map(_strong, reversed(chars[:first]))), direction)
        turned = direction if direction in inside else before
        chars[first]["type"] = chars[last]["type"] = turned


def _bracket_pairs(chars: Sequence[dict[str, Any]]) -> list[tuple[int, int]]:
    opened: list[tuple[str, int]] = []
    pairs = []
    for place, char in enumerate(chars):
        if unicodedata.category(char["ch"]) == "Ps":
            opened.append((MIRRORED.get(char["ch"], ""), place))
        elif (closing := next((pair for pair in reversed(opened) if pair[0] == char["ch"]), None)) is not None:
            pairs.append((closing[1], place))
            del opened[opened.index(closing) :]
    return sorted(pairs)


def _strong(char: dict[str, Any]) -> str:
    """Return the direction of a letter, L or R. Numbers count as R beside brackets."""
    return {"L": "L", "R": "R", "EN": "R", "AN": "R"}.get(char["type"], "")


def _shaped(font: hb.Font, run: str, language: str, *, is_reversed: bool = False) -> hb.Buffer:
    """Return the glyphs of a run from left to right."""
    buffer = hb.Buffer()
    buffer.add_str(run)
    buffer.direction = "rtl" if is_reversed else "ltr"
    buffer.language = language
    buffer.guess_segment_properties()
    hb.shape(font, buffer)
    return buffer


@lru_cache(maxsize=4096)
def _font_of(cluster: str) -> _Font | None:
    """Return the first font with a letter and its marks, or None. Emoji are in color unless they ask for text."""
    in_color = _IN_COLOR.search(cluster) and _TEXT_STYLE not in cluster
    return next((name for name in ((_EMOJI, *_FONTS) if in_color else _FONTS) if _has(name, cluster)), None)


def _has(name: _Font, cluster: str) -> bool:
    return all(info.codepoint for info in _shaped(_font(name, 400), cluster, "und").glyph_infos)


@lru_cache(maxsize=4096)
def _ink_of(font: hb.Font, number: int) -> tuple[float, float]:
    extents, upem = font.get_glyph_extents(number), font.face.upem
    if not extents or not extents.height:
        return 0, 0
    return extents.y_bearing / upem, -(extents.y_bearing + extents.height) / upem


def _ink(glyph: Glyph) -> tuple[float, float]:
    """Return how far a glyph reaches above and below the baseline."""
    rise, fall = _ink_of(glyph.font, glyph.number)
    return (rise + glyph.y, fall - glyph.y) if rise or fall else (0, 0)


@cache
def _font(name: _Font, weight: int) -> hb.Font:
    font = hb.Font(_face(name))
    font.set_variations({"wght": weight})
    return font


@cache
def _face(name: _Font) -> hb.Face:
    package, path = name
    return hb.Face(hb.Blob.from_file_path(str(files(package).joinpath(path))))
