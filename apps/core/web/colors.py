"""Convert colors for pictures and emails, whose viewers understand hexadecimal but not oklch."""

import math
from dataclasses import dataclass
from functools import lru_cache

_STEPS = 40


def hex_of(lightness: float, chroma: float, hue: float) -> str:
    """Convert an oklch color to `#rrggbb`, reducing chroma until the screen can show it.

    Source: Björn Ottosson, 'A perceptual color space for image processing', for the matrices.
    """
    for step in range(_STEPS + 1):
        linear = _linear(lightness, chroma * (1 - step / _STEPS), math.radians(hue))
        if all(-0.0005 <= value <= 1.0005 for value in linear):
            break
    return "#" + "".join(f"{round(255 * _encoded(min(max(value, 0), 1))):02x}" for value in linear)


def _linear(lightness: float, chroma: float, angle: float) -> tuple[float, float, float]:
    a, b = chroma * math.cos(angle), chroma * math.sin(angle)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _encoded(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


# WCAG 2.2, success criterion 1.4.3, for text.
LEAST_CONTRAST = 4.5
_WHITE = "#ffffff"
_STEP = 0.005


@dataclass(frozen=True, slots=True)
class Accents:
    """A brand color in one scheme: behind white text, behind it under the pointer, and as text. Each `#rrggbb`."""

    fill: str
    hover: str
    text: str


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two `#rrggbb` colors, from 1 to 21 (WCAG 2.2)."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def is_readable(color: str) -> bool:
    """Return whether white text on the color has enough contrast."""
    return contrast(color, _WHITE) >= LEAST_CONTRAST


def nearest_readable(color: str) -> str:
    """Return the color, or the lightest shade of it that white text is readable on."""
    lightness, chroma, hue = oklch_of(color)
    result = color
    while not is_readable(result):
        lightness -= _STEP
        result = hex_of(lightness, chroma, hue)
    return result


@lru_cache(maxsize=64)
def light_accents(color: str) -> Accents:
    """Return the shades of a readable brand color on light pages."""
    lightness, chroma, hue = oklch_of(color)
    ground, text, depth = hex_of(0.96, 0.022, hue), color, lightness
    while contrast(text, ground) < LEAST_CONTRAST:
        depth -= _STEP
        text = hex_of(depth, chroma, hue)
    return Accents(color, hex_of(max(lightness - 0.05, 0), chroma, hue), text)


@lru_cache(maxsize=64)
def dark_accents(color: str) -> Accents:
    """Return the shades of a readable brand color on dark pages, where a dark one is lightened to be seen."""
    lightness, chroma, hue = oklch_of(color)
    fill = nearest_readable(hex_of(max(lightness, 0.45), chroma, hue))
    return Accents(fill, hex_of(max(lightness, 0.45) - 0.03, chroma, hue), hex_of(0.78, min(chroma, 0.12), hue))


def oklch_of(color: str) -> tuple[float, float, float]:
    """Convert `#rrggbb` to lightness, chroma and hue in degrees: the inverse of `hex_of`."""
    red, green, blue = (_decoded(int(color[place : place + 2], 16) / 255) for place in (1, 3, 5))
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    return lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def _luminance(color: str) -> float:
    red, green, blue = (_decoded(int(color[place : place + 2], 16) / 255) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _decoded(value: float) -> float:
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
