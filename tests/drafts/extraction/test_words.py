"""Headlines, titles and summaries in clean words."""

import pytest

from tests.drafts.extraction.pages import field, home, page

HEADING = "<h1>Invoices that write themselves</h1>"


@pytest.mark.parametrize(
    ("title", "headline"),
    [
        ("Acme: the invoices that write themselves", "The invoices that write themselves"),
        ("Acme: acme for small teams", "acme for small teams"),
        ("Acme 3 for Mac and iPad", "Invoices that write themselves"),
        ("Acme for Mac", "Invoices that write themselves"),
        ("Home | Acme", "Invoices that write themselves"),
        ("Home", "Invoices that write themselves"),
    ],
)
def test_a_headline_says_what_the_product_does(title: str, headline: str) -> None:
    assert field("headline", page(HEADING, head=f"<title>{title}</title>")) == headline


@pytest.mark.parametrize(
    ("title", "seo_title"),
    [
        ("Home", "Invoices that write themselves"),
        ("Home | Acme", "Invoices that write themselves"),
        (
            "Invoices for architects, designers and everybody else who bills | Acme",
            "Invoices for architects, designers and everybody else who…",
        ),
        (
            "Acme invoices for architects, designers and all others | Acme",
            "Acme invoices for architects, designers and all others",
        ),
    ],
)
def test_a_title_keeps_the_product_and_gives_way_to_the_heading(title: str, seo_title: str) -> None:
    assert field("seo_title", page(HEADING, head=f"<title>{title}</title>")) == seo_title


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("Acme doesn\ufffdt wait: it writes your invoices today.", "Acme doesn’t wait: it writes your invoices today."),
        ("Acme writes invoices \ufffd in minutes, not days.", "Acme writes invoices – in minutes, not days."),
        ("Acme is the \ufffdbest\ufffd way to write your invoices.", "Acme is the “best” way to write your invoices."),
        ("Acme writes invoices in every caf\ufffd of the town.", "Acme writes invoices in every caf of the town."),
    ],
)
def test_characters_that_were_lost_are_restored_or_left_out(text: str, summary: str) -> None:
    assert field("summary", home(head=f'<meta name="description" content="{text}">')) == summary


def test_a_text_without_lost_characters_comes_first() -> None:
    heads = '<meta property="og:description" content="Acme, from the caf\ufffd to your invoices and back again.">'
    heads += '<meta name="description" content="Acme, from the café to your invoices and back again.">'
    assert field("summary", home(head=heads)) == "Acme, from the café to your invoices and back again."
