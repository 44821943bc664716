"""Photos: what is taken, what of an upload is left, and what is refused with which reason."""

import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image, ImageCms, ImageFile

from apps.accounts.founders.photos import store_photo
from apps.core.pictures import reading
from apps.core.pictures.reading import FORMAT_NAMES, MAX_BYTES, PictureRefused, PicturesBusy
from apps.core.pictures.storage import PicturesUnavailable, delete_picture, read_picture
from tests import pictures
from tests.pictures import SIDE, animation, encoded, picture, png_that_claims, png_with

FILES = {f"{size}.{kind}" for size in (512, 192, 96) for kind in ("webp", "jpg")}


def stored(key: str, size: int = 512, kind: str = "webp") -> Image.Image:
    with Image.open(BytesIO(read_picture(key, f"{size}.{kind}"))) as image:
        image.load()
    return image


def color(image: Image.Image, x: float = 0.5, y: float = 0.5) -> tuple[int, ...]:
    """The color at a place, given as parts of width and height, roughly: both formats lose a little."""
    result = image.convert("RGB").getpixel((int(image.width * x), int(image.height * y)))
    assert isinstance(result, tuple)
    return tuple(round(channel / 32) * 32 for channel in result)


def refusal(data: bytes, *, min_pixels: int = 256) -> str:
    with pytest.raises(PictureRefused) as caught:
        store_photo(data, min_pixels=min_pixels)
    return caught.value.detail


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_square_crops_in_two_formats(kind: str, media: Path) -> None:
    photo = store_photo(picture(kind, size=(700, 400)), min_pixels=256)
    assert photo.pixels == 400
    assert {path.name for path in (media / photo.key).iterdir()} == FILES
    for size in (512, 192, 96):
        assert (stored(photo.key, size).format, stored(photo.key, size).size) == ("WEBP", (size, size))
        assert (stored(photo.key, size, "jpg").format, stored(photo.key, size, "jpg").size) == ("JPEG", (size, size))


@pytest.mark.parametrize(("size", "left", "top"), [((600, 300), 150, 0), ((300, 600), 0, 150)])
def test_the_middle_is_kept(size: tuple[int, int], left: int, top: int) -> None:
    image = Image.new("RGB", size, "red")
    image.paste("blue", (left, top, left + 300, top + 300))
    shown = stored(store_photo(encoded(image), min_pixels=256).key)
    assert {color(shown, x, y) for x in (0.02, 0.5, 0.98) for y in (0.02, 0.5, 0.98)} == {(0, 0, 256)}


