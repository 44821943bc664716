"""A site's own logo, favicon and color: stored files, and the stylesheet of its color."""

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from PIL.Image import Image

from apps.core.pictures.reading import read_tile, too_small
from apps.core.pictures.storage import picture_answer, picture_path, store_picture
from apps.core.web.colors import dark_accents, light_accents
from apps.sites.models import validate_brand_color
from apps.sites.requests import SiteHttpRequest

FOLDER = "brand"
LEAST_PIXELS = 96
_LARGEST = 512
# 512 for preview images, 192 for home screens, 96 for pages, emails and tabs.
_NAMES = ("512.jpg", "192.png", "96.webp", "96.jpg", "96.png")
_A_YEAR = 31_536_000


def read_mark(data: bytes) -> Image:
    """Return a logo or favicon as a square. Raises PictureRefused (422) or PicturesBusy (503)."""
    return read_tile(data, check=_check, largest=_LARGEST)


def store_mark(image: Image) -> str:
    """Store a logo or favicon. Returns its key. Raises PicturesUnavailable (503); then nothing is stored.

    Earlier files stay, because emails that were sent show them.
    """
    return store_picture(FOLDER, image, _NAMES)


@require_safe
def brand_picture(request: HttpRequest, folder: str, name: str) -> HttpResponse:
    """Serve a file of a logo or favicon, cached forever."""
    return picture_answer(f"{FOLDER}/{folder}", name)


@require_safe
@cache_control(public=True, max_age=_A_YEAR, immutable=True)
def brand_css(request: HttpRequest, color: str) -> HttpResponse:
    """Serve the shades of a brand color, which site.css would otherwise take from the site's hue."""
    try:
        validate_brand_color(f"#{color}")
    except ValidationError as error:
        raise Http404 from error
    light, dark = light_accents(f"#{color}"), dark_accents(f"#{color}")
    shades = {
        "accent": (light.fill, dark.fill),
        "accent-hover": (light.hover, dark.hover),
        "accent-text": (light.text, dark.text),
    }
    rules = "".join(f"--{name}:light-dark({day},{night});" for name, (day, night) in shades.items())
    return HttpResponse(f"@layer tokens{{:root{{{rules}}}}}\n", content_type="text/css; charset=utf-8")


@require_safe
def favicon(request: SiteHttpRequest) -> HttpResponse:
    """Redirect the URL that browsers try to the site's favicon."""
    key = request.site.picture_key
    return redirect(picture_path(key, "96.png") if key else static("favicon.svg"))


def _check(width: int, height: int) -> None:
    if min(width, height) < LEAST_PIXELS:
        raise too_small(width, height, f"at least {LEAST_PIXELS} pixels each way")
