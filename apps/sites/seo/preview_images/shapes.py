"""Shapes on preview images, drawn larger and scaled down for smooth edges."""

from functools import cache
from typing import Any

from fontTools.misc.bezierTools import cubicPointAtT
from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path
from PIL import Image, ImageDraw

from apps.core.templatetags.ui import mark_of
from apps.core.web.colors import hex_of
from apps.sites.seo.preview_images.picture import HEIGHT, WIDTH

# Scale factor.
FINER = 2
_SIZE = (WIDTH * FINER, HEIGHT * FINER)
_CURVE_STEPS = 16
# Side length of the grid for the site's mark and glyphs.
_GRID = 24
_STROKE = 2

Pencil = ImageDraw.ImageDraw


def ground(hue: int, line: str) -> Image.Image:
    """Return an empty image: a tint that fades from the upper left and a band in the site's color at the bottom."""
    canvas = Image.new("RGB", _SIZE, hex_of(0.985, 0.008, hue))
    canvas.paste(Image.new("RGB", _SIZE, hex_of(0.94, 0.035, hue)), mask=_fading(_SIZE))
    ImageDraw.Draw(canvas).rectangle((0, _SIZE[1] - 12 * FINER, *_SIZE), fill=line)
    return canvas


def site_mark(pencil: Pencil, place: tuple[float, float], side: int, color: str) -> None:
    """Return the logo's mark."""
    left, top = place
    pencil.rounded_rectangle((left, top, left + side, top + side), radius=side // 4, fill=color)
    inner = side * 0.17
    scale = (side - 2 * inner) / _GRID
    for shape in (
        ((11, 2.5), (11, 13), (4.5, 13)),
        ((13, 6), (18.5, 13), (13, 13)),
        ((3, 15), (21, 15), (19, 18.5), (5, 18.5)),
        ((2.5, 20.5), (21.5, 20.5), (21.5, 22.5), (2.5, 22.5)),
    ):
        pencil.polygon([(left + inner + x * scale, top + inner + y * scale) for x, y in shape], fill="white")


def site_logo(canvas: Image.Image, logo: Image.Image, place: tuple[int, int], side: int) -> None:
    """Draw a square logo with round corners."""
    mask = Image.new("L", (side, side), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, side - 1, side - 1), radius=side // 4, fill=255)
    canvas.paste(logo.resize((side, side), Image.Resampling.LANCZOS), place, mask)


def listing_mark(canvas: Image.Image, place: tuple[int, int], side: int, seed: str) -> None:
    """Return the generated mark of a listing, as on its pages."""
    hue, glyph = mark_of(seed)
    size = (side, side)
    tile = Image.new("RGB", size, hex_of(0.7, 0.14, hue))
    tile.paste(Image.new("RGB", size, hex_of(0.5, 0.17, hue + 35)), mask=_slanted(size))
    _stroke(ImageDraw.Draw(tile), glyph, side)
    mask = Image.new("L", size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, side - 1, side - 1), radius=side * 0.22, fill=255)
    canvas.paste(tile, place, mask)


def round_photo(canvas: Image.Image, photo: Image.Image, place: tuple[int, int], side: int) -> None:
    """Crop a photo to a circle."""
    size = (side, side)
    mask = Image.new("L", size, 0)
    ImageDraw.Draw(mask).ellipse((0, 0, side - 1, side - 1), fill=255)
    canvas.paste(photo.resize(size, Image.Resampling.LANCZOS), place, mask)


def _stroke(pencil: Pencil, glyph: str, side: int) -> None:
    """Draw a glyph in white with round ends, centered in a square."""
    scale = side * 0.58 / _GRID
    margin = side * 0.21
    radius = _STROKE * scale / 2
    for line in _lines_of(glyph):
        points = [(margin + x * scale, margin + y * scale) for x, y in line]
        pencil.line(points, fill="white", width=round(2 * radius), joint="curve")
        for x, y in points:
            pencil.ellipse((x - radius, y - radius, x + radius, y + radius), fill="white")


@cache
def _lines_of(glyph: str) -> list[list[tuple[float, float]]]:
    """Return a glyph's path as lines through points on its grid. There are few glyphs."""
    pen = _Points()
    parse_path(glyph, pen)
    return pen.lines


class _Points(BasePen):  # type: ignore[misc]  # published without type information
    """Turn a path into lines through points."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[list[tuple[float, float]]] = []

    def _moveTo(self, pt: Any) -> None:  # noqa: N802 - the pen's own name
        self.lines.append([pt])

    def _lineTo(self, pt: Any) -> None:  # noqa: N802 - the pen's own name
        self.lines[-1].append(pt)

    def _curveToOne(self, pt1: Any, pt2: Any, pt3: Any) -> None:  # noqa: N802 - the pen's own name
        start = self.lines[-1][-1]
        steps = (step / _CURVE_STEPS for step in range(1, _CURVE_STEPS + 1))
        self.lines[-1].extend(cubicPointAtT(start, pt1, pt2, pt3, step) for step in steps)

    def _closePath(self) -> None:  # noqa: N802 - the pen's own name
        self.lines[-1].append(self.lines[-1][0])


@cache
def _fading(size: tuple[int, int]) -> Image.Image:
    """Return the tint's strength, the same for all images."""
    across = Image.linear_gradient("L").rotate(90).resize(size)
    return Image.blend(across, Image.linear_gradient("L").resize(size), 0.5).point(
        [255 - value for value in range(256)]
    )


@cache
def _slanted(size: tuple[int, int]) -> Image.Image:
    """Return a gradient from the upper left to the lower right."""
    across = Image.linear_gradient("L").rotate(90).resize(size)
    return Image.blend(across, Image.linear_gradient("L").resize(size), 0.5)
