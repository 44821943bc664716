"""Characters, sizes and shapes of pages that are wrong by accident or on purpose."""

import pytest

from apps.core.html.tree import MAX_ATTRIBUTES, MAX_CHARACTERS, MAX_ELEMENTS
from apps.drafts.extraction import (
    Answer,
    ReadPage,
    UnreadablePage,
    choose_pages,
    decode,
    draft_listing,
    parse,
    why_unusable,
)

URL = "https://acme.com/"
GERMAN = "Schöne Grüße aus Köln: für kleine Büros, die täglich viele Aufträge prüfen müssen. " * 3


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("Grüße".encode(), "text/html; charset=iso-8859-1", "Grüße"),
        ("Grüße".encode("cp1252"), "text/html; charset=iso-8859-1", "Grüße"),
        ("„Grüße“ – €".encode("cp1252"), "text/html; charset=latin1", "„Grüße“ – €"),
        ("Привет".encode("cp1251"), 'text/html; charset="windows-1251"', "Привет"),
        ('<meta charset="windows-1251">Привет'.encode("cp1251"), "text/html", '<meta charset="windows-1251">Привет'),
        ("日本語".encode("shift_jis"), "text/html;charset=Shift_JIS", "日本語"),
        ("中文网".encode("gbk"), "text/html;charset=gb2312", "中文网"),
        ("\ufeffGrüße".encode(), "text/html; charset=utf-16", "Grüße"),
        ("\ufeffGrüße".encode("utf-16-le"), "text/html", "Grüße"),
        (GERMAN.encode("cp1252"), "text/html; charset=nonsense", GERMAN),
        (b"plain", "text/html; charset=zlib_codec", "plain"),
        ("Grüße".encode()[:-1], "text/html", "Grüß"),
        ("Zürich".encode()[:2], "text/html", "Z"),
        ("ä".encode() * 20 + b"\xff", "text/html", "ä" * 20 + "\ufffd"),
        (b"", "", ""),
    ],
)
def test_decode(body: bytes, content_type: str, text: str) -> None:
    assert decode(body, content_type=content_type) == text


def test_any_bytes_become_text() -> None:
    for body in (bytes(range(256)), b"\x81\x8d\x8f" * 100, b"\xff\xfe\x00", b"\x00" * 50):
        assert isinstance(decode(body, content_type="text/html; charset=utf-8"), str)


def test_a_page_in_an_undeclared_charset_is_guessed() -> None:
    text = "Быстрая доставка еды по всему городу, удобная оплата и честные отзывы покупателей. " * 5
    assert decode(text.encode("cp1251"), content_type="text/html") == text


ATTRIBUTES = " ".join(f"a{number}" for number in range(100_000))


@pytest.mark.parametrize(
    "html",
    [
        "",
        " \n ",
        "<!-- never closed",
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
        *("empty", "blank", "comment", "attributes", "open-tag", "quoted", "many-tags", "slashes", "glued", "value"),
        *("quotes", "value-attributes", "value-glued", "values"),
        *("formatting", "depth", "tables", "elements", "length"),
    ],
)
def test_pages_beyond_the_limits_are_refused(html: str) -> None:
    with pytest.raises(UnreadablePage):
        parse(html)


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
    try:
        root = parse(f"<b>Acme</b>{before}<p {ATTRIBUTES}>")
    except UnreadablePage:
        return
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


def test_of_a_long_tag_only_the_long_values_are_left_out() -> None:
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


HEAVY = {
    "anchors": '<a href="https://x.com/u">t u</a>',
    "metas": '<meta property="og:title" content="x y">',
    "links": '<link rel="icon me alternate" type="application/rss+xml" href="/a.png">',
    "headings": "<h1>a b c d</h1>",
    "times": '<time datetime="2020-99-99">x</time>',
    "classes": '<i class="author byline date publish logo brand">x</i>',
    "itemprops": '<p itemprop="author date image description">x y</p>',
    "code": "<code>https://mcp.acme.com/mcp</code>",
    "mails": '<a href="mailto:a@acme.com">m</a>',
    "scripts": '<script type="application/ld+json">{"@type":"Organization","name":"x","sameAs":["y"]}</script>',
}


@pytest.mark.parametrize("piece", HEAVY.values(), ids=HEAVY.keys())
def test_pages_of_one_repeated_element_are_read_to_the_end(piece: str) -> None:
    html = piece * (60_000 // len(piece))
    page = ReadPage.open(html.encode(), url=URL, content_type="text/html")
    proposal = draft_listing([page]).as_dict()
    assert len(str(proposal)) < 20_000
    assert page.facts.values()["date"] is None
    assert len(choose_pages(page.document.root, URL)) <= 8
    assert why_unusable(Answer(200, "text/html", html)) in (None, "too_thin")


def test_structured_data_that_refers_to_itself_comes_to_an_end() -> None:
    node = '{"@id": "#a", "@type": "Article", "author": {"@id": "#a"}, "publisher": {"@id": "#a"}}'
    html = f'<title>Acme</title><script type="application/ld+json">{node}</script>'
    page = ReadPage.open(html.encode(), url=URL, content_type="text/html")
    assert page.facts.values()["author"] is None


def test_text_that_hides_its_direction_is_cleaned() -> None:
    html = '<meta property="og:title" content="Ac\u202eme\u200b \u2066Inc\u2069">'
    page = ReadPage.open(html.encode(), url=URL, content_type="text/html")
    assert page.facts.values()["title"] == "Acme Inc"
