"""Draw a preview image: 1200 × 630 pixels, PNG."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageDraw

from apps.core.pictures.storage import read_picture
from apps.core.web.colors import hex_of, light_accents
from apps.sites.seo.preview_images.lettering import Style, balanced, fit, write
from apps.sites.seo.preview_images.picture import HEIGHT, WIDTH, Picture, shown
from apps.sites.seo.preview_images.shapes import FINER, Pencil, ground, listing_mark, round_photo, site_logo, site_mark
from apps.sites.seo.preview_images.typefaces import Line, set_line, writing_of

logger = logging.getLogger(__name__)

PhotoReader = Callable[[str], bytes]

_CACHED = 64
_LEFT, _TOP = 84 * FINER, 74 * FINER
_BOTTOM = HEIGHT * FINER - _TOP
_ROOM = WIDTH * FINER - 2 * _LEFT
_SITE_MARK, _PHOTO, _TILE = 52 * FINER, 104 * FINER, 148 * FINER
_TITLE_SIZES = ((76 * FINER, 2), (66 * FINER, 3), (56 * FINER, 4))
# Content below leaves less room for a title.
_SHORT_TITLE_SIZES = ((72 * FINER, 1), (62 * FINER, 2))
_TITLE_WEIGHT = 700
_TEXT_SIZE, _TEXT_LINES = 34 * FINER, 2
_RANKED_SIZE, _RANKED_LEADING, _RANKED_GAP = 38 * FINER, 66 * FINER, 30 * FINER
_TILE_GAP = 40 * FINER
# Above and below the body, together.
_MARGIN = 36 * FINER
_ADDRESS_SIZE, _ADDRESS_BASELINE = 20 * FINER, 594 * FINER


class UnreadablePhotoError(Exception):
    """The storage couldn't return the photo."""


class Drawn(NamedTuple):
    """A PNG image with the mark of its content."""

    content: bytes
    mark: str


class _Row(NamedTuple):
    """A line of the body and the distance of its baseline from the one above, or from the body's top."""

    line: Line
    style: Style
    distance: float


def draw(picture: Picture, *, read_photo: PhotoReader | None = None) -> Drawn:
    """Return the image. Without a readable photo, its mark makes clients fetch it again later.

    `read_photo` returns a photo's JPEG by key and may raise any error. The latest images stay in memory.
    """
    try:
        return Drawn(_draw(picture, read_photo), picture.mark)
    except UnreadablePhotoError:
        logger.warning("a photo could not be read for a picture", extra={"photo": picture.photo_key}, exc_info=True)
    without = replace(picture, photo_key="", logo_key="")
    return Drawn(_draw(without, None), without.mark)


@lru_cache(maxsize=_CACHED)
def _draw(picture: Picture, read_photo: PhotoReader | None) -> bytes:
    # Read the photo first: a failure isn't cached, and drawing would be wasted.
    photo = _photo(picture.photo_key, read_photo) if read_photo and picture.photo_key else None
    logo = _photo(picture.logo_key, _logo_file) if picture.logo_key else None
    canvas = ground(picture.hue, _fill(picture))
    _head(canvas, ImageDraw.Draw(canvas), picture, logo)
    has_foot = _foot(canvas, picture, photo)
    _body(canvas, picture, _BOTTOM - _PHOTO if has_foot else _BOTTOM)
    _address(canvas, picture)
    stream = BytesIO()
    canvas.reduce(FINER).save(stream, "PNG")
    return stream.getvalue()


def _photo(key: str, read_photo: PhotoReader) -> Image.Image:
    try:
        with Image.open(BytesIO(read_photo(key)), formats=("JPEG",)) as photo:
            return photo.convert("RGB")
    except Exception as error:
        # A disk or a bucket, each with errors of its own.
        raise UnreadablePhotoError from error


def _logo_file(key: str) -> bytes:
    return read_picture(key, "512.jpg")


