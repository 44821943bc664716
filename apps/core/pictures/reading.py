"""Read strangers' images. Anything but a plain picture is refused with a reason before it costs resources."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from math import ceil
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

from PIL import ExifTags, Image, ImageCms, ImageFile, ImageStat

from apps.core.errors import ServiceUnavailable, Unprocessable

logger = logging.getLogger(__name__)

MAX_BYTES = 5 * 2**20
MAX_SIDE = 8000
MAX_PIXELS = 40_000_000
FORMATS = ("JPEG", "PNG", "WEBP")
FORMAT_NAMES = "JPEG, PNG or WebP"
MEDIA_TYPES = frozenset(f"image/{name.lower()}" for name in FORMATS)

# Checks the width and height of an image, in pixels.
Check: TypeAlias = Callable[[int, int], None]

_WAIT_SECONDS = 20
_SOLID = 128
_MOSTLY_LIGHT = 190
_WHITE, _DARK = (255, 255, 255), (24, 24, 27)
# A 40-megapixel image takes several hundred megabytes, so each process reads one at a time.
_reading = Lock()
_UPRIGHT = {
    2: (Image.Transpose.FLIP_LEFT_RIGHT,),
    3: (Image.Transpose.ROTATE_180,),
    4: (Image.Transpose.FLIP_TOP_BOTTOM,),
    5: (Image.Transpose.TRANSPOSE,),
    6: (Image.Transpose.ROTATE_270,),
    7: (Image.Transpose.TRANSVERSE,),
    8: (Image.Transpose.ROTATE_90,),
}


class PictureRefused(Unprocessable):
    code = "picture_refused"
    title = "Picture not accepted"


class PicturesBusy(ServiceUnavailable):
    code = "pictures_busy"
    title = "Too many uploads"


class Square(NamedTuple):
    """The center of an upload as an RGB image, and its side in pixels before scaling."""

    image: Image.Image
    pixels: int


def read_square(data: bytes, *, min_pixels: int, largest: int) -> Square:
    """Crop the largest centered square, upright, in sRGB, on white, at most `largest` pixels wide.

    Uses the first frame of an animation. Raises PictureRefused (422) with the reason, and PicturesBusy (503).
    """
    with _opened(data) as image:
        width, height = image.size
        if min(width, height) < min_pixels:
            raise too_small(width, height, f"at least {min_pixels:,} pixels each way")
        side = min(width, height)
        left, top = (width - side) // 2, (height - side) // 2
        drawn = _drawn(image, (left, top, left + side, top + side), (largest, largest))
        return Square(_on_color(drawn, "white"), side)


def read_whole(data: bytes, *, check: Check, largest: int) -> Image.Image:
    """Draw the whole image, upright and in sRGB, in its proportions and at most `largest` pixels wide and high.

    Transparent parts are on white. `check` gets the upright width and height, and raises PictureRefused. Otherwise as
    `read_square`.
    """
    return _on_color(_whole(data, check=check, largest=largest), "white")


def read_tile(data: bytes, *, check: Check, largest: int) -> Image.Image:
    """Draw the whole image, such as a logo, into the smallest square around it, in its proportions.

    The background has the color of its corners, or one that makes a transparent image visible. See `read_whole`.
    """
    drawn = _whole(data, check=check, largest=largest)
    color = _ground_of(drawn)
    side = max(drawn.size)
    tile = Image.new("RGB", (side, side), color)
    flat = _on_color(drawn, color)
    tile.paste(flat, ((side - flat.width) // 2, (side - flat.height) // 2))
    return tile


def too_small(width: int, height: int, least: str) -> PictureRefused:
    """Return the refusal of an image by its size. `least` is such as `at least 256 pixels each way`."""
    return PictureRefused(f"The image is {width:,} × {height:,} pixels. Use {least}.")


def _whole(data: bytes, *, check: Check, largest: int) -> Image.Image:
    with _opened(data) as image:
        width, height = image.size
        check(*((height, width) if _orientation(image) >= 5 else (width, height)))
        scale = min(1.0, largest / max(width, height))
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        return _drawn(image, (0, 0, width, height), size)


def _ground_of(image: Image.Image) -> tuple[int, int, int]:
    """Return the color around a logo: that of its corner, or white or nearly black behind a transparent one."""
    corner: Any = image.convert("RGBA").getpixel((0, 0))
    if corner[3] > _SOLID:
        return corner[0], corner[1], corner[2]
    shades = image.convert("LA")
    light = ImageStat.Stat(
        shades.getchannel("L"), mask=shades.getchannel("A").point(lambda alpha: 255 * (alpha > _SOLID))
    )
    return _DARK if light.count[0] and light.mean[0] > _MOSTLY_LIGHT else _WHITE


@contextmanager
def _opened(data: bytes) -> Iterator[Image.Image]:
    """Yield the image with only its header read and its size checked, while no other image is read."""
    if not data:
        raise PictureRefused("The file is empty. Choose another one.")
    if len(data) > MAX_BYTES:
        raise PictureRefused(f"The file is {_megabytes(len(data))} MB. Use one of up to {_megabytes(MAX_BYTES)} MB.")
    with _one_at_a_time(), _header_of(data) as image:
        width, height = image.size
        if max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
            raise PictureRefused(f"The image is {width:,} × {height:,} pixels. Use {_most()}.")
        try:
            yield image
        except PictureRefused:
            raise
        except Exception as error:
            # Decoders raise anything for damaged files.
            logger.info("picture refused", exc_info=error)
            raise PictureRefused("The image is damaged. Save it again or choose another one.") from None


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    if not _reading.acquire(timeout=_WAIT_SECONDS):
        raise PicturesBusy("Many pictures are being uploaded. Try again in a minute.", retry_after=60)
    # WeasyPrint makes the whole process tolerate broken images when imported.
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        yield
    finally:
        _reading.release()


def _header_of(data: bytes) -> Image.Image:
    try:
        return Image.open(BytesIO(data), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise PictureRefused(f"The image is too large. Use {_most()}.") from None
    except Exception as error:
        logger.info("picture refused", exc_info=error)
        raise PictureRefused(f"This file isn't an image we can read. Use {FORMAT_NAMES}.") from None


def _drawn(image: Image.Image, box: tuple[int, int, int, int], size: tuple[int, int]) -> Image.Image:
    """Return the part of the image in `size`, upright and in sRGB, with its transparency."""
    turns = _UPRIGHT.get(_orientation(image), ())
    profile = image.info.get("icc_profile")
    # A small image needs only part of a large JPEG decoded. The box then refers to the smaller image.
    width = image.width
    image.draft(None, (size[0] * 2, size[1] * 2))
    scale = width / image.width
    if image.mode in {"1", "P"} or "transparency" in image.info:
        # Shades and colors can be interpolated, palette indexes can't.
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    left, top, right, bottom = (edge / scale for edge in box)
    drawn = image.resize(size, Image.Resampling.LANCZOS, box=(left, top, right, bottom), reducing_gap=3)
    for turn in turns:
        drawn = drawn.transpose(turn)
    drawn = _eight_bits(drawn)
    if not drawn.has_transparency_data:
        return _in_srgb(drawn, profile)
    layer = drawn.convert("RGBA")
    colors = _in_srgb(layer.convert("RGB"), profile)
    colors.putalpha(layer.getchannel("A"))
    return colors


def _orientation(image: Image.Image) -> int:
    """Return the camera orientation from EXIF. 1 is upright, also for unreadable metadata."""
    # Metadata is no reason to refuse an image, and broken metadata raises anything.
    with suppress(Exception):
        return int(image.getexif().get(ExifTags.Base.Orientation, 1))
    return 1


def _eight_bits(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I"):
        # Pillow would clip 16-bit shades above 255.
        return image.point(lambda shade: shade * (1 / 256)).convert("L")
    return image


def _on_color(image: Image.Image, color: str | tuple[int, int, int]) -> Image.Image:
    if image.mode != "RGBA":
        return image
    ground = Image.new("RGB", image.size, color)
    ground.paste(image.convert("RGB"), mask=image.getchannel("A"))
    return ground


def _in_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Convert colors by the image's profile, then drop it."""
    if profile:
        # Without a matching profile, assume sRGB, as browsers do.
        with suppress(ImageCms.PyCMSError, OSError, ValueError, TypeError):
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            turned = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
            if turned is not None:
                turned.info.clear()
                return turned
    plain = image.convert("RGB")
    plain.info.clear()
    return plain


def _megabytes(size: int) -> str:
    """Return megabytes rounded up, so that a file slightly over the limit doesn't seem to fit."""
    return f"{ceil(size / 2**20 * 10) / 10:.1f}".removesuffix(".0")


def _most() -> str:
    return f"up to {MAX_SIDE:,} pixels per side and {MAX_PIXELS // 1000000} megapixels"
