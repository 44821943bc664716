"""Facts of a page: precedence, sources, and what is not taken for a fact."""

import json

import pytest

from apps.drafts.extraction import PageFacts, UnreadablePage, read_page
from tests.drafts.extraction.pages import json_ld

URL = "https://www.acme.com/blog/post"


def facts(head: str = "", body: str = "", *, html: str = "<html>", url: str = URL) -> PageFacts:
    return read_page(f"<!doctype html>{html}<head>{head}</head><body>{body}</body></html>", url=url)


TITLE = "<title>From title</title>"
OG_TITLE = '<meta property="og:title" content="From og">'
NAMED_OG_TITLE = '<meta name="og:title" content="From name">'
TWITTER_TITLE = '<meta name="twitter:title" content="From twitter">'
HEADLINE = json_ld({"@type": "Article", "headline": "From JSON-LD"})


@pytest.mark.parametrize(
    ("head", "body", "value", "source"),
    [
        (TITLE + TWITTER_TITLE + OG_TITLE + HEADLINE, "<h1>From h1</h1>", "From og", "og"),
        (TITLE + NAMED_OG_TITLE, "", "From name", "og"),
        (TITLE + TWITTER_TITLE, "", "From twitter", "twitter"),
        (HEADLINE + TITLE, "<h1>From h1</h1>", "From title", "dom"),
        (HEADLINE, "<h1>From h1</h1>", "From JSON-LD", "json_ld"),
        ("", "<h1>From <b>h1</b></h1>", "From h1", "dom"),
        ('<meta property="og:title" content=" ">' + TITLE, "", "From title", "dom"),
        ("", "<svg><title>Drawing</title></svg><h1>Words</h1>", "Words", "dom"),
        ("<title>A &amp;amp; B</title>", "", "A & B", "dom"),
    ],
)
def test_title_comes_from_the_first_source_that_has_one(head: str, body: str, value: str, source: str) -> None:
    fact = facts(head, body).title
    assert fact is not None
    assert (fact.value, fact.source) == (value, source)


def test_other_titles_are_kept_as_runners_up_with_their_places() -> None:
    fact = facts(TITLE + OG_TITLE, "<h1>From h1</h1>").title
    assert fact is not None
    assert fact.selector == 'meta[property="og:title"]'
    assert fact.snippet == '<meta property="og:title" content="From og">'
    assert [(other.value, other.selector) for other in fact.runners_up] == [("From title", "title"), ("From h1", "h1")]


@pytest.mark.parametrize(
    ("head", "body", "value"),
    [
        ('<meta name="description" content="Plain"><meta property="og:description" content="Shared">', "", "Shared"),
        ('<meta name="description" content="A&nbsp;b\n c">', "", "A b c"),
        (json_ld({"@type": "Article", "description": "Structured"}), "", "Structured"),
        ("", '<p itemprop="description">Marked up</p>', "Marked up"),
        ("", "<p>Short.</p><p>" + "A paragraph long enough to say what the page is about. " * 2 + "</p>", None),
    ],
)
def test_description(head: str, body: str, value: str | None) -> None:
    fact = facts(head, body).description
    assert fact is not None
    if value is None:
        assert fact.source == "text"
        assert fact.value.startswith("A paragraph long enough")
    else:
        assert fact.value == value


