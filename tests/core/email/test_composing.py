"""An email's HTML is made of its text: what a person wrote in it stays text, and colors are the site's."""

import re

import pytest
from django.template import Context, Template

from apps.core.email.rendering import Sender, compose, dark, light, render_html
from apps.core.email.text import COLLECTOR, Block, Kind, Row, Words, one_line

SITE = Sender(name="A site", base_url="https://a.example", hue=265)


def html_of(text: str, *blocks: Block, subject: str = "News") -> str:
    return render_html(Words(subject=subject, text=text, blocks=blocks), site=SITE)


def rendered(source: str, **context: object) -> tuple[str, list[Block]]:
    blocks: list[Block] = []
    template = Template("{% load email_text %}{% autoescape off %}" + source + "{% endautoescape %}")
    return template.render(Context({**context, COLLECTOR: blocks})), blocks


def test_markup_of_people_stays_text() -> None:
    page = html_of("<script>alert(1)</script>\n\n<a href='https://evil.example'>x</a>", subject="<b>News</b> &amp;")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "<b>News</b>" not in page


def test_words_of_people_never_become_a_button() -> None:
    page = html_of("Sign in here: https://evil.example\n\nSign in\nhttps://evil.example")
    assert 'class="button' not in page
    # The address stays in sight.
    assert page.count(">https://evil.example</a>") == 2


def test_a_signature_that_somebody_wrote_ends_nothing() -> None:
    end = Block(kind=Kind.SIGNATURE, text="A site\nhttps://a.example", label="A site", url="https://a.example")
    page = html_of("A site\nhttps://a.example\n\nMore of the update.\n\nA site\nhttps://a.example\n\nWhy.", end)
    small_print = page.rpartition('class="soft" style="padding')[2]
    assert "More of the update." not in small_print
    assert "Why." in small_print


def test_a_javascript_address_is_no_link() -> None:
    assert 'href="javascript' not in html_of("javascript:alert(1)")


@pytest.mark.parametrize(
    ("source", "text", "kind"),
    [
        ("{% button label url %}", "See it now: https://a.example/x", Kind.BUTTON),
        ("{% link label url %}", "See it now: https://a.example/x", Kind.LINK),
        ("{% entry url label words %}", "See it now: <b> & more\nhttps://a.example/x", Kind.ENTRY),
        ("{% heading label %}", "See it now", Kind.HEADING),
        ("{% note label words %}", "See it now: <b> & more", Kind.NOTE),
        ("{% code label %}", "See it now", Kind.CODE),
        ("{% table rows %}", "Line one: $1.00\nTotal: $1.00", Kind.TABLE),
        ("{% signature label url %}", "See it now\nhttps://a.example/x", Kind.SIGNATURE),
    ],
)
def test_a_tag_writes_one_paragraph_and_remembers_it(source: str, text: str, kind: Kind) -> None:
    rows = [Row(title="Line\none", value="$1.00"), Row(title="Total", value="$1.00", is_total=True)]
    said, [block] = rendered(source, label="See\n\nit now", url="https://a.example/x", words="<b> &\nmore", rows=rows)
    assert said == text == block.text
    assert block.kind == kind
    assert Block.of_json(block.as_json()) == block


def test_lines_behind_the_mark_of_a_quotation_are_a_paragraph_of_their_own() -> None:
    page = html_of("headline, before:\n> Old\n> words\nEnd")
    assert re.search(r"<blockquote[^>]*>&gt; Old<br>&gt; words</blockquote>", page)


@pytest.mark.parametrize("words", ["word " * 60, "Hello World is live. " * 9])
def test_the_beginning_shows_in_lists_of_emails(words: str) -> None:
    page = html_of(f"Hello,\n\n{words}\n\nThe end.")
    result = re.search(r'aria-hidden="true">([^<]+)</div>', page)
    assert result is not None
    assert result[1].startswith(words[:20])
    assert len(result[1]) <= 140


def test_subject_and_headers_have_one_line() -> None:
    email = compose(to="a@example.com", words=Words(subject="One\r\nBcc: b@example.com", text="Text"), site=SITE)
    assert email.subject == "One Bcc: b@example.com" == one_line(email.subject)


@pytest.mark.parametrize("hue", range(0, 360, 15))
def test_words_can_be_read_on_every_site(hue: int) -> None:
    for scheme in (light(hue), dark(hue)):
        assert contrast(scheme.text, scheme.card) >= 7
        for front, back in (
            (scheme.soft, scheme.page),
            (scheme.soft, scheme.sunken),
            (scheme.accent_text, scheme.card),
            (scheme.on_accent, scheme.accent),
        ):
            assert contrast(front, back) >= 4.5, (front, back)


def contrast(one: str, other: str) -> float:
    """As WCAG 2 counts it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
