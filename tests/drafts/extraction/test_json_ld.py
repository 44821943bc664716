"""JSON-LD as found in practice, and as an attacker would write it."""

from typing import Any

import pytest

from apps.drafts.extraction.document.json_ld import MAX_DEPTH, load, load_documents, strings, types_of


@pytest.mark.parametrize(
    "script",
    [
        '{"name": "Acme"}',
        '\ufeff {"name": "Acme"};',
        '<!-- {"name": "Acme"} -->',
        '//<![CDATA[\n{"name": "Acme"}\n//]]>',
        '/* who */ {"name": "Acme", // the company\n}',
        '{"name": "Acme",}',
        '{"width": , "name": "Acme", "height":}',
        '{"name": "Acme", "list": [1, 2,],}',
        '{"name": "Acme", "text": "one\ntwo\tthree"}',
        r'{"name": "Acme", "text": "it\'s"}',
        """{'name': 'Acme', "text": 'the harbour's "own" tables, read',}""",
        r"""{"name": 'Acme', "text": 'it\'s'}""",
        "{&quot;name&quot;: &quot;Acme&quot;}",
    ],
)
def test_scripts_are_read_as_they_are_written(script: str) -> None:
    (document,) = load_documents(script)
    assert isinstance(document, dict)
    assert document["name"] == "Acme"


def test_what_is_in_strings_is_left_alone() -> None:
    script = '{"url": "https://acme.com/a,]b", "text": "/* no comment */ // none",}'
    assert load_documents(script) == [{"url": "https://acme.com/a,]b", "text": "/* no comment */ // none"}]


def test_several_documents_in_one_script() -> None:
    assert load_documents('{"a": 1}\n{"b": 2},{"c": 3}') == [{"a": 1}, {"b": 2}, {"c": 3}]


@pytest.mark.parametrize("script", ["", "var a = 1;", "{", '{"a": "b', "null", '"text"', "[[[]]]"])
def test_scripts_without_objects_give_no_nodes(script: str) -> None:
    assert load([script]).nodes == ()


def test_graphs_lists_and_main_entities_give_nodes_in_order() -> None:
    script = '[{"@graph": [{"name": "a"}, {"name": "b", "mainEntity": {"name": "c"}}]}, {"name": "d"}]'
    assert [node["name"] for node in load([script]).nodes if "name" in node] == ["a", "b", "c", "d"]


def test_the_organization_inside_an_application_or_website_is_a_node() -> None:
    maker = '{"@type": ["Organization"], "name": "%s"}'
    script = '[{"@type": "%s", "name": "a", "publisher": %s, "author": [%s, {"@type": "Person"}]}, {"name": "d"}]'
    names = [
        [node["name"] for node in load([script % (kind, maker % "b", maker % "c")]).nodes]
        for kind in ("WebApplication", "WebSite", "NewsArticle")
    ]
    assert names == [["a", "b", "c", "d"], ["a", "b", "c", "d"], ["a", "d"]]


def test_references_lead_to_the_fullest_node_of_their_name() -> None:
    data = load(['{"@id": "#o", "@type": "Organization"}', '{"@id": "#o", "@type": "Organization", "name": "Acme"}'])
    assert data.resolve({"@id": "#o"}) == {"@id": "#o", "@type": "Organization", "name": "Acme"}
    assert data.resolve({"@id": "#none"}) == {"@id": "#none"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Acme", ["Acme"]),
        ({"name": "Acme"}, ["Acme"]),
        ([{"name": "A"}, "B", {"name": " "}, 5, None], ["A", "B"]),
        ({"name": {"@value": "Acme"}}, ["Acme"]),
        ({"name": [5, "Acme"]}, ["Acme"]),
        (None, []),
    ],
)
def test_texts_of_a_property(value: Any, expected: list[str]) -> None:
    assert strings(value) == expected


def test_types_lose_their_vocabulary() -> None:
    assert types_of({"@type": ["https://schema.org/WebSite", "schema:Brand", 5]}) == {"website", "brand"}


@pytest.mark.parametrize(
    "script",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        '{"a":' * 100_000,
        '{"a":' + '"\\' * 100_000,
        '{"a":' + "/* " * 100_000,
        '{"a":' + '" ' * 100_001,
        '{"a": ' + "9" * 10_000 + "}",
    ],
    ids=["arrays", "objects", "open", "escapes", "comments", "quotes", "number"],
)
def test_hostile_scripts_give_nothing(script: str) -> None:
    assert load_documents(script) == []


def test_depth_is_bounded_and_brackets_in_strings_do_not_count() -> None:
    assert load_documents("[" * MAX_DEPTH + "]" * MAX_DEPTH) != []
    assert load_documents("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)) == []
    assert load_documents('{"text": "' + "[" * 500 + '"}') == [{"text": "[" * 500}]