@pytest.mark.parametrize(
    ("head", "body", "value"),
    [
        ('<meta property="og:image" content="/a.png">', "", "https://www.acme.com/a.png"),
        (
            '<base href="https://cdn.acme.com/x/"><meta property="og:image" content="a.png">',
            "",
            "https://cdn.acme.com/x/a.png",
        ),
        ('<meta name="twitter:image:src" content="//cdn.acme.com/t.png">', "", "https://cdn.acme.com/t.png"),
        (json_ld({"@type": "Article", "image": {"url": "https://acme.com/l.png"}}), "", "https://acme.com/l.png"),
        (
            json_ld({"@type": "Article", "image": ["https://acme.com/1.png", "https://acme.com/2.png"]}),
            "",
            "https://acme.com/1.png",
        ),
        (
            "",
            '<article><img src="/pixel.gif" width="1"><img src="/photo.jpg"></article>',
            "https://www.acme.com/photo.jpg",
        ),
        ("", '<video poster="/p.jpg"></video>', "https://www.acme.com/p.jpg"),
        ('<meta property="og:image" content="javascript:alert(1)">', "", None),
        ('<meta property="og:image" content="https://u:p@acme.com/a.png">', "", None),
        ("", '<img src="data:image/png;base64,AAAA">', None),
        ("", '<img src="/mark.svg"><img src="/small.png" width="80" height="80">', "https://www.acme.com/mark.svg"),
        ("", '<img src="/mark.svg"><img src="/large.png">', "https://www.acme.com/large.png"),
        ("", '<img src="/mark.svg" width="24" height="24">', None),
        ("", '<img src="/mark.svg" width="640" height="320">', "https://www.acme.com/mark.svg"),
        (
            "",
            '<header><img src="/mark.svg"></header><main><img src="/drawn.svg"></main>',
            "https://www.acme.com/drawn.svg",
        ),
        ("", '<article><header><img src="/drawn.svg"></header></article>', "https://www.acme.com/drawn.svg"),
        ("", '<nav><img src="/a.svg"></nav><aside><img src="/b.svg"></aside><footer><img src="/c.svg"></footer>', None),
        ("", '<ul><li><a href="/x"><img src="/x.svg"></a></li></ul>', None),
        ("", '<p><a href="https://example.org/acme"><img src="/x.svg"></a></p>', None),
        ("", '<div class="social-links"><img src="/x.svg"></div>', None),
        ("", '<p><img src="/ada.svg" alt="Portrait of Ada"></p>', None),
        (
            "",
            '<p><img class="author" src="/ada.svg"></p><p><img src="/drawn.svg"></p>',
            "https://www.acme.com/drawn.svg",
        ),
        ("", '<img src="https://count.example.com/piwik.php?idsite=1"><img src="/p.gif" width="1" height="1">', None),
    ],
)
def test_image(head: str, body: str, value: str | None) -> None:
    assert facts(head, body).values()["image"] == value


@pytest.mark.parametrize(
    ("head", "value"),
    [
        ('<meta property="og:logo" content="/logo.png"><link rel="icon" sizes="512x512" href="/i.png">', "/logo.png"),
        (
            json_ld({"@type": "Article", "publisher": {"logo": {"url": "/sq.png", "width": 60, "height": 60}}}),
            "/sq.png",
        ),
        (
            json_ld({"@type": "Article", "publisher": {"logo": {"url": "/wide.png", "width": 600, "height": 60}}})
            + '<link rel="icon" href="/i.ico">',
            "/i.ico",
        ),
        ('<link rel="icon" sizes="16x16" href="/16.png"><link rel="icon" sizes="192x192" href="/192.png">', "/192.png"),
        ('<link rel="icon" href="/f.ico"><link rel="apple-touch-icon" href="/touch.png">', "/touch.png"),
        ('<link rel="mask-icon" href="/mask.svg"><link rel="shortcut icon" href="/f.ico">', "/mask.svg"),
        ('<link rel="mask-icon" href="/mask.svg"><link rel="icon" href="/f.png">', "/f.png"),
        ('<link rel="icon" sizes="32x32" href="/32.png"><link rel="apple-touch-icon" href="/t.png">', "/32.png"),
        ('<link rel="icon" sizes="16x16" href="/16.png"><link rel="apple-touch-icon" href="/t.png">', "/t.png"),
        ('<link rel="icon" sizes="48x48" href="/f.ico"><link rel="icon" sizes="32x32" href="/32.png">', "/32.png"),
        ('<link rel="icon" sizes="310x150" href="/w.png"><link rel="icon" sizes="64x64" href="/64.png">', "/64.png"),
        ('<meta name="msapplication-TileImage" content="/tile.png"><link rel="icon" href="/f.ico">', "/f.ico"),
        ('<meta name="msapplication-TileImage" content="/tile.png">', "/tile.png"),
        (
            '<link rel="icon" sizes="192x192" href="/mark-192x192.png">'
            '<meta name="msapplication-TileImage" content="/mark-270x270.png">',
            "/mark-270x270.png",
        ),
        (
            '<link rel="icon" sizes="192x192" href="/mark-192x192.png">'
            '<meta name="msapplication-TileImage" content="/tile-144x144.png">',
            "/mark-192x192.png",
        ),
        ("", None),
    ],
)
def test_logo(head: str, value: str | None) -> None:
    assert facts(head).values()["logo"] == (f"https://www.acme.com{value}" if value else None)


ORGANIZATION_AUTHOR = '<div itemprop="author" itemscope><meta itemprop="name" content="Acme"></div>'


