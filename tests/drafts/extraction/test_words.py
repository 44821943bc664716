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


TEMPLATE = """<meta property="og:title" content="Lumen - App Landing Page Template">
<meta property="og:description" content="A bright landing page template for apps and young companies.">"""
DESCRIBED = "Acme reads your time sheets and writes one invoice for each of your clients."


def test_texts_of_a_template_give_way_to_the_page_s_own() -> None:
    head = f'{TEMPLATE}<title>Acme: invoices in no time</title><meta name="description" content="{DESCRIBED}">'
    acme = page(HEADING, head=head)
    assert field("headline", acme) == "Invoices in no time"
    assert field("seo_title", acme) == "Acme: invoices in no time"
    assert field("summary", acme) == field("seo_description", acme) == DESCRIBED


def test_a_page_about_templates_keeps_its_texts() -> None:
    acme = page("<h1>Templates for apps</h1>", head=f"{TEMPLATE}<title>Acme</title>")
    assert field("headline", acme) == "App Landing Page Template"
    assert field("summary", acme) == "A bright landing page template for apps and young companies."


@pytest.mark.parametrize(
    "text",
    [
        "Acme sends the letters of small shops. Pick a template and write.",
        "Acme builds your website from a template, with your prices and pictures.",
        "請求書を作成するサービスです。テンプレートを選んで書くだけで、すぐに送れます。",
    ],
)
def test_a_description_may_mention_templates(text: str) -> None:
    head = f'<meta property="og:description" content="{text}"><meta name="description" content="{DESCRIBED}">'
    assert field("summary", home(head=head)) == text


@pytest.mark.parametrize(
    "text",
    [
        "New: invoices can now be paid in installments!",
        "Neu! Rechnungen lassen sich jetzt in Raten bezahlen.",
        "Nouveauté : vos factures se paient en plusieurs fois.",
        "新機能：請求書を分割で支払えるようになりました。",
        "40% off all plans until the end of the month, for everybody.",
        "Now available for iPad: invoices with a pen and a stamp.",
    ],
)
def test_an_announcement_gives_way_to_a_description(text: str) -> None:
    heads = f'<meta property="og:description" content="{text}">'
    both = home(head=f'{heads}<meta name="description" content="{DESCRIBED}">')
    assert field("summary", both) == field("seo_description", both) == DESCRIBED
    assert field("summary", home(head=heads)) == text
    assert field("headline", both) == DESCRIBED.rstrip(".")
    body = f"<main><h1>Acme</h1><p>{DESCRIBED} You send it with one click.</p></main>"
    assert field("summary", home(body, head=heads)).startswith(DESCRIBED)


def test_a_name_announces_nothing() -> None:
    text = "Nova: the invoices of small companies, sent in time."
    heads = f'<meta property="og:description" content="{text}"><meta name="description" content="{DESCRIBED}">'
    assert field("summary", home(head=heads, host="https://nova.com/")) == text


def test_a_whole_description_comes_before_its_first_sentence() -> None:
    heads = f'<meta property="og:description" content="{DESCRIBED}">'
    heads += f'<meta name="description" content="{DESCRIBED} You send it with one click.">'
    assert field("summary", home(head=heads)) == f"{DESCRIBED} You send it with one click."