@pytest.mark.parametrize(
    ("orientation", "corners"),
    [
        (1, "RGBW"),
        (2, "GRWB"),
        (3, "WBGR"),
        (4, "BWRG"),
        (5, "RBGW"),
        (6, "BRWG"),
        (7, "WGBR"),
        (8, "GWRB"),
        (0, "RGBW"),
        (9, "RGBW"),
    ],
)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_stands_upright(kind: str, orientation: int, corners: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    shown = stored(store_photo(encoded(pictures.quarters(), kind, exif=exif), min_pixels=256).key)
    names: dict[tuple[int, ...], str] = {(256, 0, 0): "R", (0, 256, 0): "G", (0, 0, 256): "B", (256, 256, 256): "W"}
    assert "".join(names[color(shown, x, y)] for y in (0.25, 0.75) for x in (0.25, 0.75)) == corners


def transparent(mode: str) -> bytes:
    """Blue in the middle, and nothing around it."""
    image = Image.new("RGBA", (SIDE, SIDE), (0, 0, 0, 0))
    image.paste((0, 0, 255, 255), (100, 100, 200, 200))
    return encoded(image.convert(mode)) if mode != "P" else encoded(image.quantize(8))


@pytest.mark.parametrize(
    ("data", "middle", "corner"),
    [
        pytest.param(lambda: transparent("RGBA"), (0, 0, 256), (256, 256, 256), id="transparency"),
        pytest.param(lambda: transparent("P"), (0, 0, 256), (256, 256, 256), id="a palette with transparency"),
        pytest.param(lambda: transparent("LA"), (32, 32, 32), (256, 256, 256), id="grey with transparency"),
        pytest.param(
            lambda: encoded(Image.new("RGB", (SIDE, SIDE), "red"), transparency=(255, 0, 0)),
            (256, 256, 256),
            (256, 256, 256),
            id="one color is transparent",
        ),
        pytest.param(lambda: encoded(Image.new("L", (SIDE, SIDE), 128)), (128,) * 3, (128,) * 3, id="grey"),
        pytest.param(lambda: encoded(Image.new("1", (SIDE, SIDE), 1)), (256,) * 3, (256,) * 3, id="one bit"),
        pytest.param(
            lambda: encoded(Image.new("I;16", (SIDE, SIDE), 32768)), (128,) * 3, (128,) * 3, id="16 bits of grey"
        ),
        pytest.param(
            lambda: encoded(Image.new("CMYK", (SIDE, SIDE), (0, 255, 255, 0)), "JPEG"),
            (256, 0, 0),
            (256, 0, 0),
            id="CMYK",
        ),
        pytest.param(lambda: animation("PNG"), (256, 0, 0), (256, 0, 0), id="the first picture of an animated PNG"),
        pytest.param(lambda: animation("WEBP"), (256, 0, 0), (256, 0, 0), id="the first picture of an animated WebP"),
        pytest.param(lambda: animation("MPO"), (256, 0, 0), (256, 0, 0), id="a phone's JPEG with a second picture"),
    ],
)
def test_every_kind_of_pixels(data: Callable[[], bytes], middle: tuple[int, ...], corner: tuple[int, ...]) -> None:
    key = store_photo(data(), min_pixels=256).key
    for kind in ("webp", "jpg"):
        shown = stored(key, kind=kind)
        assert (shown.mode, color(shown), color(shown, 0.02, 0.02)) == ("RGB", middle, corner)


def test_a_colour_profile_is_followed_and_left_away() -> None:
    # In this profile the red channel is green, as no good camera has it.
    swapped = ImageCms.ImageCmsProfile(BytesIO(_swapped_srgb()))
    data = encoded(Image.new("RGB", (SIDE, SIDE), (255, 0, 0)), icc_profile=swapped.tobytes())
    shown = stored(store_photo(data, min_pixels=256).key)
    assert color(shown)[1] > color(shown)[0]
    assert "icc_profile" not in shown.info


@pytest.mark.parametrize("profile", [b"nonsense", b"\0" * 4096], ids=["nonsense", "zeros"])
def test_a_colour_profile_that_cannot_be_read_is_left_away(profile: bytes) -> None:
    data = encoded(Image.new("RGB", (SIDE, SIDE), (255, 0, 0)), "JPEG", icc_profile=profile)
    assert color(stored(store_photo(data, min_pixels=256).key)) == (256, 0, 0)


@pytest.mark.parametrize("exif", [b"MM\0*\xff\xff\xff\xff", b"II*\0\x08\0\0\0\xff\xff"])
def test_camera_notes_that_cannot_be_read_are_no_reason_to_refuse(exif: bytes) -> None:
    data = picture("JPEG", exif=b"Exif\0\0" + exif)
    with pytest.warns(UserWarning, match="Corrupt EXIF data"):
        assert store_photo(data, min_pixels=256).pixels == SIDE


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(pictures.photo_with_notes, id="EXIF with a place, XMP, comment, profile"),
        pytest.param(pictures.png_with_text, id="text in a PNG"),
        pytest.param(lambda: picture("JPEG") + pictures.SCRIPT, id="a script behind a JPEG"),
        pytest.param(lambda: picture("PNG") + pictures.zipped(), id="a zip behind a PNG"),
        pytest.param(lambda: picture("WEBP") + pictures.SCRIPT, id="a script behind a WebP"),
        pytest.param(lambda: png_with(b"prIV", pictures.SCRIPT), id="a chunk of one's own"),
        pytest.param(lambda: png_with(b"prIV", pictures.SCRIPT, before_pixels=False), id="and behind the pixels"),
    ],
)
def test_only_the_pixels_are_kept(data: Callable[[], bytes], media: Path) -> None:
    upload = data()
    assert any(mark in upload for mark in (b"Secret", b"script", b"evil"))
    key = store_photo(upload, min_pixels=256).key
    for path in (media / key).iterdir():
        content = path.read_bytes()
        assert not any(mark in content for mark in (b"Secret", b"script", b"evil", b"Exif", b"ICC", b"xmp", b"<?php"))
        with Image.open(path) as image:
            assert not image.getexif()
            assert not {"comment", "icc_profile", "exif", "xmp"} & set(image.info)


