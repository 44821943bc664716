"""Check logos and screenshots, and store their files."""

from collections.abc import Callable
from typing import Any, NamedTuple

from PIL import Image

from apps.core.pictures.reading import PictureRefused, read_tile, read_whole, too_small
from apps.core.pictures.storage import KINDS, PICTURES, store_picture
from apps.listings.models import ListedPicture
from apps.listings.models.pictures import LOGO_SIDES, SCREENSHOT_WIDTHS, file_widths

Field = ListedPicture.Field

MIN_LOGO = 128
MIN_LONG, MIN_SHORT = 640, 300
MAX_RATIO = 4
# Preview images that websites declare for sharing: 1200 × 630 and its usual variants.
_CARD_RATIO, _CARD_TOLERANCE, _CARD_STEP = 1.91, 0.012, 600
_OTHER_CARDS = frozenset({(1200, 600), (1024, 512), (1280, 640)})
_LARGEST_ICON = 1024
# Shades between the lightest and the darkest that no eye tells apart.
_FLAT = 4


class StoredPicture(NamedTuple):
    """A picture's folder in the storage, and the size of its largest file."""

    key: str
    width: int
    height: int


def store(field: str, data: bytes, *, is_found: bool = False) -> StoredPicture:
    """Check a picture for a listing's field, and store its files.

    `is_found` says that a crawler found it, so that it may be an icon or a share card. Raises PictureRefused (422) with
    the reason, or PicturesBusy or PicturesUnavailable (503). Then nothing is stored.
    """
    if field == Field.LOGO:
        image = read_tile(data, check=_check_logo, largest=LOGO_SIDES[0])
        size = LOGO_SIDES[0], LOGO_SIDES[0]
        names = [f"{side}.{kind}" for side in LOGO_SIDES for kind in KINDS]
    else:
        check: Callable[[int, int], None] = _check_found if is_found else _check_screenshot
        image = read_whole(data, check=check, largest=SCREENSHOT_WIDTHS[0])
        size = image.size
        names = [*(f"{width}.webp" for width in file_widths(image.width)), f"{image.width}.jpg"]
    _refuse_flat(image)
    return StoredPicture(store_picture(PICTURES, image, names), *size)


def _check_logo(width: int, height: int) -> None:
    if max(width, height) < MIN_LOGO:
        raise too_small(width, height, f"a logo of at least {MIN_LOGO} pixels")
    _check_ratio(width, height)


def _check_screenshot(width: int, height: int) -> None:
    if max(width, height) < MIN_LONG or min(width, height) < MIN_SHORT:
        raise too_small(width, height, f"a screenshot of at least {MIN_LONG} × {MIN_SHORT} pixels")
    _check_ratio(width, height)


def _check_found(width: int, height: int) -> None:
    _check_screenshot(width, height)
    if width == height <= _LARGEST_ICON:
        raise PictureRefused("The image looks like an icon, not a screenshot.")
    is_card = width % _CARD_STEP == 0 and abs(width / height - _CARD_RATIO) < _CARD_TOLERANCE
    if is_card or (width, height) in _OTHER_CARDS:
        raise PictureRefused("The image looks like a preview image for sharing, not a screenshot.")


def _check_ratio(width: int, height: int) -> None:
    if max(width, height) > MAX_RATIO * min(width, height):
        raise PictureRefused(
            f"The image is {width:,} × {height:,} pixels. Use one up to {MAX_RATIO} times as wide as high, or as high "
            "as wide."
        )


def _refuse_flat(image: Image.Image) -> None:
    bands: Any = image.getextrema()
    if all(high - low <= _FLAT for low, high in bands):
        raise PictureRefused("The image is a single color. Choose another one.")
