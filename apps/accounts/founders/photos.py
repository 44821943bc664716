"""Founder photos: cropped to squares and stored without any metadata."""

from typing import NamedTuple

from django.urls import reverse

from apps.accounts.models import FounderProfile
from apps.core.pictures.reading import read_square
from apps.core.pictures.storage import KINDS, delete_lost_pictures, store_picture

FOLDER = "founders"
# Width and height in pixels of each photo's files.
SIZES = (512, 192, 96)
_NAMES = tuple(f"{size}.{kind}" for size in SIZES for kind in KINDS)


class StoredPhoto(NamedTuple):
    """A photo's folder in the storage, and the side of its square in pixels."""

    key: str
    pixels: int


def store_photo(data: bytes, *, min_pixels: int) -> StoredPhoto:
    """Check an upload and store its crops. `min_pixels` is the minimum width and height.

    Raises PictureRefused (422) with the reason, or PicturesBusy or PicturesUnavailable (503). Then nothing is stored.
    """
    square = read_square(data, min_pixels=min_pixels, largest=max(SIZES))
    return StoredPhoto(store_picture(FOLDER, square.image, _NAMES), square.pixels)


def photo_url(profile: FounderProfile, size: int = 192, kind: str = "webp") -> str:
    """Return the URL of a founder's photo, empty without one. `size` is one of SIZES, `kind` one of KINDS.

    Each photo has its own URL, so it can be cached forever.
    """
    if not profile.photo_key:
        return ""
    return reverse("founder_photo", args=[profile.photo_key.rpartition("/")[2], f"{size}.{kind}"])


def delete_lost_photos() -> int:
    """Delete photo files that have had no profile for a day. Returns how many photos and files."""
    profiles = FounderProfile.objects.exclude(photo_key="")
    return delete_lost_pictures(FOLDER, lambda: set(profiles.values_list("photo_key", flat=True)))
