"""Read uploaded images. Anything but a plain photo is refused with a reason before it costs resources."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from math import ceil
from threading import Lock
from typing import NamedTuple

from PIL import ExifTags, Image, ImageCms, ImageFile

from apps.core.errors import ServiceUnavailable, Unprocessable

logger = logging.getLogger(__name__)

MAX_BYTES = 5 * 2**20
MAX_SIDE = 8000
MAX_PIXELS = 40_000_000
FORMATS = ("JPEG", "PNG", "WEBP")
FORMAT_NAMES = "JPEG, PNG or WebP"

_WAIT_SECONDS = 20
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


class PhotoRefused(Unprocessable):
    code = "photo_refused"
    title = "Photo not accepted"


class PhotosBusy(ServiceUnavailable):
    code = "photos_busy"
    title = "Too many uploads"


class Square(NamedTuple):
    """The center of an upload as an RGB image, and its side in pixels before scaling."""

    image: Image.Image
    pixels: int


def read_square(data: bytes, *, min_pixels: int, largest: int) -> Square:
    """Crop the largest centered square, upright, in sRGB, on white, at most `largest` pixels wide.

    Uses the first frame of an animation. Raises PhotoRefused (422) with the reason, and PhotosBusy (503).
    """
    if not data:
        raise PhotoRefused("Choose a photo first.")
    if len(data) > MAX_BYTES:
        raise PhotoRefused(f"The file is {_megabytes(len(data))} MB. Use one of up to {_megabytes(MAX_BYTES)} MB.")
    with _one_at_a_time(), _opened(data) as image:
        width, height = image.size
        _check_size(width, height, min_pixels=min_pixels)
        side = min(width, height)
        left, top = (width - side) // 2, (height - side) // 2
        try:
            return Square(_draw(image, (left, top, left + side, top + side), largest), side)
        except Exception as error:
            # Decoders raise anything for damaged files.
            logger.info("photo refused", exc_info=error)
            raise PhotoRefused("The image is damaged. Save it again or choose another one.") from None


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    if not _reading.acquire(timeout=_WAIT_SECONDS):
        raise PhotosBusy("Many photos are being uploaded. Try again in a minute.", retry_after=60)
    # WeasyPrint makes the whole process tolerate broken images when imported.
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        yield
    finally:
        _reading.release()


def _opened(data: bytes) -> Image.Image:
    """Return the image with only its header read."""
    try:
        return Image.open(BytesIO(data), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise PhotoRefused(f"The image is too large. Use {_most()}.") from None
    except Exception as error:
        logger.info("photo refused", exc_info=error)
        raise PhotoRefused(f"This file isn't an image we can read. Use {FORMAT_NAMES}.") from None


def _check_size(width: int, height: int, *, min_pixels: int) -> None:
    if max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
        raise PhotoRefused(f"The image is {width:,} × {height:,} pixels. Use {_most()}.")
    if min(width, height) < min_pixels:
        raise PhotoRefused(f"The image is {width:,} × {height:,} pixels. Use at least {min_pixels:,} pixels each way.")


def _draw(image: Image.Image, box: tuple[int, int, int, int], size: int) -> Image.Image:
    turns = _UPRIGHT.get(_orientation(image), ())
    profile = image.info.get("icc_profile")
    # A small image needs only part of a large JPEG decoded. The box then refers to the smaller image.
    scale = _reduce(image, size)
    if image.mode in {"1", "P"} or "transparency" in image.info:
        # Shades and colors can be interpolated, palette indexes can't.
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    left, top, right, bottom = (edge / scale for edge in box)
    square = image.resize((size, size), Image.Resampling.LANCZOS, box=(left, top, right, bottom), reducing_gap=3)
    for turn in turns:
        square = square.transpose(turn)
    return _on_white(_eight_bits(square), profile)


def _reduce(image: Image.Image, size: int) -> float:
    """Let the decoder skip detail beyond a square of `size`. Returns the reduction factor."""
    width = image.width
    image.draft(None, (size * 2, size * 2))
    return width / image.width


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


def _on_white(image: Image.Image, profile: bytes | None) -> Image.Image:
    if not image.has_transparency_data:
        return _in_srgb(image, profile)
    layer = image.convert("RGBA")
    colors = _in_srgb(layer.convert("RGB"), profile)
    white = Image.new("RGB", layer.size, "white")
    white.paste(colors, mask=layer.getchannel("A"))
    return white


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
