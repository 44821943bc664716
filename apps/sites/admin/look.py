"""The site's logo, favicon and color in the admin's theme."""

from typing import Any, cast

from django.http import HttpRequest
from django.templatetags.static import static
from unfold.settings import CONFIG_DEFAULTS

from apps.core.pictures.storage import picture_path
from apps.core.web.colors import hex_of, oklch_of
from apps.sites.models import Site

# Lightness of unfold's shades. Its buttons have shade 600, its links shade 600 or 500 by scheme.
_SHADES = {50: 0.97, 100: 0.94, 200: 0.9, 300: 0.83, 400: 0.74, 500: 0.65, 700: 0.47, 800: 0.42, 900: 0.37, 950: 0.28}
_PALE = 0.35


def icon(request: HttpRequest) -> str:
    """Return the URL of the logo, or an empty text for unfold's symbol."""
    key = _site(request).logo_key
    return picture_path(key, "96.webp") if key else ""


def favicon(request: HttpRequest) -> str:
    """Return the URL of the favicon."""
    key = _site(request).picture_key
    return picture_path(key, "96.png") if key else static("favicon.svg")


def colors(request: HttpRequest) -> dict[str, dict[str, str]]:
    """Return unfold's colors with the site's in place of its purple."""
    accent = _site(request).accent
    lightness, chroma, hue = oklch_of(accent)
    shades = {}
    for weight, light in _SHADES.items():
        shade = min(light, lightness - 0.04) if weight > 600 else max(light, lightness)
        shades[str(weight)] = hex_of(max(shade, 0.1), chroma * (_PALE if weight < 300 else 1), hue)
    defaults: dict[str, Any] = CONFIG_DEFAULTS["COLORS"]
    return {name: dict(weights) for name, weights in defaults.items()} | {"primary": {**shades, "600": accent}}


def _site(request: HttpRequest) -> Site:
    # Set by CurrentSiteMiddleware.
    return cast("Site", request.site)
