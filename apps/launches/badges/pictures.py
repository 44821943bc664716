"""Draw badges as SVG: light, dark, or adapting to the page's color scheme."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.template.loader import render_to_string

from apps.core.text.dates import week_and_year
from apps.core.web.colors import hex_of
from apps.launches.badges.kinds import TITLES, Badge, Kind
from apps.sites.models import Site

HEIGHT = 54
_TEXT_LEFT, _RIGHT = 54, 18
_LABEL_SIZE, _NAME_SIZE, _LABEL_SPACING = 10.0, 17.0, 0.6
_MEDALS = {Kind.WEEK_1: 1, Kind.WEEK_2: 2, Kind.WEEK_3: 3, Kind.MONTH_1: 1, Kind.YEAR_1: 1}
_METALS = {1: "#b8790a", 2: "#6f7684", 3: "#a4562a"}

# Widths of a semibold sans serif as fractions of its size. The SVG stretches the text to the computed width, so that it
# fits in any font.
_WIDTHS = {
    **dict.fromkeys("ijl|!.,:;'’", 0.28),
    **dict.fromkeys('frt()[]{}-/\\" ·I', 0.37),
    **dict.fromkeys("mwMW@%—", 0.9),
    " ": 0.28,
}
_UPPER, _LOWER, _DIGIT, _WIDE, _OTHER = 0.7, 0.585, 0.63, 1.0, 0.65


class Theme(StrEnum):
    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Picture:
    """The texts of a badge's picture, and its size in pixels."""

    badge: Badge
    label: str
    name: str
    width: int
    height: int = HEIGHT


def picture_of(badge: Badge, *, site: Site) -> Picture:
    """Return a badge's picture, as wide as the longer of its two lines needs."""
    label, name = _lines(badge, site)
    widest = max(_label_width(label), text_width(name, _NAME_SIZE))
    return Picture(badge, label, name, round(_TEXT_LEFT + widest + _RIGHT))


def draw(picture: Picture, *, site: Site, theme: Theme) -> str:
    """Return the picture as SVG, with its texts escaped."""
    medal = _MEDALS.get(picture.badge.kind)
    context: dict[str, Any] = {
        "picture": picture,
        "kind": picture.badge.kind.value,
        "title": f"{picture.label}, {picture.name}" if medal else f"{picture.label} {picture.name}",
        "label": picture.label.upper(),
        "label_width": f"{_label_width(picture.label):.1f}",
        "name_width": f"{text_width(picture.name, _NAME_SIZE):.1f}",
        "medal": medal,
        "first": _palette(site, medal, is_dark=theme == Theme.DARK),
        "second": _palette(site, medal, is_dark=True) if theme == Theme.AUTO else None,
    }
    return render_to_string("launches/badge.svg", context)


def text_width(text: str, size: float) -> float:
    """Estimate a text's width in pixels from the classes of its characters."""
    return size * sum(_width(character) for character in text)


def _label_width(label: str) -> float:
    return text_width(label.upper(), _LABEL_SIZE) + _LABEL_SPACING * len(label)


def _width(character: str) -> float:
    if character in _WIDTHS:
        return _WIDTHS[character]
    if unicodedata.combining(character) or unicodedata.category(character) in {"Cf", "Mn", "Me"}:
        return 0.0
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return _WIDE
    if character.isdigit():
        return _DIGIT
    return _UPPER if character.isupper() else _LOWER if character.islower() else _OTHER


def _lines(badge: Badge, site: Site) -> tuple[str, str]:
    if badge.kind not in _MEDALS:
        return TITLES[badge.kind], site.name
    when = week_and_year(badge.period) if "-W" in badge.period else badge.period
    return f"{site.name} · {when}" if when else site.name, TITLES[badge.kind]


def _palette(site: Site, medal: int | None, *, is_dark: bool) -> dict[str, str]:
    own = site.color or hex_of(0.58 if is_dark else 0.53, 0.2, site.hue)
    tile = _METALS[medal] if medal else own
    if is_dark:
        return {"back": "#17171c", "line": "#3b3b45", "name": "#f5f5f8", "label": "#b4b4c0", "tile": tile}
    return {"back": "#ffffff", "line": "#d9d9e0", "name": "#17171c", "label": "#565662", "tile": tile}
