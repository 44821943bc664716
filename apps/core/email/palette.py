"""The colours of emails: those of the pages, as plain hexadecimal, since email programs know no oklch."""

from dataclasses import dataclass
from functools import cache
from math import cos, radians

from apps.core.web.colors import hex_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """One scheme's colours, each `#rrggbb`; the names are those of site.css."""

    page: str
    card: str
    sunken: str
    line: str
    text: str
    soft: str
    accent: str
    accent_text: str
    on_accent: str = "#ffffff"


@cache
def light(hue: int) -> Palette:
    """The light scheme of a site's hue, an angle in degrees."""
    deeper = _deeper(hue)
    return Palette(
        page=hex_of(0.972, 0.005, hue),
        card="#ffffff",
        sunken=hex_of(0.972, 0.005, hue),
        line=hex_of(0.923, 0.006, hue),
        text=hex_of(0.205, 0.02, hue),
        soft=hex_of(0.45, 0.02, hue),
        accent=hex_of(0.53 - deeper, 0.215, hue),
        accent_text=hex_of(0.48 - deeper, 0.2, hue),
    )


@cache
def dark(hue: int) -> Palette:
    """The dark scheme of a site's hue, an angle in degrees."""
    return Palette(
        page=hex_of(0.16, 0.009, hue),
        card=hex_of(0.196, 0.01, hue),
        sunken=hex_of(0.229, 0.012, hue),
        line=hex_of(0.277, 0.013, hue),
        text=hex_of(0.965, 0.004, hue),
        soft=hex_of(0.75, 0.014, hue),
        accent=hex_of(0.55 - _deeper(hue), 0.2, hue),
        accent_text=hex_of(0.76, 0.12, hue),
    )


def _deeper(hue: int) -> float:
    """White on a green or teal of the same lightness reads worse than on blue, so those are drawn darker."""
    return max(0.0, cos(radians(hue - 175))) * 0.06
