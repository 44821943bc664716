"""Summaries, headlines and pictures: from the body where the head says nothing, and never from a template."""

import pytest

from apps.drafts.extraction import Proposal, ReadPage, draft_listing
from apps.drafts.extraction.page.body_text import find_passages, stated_day
from tests.drafts.extraction.pages import json_ld

URL = "https://acme.com/"
FIRST = "Acme writes the invoices of small companies and sends them to every customer in time."
SECOND = "Behind it stand four people in Porto who were tired of writing their own invoices by hand."
MENU = "<nav>" + "".join(f'<a href="/{word}">{word}</a>' for word in ("features", "pricing", "login")) + "</nav>"
FOOT = "<footer><p>Acme Ltd, all rights reserved, and a long address in Porto that nobody wants to read.</p></footer>"


def page(body: str = "", *, head: str = "", url: str = URL) -> ReadPage:
    html = f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>'
    return ReadPage.open(html.encode(), url=url, content_type="text/html; charset=utf-8")


def draft(body: str = "", *, head: str = "", others: tuple[ReadPage, ...] = ()) -> Proposal:
    return draft_listing([page(body, head=f"<title>Acme</title>{head}"), *others])


def meta(text: str) -> str:
    return f'<meta name="description" content="{text}">'


BODY = f"{MENU}<main><h1>Invoices that write themselves</h1><p>{SECOND}</p><p>{FIRST}</p></main>{FOOT}"


def test_passages_are_whole_sentences_of_the_body_those_about_the_product_first() -> None:
    result = find_passages(page(BODY), name="Acme")
    assert [find.value for find in result] == [FIRST, SECOND]
    assert [find.value for find in find_passages(page(BODY))] == [SECOND, FIRST]
    assert (result[0].source, result[0].selector, result[0].snippet) == ("text", "p", f"<p>{FIRST}")


@pytest.mark.parametrize("body", ["", "<div></div>", MENU, "<p>Too short.</p>", "<script>var a = 'long';</script>"])
def test_without_sentences_there_are_no_passages(body: str) -> None:
    assert find_passages(page(body)) == []


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{FIRST}</p>" * 20_000,
        "<div>" * 240 + f"<p>{FIRST}</p>" + "</div>" * 240,
        f"<p>{FIRST * 9000}</p>",
        "https://example.com/",
    ],
    ids=["many", "deep", "long", "address"],
)
def test_pages_that_would_take_too_long_have_none(body: str) -> None:
    assert find_passages(page(body)) == []


def test_the_summary_is_what_the_page_declares() -> None:
    described = "Acme reads your time sheets and writes one invoice for each of your clients."
    assert draft(BODY, head=meta(described)).fields["summary"] == described


@pytest.mark.parametrize(
    "head",
    [
        "",
        meta("Just another WordPress site"),
        meta("Web site created using create-react-app"),
        meta("Enter a description here."),
        meta("You need to enable JavaScript to run this app."),
        meta("invoice, invoices, billing, accounting, small business, invoice app, invoicing software"),
        meta("Acme"),
        meta("Invoices, fast."),
    ],
)
def test_where_it_declares_none_the_body_is_used(head: str) -> None:
    proposal = draft(BODY, head=head)
    evidence = next(item for item in proposal.evidence if item.field == "summary")
    assert proposal.fields["summary"] == FIRST
    assert (evidence.page_url, evidence.source) == (URL, "text")
    assert evidence.snippet in (f"<p>{FIRST}", f"<p>{FIRST}"[:300])


def test_the_about_page_is_used_as_well() -> None:
    about = page(f"{MENU}<main><h1>About us</h1><p>{FIRST}</p></main>{FOOT}", url=f"{URL}about")
    proposal = draft(f"{MENU}<h1>Invoices that write themselves</h1>", others=(about,))
    assert proposal.fields["summary"] == FIRST
    assert next(item for item in proposal.evidence if item.field == "summary").page_url == about.url


def test_a_text_that_was_cut_short_gives_way_to_the_same_in_full() -> None:
    head = f'<meta property="og:description" content="{FIRST[:50]}...">{meta(FIRST)}'
    assert draft(head=head).fields["summary"] == FIRST


