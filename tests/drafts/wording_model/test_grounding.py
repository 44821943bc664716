"""What a text may say when it cites others, and the blocks that can be cited."""

import pytest

from apps.drafts.extraction import ReadPage
from apps.drafts.extraction.page.blocks import (
    MAX_BLOCK,
    MAX_CHARACTERS,
    MAX_HOME_BLOCKS,
    MAX_OTHER_BLOCKS,
    blocks_of,
)
from apps.drafts.wording_model.grounding import Objection, has_address, objections

PRICES = "Acme writes invoices for 1,000 teams in 5 minutes, from $9 a month. It is not free after 14 days."


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("Invoices for 1,000 teams", [PRICES]),
        ("ACME writes INVOICES in 5 minutes.", [PRICES]),
        ("From $9 a month", [PRICES]),
        ("Not free after 14 days", [PRICES]),
        ("Creme brulee for teams", ["Crème brûlée for all teams"]),
        ("Rechnungen für Vereine", ["Vereine schreiben Rechnungen für Mitglieder"]),
        ("Письма без спама", ["Мы пишем письма без спама"]),
        ("請求書を自動で作成", ["会計、請求書を自動で作成。月末に"]),
        ("हिन्दी में चालान", ["सरल चालान हिन्दी में"]),
        ("Runs on Node.js and Vue.js", ["Runs on Node.js, and on Vue.js"]),
        ("Plans & prices", ["All plans & prices of Acme"]),
        ("You don't chase clients", ["You don't have to chase clients"]),
        ("C++ for teams", ["Teams write C++ for fun"]),
    ],
)
def test_what_the_cited_texts_say_may_be_said(text: str, cited: list[str]) -> None:
    assert objections(text, cited) is None


@pytest.mark.parametrize(
    ("text", "cited", "objection"),
    [
        ("Invoices for happy teams", [PRICES], Objection.WORD),
        ("Invoices for 1,000 happy teams", [PRICES], Objection.NUMBER),
        ("Invoicing for teams", [PRICES], Objection.WORD),
        ("Invoices", [], Objection.WORD),
        ("Invoices for 10,000 teams", [PRICES], Objection.NUMBER),
        ("Invoices for 1000 teams", [PRICES], Objection.NUMBER),
        ("Invoices in 9 minutes", [PRICES], Objection.NUMBER),
        ("Free for 14 minutes", [PRICES], Objection.NUMBER),
        ("From €9 a month", [PRICES], Objection.SYMBOL),
        ("From € 9 a month", ["From $ 9 a month, in €"], Objection.NUMBER),
        ("From 9 a month", [PRICES], Objection.NUMBER),
        ("5% of teams", ["5 teams of 7%"], Objection.NUMBER),
        ("It is free", [PRICES], Objection.NEGATION),
        ("Acme writes not invoices", [PRICES], Objection.NEGATION),
        ("With spam", ["Letters without spam, with stamps"], Objection.NEGATION),
        ("Kostet Geld", ["Kostet kein Geld"], Objection.NEGATION),
        ("You chase clients", ["You don’t chase clients"], Objection.NEGATION),
        ("Invoices ★★★★★", [PRICES], Objection.SYMBOL),
        ("Invoices at evil.com", ["Invoices at evil.com"], Objection.ADDRESS),
        ("Invoices: https://evil", ["Invoices: https://evil"], Objection.ADDRESS),
        ("Mail team@acme", ["Mail team@acme"], Objection.ADDRESS),
        ("Invoices <b>for</b> teams", ["Invoices <b>for</b> teams"], Objection.NOT_PLAIN),
        ("Invoices\nfor teams", [PRICES], Objection.NOT_PLAIN),
        ("Invoices\u202e for teams", [PRICES], Objection.NOT_PLAIN),
        ("Invoices\U000e0041 for teams", [PRICES], Objection.NOT_PLAIN),
        ("Invoices\ud800 for teams", [PRICES], Objection.NOT_PLAIN),
        ("", [PRICES], Objection.NOT_PLAIN),
        # A clause is one word where there are no spaces: nothing is taken out of it.
        ("請求書を作成", ["請求書を作成しない"], Objection.WORD),
    ],
)
def test_what_they_do_not_say_may_not(text: str, cited: list[str], objection: Objection) -> None:
    assert objections(text, cited) is objection


