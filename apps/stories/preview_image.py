"""The picture of a story that other services show beside a link to it: 1200 by 630 pixels, PNG."""

import logging
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache, lru_cache
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageDraw

from apps.accounts.founders.completeness import profile_of
from apps.accounts.founders.photos import read_photo
from apps.core.templatetags.look import hue_step
from apps.launches.badges.colours import hex_of
from apps.stories.article import author_name
from apps.stories.lettering import Style, balanced, drawable, fit, width, write
from apps.stories.models import FounderStory

logger = logging.getLogger(__name__)

WIDTH, HEIGHT = 1200, 630
# Part of the content's mark: a new number makes everybody fetch the pictures again.
_DRAWING = 2
_LABEL = "Founder story"
_KEPT = 64
# It is drawn so many times larger and then reduced, which gives letters and shapes smooth edges and even distances.
_FINER = 2
_WIDTH, _HEIGHT = WIDTH * _FINER, HEIGHT * _FINER
_LEFT, _TOP = 84 * _FINER, 74 * _FINER
_BOTTOM = _HEIGHT - _TOP
_ROOM = _WIDTH - 2 * _LEFT
_MARK, _PHOTO = 52 * _FINER, 104 * _FINER
_TITLE_SIZES = ((76 * _FINER, 2), (66 * _FINER, 3), (56 * _FINER, 4))


class UnreadablePhotoError(Exception):
    """The storage does not give the photo that is to be on a picture."""


class Drawn(NamedTuple):
    """A picture as PNG, with the mark of what is on it."""

    content: bytes
    mark: str


@dataclass(frozen=True, slots=True)
class Picture:
    """What is on a story's picture; texts that cannot be drawn are empty."""

    title: str
    company: str
    author: str
    role: str
    site: str
    hue: int
    photo_key: str

    @property
    def mark(self) -> str:
        """Differs between pictures that differ."""
        return sha256(repr((_DRAWING, *astuple(self))).encode()).hexdigest()[:16]


def picture_of(story: FounderStory) -> Picture:
    """The picture of a story that is loaded with its author's profile and its listing's company and site."""
    listing, profile = story.listing, profile_of(story.author)
    return Picture(
        title=drawable(story.title),
        company=drawable(listing.company.name),
        author=drawable(author_name(story.author)),
        role=drawable(profile.role),
        site=drawable(listing.site.name),
        hue=hue_step(listing.site.hue),
        photo_key=profile.photo_key,
    )


def draw(picture: Picture) -> Drawn:
    """The picture; while its photo cannot be read, one without, by whose mark it is fetched again later.

    The last ones stay in memory.
    """
    try:
        return Drawn(_draw(picture), picture.mark)
    except UnreadablePhotoError:
        logger.warning(
            "a photo could not be read for a story's picture", extra={"photo": picture.photo_key}, exc_info=True
        )
    without = replace(picture, photo_key="")
    return Drawn(_draw(without), without.mark)


@lru_cache(maxsize=_KEPT)
def _draw(picture: Picture) -> bytes:
    # First of all: what cannot be read is not kept, and nothing is to be drawn in vain each time.
    photo = _photo(picture.photo_key)
    canvas = Image.new("RGB", (_WIDTH, _HEIGHT), hex_of(0.985, 0.008, picture.hue))
    pencil = ImageDraw.Draw(canvas)
    _ground(canvas, pencil, picture)
    _head(pencil, picture)
    _title(pencil, picture)
    _foot(canvas, pencil, picture, photo)
    stream = BytesIO()
    canvas.reduce(_FINER).save(stream, "PNG")
    return stream.getvalue()


def _photo(key: str) -> Image.Image | None:
    if not key:
        return None
    try:
        content = read_photo(key.rpartition("/")[2], size=192, kind="jpg")
        with Image.open(BytesIO(content), formats=("JPEG",)) as photo:
            return photo.convert("RGB")
    except Exception as error:
        # A disk or a bucket: each storage has errors of its own.
        raise UnreadablePhotoError from error


def _ground(canvas: Image.Image, pencil: ImageDraw.ImageDraw, picture: Picture) -> None:
    """A tint that fades from the upper left, and a band in the site's colour at the foot."""
    canvas.paste(Image.new("RGB", canvas.size, hex_of(0.94, 0.035, picture.hue)), mask=_fading())
    pencil.rectangle((0, _HEIGHT - 12 * _FINER, _WIDTH, _HEIGHT), fill=_accent(picture))


@cache
def _fading() -> Image.Image:
    """How strong the tint is, the same on all pictures."""
    fade = Image.linear_gradient("L").rotate(90).resize((_WIDTH, _HEIGHT))
    slope = Image.linear_gradient("L").resize((_WIDTH, _HEIGHT))
    return Image.blend(fade, slope, 0.5).point([255 - value for value in range(256)])


