"""Which answers can be drafted from, and which further pages are worth reading."""

import pytest

from apps.drafts.extraction import Answer, choose_pages, parse, why_unusable
from apps.drafts.extraction.document.document import Document
from apps.drafts.extraction.site.unusable_pages import needs_javascript

WORDS = "Acme writes the invoices of small companies and books what they are paid. " * 6
HOME = f"<html><head><title>Acme</title></head><body><p>{WORDS}</p></body></html>"
URL = "https://acme.com/"


def html(title: str, text: str = "", *, head: str = "") -> str:
    return f"<html><head><title>{title}</title>{head}</head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(200, "text/html; charset=utf-8", HOME), None),
        (Answer(200, "application/xhtml+xml", HOME), None),
        (Answer(200, "", HOME), None),
        (Answer(200, "application/json", "{}"), "not_html"),
        (Answer(200, "", "%PDF-1.7"), "not_html"),
        (Answer(200, "text/html", "<div>" * 5000), "too_thin"),
        (Answer(200, "text/html", ""), "too_thin"),
        (Answer(200, "text/html", html("Acme", "Hello.")), "too_thin"),
        (Answer(200, "text/html", "<div id=root></div><script>start()</script>"), "needs_javascript"),
        (
            Answer(200, "text/html", html("Acme", head=f'<meta name="description" content="{WORDS}">')),
            None,
        ),
        (Answer(404, "text/html", HOME), "unreachable"),
        (Answer(503, "text/html", HOME), "unreachable"),
        (Answer(302, "text/html", HOME), "unreachable"),
        (Answer(403, "text/html", HOME), "blocked"),
        (Answer(429, "text/html", HOME), "blocked"),
        (Answer(200, "text/html", html("404 Not Found", "The page was not found. " * 12)), "unreachable"),
        (Answer(200, "text/html", html("Internal Server Error", "nginx " * 60)), "unreachable"),
        (Answer(200, "text/html", html("Just a moment...", "Enable JavaScript and cookies to continue")), "blocked"),
        (Answer(200, "text/html", html("Access Denied", "You have no permission. Reference #18")), "blocked"),
        (
            Answer(
                200,
                "text/html",
                html(
                    "acme.com",
                    "Verify you are human. " * 12,
                    head="<script src='/cdn-cgi/challenge-platform/x.js'></script>",
                ),
            ),
            "blocked",
        ),
        (Answer(200, "text/html", html("acme.com", "This domain is for sale. Make an offer today! " * 8)), "too_thin"),
        (Answer(200, "text/html", html("acme.com", "The domain acme.com is parked free of charge. " * 8)), "too_thin"),
        (
            Answer(
                200, "text/html", html("Welcome to nginx!", "If you see this page, the web server is installed. " * 6)
            ),
            "too_thin",
        ),
        (Answer(200, "text/html", html("Index of /", "Parent Directory " * 20)), "too_thin"),
    ],
)
def test_why_unusable(answer: Answer, reason: str | None) -> None:
    assert why_unusable(answer) == reason


@pytest.mark.parametrize(
    "page",
    [
        html(
            "Acme CAPTCHA: proof that visitors are people",
            WORDS * 2 + "Our CAPTCHA tells who is not a robot.",
            head="<script src='https://challenges.cloudflare.com/turnstile.js'></script>",
        ),
        html("Acme Domains", "We show which domain is for sale and for how much. " + WORDS * 8),
        html("404 ways to use Acme", WORDS * 5),
    ],
    ids=["captcha", "domains", "numbers"],
)
def test_pages_about_such_things_are_pages(page: str) -> None:
    assert why_unusable(Answer(200, "text/html", page)) is None


JAPANESE = "本の読書記録をかんたんに残せる小さなアプリです。"


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (html("しおり", JAPANESE, head=f'<meta name="description" content="{JAPANESE}">'), None),
        (html("しおり", JAPANESE * 4), None),
        (html("しおり", JAPANESE), "too_thin"),
        (
            html("Acme", "Invoices. " * 12, head='<meta name="description" content="Invoices for all of us.">'),
            "too_thin",
        ),
    ],
    ids=["described", "written", "short", "short-english"],
)
def test_a_sign_that_stands_for_a_syllable_says_more_than_a_letter(page: str, reason: str | None) -> None:
    assert why_unusable(Answer(200, "text/html", page)) == reason


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (html("Contact", "Write to hello@acme.com."), None),
        (html("Preise | Acme", "500 Rechnungen im Monat: 9 €"), None),
        (html("الأسعار", "الخطة الأساسية 9 دولارات شهرياً"), None),
        ("<h1>料金</h1><p>月額980円</p>", None),
        ("<h1>500 invoices a month</h1><p>$9</p>", None),
        (html("Acme", ""), "too_thin"),
        ("<title>Acme</title><div id=root></div>", "too_thin"),
        ("<title>Acme</title><div id=root></div><script src=/a.js></script>", "needs_javascript"),
        ('<title>Acme</title><script type="application/ld+json">{}</script>', "too_thin"),
        (f'<title>Acme</title><meta name="description" content="{"Invoices. " * 6}"><div id=root></div>', None),
        (html("Coming soon", "Wait for it."), "too_thin"),
        (html("acme.com", "This domain is for sale."), "too_thin"),
        (html("Just a moment...", "Enable JavaScript and cookies to continue"), "blocked"),
        (html("Acme – Page not found", "Go home."), "unreachable"),
        (html("Acme | 404", "Go home."), "unreachable"),
        ("<title>Acme</title><h1>Oops! This page could not be found.</h1>", "unreachable"),
        ("<title>Acme</title><h1>Seite nicht gefunden</h1>", "unreachable"),
        ("<title>しおり</title><h1>ページが見つかりません</h1>", "unreachable"),
        ("<title>دفتري</title><h1>الصفحة غير موجودة</h1>", "unreachable"),
    ],
)
def test_other_pages_than_the_home_page_may_be_short(page: str, reason: str | None) -> None:
    assert why_unusable(Answer(200, "text/html", page), is_home=False) == reason