def test_nothing_is_written_where_nothing_stands() -> None:
    proposal = draft(f"{MENU}{FOOT}", head=meta("Lorem ipsum dolor sit amet, consectetur adipiscing elit."))
    assert "summary" not in proposal.fields
    assert "seo_description" not in proposal.fields
    assert {"summary", "seo_description"} <= {item["field"] for item in proposal.missing}


@pytest.mark.parametrize(
    ("body", "headline"),
    [
        ("<h1>Get started for free today</h1>", None),
        ("<h1>We value your privacy, all of it</h1>", None),
        ("<h1>Sign up to try it</h1>", None),
        ("<h1>Contact us today</h1>", None),
        ('<div class="cookie-banner"><h1>Choose what we may store</h1></div><h1>Write less now</h1>', "Write less now"),
        ('<div role="dialog"><h1>Choose what we may store</h1></div>', None),
        ("<h1>Privacy friendly invoices for teams</h1>", "Privacy friendly invoices for teams"),
        ("<h1>Sign up forms that convert</h1>", "Sign up forms that convert"),
    ],
)
def test_calls_and_notices_are_no_headline(body: str, headline: str | None) -> None:
    assert draft(body).fields.get("headline") == headline


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ('<img src="/screenshot-1.png">', ["screenshot-1.png"]),
        ('<img src="/1.png" alt="Screenshot of the invoice list">', ["1.png"]),
        ('<img src="/1.png" alt="Bildschirmfoto der Rechnungen">', ["1.png"]),
        ('<img src="/1.png" alt="請求書の画面">', ["1.png"]),
        ('<div class="screenshots"><p><img src="/1.png"></p></div>', ["1.png"]),
        ("<figure><img src='/1.png'><figcaption>The Acme dashboard</figcaption></figure>", ["1.png"]),
        ('<img alt="Dashboard" src="data:image/gif;base64,R0" data-src="/1.png">', ["1.png"]),
        ('<img alt="App preview" src="/1.png" srcset="/1-400.png 400w, /1-1600.png 1600w">', ["1-1600.png"]),
        ('<img itemprop="screenshot" src="/1.png">', ["1.png"]),
        ('<img src="/1.png" alt="Ada Lovelace">', None),
        ('<img src="/1.png" alt="Customer logo on a dashboard">', None),
        ('<div class="dashboard"><img src="/avatar.png" alt="Ada"></div>', None),
        ('<img src="/screenshot.png" width="120">', None),
        ('<img src="/screenshot.svg">', None),
        ('<img src="javascript:screenshot">', None),
    ],
)
def test_pictures_of_the_product(body: str, names: list[str] | None) -> None:
    shown = draft(body).fields.get("screenshots")
    assert shown == (names and [f"{URL}{name}" for name in names])


def test_declared_pictures_come_before_shown_ones_and_a_logo_is_none() -> None:
    share = '<meta property="og:image" content="/share.png">'
    declared = share + json_ld({"@type": "WebApplication", "name": "Acme", "screenshot": "/declared.png"})
    assert draft('<img src="/screenshot.png">', head=declared).fields["screenshots"] == [
        f"{URL}declared.png",
        f"{URL}screenshot.png",
    ]
    logo = '<meta property="og:image" content="/acme-logo.png">'
    assert "screenshots" not in draft(head=logo).fields
    same = '<meta property="og:image" content="/acme.png"><link rel="icon" sizes="512x512" href="/acme.png">'
    assert "screenshots" not in draft(head=same).fields


def test_there_are_at_most_six_pictures_of_all_pages() -> None:
    about = page("".join(f'<img src="/about-screenshot-{number}.png">' for number in range(9)), url=f"{URL}about")
    body = "".join(f'<img src="/screenshot-{number}.png">' for number in range(3))
    assert len(draft(body, others=(about,)).fields["screenshots"]) == 6


@pytest.mark.parametrize(
    ("body", "day"),
    [
        ('<p class="date">May 3, 2024</p>', "2024-05-03"),
        ("<p>Published on 3 May 2024</p>", "2024-05-03"),
        ("<p>© 2024</p>", None),
        ('<img src="/2024/05/03/picture.png">', None),
        ("", None),
    ],
)
def test_a_day_is_on_the_page_or_there_is_none(body: str, day: str | None) -> None:
    result = stated_day(page(f"<h1>Acme Mobile</h1>{body}<p>{FIRST}</p>", url=f"{URL}2024/05/03/mobile"))
    assert (result and result.value) == day