@pytest.mark.parametrize(("name", "build"), [pytest.param(*row, id=row[0]) for row in pictures.not_photos().items()])
def test_what_is_no_photo_is_refused(name: str, build: Callable[[], bytes], media: Path) -> None:
    assert FORMAT_NAMES in refusal(build())
    assert not media.exists(), name


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(lambda: b"", "The file is empty.", id="nothing"),
        pytest.param(lambda: bytes(MAX_BYTES + 1), "The file is 5.1 MB. Use one of up to 5 MB.", id="a byte too large"),
        pytest.param(lambda: png_that_claims(8001, 300), "8,001 × 300 pixels", id="a side too long"),
        pytest.param(lambda: png_that_claims(8000, 5001), "up to 8,000 pixels per side and 40 megapixels", id="area"),
        pytest.param(lambda: png_that_claims(60_000, 60_000), "up to 8,000 pixels per side", id="a bomb"),
        pytest.param(lambda: png_that_claims(11_000, 11_000), "up to 8,000 pixels per side", id="half a bomb"),
        pytest.param(
            lambda: pictures.jpeg_that_claims(65_000, 65_000), "up to 8,000 pixels per side", id="a JPEG bomb"
        ),
        pytest.param(lambda: pictures.webp_that_claims(16_383, 16_383), "8,000 pixels per side", id="a WebP bomb"),
        pytest.param(lambda: picture("PNG", size=(256, 255)), "256 × 255 pixels. Use at least 256", id="small"),
        pytest.param(lambda: png_that_claims(300, 300), "damaged", id="fewer pixels than it claims"),
        pytest.param(lambda: picture("JPEG")[:-200], "damaged", id="a JPEG cut off"),
        pytest.param(lambda: picture("PNG")[:-200], "damaged", id="a PNG cut off"),
    ],
)
def test_bombs_and_broken_files_are_refused_with_the_reason(
    data: Callable[[], bytes], reason: str, media: Path
) -> None:
    assert reason in refusal(data())
    assert not media.exists()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(lambda: picture("WEBP")[:-200], id="a WebP cut off"),
        pytest.param(lambda: pictures.png_of_text(80 * 2**20), id="text that unpacks to 80 MB"),
        pytest.param(lambda: picture("PNG").replace(b"IDAT", b"IDAX"), id="a PNG without pixels"),
    ],
)
def test_other_broken_files_are_refused(data: Callable[[], bytes], media: Path) -> None:
    assert refusal(data())
    assert not media.exists()


def test_the_bounds_themselves_are_taken(media: Path) -> None:
    assert store_photo(picture("PNG", size=(256, 256)), min_pixels=256).pixels == 256
    assert store_photo(encoded(Image.new("L", (8000, 256))), min_pixels=256).pixels == 256
    assert store_photo(encoded(Image.new("1", (8000, 5000))), min_pixels=256).pixels == 5000
    padded = picture("PNG")
    assert store_photo(padded + bytes(MAX_BYTES - len(padded)), min_pixels=256).pixels == SIDE
    assert len(list((media / "founders").iterdir())) == 4


def test_what_could_not_be_stored_whole_is_taken_away(media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save = default_storage.save

    def fail_late(name: str, content: ContentFile[bytes]) -> str:
        if name.endswith("96.webp"):
            raise OSError("no space left")
        return str(save(name, content))

    monkeypatch.setattr(default_storage, "save", fail_late)
    with pytest.raises(PicturesUnavailable):
        store_photo(picture(), min_pixels=256)
    assert list((media / "founders").iterdir()) == []


def test_deleting(media: Path) -> None:
    kept, gone = (store_photo(picture(), min_pixels=256).key for _ in range(2))
    delete_picture(gone)
    assert [path.name for path in (media / "founders").iterdir()] == [kept.rpartition("/")[2]]
    delete_picture(gone)


@pytest.mark.parametrize("key", ["", "founders", "founders/", "founders/..", "../../etc", "founders/ada"])
def test_only_a_photo_can_be_deleted(key: str, media: Path) -> None:
    stored_key = store_photo(picture(), min_pixels=256).key
    delete_picture(key)
    assert {path.name for path in (media / stored_key).iterdir()} == FILES


def test_one_picture_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_WAIT_SECONDS", 0.01)
    result: list[object] = []
    with reading._reading:
        thread = threading.Thread(target=lambda: result.append(_caught()))
        thread.start()
        thread.join()
    assert isinstance(result[0], PicturesBusy)
    assert result[0].retry_after == 60
    assert store_photo(picture(), min_pixels=256).pixels == SIDE


def test_what_is_cut_off_is_refused_also_where_another_library_lets_it_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)
    refusal(picture("JPEG")[:-200])


def test_a_refusal_lets_the_next_one_in() -> None:
    refusal(picture("JPEG")[:-200])
    assert not reading._reading.locked()


def _caught() -> Exception | None:
    try:
        store_photo(picture(), min_pixels=256)
    except PicturesBusy as error:
        return error
    return None


def _swapped_srgb() -> bytes:
    """An sRGB profile whose red and green have changed places."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile.replace(b"rXYZ", b"tXYZ").replace(b"gXYZ", b"rXYZ").replace(b"tXYZ", b"gXYZ")
