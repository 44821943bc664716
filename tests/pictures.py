"""Pictures as people upload them, and as those do who mean harm."""

import struct
import zlib
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from apps.core.pictures.reading import MAX_BYTES

SIDE = 300
SCRIPT = b"<script>alert(document.domain)</script><?php system($_GET['c']); ?>"
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    stream = BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def picture(kind: str = "JPEG", *, mode: str = "RGB", size: tuple[int, int] = (SIDE, SIDE), **options: Any) -> bytes:
    """A gradient, so that its files have some content."""
    gradient = Image.linear_gradient("L").resize(size)
    return encoded(gradient.convert(mode), kind, **options)


def phone_photo() -> bytes:
    """A picture as large as may be, most of which no decoder reads."""
    photo = picture()
    return photo + bytes(MAX_BYTES - len(photo))


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png_that_claims(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header says how large it is."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return PNG_SIGNATURE + header + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")


def png_with(name: bytes, content: bytes, *, before_pixels: bool = True) -> bytes:
    """A good PNG with a chunk of one's own."""
    whole = picture("PNG")
    place = whole.index(b"IDAT" if before_pixels else b"IEND") - 4
    return whole[:place] + chunk(name, content) + whole[place:]


def webp_that_claims(width: int, height: int) -> bytes:
    """A good small WebP with a header that says it is larger: 14 bits each, behind the lossless kind's mark."""
    whole = bytearray(picture("WEBP", lossless=True))
    mark = whole.index(b"VP8L") + 8
    sizes = int.from_bytes(whole[mark + 1 : mark + 5], "little") >> 28 << 28
    whole[mark + 1 : mark + 5] = (sizes | (height - 1) << 14 | width - 1).to_bytes(4, "little")
    return bytes(whole)


def jpeg_that_claims(width: int, height: int) -> bytes:
    """A good JPEG with a header that says it is larger."""
    whole = bytearray(picture("JPEG"))
    frame = whole.index(b"\xff\xc0")
    whole[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
    return bytes(whole)


def zipped() -> bytes:
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.writestr("evil.js", SCRIPT)
    return stream.getvalue()


def png_of_text(size: int) -> bytes:
    """A PNG with compressed text that unpacks to `size` bytes."""
    return png_with(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(size)))


def animation(kind: str) -> bytes:
    """A red picture that turns blue."""
    frames = [Image.new("RGB", (SIDE, SIDE), color) for color in ("red", "blue")]
    return encoded(frames[0], kind, save_all=True, append_images=frames[1:], duration=100)


def photo_with_notes() -> bytes:
    """A JPEG with a place, a camera, a comment, a thumbnail's worth of XMP and a color profile."""
    exif = Image.Exif()
    exif[0x010F] = "SecretCamera"
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 31.0, 12.0), 3: "E", 4: (13.0, 24.0, 18.0)})
    return picture(
        "JPEG",
        exif=exif,
        comment=SCRIPT,
        xmp=b"<x:xmpmeta>SecretXmp</x:xmpmeta>",
        icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(),
    )


def png_with_text() -> bytes:
    notes = PngInfo()
    notes.add_text("Comment", SCRIPT.decode())
    return picture("PNG", pnginfo=notes)


def quarters() -> Image.Image:
    """Four colors, by which it can be told how a picture was turned: red, green, blue and white from the top left."""
    image = Image.new("RGB", (SIDE, SIDE), "white")
    half = SIDE // 2
    for color, place in {"red": (0, 0), "lime": (half, 0), "blue": (0, half)}.items():
        image.paste(color, (*place, place[0] + half, place[1] + half))
    return image


def not_photos() -> dict[str, Callable[[], bytes]]:
    """What is no photo at all, or one of a format that Pillow could read and that is not taken."""
    others = ("GIF", "BMP", "TIFF", "ICO", "PPM", "PCX", "TGA", "SGI", "IM", "JPEG2000", "AVIF", "PDF", "EPS", "DDS")
    return {
        "text": lambda: b"not a picture",
        "html": lambda: b"<!doctype html><title>x</title>" + SCRIPT,
        "svg": lambda: b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        "php behind a GIF's first bytes": lambda: b"GIF89a" + SCRIPT,
        "zip": zipped,
        "half a signature": lambda: PNG_SIGNATURE[:4],
        "a signature alone": lambda: PNG_SIGNATURE,
        "a JPEG's first bytes alone": lambda: b"\xff\xd8\xff\xe0",
        "a WebP's first bytes alone": lambda: b"RIFF\x24\0\0\0WEBPVP8 ",
        **{f"{kind} that Pillow can write": partial(picture, kind) for kind in others},
    }
