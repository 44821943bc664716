"""What the parser does to a page's text: limits, and what browsers don't show."""

import pytest

from apps.core.html import UnreadablePage, parse, parse_within_limits
from apps.core.html.tree import MAX_ATTRIBUTES, MAX_CHARACTERS, MAX_ELEMENTS, MAX_UNSEEN, _Preparation

ATTRIBUTES = " ".join(f"a{number}" for number in range(100_000))


@pytest.mark.parametrize(
    "html",
    [
        f"<p {ATTRIBUTES}>",
        f"<p {ATTRIBUTES}",
        "<p " + " ".join(f'a{number}="x>"' for number in range(100_000)) + ">",
        "".join(f"<p {' '.join(f'a{number}' for number in range(9000))}>" for _ in range(20)),
        "<p" + "/".join(f"a{number}" for number in range(2500)) + "/>",
        "<p " + "".join(f'a{number}=""' for number in range(2500)) + ">",
        "<a href=" + "x" * 70_000 + ">",
        "<a " + 'b="' * 30_000 + ">",
        '<p a="' + "x" * 70_000 + f'" {ATTRIBUTES}>',
        '<p a="' + "x" * 70_000 + '" ' + "".join(f'a{number}=""' for number in range(2500)) + ">",
        "<p " + f"""a='{"x" * 1900}' """ * 40 + ">",
        "<b><i>" * 100_000,
        "<div>" * 100_000 + "</div>" * 100_000,
        "<table><tr><td>" * 50_000,
        "<p>" * (MAX_ELEMENTS + 1),
        "x" * (MAX_CHARACTERS + 1),
    ],
    ids=[
        *("attributes", "open-tag", "quoted", "many-tags", "slashes", "glued", "value"),
        *("quotes", "value-attributes", "value-glued", "values"),
        *("formatting", "depth", "tables", "elements", "length"),
    ],
)
def test_of_a_page_beyond_the_limits_the_first_part_is_read(html: str) -> None:
    root, cut, _ = parse_within_limits(f"<title>Acme</title><h1>First</h1>{html}")
    assert cut
    assert (root.findtext(".//title"), root.findtext(".//h1")) == ("Acme", "First")
    elements = list(root.iter())
    assert len(elements) <= MAX_ELEMENTS
    assert max(len(element.attrib) for element in elements) <= MAX_ATTRIBUTES
    assert (
        max(
            len(value)
            for element in elements
            for value in (element.text, element.tail, *element.attrib.values())
            if value
        )
        <= MAX_CHARACTERS
    )


@pytest.mark.parametrize(
    ("html", "cut"),
    [
        ("x" * (MAX_CHARACTERS + 1), "it is longer than 2,097,152 characters"),
        ("<p>" * (MAX_ELEMENTS + 1), "it has more than 150,000 elements"),
        ("<b>" * 5000, "it is nested too deeply"),
        (f'<a href="{"x" * 1999}" {"b" * 70_000}>', "one of its tags is longer than 65,536 characters"),
        (f"<p {' '.join(f'a{number}' for number in range(1001))}>", "one of its tags has more than 1,000 attributes"),
        ("<p>Acme</p>", ""),
    ],
)
def test_the_limit_that_was_hit_is_named(html: str, cut: str) -> None:
    assert parse_within_limits(html).cut == cut


@pytest.mark.parametrize("html", ["", " \n ", "<!-- never closed", "\x00", "<template><p>Acme</p></template>"])
def test_a_text_without_elements_is_no_page(html: str) -> None:
    with pytest.raises(UnreadablePage):
        parse(html)


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<template><p>x</p></template><p>Acme</p>", ["Acme"]),
        ("<noscript><p>x</p></noscript><p>Acme</p>", ["Acme"]),
        ("<select><option><p>x</p></select><p>Acme</p>", ["Acme"]),
        ("<!-- <p>x</p> --><p>Acme</p>", ["Acme"]),
        ("<p>Acme</p><template><p>x</p>", ["Acme"]),
        ("<p>Acme</p><TEMPLATE id=a><div></TEMPLATE x><p>Two</p>", ["Acme", "Two"]),
        ("<template><template></template><p>x</p></template><p>Acme</p>", ["Acme"]),
        ('<template><script>"</template>"</script><p>x</p></template><p>Acme</p>', ["Acme"]),
        ("<p>Acme</p><plaintext><p>x</p>", ["Acme"]),
        ('<div><template shadowrootmode="open"><p>Acme</p></template><p>Two</p></div>', ["Acme", "Two"]),
        ("<template shadowrootmode=closed><template><p>x</p></template><p>Acme</p></template>", ["Acme"]),
        ('<template shadowrootmode="none"><p>x</p></template><p>Acme</p>', ["Acme"]),
        ('<template data-shadowrootmode="open"><p>x</p></template><p>Acme</p>', ["Acme"]),
    ],
)
def test_what_browsers_do_not_show_is_no_part_of_the_page(html: str, shown: list[str]) -> None:
    assert [element.text for element in parse(html).iter("p")] == shown