def test_a_parsed_page_is_not_parsed_again() -> None:
    assert why_unusable(Answer(200, "text/html", "<p>thin</p>"), root=parse(HOME)) is None


def chosen(body: str, sitemap: tuple[str, ...] = (), *, url: str = URL) -> list[str]:
    return choose_pages(parse(f"<html><body>{body}</body></html>"), url, sitemap)


def test_one_page_of_each_kind_in_the_order_that_matters() -> None:
    names = ("changelog", "docs", "contact", "blog", "team", "faq", "pricing", "about")
    body = "".join(f'<a href="/{name}">x</a><a href="/{name}/deeper/{name}">x</a>' for name in names)
    assert chosen(body) == [f"https://acme.com/{name}" for name in reversed(names)]


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/ueber-uns">x</a>',
        '<a href="/x1">Über uns</a>',
        '<a href="/qui-sommes-nous/">x</a>',
        '<a href="/es/qui%C3%A9nes-somos">x</a>',
        '<a href="/sobre.html">x</a>',
        '<a href="/o-nas">x</a>',
        '<a href="/p/7">О компании</a>',
        '<a href="/x2"><span>会社概要</span></a>',
        '<a href="https://about.acme.com/">x</a>',
        '<a href="http://www.acme.com/about#team">x</a>',
        '<a href="/x3">About Acme</a>',
        '<a href="/x4">Our pricing</a>',
        '<a href="/x5">Plans &amp; FAQ</a>',
        '<a href="/x6">Read our blog →</a>',
        '<a href="/x7">Unser Team</a>',
        '<a href="/x8">Preise und Pakete</a>',
        '<a href="/x9">Nos tarifs</a>',
        '<a href="/?page_id=12">About us</a>',
        '<a href="/blog/index.html">x</a>',
        '<a href="/help-center">x</a>',
    ],
)
def test_kinds_are_known_in_many_languages(link: str) -> None:
    assert len(chosen(link)) == 1


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/">Blog</a>',
        '<a href="https://acme.com/#about">About</a>',
        '<a href="https://other.com/about">About</a>',
        '<a href="https://acme.com:8443/about">About</a>',
        '<a href="/about.pdf">About</a>',
        '<a href="/login/about">About</a>',
        '<a href="/tag/pricing">x</a>',
        '<a href="/go?url=https://other.com/about">About</a>',
        '<a href="/2024/05/what-we-learned-about-pricing">x</a>',
        '<a href="mailto:contact@acme.com">Contact</a>',
        '<a href="javascript:about()">About</a>',
        '<a href="/?ref=nav">About</a>',
        '<a href="/x">What teams say about us and our prices</a>',
    ],
)
def test_other_links_are_passed_over(link: str) -> None:
    assert chosen(link) == []


def test_links_of_the_home_page_come_before_the_sitemap_and_short_paths_before_long() -> None:
    sitemap = (
        "https://acme.com/pricing",
        "https://acme.com/company/team",
        "https://acme.com/team",
        "/faq",
        "ftp://x/y",
    )
    assert chosen('<a href="/plans">x</a>', sitemap) == [
        "https://acme.com/plans",
        "https://acme.com/faq",
        "https://acme.com/team",
    ]


def test_pages_in_the_home_pages_language_come_first() -> None:
    body = '<a href="/de/preise">Preise</a><a href="/pricing">Pricing</a><a href="/de/team">Team</a>'
    assert chosen(body) == ["https://acme.com/pricing", "https://acme.com/de/team"]
    assert chosen(body, url="https://acme.com/de/")[0] == "https://acme.com/de/preise"


def test_a_help_page_replaces_questions_only_where_there_are_none() -> None:
    assert chosen('<a href="/help">Help</a><a href="/questions">Questions</a>') == ["https://acme.com/questions"]


def test_numeric_addresses_are_sites_too() -> None:
    body = '<a href="/about">x</a><a href="http://127.0.0.1:9001/team">x</a>'
    assert chosen(body, url="http://127.0.0.1:9000/") == ["http://127.0.0.1:9000/about"]


def test_a_page_with_much_white_space_has_its_words() -> None:
    words = "".join(f"<p>{' ' * 400}word number {number}{chr(10) * 100}</p>" for number in range(60))
    page = Document(parse(f"<body>{words}<script>start()</script></body>"), url="https://acme.example/")
    assert not needs_javascript(page)