@pytest.mark.parametrize(
    ("head", "body", "value"),
    [
        (
            json_ld({"@type": "Article", "author": {"name": "Ada L"}}) + '<meta name="author" content="Other">',
            "",
            "Ada L",
        ),
        (json_ld({"@type": "Article", "author": "Ada L"}), "", "Ada L"),
        (json_ld({"@type": "Article", "author": [{"name": "Ada L"}, {"name": "Bo K"}]}), "", "Ada L and Bo K"),
        (
            json_ld({"@type": "Article", "author": [{"name": "Ada L"}, {"name": "Bo K"}]}),
            '<p class="byline">By Ada L &amp; Bo K</p>',
            "Ada L & Bo K",
        ),
        (
            json_ld(
                {
                    "@graph": [
                        {"@type": "Article", "author": {"@id": "#a"}},
                        {"@id": "#a", "@type": "Person", "name": "Ada L"},
                    ]
                }
            ),
            "",
            "Ada L",
        ),
        ('<meta name="author" content="by Ada L">', "", "Ada L"),
        ('<meta property="article:author" content="https://facebook.com/ada">', '<a rel="author">Ada L</a>', None),
        (
            '<meta property="article:author" content="https://facebook.com/ada">',
            '<a rel="author" href="/a">Ada L</a>',
            "Ada L",
        ),
        ("", '<span itemprop="author"><span itemprop="name">Ada L</span>, Berlin</span>', "Ada L"),
        ("", '<div class="author-box"><a href="/x">Ada L</a></div>', "Ada L"),
        ("", '<div class="author-box">' + '<a href="/x">Other Story Here</a>' * 4 + "</div>", None),
        ("", '<p class="byline">By Ada L</p>', "Ada L"),
        ("", '<p class="byline">June 5, 2016 at noon</p>', None),
        ("", '<a class="author" href="/x">Follow</a>', None),
        ('<meta name="twitter:creator" content="@adal">', "", "adal"),
        ('<meta name="author" content="acme.com">', '<p class="byline">By Ada L</p>', "Ada L"),
        ('<meta name="author" content="www.acme.com">', "", None),
        ('<meta name="author" content="ada.lund">', "", "ada.lund"),
        (json_ld({"@type": "Article", "author": '{"@type": "Person", "name": "Ada L"}'}), "", None),
        ('<meta name="author" content="By">', '<p class="byline">von Ada Lund</p>', "Ada Lund"),
        ('<meta name="author" content="Von Trapp">', "", "Von Trapp"),
        ("", '<p><span itemprop="author">Ada L</span></p>' + ORGANIZATION_AUTHOR, "Ada L"),
        ("", ORGANIZATION_AUTHOR, "Acme"),
        ("", '<span class="vcard author">by <a class="url fn" href="/?who=2">adal</a></span>', "adal"),
        ("", '<span class="vcard author"><a class="url fn" href="/author/admin">admin</a></span>', None),
        ("", '<div class="comment-author vcard"><span class="fn">Bo K</span></div>', None),
        ("", '<p class="comment-form-author"><label for="a">Your name</label></p>', None),
        ("", '<label class="author-name">Name (required)</label>', None),
        ("", '<span class="sf_comment_author">Bo K</span>', None),
        ("", '<span class="img-author">Bo Karl/Acme files</span><p class="byline">By Ada L</p>', "Ada L"),
        ("", '<ul class="comments"><li><a href="/author/bo-k">Bo K</a></li></ul>', None),
    ],
)
def test_author(head: str, body: str, value: str | None) -> None:
    assert facts(head, body).values()["author"] == value


@pytest.mark.parametrize(
    ("head", "body", "value"),
    [
        (
            json_ld({"@type": "Article", "publisher": {"name": "Acme News"}})
            + '<meta property="og:site_name" content="Acme">',
            "",
            "Acme News",
        ),
        (
            json_ld(
                {
                    "@graph": [
                        {"@type": "Article", "publisher": {"@id": "#o"}},
                        {"@id": "#o", "@type": "Organization", "name": "Acme Holding"},
                    ]
                }
            )
            + '<meta property="og:site_name" content="Acme">',
            "",
            "Acme",
        ),
        ('<meta name="application-name" content="Acme App">', "", "Acme App"),
        ("<title>Post - Other | Acme</title>", "", "Acme"),
        ('<meta property="og:site_name" content="-=Acme=-">', "", "-=Acme=-"),
        ('<meta property="og:site_name" content="Acme - ">', "", "Acme"),
        ('<meta property="og:site_name" content="| Acme |">', "", "Acme"),
        ("<title>Post about things</title>", '<a class="logo" href="/"><img alt="Acme logo" src="/l.png"></a>', "Acme"),
        ("<title>Post about things</title>", "", None),
    ],
)
def test_publisher(head: str, body: str, value: str | None) -> None:
    assert facts(head, body).values()["publisher"] == value


