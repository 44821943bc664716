"""Store pictures as folders of redrawn files. Folder names are never reused."""

import logging
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime, timedelta
from io import BytesIO
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.http import Http404, HttpResponse
from django.utils import timezone
from PIL import Image

from apps.core.errors import ServiceUnavailable
from apps.core.request.outages import OUTAGE_SECONDS

logger = logging.getLogger(__name__)

# The folder of listings' logos and screenshots. Its keys are paths of the site, too.
PICTURES = "pictures"
# Pillow's formats by file extension.
KINDS = {"webp": "WEBP", "jpg": "JPEG"}
# Favicons are PNG, too.
_FORMATS = {**KINDS, "png": "PNG"}
QUALITY = 82
# The faster half of WebP's efforts, at a few percent of size.
_EFFORT = 2
_FOLDER = re.compile(r"[a-z]+/[0-9a-f]{32}")
_A_YEAR = 31_536_000
# A picture is stored before a row refers to it.
_AGE = timedelta(days=1)


class PicturesUnavailable(ServiceUnavailable):
    code = "pictures_unavailable"
    title = "Picture storage unavailable"


def store_picture(folder: str, image: Image.Image, names: Iterable[str]) -> str:
    """Store an image as files such as `512.webp`, named by width. Returns the key of its new folder below `folder`.

    Raises PicturesUnavailable (503). Then nothing is stored.
    """
    widths: dict[int, Image.Image] = {image.width: image}
    files = {}
    for name in names:
        width, extension = name.split(".")
        drawn = widths.setdefault(int(width), _resized(image, int(width)))
        stream = BytesIO()
        options = {"method": _EFFORT} if extension == "webp" else {}
        drawn.save(stream, _FORMATS[extension], quality=QUALITY, **options)
        files[name] = stream.getvalue()
    key = f"{folder}/{uuid4().hex}"
    store_files(key, files)
    return key


def store_files(key: str, files: Mapping[str, bytes]) -> None:
    """Store a folder's files. Raises PicturesUnavailable (503). Then none of them is stored."""
    try:
        for name, content in files.items():
            default_storage.save(f"{key}/{name}", ContentFile(content))
    except Exception as error:
        # A full disk or an unreachable bucket: each storage has errors of its own.
        logger.exception("a picture could not be stored")
        try_to_delete_picture(key)
        raise PicturesUnavailable("The picture can't be saved right now. Try again later.") from error


def picture_path(key: str, name: str) -> str:
    """Return the path of a file of a picture in PICTURES."""
    return f"/{key}/{name}"


def delete_picture(key: str) -> None:
    """Delete a picture's files. Missing files are no error."""
    if not _FOLDER.fullmatch(key):
        return
    for name in _files_in(key):
        default_storage.delete(f"{key}/{name}")
    # Only disks have folders. A bucket has nothing under this name.
    default_storage.delete(key)


def try_to_delete_picture(key: str) -> None:
    """Delete an unused picture. The nightly sweep retries failures."""
    try:
        delete_picture(key)
    except Exception:
        logger.exception("a picture's files could not be removed", extra={"picture": key})


def read_picture(key: str, name: str) -> bytes:
    """Return a file of a picture. Raises FileNotFoundError if missing, and PicturesUnavailable (503)."""
    try:
        with default_storage.open(f"{key}/{name}") as file:
            content: bytes = file.read()
    except FileNotFoundError:
        raise
    except Exception as error:
        # Each storage has errors of its own.
        logger.exception("a picture could not be read", extra={"picture": key})
        raise PicturesUnavailable("The picture can't be loaded right now. Try again later.") from error
    return content


def picture_answer(key: str, name: str) -> HttpResponse:
    """Respond with a picture's file, always as an image, cached forever."""
    try:
        content = read_picture(key, name)
    except FileNotFoundError:
        raise Http404 from None
    except PicturesUnavailable as outage:
        headers = {"Retry-After": str(OUTAGE_SECONDS), "Cache-Control": "no-store"}
        return HttpResponse(outage.detail, status=outage.status, content_type="text/plain", headers=headers)
    headers = {
        "Cache-Control": f"public, max-age={_A_YEAR}, immutable",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    kind = _FORMATS[name.rpartition(".")[2]]
    return HttpResponse(content, content_type=f"image/{kind.lower()}", headers=headers)


def delete_lost_pictures(folder: str, known: Callable[[], Collection[str]]) -> int:
    """Delete pictures below `folder` that no row has known for a day, and loose files. Returns how many.

    `known` returns the keys that rows refer to.
    """
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:
        return 0
    # Read rows after listing files: pictures assigned since are known, and those stored since aren't listed.
    used = known()
    before = timezone.now() - _AGE
    keys = {key for name in folders if _FOLDER.fullmatch(key := f"{folder}/{name}")}
    lost = [
        key for key in sorted(keys - set(used)) if all(_is_older(f"{key}/{name}", before) for name in _files_in(key))
    ]
    for key in lost:
        try_to_delete_picture(key)
    # Original uploads from older versions, with their location and time.
    old = [path for name in files if _is_older(path := f"{folder}/{name}", before)]
    for path in old:
        default_storage.delete(path)
    if lost or old:
        logger.info("lost pictures deleted", extra={"pictures": len(lost), "files": len(old)})
    return len(lost) + len(old)


def _files_in(key: str) -> list[str]:
    try:
        return list(default_storage.listdir(key)[1])
    except FileNotFoundError:
        return []


def _is_older(path: str, before: datetime) -> bool:
    return bool(default_storage.get_modified_time(path) < before)


def _resized(image: Image.Image, width: int) -> Image.Image:
    height = max(1, round(image.height * width / image.width))
    return image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2)
