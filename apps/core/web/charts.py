"""Bar charts that the server draws as SVG, with the same numbers as a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# A bar and the gaps beside it, in units of the drawing, which is stretched to the width of the page.
STEP, GAP, HEIGHT = 10.0, 1.5, 100.0
# Upper ends of a scale whose halves are whole numbers, too.
_ENDS = (10, 12, 16, 20, 30, 40, 60, 80)
_SMALL_ENDS = (2, 4, 6, 8)


@dataclass(frozen=True, slots=True)
class Series:
    """A named series of numbers, such as `views`, with one value per position."""

    name: str
    values: Sequence[int]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the drawing. `number` is that of its series, from 1."""

    number: int
    x: str
    y: str
    height: str


@dataclass(frozen=True, slots=True)
class Place:
    """One position on the axis with its bars, and their tooltip."""

    x: str
    bars: Sequence[Bar]
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Series over the same positions. Each later series counts a part of the first, and is drawn in front of it.

    `key` identifies the chart on its page, `labels` name the positions from left to right, `short_labels` are for
    narrow screens, and `description` says in a sentence what the picture shows.
    """

    key: str
    title: str
    description: str
    labels: Sequence[str]
    series: Sequence[Series]
    short_labels: Sequence[str] = ()

    @property
    def width(self) -> str:
        return _number(max(len(self.labels), 1) * STEP)

    @property
    def end(self) -> int:
        """The upper end of the scale."""
        return scale_end(max((value for one in self.series for value in one.values), default=0))

    @property
    def marks(self) -> list[int]:
        """The labels of the scale, from top to bottom."""
        return [self.end, self.end // 2, 0]

    @property
    def axis(self) -> list[str]:
        """The first, middle and last label, as far as they exist."""
        count = len(self.labels)
        places = sorted({0, count // 2, count - 1}) if count > 2 else range(count)
        labels = self.short_labels or self.labels
        return [labels[place] for place in places]

    @property
    def places(self) -> Iterator[Place]:
        end = self.end
        for place, label in enumerate(self.labels):
            yield Place(
                x=_number(place * STEP),
                bars=[
                    _bar(number, place, one.values[place], end)
                    for number, one in enumerate(self.series, start=1)
                    if one.values[place]
                ],
                text=f"{label}: {', '.join(f'{one.values[place]:,} {one.name}' for one in self.series)}",
            )

    @property
    def rows(self) -> list[tuple[str, list[int]]]:
        """The same as a table: each label with the value of every series."""
        return [(label, [one.values[place] for one in self.series]) for place, label in enumerate(self.labels)]


def scale_end(most: int) -> int:
    """Return the upper end of a scale from 0 that fits `most`: an even, round number."""
    for end in _SMALL_ENDS:
        if most <= end:
            return end
    unit = 1
    while True:
        for end in _ENDS:
            if most <= end * unit:
                return end * unit
        unit *= 10


def _bar(number: int, place: int, value: int, end: int) -> Bar:
    height = value / end * HEIGHT
    return Bar(number, x=_number(place * STEP + GAP), y=_number(HEIGHT - height), height=_number(height))


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
