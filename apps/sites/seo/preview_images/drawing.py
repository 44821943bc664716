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
from apps.sites.seo.preview_images.lettering import Style, balanced, fit, width, write
from apps.sites.seo.preview_images.picture import HEIGHT, WIDTH, Picture, shown
from apps.sites.seo.preview_images.shapes import FINER, Pencil, ground, listing_mark, round_photo, site_logo, site_mark

logger = logging.getLogger(__name__)

PhotoReader = Callable[[str], bytes]

_KEPT = 64
_LEFT, _TOP = 84 * FINER, 74 * FINER
_BOTTOM = HEIGHT * FINER - _TOP
_ROOM = WIDTH * FINER - 2 * _LEFT
_SITE_MARK, _PHOTO, _TILE = 52 * FINER, 104 * FINER, 148 * FINER
_TITLE_SIZES = ((76 * FINER, 2), (66 * FINER, 3), (56 * FINER, 4))
# Content below leaves less room for a title.
_SHORT_TITLE_SIZES = ((72 * FINER, 1), (62 * FINER, 2))
_TEXT_SIZE, _TEXT_LINES = 34 * FINER, 2
_RANKED_SIZE, _RANKED_LEADING, _RANKED_GAP = 38 * FINER, 66 * FINER, 16 * FINER


class UnreadablePhotoError(Exception):
    """The storage couldn't return the photo."""


class Drawn(NamedTuple):
    """A PNG image with the mark of its content."""

    content: bytes
    mark: str


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


@lru_cache(maxsize=_KEPT)
def _draw(picture: Picture, read_photo: PhotoReader | None) -> bytes:
    # Read the photo first: a failure isn't cached, and drawing would be wasted.
    photo = _photo(picture.photo_key, read_photo) if read_photo and picture.photo_key else None
    logo = _photo(picture.logo_key, _logo_file) if picture.logo_key else None
    canvas = ground(picture.hue, _fill(picture))
    pencil = ImageDraw.Draw(canvas)
    _head(canvas, pencil, picture, logo)
    has_foot = _foot(canvas, pencil, picture, photo)
    _body(canvas, pencil, picture, _BOTTOM - _PHOTO if has_foot else _BOTTOM)
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
    write(pencil, (_LEFT + _SITE_MARK * 1.35, baseline), _one(picture.site, name, _ROOM // 2), name)
    text = _one(picture.label, label, _ROOM // 3)
    write(pencil, (_LEFT + _ROOM - width(text, label), baseline), text, label)


def _body(canvas: Image.Image, pencil: Pencil, picture: Picture, bottom: float) -> None:
    """Draw the title as large as fits with the content below, centered between header and footer."""
    left, room = (_LEFT + _TILE + 40 * FINER, _ROOM - _TILE - 40 * FINER) if picture.seed else (_LEFT, _ROOM)
    text_style = Style(_TEXT_SIZE, 450, _soft(picture))
    texts = balanced(shown(picture.text), text_style, room=room, lines=_TEXT_LINES)
    # Without all names it would be a different leaderboard.
    ranked = [(rank, name) for rank, text in picture.ranked if (name := shown(text))]
    ranked = ranked if len(ranked) == len(picture.ranked) else []
    sizes = _SHORT_TITLE_SIZES if texts or ranked else _TITLE_SIZES
    size, lines = _largest(picture.shown_title, sizes, room=room)
    leading, text_leading = round(size * 1.16), round(_TEXT_SIZE * 1.4)
    below = len(texts) * text_leading + _height_of(ranked) + (14 * FINER if texts else 0)
    block = leading * (len(lines) - 1) + size + below
    top = (_TOP + _SITE_MARK + bottom - block) / 2
    if picture.seed:
        listing_mark(canvas, (_LEFT, round(top + (block - _TILE) / 2)), _TILE, picture.seed)
    baseline = top + size * 0.86
    for place, line in enumerate(lines):
        style = Style(size, 700, _text(picture))
        write(pencil, (left - size * 0.04, baseline + place * leading), line, style)
    baseline += leading * (len(lines) - 1) + 14 * FINER
    for place, line in enumerate(texts, start=1):
        write(pencil, (left, baseline + place * text_leading + 6 * FINER), line, text_style)
    _ranked(pencil, picture, ranked, (left, baseline + len(texts) * text_leading + _RANKED_GAP), room)


def _height_of(ranked: Sequence[tuple[int, str]]) -> int:
    return _RANKED_GAP + len(ranked) * _RANKED_LEADING if ranked else 0


def _ranked(
    pencil: Pencil, picture: Picture, ranked: Sequence[tuple[int, str]], place: tuple[float, float], room: float
) -> None:
    """Draw the top of a leaderboard with ranks."""
    number, name = Style(26 * FINER, 700, _accent(picture)), Style(_RANKED_SIZE, 550, _text(picture))
    left, baseline = place
    radius = 24 * FINER
    for rank, text in ranked:
        baseline += _RANKED_LEADING
        middle = baseline - _RANKED_SIZE * 0.36
        circle = (left, middle - radius, left + 2 * radius, middle + radius)
        pencil.ellipse(circle, fill=hex_of(0.9, 0.06, picture.hue))
        sign = str(rank)
        write(pencil, (left + radius - width(sign, number) / 2, middle + number.size * 0.36), sign, number)
        write(pencil, (left + 2.8 * radius, baseline), _one(text, name, room - 2.8 * radius), name)


def _largest(text: str, sizes: Sequence[tuple[int, int]], *, room: float) -> tuple[int, Sequence[str]]:
    """Return the largest font size at which a title fits its lines, and the lines. The smallest size truncates."""
    for size, most in sizes[:-1]:
        style = Style(size, 700, "")
        if len(fit(text, style, room=room, lines=most + 1)) <= most:
            return size, balanced(text, style, room=room, lines=most)
    size, most = sizes[-1]
    return size, balanced(text, Style(size, 700, ""), room=room, lines=most)


def _foot(canvas: Image.Image, pencil: Pencil, picture: Picture, photo: Image.Image | None) -> bool:
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
        write(pencil, (left, middle + _PHOTO * height), _one(text, style, _LEFT + _ROOM - left), style)
    return True


def _one(text: str, style: Style, room: float) -> str:
    """Return text on one line, truncated if too long. Empty if it can't be drawn."""
    return next(iter(fit(shown(text), style, room=room, lines=1)), "")


def _fill(picture: Picture) -> str:
    return picture.color or hex_of(0.53, 0.215, picture.hue)


def _accent(picture: Picture) -> str:
    return light_accents(picture.color).text if picture.color else hex_of(0.48, 0.2, picture.hue)


def _text(picture: Picture) -> str:
    return hex_of(0.205, 0.02, picture.hue)


def _soft(picture: Picture) -> str:
    return hex_of(0.45, 0.02, picture.hue)
