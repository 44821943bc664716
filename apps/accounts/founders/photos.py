"""Photos of founders: read with care, cut to squares, and kept without anything of the upload but its pixels."""

from io import BytesIO
from typing import NamedTuple
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image, ImageOps

from apps.core.errors import Unprocessable

MAX_BYTES = 5 * 2**20
MAX_SIDE = 8000
MAX_PIXELS = 40_000_000
MIN_PIXELS = 64
FORMATS = ("JPEG", "PNG", "WEBP")
# Width and height in pixels of the files of each photo.
SIZES = (512, 192, 96)


class PhotoRefused(Unprocessable):
    code = "photo_refused"
    title = "The photo cannot be used"


class StoredPhoto(NamedTuple):
    """The folder of a photo's files in the storage, and the side in pixels of the square it was cut to."""

    key: str
    pixels: int


def store_photo(data: bytes) -> StoredPhoto:
    """Check an upload and keep its crops; raises PhotoRefused with the reason, and keeps nothing then."""
    with Image.open(BytesIO(data), formats=FORMATS) as image:
        square = _square(image)
    key = f"founders/{uuid4().hex}"
    for size in SIZES:
        crop = square.resize((size, size), Image.Resampling.LANCZOS)
        for kind, extension in (("WEBP", "webp"), ("JPEG", "jpg")):
            stream = BytesIO()
            crop.save(stream, kind, quality=82)
            default_storage.save(f"{key}/{size}.{extension}", ContentFile(stream.getvalue()))
    return StoredPhoto(key, square.width)


def _square(image: Image.Image) -> Image.Image:
    upright = ImageOps.exif_transpose(image).convert("RGB")
    side = min(upright.size)
    return ImageOps.fit(upright, (side, side))
