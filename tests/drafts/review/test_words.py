"""Sources in people's words."""

import pytest

from apps.drafts.review.words import page_words, quote_of, source_words

HOME = "https://acme.example/"


@pytest.mark.parametrize(
    ("source", "selector", "words"),
    [
        ("meta", 'meta[name="description"]', "meta description"),
        ("og", 'meta[property="og:title"]', "link preview title"),
        ("og", 'meta[property="og:image:secure_url"]', "link preview image"),
        ("og", 'meta[property="og:something"]', "link preview"),
        ("twitter", 'meta[name="twitter:site"]', "X account"),
        ("itemprop", 'meta[itemprop="name"]', "structured data"),
        ("json_ld", 'script[type="application/ld+json"] sameAs', "structured data"),
        ("dom", "title", "page title"),
        ("dom", "h1.hero", "main heading"),
        ("dom", "a.footer__link", "link"),
        ("dom", 'a[href^="mailto:"]', "email link"),
        ("dom", 'link[rel="apple-touch-icon"]', "site icon"),
        ("dom", 'link[rel="alternate"][type="application/rss+xml"]', "feed"),
        ("dom", "details", "question"),
        ("text", "p", "page text"),
        ("text", "words: harbor, boat", "words “harbor, boat”"),
        ("unknown", "", "page content"),
    ],
)
def test_the_place_on_a_page(source: str, selector: str, words: str) -> None:
    assert source_words(page_url=HOME, kind="home", source=source, selector=selector) == f"Home page, {words}"


@pytest.mark.parametrize(
    ("url", "kind", "words"),
    [
        (HOME, "", "Home page"),
        (HOME, "home", "Home page"),
        ("https://acme.example/preise", "pricing", "Pricing page"),
        ("https://acme.example/features/", "", "/features"),
        ("https://acme.example/" + "a" * 300, "", "/" + "a" * 58 + "…"),
        ("https://[", "", "Home page"),
    ],
)
def test_the_page(url: str, kind: str, words: str) -> None:
    assert page_words(url, kind) == words


@pytest.mark.parametrize(
    ("snippet", "quote"),
    [
        ('<meta name="description" content="Invoices &amp; more">', "Invoices & more"),
        ('<meta data-kind="a" property="og:title" content="Cut off by the lim', "Cut off by the lim"),
        ('<h1 class="hero">Invoices that write themselves', "Invoices that write themselves"),
        ('<a href="https://github.com/acme"><span>Code</span></a>', "Code"),
        ('<a href="https://github.com/acme">', "https://github.com/acme"),
        ('<link rel="icon" href="/icon.png">', "/icon.png"),
        ('"addressCountry": "NL"', "NL"),
        ('"numberOfEmployees": 12', "12"),
        ("Two sailors started it in 2024.", "Two sailors started it in 2024."),
        ("“Fast”: it is", "“Fast”: it is"),
        ("", ""),
        ("<", ""),
    ],
)
def test_the_quoted_words(snippet: str, quote: str) -> None:
    assert quote_of(snippet) == quote
