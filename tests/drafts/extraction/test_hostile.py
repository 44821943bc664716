"""Characters, sizes and shapes of pages that are wrong by accident or on purpose."""

import pytest

from apps.drafts.extraction import (
    Answer,
    ReadPage,
    choose_pages,
    draft_listing,
    why_unusable,
)

URL = "https://acme.com/"

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
    "prices in hidden parts": "<h2>Pricing</h2><p>$9 a month, billed yearly</p><div hidden>",
    "prices in tabs": '<div role="tabpanel" aria-labelledby="yearly"><p>Pro $9 a month</p></div>',
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
