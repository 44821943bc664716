"""How founders' words become HTML: what may be a link, and that nothing else of theirs is markup."""

from html.parser import HTMLParser

import pytest

from apps.core.editing.plain_text import count_links
from apps.core.editing.rendering import LINK_REL, render_sections, render_text
from tests.properties import given, st


class Reader(HTMLParser):
    """What a browser makes of it: every element with its attributes, and all of the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def links(self) -> list[str | None]:
        return [attributes["href"] for tag, attributes in self.elements if tag == "a"]


def read(text: str, *, max_links: int = 3) -> Reader:
    return Reader(render_text(text, max_links=max_links))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        (" \n\n ", ""),
        ("One line", '<p dir="auto">One line</p>'),
        ("One\n\nTwo", '<p dir="auto">One</p>\n<p dir="auto">Two</p>'),
        ("One\n \t\n\n\nTwo", '<p dir="auto">One</p>\n<p dir="auto">Two</p>'),
        ("One\nTwo", '<p dir="auto">One<br>Two</p>'),
        ("One\r\nTwo\r\n\r\nThree", '<p dir="auto">One<br>Two</p>\n<p dir="auto">Three</p>'),
        ("Tom & Jerry's", '<p dir="auto">Tom &amp; Jerry&#x27;s</p>'),
        ("- one\n- two", '<p dir="auto">- one<br>- two</p>'),
        ("# Heading\n**bold** [a](b)", '<p dir="auto"># Heading<br>**bold** [a](b)</p>'),
    ],
)
def test_paragraphs_and_line_breaks(text: str, html: str) -> None:
    assert render_text(text, max_links=3) == html


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("See https://example.com.", "https://example.com"),
        ("See http://example.com/a?b=c&d=e#f, please", "http://example.com/a?b=c&d=e#f"),
        ("HTTPS://EXAMPLE.COM/Path", "HTTPS://EXAMPLE.COM/Path"),
        ("(https://example.com/a)", "https://example.com/a"),
        ("https://en.example.org/wiki/Half_(cabbage)", "https://en.example.org/wiki/Half_(cabbage)"),
        ("(https://en.example.org/Half_(cabbage))", "https://en.example.org/Half_(cabbage)"),
        ("“https://example.com/”", "https://example.com/"),
        ("<https://example.com/a>", "https://example.com/a"),
        ("https://example.com/a!?", "https://example.com/a"),
        ("https://example.com:8443/a", "https://example.com:8443/a"),
        ("https://münchen.example/grüße", "https://münchen.example/grüße"),
        ("詳しくは https://example.jp/道。次", "https://example.jp/道"),
        ("شاهد https://example.com/a الآن", "https://example.com/a"),
        ("https://example.com/a,b", "https://example.com/a,b"),
    ],
)
def test_an_address_written_out_in_full_becomes_a_link(text: str, address: str) -> None:
    result = read(text)
    assert result.elements[1:] == [("a", {"href": address, "rel": LINK_REL, "dir": "ltr"})]
    assert result.text == text


def test_links_lead_to_nothing_that_we_vouch_for() -> None:
    assert set(LINK_REL.split()) == {"nofollow", "ugc", "noopener"}


@pytest.mark.parametrize(
    "text",
    [
        "example.com and www.example.com",
        "mailto:ada@example.com",
        "ftp://example.com/a",
        "//example.com/a",
        "javascript:alert(1)",
        "JaVaScRiPt://example.com/%0aalert(1)",
        "data:text/html,<script>alert(1)</script>",
        "xhttps://example.com",
        "https://",
        "https:///example.com",
        "https://localhost/a",
        "https://intranet",
        "https://bank.example@evil.example/login",
        "https://user:secret@example.com/",
        "https://bank.example\\@evil.example/",
        "https://example.com\\evil",
        "https://[::1]/",
        "https://[example.com",
        "https://example..com",
        "https://-example.com",
        "https://example.com:port/",
        "https://example.com:99999/",
        "https://example.com/" + "a" * 2000,
        "https://.",
        "https://...!",
    ],
)
def test_what_could_lead_elsewhere_than_it_says_stays_text(text: str) -> None:
    result = read(text)
    assert result.links == []
    assert result.text == text


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<a href='javascript:alert(1)'>x</a>",
        "</p><style>*{display:none}</style>",
        "<!-- <b> -->",
        "<![CDATA[<b>]]>",
        "&lt;script&gt;",
        "&#60;script&#62;",
        "{{ request.user }}{% load static %}",
        'https://example.com/"onmouseover="alert(1)',
        "https://example.com/'onmouseover='alert(1)",
        "https://example.com/<script>alert(1)</script>",
        "https://example.com/?a=</a><script>alert(1)</script>",
        "https://example.com/&quot;onclick=alert(1)",
        "https://example.com/`onclick=alert(1)`",
        "<https://example.com/>\n<b>",
        "\x00<b>\x0b",
    ],
)
def test_markup_is_shown_as_it_was_typed(text: str) -> None:
    result = read(text)
    assert {tag for tag, _ in result.elements} <= {"p", "a", "br"}
    for tag, attributes in result.elements:
        assert set(attributes) <= ({"href", "rel", "dir"} if tag == "a" else {"dir"})
    assert "<script" not in render_text(text, max_links=3).lower()
    if "\x00" not in text:
        assert result.text == text.replace("\n", "")


@pytest.mark.parametrize(("limit", "links"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)])
def test_so_many_addresses_become_links_and_no_more(limit: int, links: int) -> None:
    text = "https://a.example https://b.example\n\nhttps://c.example"
    result = read(text, max_links=limit)
    assert result.links == ["https://a.example", "https://b.example", "https://c.example"][:links]
    assert "https://c.example" in result.text


def test_what_is_no_link_takes_no_place_of_one() -> None:
    assert read("https://localhost https://a.example", max_links=1).links == ["https://a.example"]


def test_several_texts_have_one_limit_together() -> None:
    shown = render_sections(
        {"problem": "https://a.example", "how_started": "https://b.example https://c.example", "whats_next": "Soon"},
        max_links=2,
    )
    assert list(shown) == ["problem", "how_started", "whats_next"]
    assert [Reader(html).links for html in shown.values()] == [["https://a.example"], ["https://b.example"], []]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://a.example/" + ")" * 9_900, "https://a.example/"),
        ("https://a.example/" + "(" * 900 + ")" * 1_000, "https://a.example/" + "(" * 900 + ")" * 900),
        ("https://a.example/(])" + "])" * 4_000, "https://a.example/(])"),
        ("https://a.example/" + ".,)" * 3_000, "https://a.example/"),
    ],
    ids=["brackets", "pairs", "mixed", "punctuation"],
)
def test_thousands_of_brackets_behind_an_address_are_text(text: str, address: str) -> None:
    result = read(text)
    assert result.links == [address]
    assert result.text == text


_PIECES = st.sampled_from(
    ["https://", "http://", "a.example", "/", "(", ")", "<", ">", '"', "'", "&", "&amp;", "@", "\\", "。", " ", "\n",
     "\n\n", "<b>", "</p>", "é", "日", ".", ",", ":80", "?", "#", "%", "`", "=", "\u2028", "on", "x"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=24).map("".join), st.integers(min_value=0, max_value=3))
def test_whatever_is_typed_gives_paragraphs_with_few_links_and_every_letter(text: str, limit: int) -> None:
    result = read(text, max_links=limit)
    assert {tag for tag, _ in result.elements} <= {"p", "a", "br"}
    assert len(result.links) <= min(limit, count_links(text))
    assert all(link and link.startswith(("http://", "https://")) for link in result.links)
    assert "".join(result.text.split()) == "".join(text.split())