def _head(pencil: ImageDraw.ImageDraw, picture: Picture) -> None:
    """The site's mark and name, and what this is."""
    baseline, inner = _TOP + _MARK * 0.69, _MARK * 0.17
    pencil.rounded_rectangle((_LEFT, _TOP, _LEFT + _MARK, _TOP + _MARK), radius=_MARK // 4, fill=_accent(picture))
    _ship(pencil, _LEFT + inner, _TOP + inner, (_MARK - 2 * inner) / 24)
    style, label = Style(28 * _FINER, 650, _text(picture)), Style(26 * _FINER, 600, _accent_text(picture))
    write(pencil, (_LEFT + _MARK * 1.35, baseline), _one(picture.site, style, _ROOM // 2), style)
    write(pencil, (_LEFT + _ROOM - width(_LABEL, label), baseline), _LABEL, label)


def _ship(pencil: ImageDraw.ImageDraw, left: float, top: float, scale: float) -> None:
    """The mark of the header's logo, on its grid of 24."""
    for shape in (
        ((11, 2.5), (11, 13), (4.5, 13)),
        ((13, 6), (18.5, 13), (13, 13)),
        ((3, 15), (21, 15), (19, 18.5), (5, 18.5)),
        ((2.5, 20.5), (21.5, 20.5), (21.5, 22.5), (2.5, 22.5)),
    ):
        pencil.polygon([(left + x * scale, top + y * scale) for x, y in shape], fill="white")


def _title(pencil: ImageDraw.ImageDraw, picture: Picture) -> None:
    """The title as large as it fits, in the middle between head and foot; without one the company's name."""
    text = picture.title or picture.company or "A founder’s story"
    size, lines = _largest(text, picture)
    leading = round(size * 1.16)
    block = leading * (len(lines) - 1) + size
    baseline = (_TOP + _MARK + _BOTTOM - _PHOTO - block) / 2 + size * 0.86
    for place, line in enumerate(lines):
        write(pencil, (_LEFT - size * 0.04, baseline + place * leading), line, Style(size, 700, _text(picture)))


def _largest(text: str, picture: Picture) -> tuple[int, Sequence[str]]:
    """The largest size at which a title fits on the lines meant for it, with those lines; the smallest cuts it."""
    for size, most in _TITLE_SIZES[:-1]:
        style = Style(size, 700, _text(picture))
        if len(fit(text, style, room=_ROOM, lines=most + 1)) <= most:
            return size, balanced(text, style, room=_ROOM, lines=most)
    size, most = _TITLE_SIZES[-1]
    return size, balanced(text, Style(size, 700, _text(picture)), room=_ROOM, lines=most)


def _foot(canvas: Image.Image, pencil: ImageDraw.ImageDraw, picture: Picture, photo: Image.Image | None) -> None:
    """The author with photo, role and company."""
    left, middle = _LEFT, _BOTTOM - _PHOTO / 2
    if photo:
        _circle(canvas, photo, (_LEFT, _BOTTOM - _PHOTO))
        left += round(_PHOTO * 1.25)
    name, role = Style(32 * _FINER, 650, _text(picture)), Style(26 * _FINER, 450, _soft(picture))
    first, *rest = [text for text in (picture.author, _second_line(picture)) if text] or [picture.site]
    above = _PHOTO * (-0.07 if rest else 0.1)
    write(pencil, (left, middle + above), _one(first, name, _LEFT + _ROOM - left), name)
    for text in rest:
        write(pencil, (left, middle + _PHOTO * 0.33), _one(text, role, _LEFT + _ROOM - left), role)


def _second_line(picture: Picture) -> str:
    return ", ".join(text for text in (picture.role, picture.company if picture.title else "") if text)


def _circle(canvas: Image.Image, photo: Image.Image, place: tuple[int, int]) -> None:
    size = (_PHOTO, _PHOTO)
    mask = Image.new("L", size, 0)
    ImageDraw.Draw(mask).ellipse((0, 0, _PHOTO - 1, _PHOTO - 1), fill=255)
    canvas.paste(photo.resize(size, Image.Resampling.LANCZOS), place, mask)


def _one(text: str, style: Style, room: int) -> str:
    """A text on one line, cut where it is too long."""
    return next(iter(fit(text, style, room=room, lines=1)), "")


def _accent(picture: Picture) -> str:
    return hex_of(0.53, 0.215, picture.hue)


def _accent_text(picture: Picture) -> str:
    return hex_of(0.48, 0.2, picture.hue)


def _text(picture: Picture) -> str:
    return hex_of(0.205, 0.02, picture.hue)


def _soft(picture: Picture) -> str:
    return hex_of(0.45, 0.02, picture.hue)
