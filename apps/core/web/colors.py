"""Convert colors for pictures and emails, whose viewers understand hexadecimal but not oklch."""

import math

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