def test_no_meta_tag_of_a_template_or_a_noscript_is_one_of_the_page() -> None:
    meta = '<meta property="og:title" content="x"><script type="application/ld+json">{}</script>'
    for name in ("template", "noscript"):
        for page in ("<head>{}<title>Acme</title></head>", "<body>{}<p>Acme</p></body>"):
            root = parse(page.format(f"<{name}>{meta}</{name}>"))
            assert not [*root.iter("meta"), *root.iter("script")]


@pytest.mark.parametrize(
    "piece", ["<", "<a ", "<!--", "<!", "</", "<template>", "<script><!--", '<p a="', "<p =", "-", "<p\t/"]
)
def test_a_page_of_beginnings_is_read_once(piece: str) -> None:
    text, _, unseen = _Preparation(piece * 200_000).done()
    assert len(text) <= len(piece) * 200_000
    assert len(unseen) <= MAX_UNSEEN + 200


def test_what_is_left_out_can_be_looked_at() -> None:
    html = "<p>a</p><template><b>one</b></template><noscript>two</noscript><select><option>three<input><template>four"
    assert parse_within_limits(html).unseen.split("\n") == ["<b>one</b>", "two", "<option>three", "four", ""]


@pytest.mark.parametrize(
    "before",
    [
        "<!-- --!>",
        "<!x <!-- >",
        "<?x <!-- >",
        "<?x <title >",
        "</1 <!-- >",
        "<![CDATA[ <!-- ]]>",
        "<!doctype html <!-- >",
        "<title\x0b>",
        "<xmp\x1c>",
        "<script/>",
        "<title a=1/>",
        "<textarea></textarea\x0b></textarea>",
        "<script><!--<script></script><!-- </script>",
        "<script><!--<script></script><title></script>",
        "<<!-- -->",
    ],
)
def test_no_tag_hides_where_the_parser_sees_it(before: str) -> None:
    root = parse(f"<b>Acme</b>{before}<p {ATTRIBUTES}>")
    assert max(len(element.attrib) for element in root.iter()) <= MAX_ATTRIBUTES


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>A\x00c\x00me</title>", "Acme"),
        ('<img src="data:image/png;base64,' + "A" * 300_000 + '"><title>Acme</title>', "Acme"),
        ('<div id="app" data-page="' + "{&quot;a>b&quot;}" * 10_000 + '"></div><title>Acme</title>', "Acme"),
        ("<island props='" + '["<a>"]' * 40_000 + "' client></island><title>Acme</title>", "Acme"),
        ("<p " + 'a="' + "x" * 70_000 + '" ' + 'b="' + "y" * 70_000 + '"><title>Acme</title>', "Acme"),
        ("<script>if (a<b" + " && a<b" * 20_000 + ")</script><title>Acme</title>", "Acme"),
        ("<style>" + "a<b{}" * 20_000 + "</style><title>Acme</title>", "Acme"),
        ("<font>" * 400 + "<title>Acme</title>", "Acme"),
        ('<?xml version="1.0" encoding="utf-16"?><title>Acme</title>', "Acme"),
        ("<title>Acme\ud800</title>", "Acme?"),
        ("<!-->" + "<title>Acme</title>", "Acme"),
        ("<title>Acme</title>" + "<" * 100_000, "Acme"),
        ("<title/>Acme</title>", "Acme"),
    ],
    ids=[
        "nul",
        "data",
        "page-data",
        "island",
        "two-values",
        "script",
        "style",
        "unclosed",
        "declaration",
        "surrogate",
        "comment",
        "angles",
        "slash",
    ],
)
def test_odd_but_honest_pages_are_read(html: str, title: str) -> None:
    assert parse(html).findtext(".//title") == title


def test_only_the_long_values_of_a_long_tag_are_dropped() -> None:
    long = "x" * 70_000
    root = parse(f'<div id="app" data-page="{long}" class=\'a "b"\'><p title="{"y" * 3000}">one</p></div>')
    [box], [text] = root.iter("div"), root.iter("p")
    assert dict(box.items()) == {"id": "app", "data-page": "", "class": 'a "b"'}
    assert text.get("title") == "y" * 3000


@pytest.mark.parametrize(
    "html",
    [
        '<html lang="en"><div>{1}</div><!doctype html><html><head><title>Acme</title></head><body><p>one</p></body>',
        '<html lang="en"><body><title>Acme</title></body></html><html lang="de"><body><p>one</p></body></html>',
        '<html lang="en"><head><title>Acme</title></head><body></body></html><section><p>one</p></section>',
    ],
)
def test_a_page_that_begins_twice_is_one_page(html: str) -> None:
    root = parse(html)
    assert root.getnext() is None
    assert root.get("lang") == "en"
    assert root.findtext(".//title") == "Acme"
    assert root.findtext(".//p") == "one"


def test_many_pages_after_each_other_are_one_page_too() -> None:
    assert len(parse("<html><body><p>x</p></body></html>" * 10_000).findall(".//p")) == 10_000
