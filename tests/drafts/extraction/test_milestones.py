"""Milestones from changelogs and blogs: which entries count, and that their dates are on the page."""

import pytest

from apps.drafts.extraction import ReadPage, draft_listing
from apps.drafts.extraction.news.announcement_words import announces
from apps.drafts.extraction.news.milestones import choose_posts, find_milestones
from apps.drafts.extraction.text.dates import find_day
from tests.drafts.extraction.pages import json_ld

URL = "https://acme.com/"


def page(body: str, *, url: str = URL, head: str = "") -> ReadPage:
    html = f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>'
    return ReadPage.open(html.encode(), url=url, content_type="text/html; charset=utf-8")


HOME = page('<a href="/changelog">Changelog</a><a href="/blog">Blog</a>')


def found(body: str, *, url: str = f"{URL}changelog", head: str = "") -> list[tuple[str, str]]:
    entries = find_milestones([HOME, page(body, url=url, head=head)])
    return [(entry.value["date"], entry.value["title"]) for entry in entries]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("May 3, 2024", "2024-05-03"),
        ("3 May 2024", "2024-05-03"),
        ("3rd of May 2024", "2024-05-03"),
        ("Posted on 2024-05-03", "2024-05-03"),
        ("2024/05/03", "2024-05-03"),
        ("2024.05.03", "2024-05-03"),
        ("3.5.2024", "2024-05-03"),
        ("03. 05. 2024", "2024-05-03"),
        ("3. Mai 2024", "2024-05-03"),
        ("3 mai 2024", "2024-05-03"),
        ("3 de mayo de 2024", "2024-05-03"),
        ("3 maja 2024", "2024-05-03"),
        ("3 мая 2024 г.", "2024-05-03"),
        ("2024年5月3日", "2024-05-03"),
        ("2024-05-03T23:30:00-05:00", "2024-05-03"),
        ("Updated May 3, 2024, written 2 April 2020", "2024-05-03"),
        ("04/05/2024", None),
        ("May 2024", None),
        ("2024", None),
        ("3 May", None),
        ("v2024.5.1", None),
        ("2024.5.1", None),
        ("10.20.2024.1", None),
        ("31.02.2024", None),
        ("February 30, 2024", None),
        ("", None),
    ],
)
def test_find_day(text: str, day: str | None) -> None:
    named = find_day(text)
    assert (named and named.iso) == day


CARD = (
    '<article><h3><a href="/changelog/{slug}">{title}</a></h3><p><time datetime="{day}">{shown}</time></p><p>{text}</p>'
    "</article>"
)
CARDS = CARD.format(slug="two", title="Acme 2.0", day="2024-05-03", shown="May 3, 2024", text="All new, and faster.")
CARDS += CARD.format(slug="one", title="Dark mode", day="2023-01-09", shown="Jan 9", text="Easy on the eyes, at last.")
BOTH = [("2024-05-03", "Acme 2.0"), ("2023-01-09", "Dark mode")]


