"""JSON-LD inside a page: it says what it was given, and never ends the element around it."""

import json

import pytest
from django.template import Context, Template

from apps.sites.seo.json_ld import breadcrumbs, filled, item_list, json_ld
from tests.properties import given, st

HOSTILE = "</script><script>alert(1)</script><!-- & \u2028\u2029 ]]> <![CDATA[ \"'"


def named(text: str) -> str:
    return json_ld([{"@type": "Thing", "name": text}])


@pytest.mark.slow
@given(st.text())
def test_any_text_comes_back_as_it_was(text: str) -> None:
    assert json.loads(named(f"a{text}"))["@graph"][0]["name"] == f"a{text}"


@given(st.text(alphabet="<>&/!-script[]\u2028\u2029"))
def test_no_text_is_markup(text: str) -> None:
    assert not {"<", ">", "&", "\u2028", "\u2029"} & set(named(text))


def test_half_a_character_can_be_sent() -> None:
    assert json.loads(named("a\ud800b").encode())["@graph"][0]["name"] == "a?b"


def test_what_is_empty_is_left_out_and_zero_is_not() -> None:
    assert filled({"a": "", "b": None, "c": [], "d": {}, "e": 0, "f": False}) == {"e": 0, "f": False}


@pytest.mark.parametrize("things", [None, []])
def test_a_page_without_anything_to_tell_has_no_script(things: object) -> None:
    template = Template("{% load page_head %}{% structured_data_script things %}")
    assert template.render(Context({"things": things})) == ""


def test_a_page_has_one_script_for_everything() -> None:
    template = Template("{% load page_head %}{% structured_data_script things %}")
    things = [{"@type": "Thing", "name": HOSTILE}, breadcrumbs([("Home", "https://a.example/")])]
    html = template.render(Context({"things": things}))
    assert html.startswith('<script type="application/ld+json">')
    assert html.count("<") == 2
    graph = json.loads(html[html.index(">") + 1 : html.rindex("<")])["@graph"]
    assert [thing["@type"] for thing in graph] == ["Thing", "BreadcrumbList"]
    assert graph[0]["name"] == HOSTILE


def test_a_text_that_is_said_twice_is_one_line_and_escaped_once() -> None:
    template = Template(
        "{% load page_head %}{% kept_text as kept %} {{ text }}\n  & more {% endkept_text %}[{{ kept }}]"
    )
    assert template.render(Context({"text": "<b>"})) == "[&lt;b&gt; & more]"


def test_a_list_has_ranks_and_whether_they_mean_something() -> None:
    entries = [(3, "Lathe", "https://a.example/lathe")]
    ranked = item_list(entries, name="Board", url="https://a.example/", is_ranked=True)
    assert ranked["itemListElement"][0]["position"] == 3
    assert ranked["itemListOrder"].endswith("Descending")
    assert item_list(entries, name="Board", url="https://a.example/")["itemListOrder"].endswith("Unordered")
