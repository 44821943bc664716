"""What may be a logo or a screenshot, which files are stored of it, and what is refused."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from apps.core.pictures.reading import MAX_BYTES, PictureRefused
from apps.core.pictures.storage import read_picture
from apps.listings.services.pictures.files import store
from tests.pictures import encoded, not_photos, photo_with_notes, picture, png_of_text, png_that_claims

LOGO, SCREENSHOTS = "logo_url", "screenshots"
LOGO_FILES = {f"{side}.{kind}" for side in (512, 192, 96) for kind in ("webp", "jpg")}


def names(media: Path, key: str) -> set[str]:
    return {path.name for path in (media / key).iterdir()}


def size_of(key: str, name: str) -> tuple[int, int]:
    with Image.open(BytesIO(read_picture(key, name))) as image:
        return image.size


@pytest.mark.parametrize("size", [(128, 128), (600, 150), (150, 600), (3000, 3000)])
def test_a_logo_becomes_square_files(size: tuple[int, int], media: Path) -> None:
    stored = store(LOGO, picture("PNG", size=size))
    assert (stored.width, stored.height) == (512, 512)
    assert names(media, stored.key) == LOGO_FILES
    assert size_of(stored.key, "96.webp") == (96, 96)


@pytest.mark.parametrize(
    ("size", "widths"),
    [((3200, 2000), (1600, 960, 480)), ((1000, 700), (1000, 960, 480)), ((390, 844), (390,)), ((640, 300), (640, 480))],
)
def test_a_screenshot_keeps_its_proportions(size: tuple[int, int], widths: tuple[int, ...], media: Path) -> None:
    stored = store(SCREENSHOTS, picture("JPEG", size=size))
    assert names(media, stored.key) == {*(f"{width}.webp" for width in widths), f"{widths[0]}.jpg"}
    assert size_of(stored.key, f"{widths[0]}.jpg") == (stored.width, stored.height)
    assert abs(stored.width / stored.height - size[0] / size[1]) < 0.01


def test_nothing_but_pixels_is_kept(media: Path) -> None:
    with Image.open(BytesIO(photo_with_notes())) as image:
        exif, large = image.getexif(), image.resize((700, 700))
    stored = store(SCREENSHOTS, encoded(large, "JPEG", exif=exif, comment=b"SecretComment"))
    kept = b"".join(path.read_bytes() for path in (media / stored.key).iterdir())
    assert not any(secret in kept for secret in (b"Exif", b"SecretCamera", b"SecretComment"))


@pytest.mark.parametrize(
    ("field", "data"),
    [
        (LOGO, lambda: picture(size=(127, 127))),
        (LOGO, lambda: picture(size=(1000, 200))),
        (LOGO, lambda: encoded(Image.new("RGB", (300, 300), "white"))),
        (SCREENSHOTS, lambda: picture(size=(639, 400))),
        (SCREENSHOTS, lambda: picture(size=(900, 299))),
        (SCREENSHOTS, lambda: picture(size=(500, 4000))),
        (SCREENSHOTS, lambda: encoded(Image.new("RGB", (1280, 800), "navy"))),
        (SCREENSHOTS, lambda: b""),
        (SCREENSHOTS, lambda: b"\xff\xd8" + bytes(MAX_BYTES)),
        (SCREENSHOTS, lambda: png_that_claims(7999, 7999)),
        (SCREENSHOTS, lambda: png_that_claims(60_000, 60_000)),
        (SCREENSHOTS, lambda: picture(size=(1280, 800))[:-2000]),
        (LOGO, lambda: png_of_text(64 * 2**20)),
    ],
)
def test_what_is_unfit_is_refused_and_nothing_stays(field: str, data: Callable[[], bytes], media: Path) -> None:
    with pytest.raises(PictureRefused):
        store(field, data())
    assert not media.exists()


@pytest.mark.parametrize("build", not_photos().values(), ids=not_photos())
def test_no_pictures_are_refused(build: Callable[[], bytes], media: Path) -> None:
    for field in (LOGO, SCREENSHOTS):
        with pytest.raises(PictureRefused):
            store(field, build())
    assert not media.exists()


@pytest.mark.parametrize("size", [(1200, 630), (1200, 627), (2400, 1260), (1024, 512), (1280, 640), (1024, 1024)])
def test_a_crawler_takes_no_share_cards_or_icons(size: tuple[int, int], media: Path) -> None:
    with pytest.raises(PictureRefused):
        store(SCREENSHOTS, picture(size=size), is_found=True)
    assert not media.exists()
    # Owners know what they choose.
    assert store(SCREENSHOTS, picture(size=size)).key


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (1200, 675), (1440, 900), (1170, 2532)])
def test_a_crawler_takes_screenshots(size: tuple[int, int]) -> None:
    assert store(SCREENSHOTS, picture(size=size), is_found=True).key
