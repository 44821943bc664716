"""Founder photos: cropped to squares and stored without any metadata."""

import logging
import re
from datetime import datetime, timedelta
from io import BytesIO
from typing import NamedTuple
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from apps.accounts.founders.uploads import read_square
from apps.accounts.models import FounderProfile
from apps.core.errors import ServiceUnavailable

logger = logging.getLogger(__name__)

FOLDER = "founders"
# Width and height in pixels of each photo's files.
SIZES = (512, 192, 96)
# Pillow's formats by file extension.
KINDS = {"webp": "WEBP", "jpg": "JPEG"}
QUALITY = 82
KEY = re.compile(rf"{FOLDER}/[0-9a-f]{{32}}")


class PhotosUnavailable(ServiceUnavailable):
    code = "photos_unavailable"
    title = "Photo storage unavailable"


class StoredPhoto(NamedTuple):
    """A photo's folder in the storage, and the side of its square in pixels."""

    key: str
    pixels: int


def store_photo(data: bytes, *, min_pixels: int) -> StoredPhoto:
    """Check an upload and store its crops. `min_pixels` is the minimum width and height.

    Raises PhotoRefused (422) with the reason, or PhotosBusy or PhotosUnavailable (503). Then nothing is stored.
    """
    square = read_square(data, min_pixels=min_pixels, largest=max(SIZES))
    key = f"{FOLDER}/{uuid4().hex}"
    try:
        for size in SIZES:
            crop = square.image.resize((size, size), Image.Resampling.LANCZOS)
            for extension, kind in KINDS.items():
                stream = BytesIO()
                crop.save(stream, kind, quality=QUALITY)
                default_storage.save(_file(key, size, extension), ContentFile(stream.getvalue()))
    except Exception as error:
        # A full disk or an unreachable bucket: each storage has errors of its own.
        logger.exception("a photo could not be stored")
        try_to_delete_photo(key)
        raise PhotosUnavailable("The photo can't be saved right now. Try again later.") from error
    return StoredPhoto(key, square.pixels)


def delete_photo(key: str) -> None:
    """Delete a photo's files. Missing files are no error."""
    if not KEY.fullmatch(key):
        return
    for size in SIZES:
        for extension in KINDS:
            default_storage.delete(_file(key, size, extension))
    # Only disks have folders. A bucket has nothing under this name.
    default_storage.delete(key)


def try_to_delete_photo(key: str) -> None:
    """Delete an unused photo. The nightly sweep retries failures."""
    try:
        delete_photo(key)
    except Exception:
        logger.exception("a photo's files could not be removed", extra={"photo": key})


def photo_url(profile: FounderProfile, size: int = 192, kind: str = "webp") -> str:
    """Return the URL of a founder's photo, empty without one. `size` is one of SIZES, `kind` one of KINDS.

    Each photo has its own URL, so it can be cached forever.
    """
    if not profile.photo_key:
        return ""
    return reverse("founder_photo", args=[profile.photo_key.rpartition("/")[2], size, kind])


def read_photo(folder: str, *, size: int, kind: str) -> bytes:
    """Return a file of a photo. Raises FileNotFoundError if missing, and PhotosUnavailable (503)."""
    try:
        with default_storage.open(_file(f"{FOLDER}/{folder}", size, kind)) as file:
            content: bytes = file.read()
    except FileNotFoundError:
        raise
    except Exception as error:
        # Each storage has errors of its own.
        logger.exception("a photo could not be read", extra={"photo": folder})
        raise PhotosUnavailable("The photo can't be loaded right now. Try again later.") from error
    return content


def _file(key: str, size: int, extension: str) -> str:
    return f"{key}/{size}.{extension}"


logger = logging.getLogger(__name__)

# A photo is stored before its profile refers to it.
_AGE = timedelta(days=1)


def delete_lost_photos() -> int:
    """Delete photo files that have had no profile for a day. Returns how many photos and files."""
    try:
        folders, files = default_storage.listdir(FOLDER)
    except FileNotFoundError:
        return 0
    # Read profiles after listing files: photos assigned since are known, and those stored since aren't listed.
    known = set(FounderProfile.objects.exclude(photo_key="").values_list("photo_key", flat=True))
    before = timezone.now() - _AGE
    keys = {key for name in folders if KEY.fullmatch(key := f"{FOLDER}/{name}")}
    lost = [key for key in sorted(keys - known) if _newest(key, before) < before]
    for key in lost:
        try_to_delete_photo(key)
    # Original uploads from older versions, with their location and time.
    old = [path for name in files if default_storage.get_modified_time(path := f"{FOLDER}/{name}") < before]
    for path in old:
        default_storage.delete(path)
    if lost or old:
        logger.info("lost photos deleted", extra={"photos": len(lost), "files": len(old)})
    return len(lost) + len(old)


def _newest(key: str, otherwise: datetime) -> datetime:
    """Return when the folder was last written to, or just before `otherwise` if it is empty."""
    times = [default_storage.get_modified_time(f"{key}/{name}") for name in default_storage.listdir(key)[1]]
    return max(times, default=otherwise - _AGE)