@pytest.mark.parametrize(
    ("head", "value"),
    [
        ('<meta property="og:url" content="https://acme.com/p#top">', "https://acme.com/p"),
        ('<link rel="canonical" href="/p?a=1">', "https://www.acme.com/p?a=1"),
        ('<link rel="canonical" href="ftp://acme.com/p">', URL),
        ("", URL),
    ],
)
def test_url(head: str, value: str) -> None:
    assert facts(head).values()["url"] == value


@pytest.mark.parametrize(
    ("html", "head", "value"),
    [
        ('<html lang="pt-BR">', "", "pt"),
        ('<html lang="en">', '<meta property="og:locale" content="de_DE">', "de"),
        ('<html lang="deu">', "", "de"),
        ('<html lang="fil">', "", "fil"),
        ('<html lang="en">', '<meta itemprop="inLanguage" content="fr">', "fr"),
        ("<html>", '<meta property="og:locale" content="en_US">', "en"),
        ("<html>", '<meta http-equiv="content-language" content="fr">', "fr"),
        ("<html>", json_ld({"@type": "WebPage", "inLanguage": "es-ES"}), "es"),
        ('<html lang="{{ lang }}">', "", None),
        ("<html>", "", None),
    ],
)
def test_lang(html: str, head: str, value: str | None) -> None:
    assert facts(head, html=html).values()["lang"] == value


POST = '<div class="post hentry">'


@pytest.mark.parametrize(
    ("head", "body", "value"),
    [
        (
            json_ld({"@type": "Article", "datePublished": "2020-01-02", "dateModified": "2020-02-03T01:00:00+02:00"}),
            "",
            "2020-01-02",
        ),
        (
            json_ld({"@type": "Article", "dateModified": "2020-02-03"}),
            '<time datetime="2020-01-02">x</time>',
            "2020-02-03",
        ),
        (
            json_ld({"@type": "Article", "dateModified": "2020-02-03"}),
            '<p class="published">1 May 2019</p>',
            "2019-05-01",
        ),
        ("", '<b itemprop="dateModified" content="2020-02-03">x</b><b itemprop="date">2020-01-02</b>', "2020-01-02"),
        ('<meta property="article:published_time" content="2020-01-02T10:00:00Z">', "", "2020-01-02T10:00:00Z"),
        ("", '<time datetime="2020-01-02">long ago</time>', "2020-01-02"),
        ("", '<p class="post-date">March 4, 2021</p>', "2021-03-04"),
        ("", "<p>March 4, 2021</p>", None),
        ("", '<p class="post-date">2 days ago</p>', None),
        ("", '<p class="post-meta">by Ada L | May 16, 2016 | 2 comments</p>', "2016-05-16"),
        ("", '<p class="submitted">Submitted by Ada L on Mon, 2019-01-21 13:49</p>', "2019-01-21T13:49:00Z"),
        ("", f"{POST}<h1>Ten talks</h1><p>January 22, 2014</p><p>A myth</p></div>", "2014-01-22"),
        ("", f"{POST}<p>Since January 22, 2014 we have counted the boats of the harbour.</p></div>", None),
        ("", f"{POST}<p>January 22, 2014</p></div>{POST}<p>January 20, 2014</p></div>", None),
        ("", '<i class="comment-timestamp">May 16, 2016</i><ul class="comments"><time>May 17, 2016</time></ul>', None),
        ("", f'<ul class="publications"><li>May 16, 2016</li><li>{" " * 300}{"A report. " * 40}</li></ul>', None),
    ],
)
def test_date(head: str, body: str, value: str | None) -> None:
    assert facts(head, body).values()["date"] == value


def test_both_dates_are_kept_with_their_kind() -> None:
    node = {"@type": "Article", "datePublished": "2020-01-02", "dateModified": "2020-02-03"}
    result = facts(json_ld(node))
    assert result.date is not None
    assert result.modified is not None
    assert [(fact.value, fact.kind) for fact in (result.date, *result.date.runners_up, result.modified)] == [
        ("2020-01-02", "published"),
        ("2020-02-03", "modified"),
        ("2020-02-03", "modified"),
    ]
    assert result.date.as_dict()["kind"] == "published"


def test_facts_are_json() -> None:
    shown = json.loads(json.dumps(facts(TITLE + OG_TITLE).as_dict()))
    assert shown["title"]["value"] == "From og"
    assert shown["title"]["runners_up"][0]["value"] == "From title"
    assert shown["author"] is None


def test_broken_structured_data_costs_only_itself() -> None:
    head = json_ld({"@type": ["Article", 5], "author": {"name": {"x": []}}, "image": 3})
    assert facts(head + TITLE).values()["title"] == "From title"


def test_text_that_is_no_page_is_refused() -> None:
    with pytest.raises(UnreadablePage):
        read_page("   ", url=URL)