@pytest.mark.parametrize(
    "text",
    [
        "evil.com", "see www.evil", "EVIL.CO.UK now", "mail a@b.example", "ftp://x", "10.0.0.1", "evil。com",
        "ｅｖｉｌ．ｃｏｍ", "a.b-c.io/path", "mailto:me", "xn--e1afmkfd.xn--p1ai", "пример.рф",
    ],
)  # fmt: skip
def test_addresses(text: str) -> None:
    assert has_address(text)


@pytest.mark.parametrize("text", ["Node.js", "3.5 times", "1.2.3", "e.g. teams", "Mr. Smith", "and so on...", "v2.0"])
def test_what_only_looks_like_an_address(text: str) -> None:
    assert not has_address(text)


def opened(html: str, url: str = "https://acme.example/") -> ReadPage:
    return ReadPage.open(html.encode(), url=url, content_type="text/html; charset=utf-8")


def test_blocks_are_what_a_reader_sees() -> None:
    home = opened("""
      <html><head><title>Acme: invoices that write themselves</title>
      <meta name="description" content="Acme reads your time sheets."><style>p { color: red }</style></head>
      <body><nav><a href="/a">About us and more</a></nav>
      <main><h1>Invoices that <em>write</em> themselves</h1>
        <p class="lead">From time&nbsp;sheets<br>to invoices in minutes</p>
        <ul><li>One for each client<li>Sent on the day</ul>
        <div>Text without <b>a</b> paragraph <div>and a box inside it</div> and after it</div>
        <p hidden>Hidden words of ours</p><p aria-hidden="true">Hidden words of theirs</p>
        <div style="Display : none"><p>Hidden words of nobody</p></div>
        <p>Two words</p><p>One for each client</p>
        <script>var words = "one two three";</script><form><p>Fill in this form</p></form>
      </main><footer><p>All rights are reserved</p></footer></body></html>""")
    about = opened("<html><body><p>We are from Oslo</p><p>Sent on the day</p></body></html>", "https://acme.example/us")
    blocks = blocks_of([home, about])
    assert [block.text for block in blocks] == [
        "Acme: invoices that write themselves",
        "Invoices that write themselves",
        "Acme reads your time sheets.",
        "From time sheets",
        "to invoices in minutes",
        "One for each client",
        "Sent on the day",
        "Text without a paragraph",
        "and a box inside it",
        "and after it",
        "We are from Oslo",
    ]
    assert [block.number for block in blocks] == list(range(1, 12))
    by_text = {block.text: block for block in blocks}
    assert (by_text["From time sheets"].selector, by_text["From time sheets"].source) == ("p.lead", "text")
    assert by_text["Acme reads your time sheets."].selector == 'meta[name="description"]'
    assert by_text["We are from Oslo"].page is about


def test_blocks_are_bounded() -> None:
    many = "".join(f"<p>Paragraph number {number} says something {'word ' * 150}</p>" for number in range(500))
    few = "".join(f"<p>Line {number} of page</p>" for number in range(500))
    pages = [opened(f"<html><body>{few}</body></html>")]
    pages += [opened(f"<html><body>{many}</body></html>", f"https://acme.example/{number}") for number in range(8)]
    blocks = blocks_of(pages)
    assert sum(len(block.text) for block in blocks) <= MAX_CHARACTERS
    assert max(len(block.text) for block in blocks) <= MAX_BLOCK
    counts = [sum(1 for block in blocks if block.page is page) for page in pages]
    assert counts[0] == MAX_HOME_BLOCKS
    assert max(counts[1:]) <= MAX_OTHER_BLOCKS


@pytest.mark.slow
def test_a_page_of_nothing_but_tags_gives_no_blocks() -> None:
    nested = "<div>" * 250 + "".join("<i></i><p></p>" for _ in range(40_000))
    assert blocks_of([opened(f"<html><body>{nested}</body></html>")]) == []