@pytest.mark.parametrize(
    "body",
    [
        f"<main>{CARDS}</main>",
        "<h2>Acme 2.0 - 2024-05-03</h2><ul><li>Faster</li></ul><h2>Dark mode (9 Jan 2023)</h2><ul><li>Dark</li></ul>",
        "<h2>May 3, 2024</h2><h3>Acme 2.0</h3><p>Faster.</p><h2>January 9, 2023</h2><h3>Dark mode</h3><p>Dark.</p>",
        '<h2>Acme 2.0</h2><p class="date">May 3, 2024</p><p>x</p><h2>Dark mode</h2><p class="date">9.1.2023</p>',
        '<p class="date">May 3, 2024</p><h2>Acme 2.0</h2><p>x</p><p class="date">9.1.2023</p><h2>Dark mode</h2>',
        "<ul><li>2024-05-03 – Acme 2.0</li><li>2023-01-09: Dark mode</li></ul>",
        "<dl><dt>May 3, 2024</dt><dd><strong>Acme 2.0</strong> is fast</dd><dt>9 January 2023</dt>"
        "<dd><strong>Dark mode</strong></dd></dl>",
        '<table><tr><td>2024-05-03</td><td><a href="/c/2">Acme 2.0</a></td></tr><tr><td>2023-01-09</td>'
        '<td><a href="/c/1">Dark mode</a></td></tr></table>',
        '<a href="/c/2"><span>May 3, 2024</span><h3>Acme 2.0</h3></a><a href="/c/1"><span>9 Jan 2023</span>'
        "<h3>Dark mode</h3></a>",
        '<article><h2>Acme 2.0</h2><footer><time datetime="2024-05-03">2 years ago</time></footer></article>'
        '<article><h2>Dark mode</h2><footer><time datetime="2023-01-09">3 years ago</time></footer></article>',
        json_ld(
            {
                "@type": "Blog",
                "blogPost": [
                    {"@type": "BlogPosting", "headline": "Acme 2.0", "datePublished": "2024-05-03", "url": "/c/2"},
                    {"@type": "BlogPosting", "headline": "Dark mode", "datePublished": "2023-01-09T08:00:00+01:00"},
                ],
            }
        ),
        json_ld(
            {
                "@type": "ItemList",
                "itemListElement": [
                    {"item": {"@type": "Article", "headline": "Acme 2.0", "datePublished": "2024-05-03"}},
                    {"@type": "Article", "headline": "Dark mode", "datePublished": "2023-01-09"},
                ],
            }
        ),
        '<section><h2><time datetime="2024-05-03">May 3</time> Acme 2.0</h2></section><section><h2>'
        '<time datetime="2023-01-09">Jan 9</time> Dark mode</h2></section>',
        '<div class="entry"><div class="meta"><span>May 3, 2024</span> · <a href="/ada">Ada Lovelace</a></div>'
        '<div class="entry-title">Acme 2.0</div></div><div class="entry"><div class="meta"><span>Jan 9, 2023</span>'
        '</div><div class="entry-title">Dark mode</div></div>',
    ],
    ids=[
        *("cards", "headings", "days-as-headings", "day-after", "day-before", "lines", "terms", "table", "links"),
        *("footers", "blog", "item-list", "time-in-heading", "called-title"),
    ],
)
def test_entries_of_a_changelog(body: str) -> None:
    assert found(body) == BOTH


def test_an_entry_has_its_text_its_address_and_its_evidence() -> None:
    changelog = page(CARDS, url=f"{URL}changelog")
    proposal = draft_listing([HOME, changelog])
    assert proposal.fields["milestones"][0] == {
        "date": "2024-05-03",
        "title": "Acme 2.0",
        "description": "All new, and faster.",
        "url": f"{URL}changelog/two",
    }
    evidence = next(item for item in proposal.evidence if item.field == "milestones.0")
    assert (evidence.value, evidence.page_url, evidence.source) == ("Acme 2.0", changelog.url, "dom")
    assert evidence.page_sha256 == changelog.sha256
    assert "2024-05-03" in evidence.snippet
    assert "Acme 2.0" in evidence.snippet


def test_a_release_is_named_by_the_heading_below_its_number() -> None:
    body = (
        "<h2>v1.2.0 – May 3, 2024</h2><h3>Invoices by mail</h3><p>They leave by themselves.</p>"
        "<h2>[1.1.0] - 2024-01-02</h2><h3>Added</h3><ul><li>Reminders that stay polite</li></ul>"
    )
    entries = [entry.value for entry in find_milestones([HOME, page(body, url=f"{URL}changelog")])]
    assert [(entry["title"], entry["description"]) for entry in entries] == [
        ("Invoices by mail", "They leave by themselves."),
        ("1.1.0", "Reminders that stay polite"),
    ]