def _head(canvas: Image.Image, pencil: Pencil, picture: Picture, logo: Image.Image | None) -> None:
    """Draw the site's logo or mark and name, and the kind of content."""
    baseline = _TOP + _SITE_MARK * 0.69
    if logo:
        site_logo(canvas, logo, (_LEFT, _TOP), _SITE_MARK)
    else:
        site_mark(pencil, (_LEFT, _TOP), _SITE_MARK, _fill(picture))
    name, label = Style(28 * FINER, 650, _text(picture)), Style(26 * FINER, 600, _accent(picture))
    _write_one(canvas, (_LEFT + _SITE_MARK * 1.35, baseline), picture.site, name, _ROOM // 2)
    _write_one(canvas, (_LEFT + _ROOM, baseline), picture.label, label, _ROOM // 3, at_right=True)


def _body(canvas: Image.Image, picture: Picture, bottom: float) -> None:
    """Draw the title as large as fits with the content below, centered between header and footer.

    A title from right to left begins at the right margin, and the rest of the body with it.
    """
    room = _ROOM - (_TILE + _TILE_GAP if picture.seed else 0)
    texts = balanced(shown(picture.text), Style(_TEXT_SIZE, 450, _soft(picture)), room=room, lines=_TEXT_LINES)
    ranked = [(rank, shown(name) or shown(slug)) for rank, name, slug in picture.ranked]
    space = bottom - _TOP - _SITE_MARK
    rows = _rows(picture, texts, room, space - _MARGIN - _height_of(ranked), is_short=bool(texts or ranked))
    is_mirrored = bool(rows) and rows[0].line.writing.right_to_left
    height = _height(rows) + _height_of(ranked)
    top = _TOP + _SITE_MARK + (space - height) / 2
    left = _LEFT if is_mirrored else _LEFT + _ROOM - room
    if picture.seed:
        place = (_LEFT + _ROOM - _TILE if is_mirrored else _LEFT, round(top + (height - _TILE) / 2))
        listing_mark(canvas, place, _TILE, picture.seed)
    baseline = top
    for row in rows:
        baseline += row.distance
        # Large letters have a wide margin of their own.
        outset = row.style.size * 0.04 if row.style.weight == _TITLE_WEIGHT else 0
        end = left + room + outset if is_mirrored else left - outset
        write(canvas, (end, baseline), row.line, row.style, at_right=is_mirrored)
    _ranked(canvas, picture, ranked, (left, baseline + _RANKED_GAP), room, is_mirrored=is_mirrored)


def _rows(picture: Picture, texts: Sequence[Line], room: float, space: float, *, is_short: bool) -> list[_Row]:
    """Return the title and the text below it, with the title as large as fits. The smallest size truncates."""
    title = picture.shown_title
    sizes = _SHORT_TITLE_SIZES if is_short else _TITLE_SIZES
    smallest, most = sizes[-1]
    for size, lines in (*sizes, *((smallest, fewer) for fewer in range(most - 1, 0, -1))):
        style = Style(size, _TITLE_WEIGHT, _text(picture))
        result = balanced(title, style, room=room, lines=lines)
        rows = _stacked(result, texts, style, Style(_TEXT_SIZE, 450, _soft(picture)))
        is_whole = size == smallest or len(fit(title, style, room=room, lines=lines + 1)) <= lines
        if is_whole and _height(rows) <= space:
            break
    return rows


def _stacked(title: Sequence[Line], texts: Sequence[Line], title_style: Style, text_style: Style) -> list[_Row]:
    """Return rows of the title and the text below it, further apart in scripts with tall letters."""
    rows: list[_Row] = []
    for lines, style, leading in ((title, title_style, 1.16), (texts, text_style, 1.4)):
        rise, fall = max((line.rise for line in lines), default=0), max((line.fall for line in lines), default=0)
        distance = style.size * max(leading, rise + fall + 0.04)
        first = max(20 * FINER, title[-1].fall * title_style.size) + distance if rows else style.size * max(0.86, rise)
        rows += [_Row(line, style, distance if place else first) for place, line in enumerate(lines)]
    return rows


def _height(rows: Sequence[_Row]) -> float:
    descent = max(0.14, rows[-1].line.fall) * rows[-1].style.size if rows else 0
    return sum(row.distance for row in rows) + descent


def _height_of(ranked: Sequence[tuple[int, str]]) -> int:
    return _RANKED_GAP + len(ranked) * _RANKED_LEADING if ranked else 0


def _ranked(
    canvas: Image.Image,
    picture: Picture,
    ranked: Sequence[tuple[int, str]],
    place: tuple[float, float],
    room: float,
    *,
    is_mirrored: bool,
) -> None:
    """Draw the top of a leaderboard with ranks."""
    number, name = Style(26 * FINER, 700, _accent(picture)), Style(_RANKED_SIZE, 550, _text(picture))
    left, baseline = place
    radius = 24 * FINER
    # From the side where the title begins.
    start, inwards = (left + room, -1) if is_mirrored else (left, 1)
    for rank, text in ranked:
        baseline += _RANKED_LEADING
        center, middle = start + inwards * radius, baseline - _RANKED_SIZE * 0.36
        circle = (center - radius, middle - radius, center + radius, middle + radius)
        ImageDraw.Draw(canvas).ellipse(circle, fill=hex_of(0.9, 0.06, picture.hue))
        for sign in fit(str(rank), number, room=room, lines=1):
            write(canvas, (center - sign.width * number.size / 2, middle + number.size * 0.36), sign, number)
        at = (start + inwards * 2.8 * radius, baseline)
        _write_one(canvas, at, text, name, room - 2.8 * radius, at_right=is_mirrored)


def _foot(canvas: Image.Image, picture: Picture, photo: Image.Image | None) -> bool:
    """Draw the author or owner with a photo. Returns False if there is neither."""
    texts = [text for text in (shown(picture.name), shown(picture.role)) if text]
    if not texts and not photo:
        return False
    left, middle = _LEFT, _BOTTOM - _PHOTO / 2
    if photo:
        round_photo(canvas, photo, (_LEFT, _BOTTOM - _PHOTO), _PHOTO)
        left += round(_PHOTO * 1.25)
    first, second = Style(32 * FINER, 650, _text(picture)), Style(26 * FINER, 450, _soft(picture))
    heights = (-0.07, 0.33) if len(texts) > 1 else (0.1,)
    for text, style, height in zip(texts, (first, second), heights, strict=False):
        _write_one(canvas, (left, middle + _PHOTO * height), text, style, _LEFT + _ROOM - left)
    return True


def _address(canvas: Image.Image, picture: Picture) -> None:
    """Draw the page's address below, as small as it must be to be whole."""
    weight = 450
    line = set_line(picture.address, weight, writing_of(picture.address))
    size = min(_ADDRESS_SIZE, _ROOM / max(line.width, 1))
    style = Style(size, weight, _soft(picture))
    write(canvas, (_LEFT + _ROOM, _ADDRESS_BASELINE), line, style, at_right=True)


def _write_one(
    canvas: Image.Image, place: tuple[float, float], text: str, style: Style, room: float, *, at_right: bool = False
) -> None:
    """Write text on one line, truncated if too long."""
    for line in fit(shown(text), style, room=room, lines=1):
        write(canvas, place, line, style, at_right=at_right)


def _fill(picture: Picture) -> str:
    return picture.color or hex_of(0.53, 0.215, picture.hue)


def _accent(picture: Picture) -> str:
    return light_accents(picture.color).text if picture.color else hex_of(0.48, 0.2, picture.hue)


def _text(picture: Picture) -> str:
    return hex_of(0.205, 0.02, picture.hue)


def _soft(picture: Picture) -> str:
    return hex_of(0.45, 0.02, picture.hue)
