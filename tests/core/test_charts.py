"""Charts: scales, bars, labels, and the same numbers for those who do not see the picture."""

import pytest
from django.template import Context, Template
from lxml import html

from apps.core.web.charts import Chart, Series, scale_end

CHART = Chart(
    "visits", "Views", "Nine views.", ["Monday", "Tuesday", "Wednesday"],
    [Series("views", [2, 0, 7]), Series("visitors", [1, 0, 4])], ["Mo", "Tu", "We"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("most", "end"),
    [(0, 2), (1, 2), (3, 4), (7, 8), (8, 8), (9, 10), (11, 12), (13, 16), (79, 80), (81, 100), (1234, 1600)],
)
def test_scales_end_at_numbers_that_are_easily_read(most: int, end: int) -> None:
    assert scale_end(most) == end


def test_bars_are_as_high_as_their_numbers() -> None:
    first, second, third = CHART.places
    assert [(bar.number, bar.y, bar.height) for bar in first.bars] == [(1, "75", "25"), (2, "87.5", "12.5")]
    assert second.bars == []
    assert [bar.height for bar in third.bars] == ["87.5", "50"]
    assert third.text == "Wednesday: 7 views, 4 visitors"
    assert (CHART.width, CHART.marks, CHART.axis) == ("30", [8, 4, 0], ["Mo", "Tu", "We"])


@pytest.mark.parametrize(("count", "axis"), [(0, []), (1, ["0"]), (2, ["0", "1"]), (30, ["0", "15", "29"])])
def test_the_axis_names_ends_and_middle(count: int, axis: list[str]) -> None:
    chart = Chart("one", "One", "", [str(number) for number in range(count)], [Series("views", [0] * count)])
    assert chart.axis == axis


def test_drawn_with_a_description_and_a_table() -> None:
    drawn = Template("{% load charts %}{% chart shown with_table=True %}").render(Context({"shown": CHART}))
    tree = html.fragment_fromstring(drawn.strip())
    picture = tree.find(".//svg")
    names = picture.get("aria-labelledby").split()
    assert [tree.get_element_by_id(name).text_content() for name in names] == ["Views", "Nine views."]
    cells = [[cell.text_content() for cell in row] for row in tree.findall(".//tbody/tr")]
    assert cells == [["Monday", "2", "1"], ["Tuesday", "0", "0"], ["Wednesday", "7", "4"]]
    assert "style=" not in drawn
    assert len(tree.findall(".//figcaption//li")) == 2


def test_texts_are_texts() -> None:
    chart = Chart("one", "<b>", "<i>", ["<script>"], [Series("views", [1])])
    drawn = Template("{% load charts %}{% chart shown %}").render(Context({"shown": chart}))
    assert "<script>" not in drawn
    assert "<b>" not in drawn
    assert "&lt;script&gt;: 1 views" in drawn