def test_the_points_of_a_release_are_no_milestones() -> None:
    body = "<h2>Saturday, May 4, 2024</h2><ul><li>Dark mode</li><li>Two typing errors less</li></ul>"
    assert found(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "<h2>Dark mode</h2><p>Soon.</p>",
        "<h2>Dark mode – May 2024</h2>",
        "<h2>Dark mode – 04/05/2024</h2>",
        "<h2>v2024.5.1</h2><p>Dark mode</p>",
        '<p class="date">Saturday, May 4, 2024</p><p>Nice weather.</p>',
        '<div><nav><a href="/">Home</a></nav><h2>Related posts</h2><p>x</p><i>May 3, 2024</i></div>',
        '<p class="byline"><a href="/x">Ada Lovelace</a> <time datetime="2024-05-03">May 3, 2024</time></p>',
        '<p><a href="/author/ada">Ada Lovelace</a> <time datetime="2024-05-03">May 3, 2024</time></p>',
        "<h2>Dark mode – February 30, 2024</h2>",
        "<article><h2>Dark mode</h2><time>3 days ago</time></article>",
        '<article><h2>Dark mode</h2><time datetime="2999-01-01">1 January 2999</time></article>',
        "<p>© 2024 Acme</p><footer><a href='/x'>Acme Ltd</a> <span>May 3, 2024</span></footer>",
        "<p>On May 3, 2024 we had a look at what customers want.</p>",
        '<div class="testimonial"><h3>Best tool ever</h3><time datetime="2024-05-03">May 3, 2024</time></div>',
        '<ol class="comments"><li><b>Ada Lovelace</b> <time datetime="2024-05-03">May 3, 2024</time></li></ol>',
        '<div><time datetime="2024-05-03"></time><a href="/x">Read more</a></div>',
        "<main><h1>Changelog</h1><p>Last updated: May 3, 2024</p></main>",
        json_ld({"@type": "WebPage", "name": "Changelog", "datePublished": "2024-05-03"}),
        json_ld({"@type": "Article", "headline": "Changelog", "datePublished": "2024-05-03"}),
        json_ld({"@type": "BlogPosting", "headline": "Dark mode", "datePublished": "soon"}),
    ],
)
def test_without_a_full_day_and_a_title_there_is_no_entry(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize(
    "title",
    [
        "Introducing invoices by mail",
        "Acme 2.0 is here",
        "We raised $3M",
        "Acme joins Umbrella",
        "10,000 customers",
        "Now available in Japan",
        "Wir stellen vor: Version 3",
        "Acme übernimmt Umbrella",
        "Nous lançons Acme Mobile",
        "Lanzamos Acme Pro",
        "Lançamos o Acme Pro",
        "Запустили мобильное приложение",
        "Acme 3 をリリースしました",
        "新版本发布",
    ],
)
def test_announcements_are_known_in_many_languages(title: str) -> None:
    assert announces(title)


@pytest.mark.parametrize(
    "title",
    [
        "How to launch a product",
        "10 tips for your next release",
        "The best invoice software of 2024",
        "Invoices vs receipts: what is available",
        "Is it live yet?",
        "Why we raised our prices",
        "Thoughts on accounting",
        "Wie man ein Produkt veröffentlicht",
        "Comment nous lançons nos produits",
        "Interview: how Umbrella launched",
        "What’s a certified invoice",
    ],
)
def test_advice_is_no_announcement(title: str) -> None:
    assert not announces(title)


def card(title: str, day: str = "2024-05-03") -> str:
    return CARD.format(slug="x", title=title, day=day, shown=day, text="")


def test_of_a_blog_only_announcements_count_of_a_newsroom_everything() -> None:
    body = card("Thoughts on accounting") + card("Introducing reminders", "2024-04-01")
    assert found(body, url=f"{URL}blog") == [("2024-04-01", "Introducing reminders")]
    both = [("2024-05-03", "Thoughts on accounting"), ("2024-04-01", "Introducing reminders")]
    assert found(body, url=f"{URL}news") == both
    assert found(f"<h1>Pressemitteilungen</h1>{body}", url=f"{URL}blog") == both


def test_other_pages_have_no_milestones() -> None:
    assert found(CARDS, url=f"{URL}pricing") == []
    assert find_milestones([page(CARDS)]) == []


def test_the_newest_releases_come_first_and_repairs_last() -> None:
    body = "".join(
        f"<h2>{number}.{minor}.{fix} - 20{10 + number}-0{minor + 1}-0{fix + 1}</h2>"
        for number in range(1, 4)
        for minor in range(3)
        for fix in range(3)
    )
    titles = [title for _, title in found(body)]
    assert titles == ["3.2.0", "3.1.0", "3.0.0", "2.2.0", "2.1.0", "2.0.0", "1.2.0", "1.1.0"]


def test_the_same_entry_on_two_pages_is_one() -> None:
    blog = page(card("Acme 2.0", "2024-05-04"), url=f"{URL}blog")
    assert len(find_milestones([HOME, page(card("Acme 2.0"), url=f"{URL}changelog"), blog])) == 1


POST = "<article><h1>Introducing Acme Mobile</h1>{}<p>It fits into a pocket.</p></article>"


@pytest.mark.parametrize(
    ("head", "day"),
    [
        (json_ld({"@type": "BlogPosting", "headline": "x", "datePublished": "2024-05-03"}), ""),
        ('<meta property="article:published_time" content="2024-05-03T10:00:00Z">', ""),
        ("", '<p class="post-date">May 3, 2024</p>'),
        ("", '<time datetime="2024-05-03">May 3, 2024</time>'),
        ("", "<p>Published on 3 May 2024</p>"),
    ],
)
def test_a_single_post_counts_if_the_blog_links_to_it(head: str, day: str) -> None:
    blog = page('<h2><a href="/blog/mobile">Introducing Acme Mobile</a></h2>', url=f"{URL}blog")
    post = page(POST.format(day), url=f"{URL}blog/mobile", head=head)
    entries = find_milestones([HOME, blog, post])
    assert [(entry.value["date"], entry.value["title"]) for entry in entries] == [
        ("2024-05-03", "Introducing Acme Mobile")
    ]
    assert "2024" in entries[0].finds[0].snippet
    assert entries[0].value["url"] == post.url
    assert find_milestones([HOME, page("", url=f"{URL}blog"), post]) == []


TEXT = "It fits into a pocket and needs no network."


@pytest.mark.parametrize(
    ("head", "body", "description"),
    [
        ('<meta name="description" content="v2">', f"<p>{TEXT}</p>", TEXT),
        ('<meta name="description" content="Introducing Acme">', f"<p>{TEXT}</p>", TEXT),
        ('<meta name="description" content="Acme writes invoices for all of us.">', f"<p>{TEXT}</p>", TEXT),
        ("", f"<p>Published on 3 May 2024 by Ada</p><p>Read more</p><p>{TEXT}</p>", TEXT),
        (f'<meta name="description" content="{TEXT}">', "<p>Another paragraph of this very post.</p>", TEXT),
        ('<meta name="description" content="v2">', "", ""),
        ('<meta name="description" content="v2">', "<p>v2</p>", ""),
        (json_ld({"@type": "BlogPosting", "datePublished": "2024-05-03", "description": "v2"}), f"<p>{TEXT}</p>", TEXT),
    ],
)
def test_a_post_is_described_by_what_tells_of_it(head: str, body: str, description: str) -> None:
    home = page("", url=URL, head='<meta name="description" content="Acme writes invoices for all of us.">')
    blog = page('<h2><a href="/blog/mobile">Introducing Acme Mobile</a></h2>', url=f"{URL}blog")
    article = f"<article><h1>Introducing Acme Mobile</h1><time>3 May 2024</time>{body}</article>"
    article += f"<p>{'Subscribe now. ' * 9}</p>"
    entries = find_milestones([home, blog, page(article, url=f"{URL}blog/mobile", head=head)])
    assert [entry.value["description"] for entry in entries] == [description]


@pytest.mark.parametrize("day", ["", "<p>Copyright 2024</p>", "<p>Version 2024.5</p>"])
def test_a_post_without_a_day_is_given_none(day: str) -> None:
    blog = page('<a href="/blog/2024/05/03/mobile">Introducing Acme Mobile</a>', url=f"{URL}blog")
    assert find_milestones([HOME, blog, page(POST.format(day), url=f"{URL}blog/2024/05/03/mobile")]) == []


def test_posts_are_read_where_the_blog_shows_no_days() -> None:
    links = "".join(
        f'<a href="{address}">{title}</a>'
        for address, title in (
            ("/blog/how", "How to launch a product"),
            ("/blog/mobile", "Introducing Acme Mobile"),
            ("/blog/mobile#comments", "Introducing Acme Mobile"),
            ("https://other.com/post", "Introducing Umbrella Mobile"),
            ("/blog/pro.pdf", "Introducing Acme Pro"),
            ("/2024/pro", "Acme Pro is now available"),
            ("/blog/more", "Read more"),
        )
    )
    blog = page(links, url=f"{URL}blog")
    assert choose_posts([HOME, blog]) == [f"{URL}blog/mobile", f"{URL}2024/pro"]
    assert choose_posts([HOME, page(card("Introducing Acme Pro") + links, url=f"{URL}blog")])
    assert choose_posts([HOME, page(links, url=f"{URL}about")]) == []
    assert choose_posts([HOME]) == []


@pytest.mark.parametrize(
    "body",
    [
        '<time datetime="2024-05-03">May 3, 2024</time>' * 5000,
        "<div>" * 200 + '<time datetime="2024-05-03">x</time>' * 300 + "</div>" * 200,
        "<h2>May 3, 2024</h2><p>x</p>" * 3000,
        "<li>2024-05-03 – " + "a " * 20_000,
        "<article>" * 100 + "<h2>Acme 2.0 – May 3, 2024</h2>" * 2000,
        '<p class="date">' + "1 " * 50_000,
    ],
)
def test_hostile_pages_end(body: str) -> None:
    assert len(found(body)) <= 8


def test_missing_milestones_have_a_reason() -> None:
    assert any(item["field"] == "milestones" for item in draft_listing([HOME]).missing)
