"""Categories by words, sitemaps, and where addresses lead: rules without network."""

import pytest

from apps.drafts.crawl.addresses import domain_key, website_of
from apps.drafts.crawl.robots import parse_robots
from apps.drafts.crawl.site_crawler import AGENT
from apps.drafts.crawl.sitemap import Sitemap, parse_sitemap
from apps.drafts.proposals.categories import CategoryMatch, Passage, match_categories
from apps.listings.models import Category

CATEGORIES = [
    Category(slug="design", name="Design", synonyms=["mockup", "prototyping"]),
    Category(slug="ai", name="AI", synonyms=["artificial intelligence", "agents"]),
    Category(slug="finance", name="Finance", synonyms=["invoices", "accounting"]),
    Category(slug="health", name="Health", synonyms=[]),
    Category(slug="tools", name="Developer tools", synonyms=["API", "agents"]),
]


def match(text: str, title: str = "") -> list[CategoryMatch]:
    passages = [Passage(title, "https://a.example/", "1", 3.0), Passage(text, "https://a.example/about", "2")]
    return match_categories(CATEGORIES, passages)


def slugs(text: str, title: str = "") -> list[str]:
    return [found.slug for found in match(text, title)]


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("One invoice, two invoices.", "", ["finance"]),
        ("An invoice.", "", []),
        ("", "Accounting for bakers", ["finance"]),
        ("Artificial intelligence meets artificial Intelligence.", "", ["ai"]),
        ("We maintain paint and chairs, email and retail.", "", []),
        ("artificial flavours, human intelligence. " * 3, "", []),
        ("Developer tools and more developer tools", "", ["tools"]),
        ("", "", []),
    ],
)
def test_words_decide(text: str, title: str, expected: list[str]) -> None:
    assert slugs(text, title) == expected


def test_the_best_three_in_order_of_what_speaks_for_them() -> None:
    text = "health health design design finance finance finance accounting accounting ai ai ai"
    found = slugs(text)
    assert len(found) == 3
    assert found[0] == "finance"


def test_a_word_of_several_categories_tells_less() -> None:
    text = "agents agents mockup mockup"
    assert slugs(text)[0] == "design"


def test_the_match_cites_its_words() -> None:
    (found,) = match("Send invoices. Read about Invoice 7 and accounting, accounting.")
    assert set(found.words) == {"invoices", "accounting"}
    assert found.page_url == "https://a.example/about"
    assert "invoices" in found.snippet
    assert 0 < found.confidence < 1


def test_a_sitemap_of_pages_and_one_of_sitemaps() -> None:
    entries = b"<url><loc> https://a.example/x </loc></url>"
    pages = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' + entries + b"</urlset>"
    assert parse_sitemap(pages) == Sitemap(pages=("https://a.example/x",))
    entries = b"<sitemap><loc>https://a.example/1.xml</loc></sitemap>"
    index = b"<?xml version='1.0'?><!-- x --><sitemapindex>" + entries + b"</sitemapindex>"
    assert parse_sitemap(index) == Sitemap(sitemaps=("https://a.example/1.xml",))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"https://a.example/x",
        b"<html><body>Not found</body></html>",
        b"\x1f\x8b\x08broken",
        b'<!DOCTYPE z [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "' + b"&a;" * 50 + b'"><!ENTITY c "' + b"&b;" * 50 + b'">]>'
        b"<urlset><url><loc>&c;</loc></url></urlset>",
        b'<!DOCTYPE z [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>',
    ],
)
def test_what_is_no_sitemap_names_nothing(body: bytes) -> None:
    assert parse_sitemap(body) == Sitemap()


def test_a_sitemap_is_read_up_to_a_limit() -> None:
    body = b"<urlset>" + b"<url><loc>https://a.example/x</loc></url>" * 5000 + b"</urlset>"
    assert len(parse_sitemap(body).pages) == 2000


def test_robots_rules_for_us_come_before_those_for_all() -> None:
    text = "User-agent: *\nDisallow: /\nCrawl-delay: 90\n\nUser-agent: slipwaybot\nDisallow: /private\nCrawl-delay: 2\n"
    robots = parse_robots(text, agent=AGENT)
    assert robots.allows("https://a.example/")
    assert not robots.allows("https://a.example/private/1")
    assert robots.delay_seconds == 2.0
    assert parse_robots(text, agent="Other").delay_seconds == 10.0
    assert parse_robots("", agent=AGENT).allows("https://a.example/x")


@pytest.mark.parametrize(
    ("asked", "final", "website"),
    [
        ("https://acme.example/", "https://acme.example/", "https://acme.example/"),
        ("http://acme.example/", "https://www.acme.example/", "https://www.acme.example/"),
        ("https://acme.example/", "https://acme.example/en/?a=b", "https://acme.example/"),
        ("https://acme.example/tool?x=1", "https://acme.example/tool", "https://acme.example/"),
        ("https://short.example/a1", "https://acme.example/en?utm=1", "https://acme.example/"),
        ("https://short.example/a1", "https://acme.example/" + "a" * 300, "https://acme.example/"),
    ],
)
def test_the_website_is_where_the_address_leads(asked: str, final: str, website: str) -> None:
    assert website_of(asked, final) == website


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("https://www.acme.co.uk/x", "acme.co.uk"),
        ("https://docs.acme.example/", "acme.example"),
        ("http://acme.localhost:8123/", "acme.localhost:8123"),
        ("http://8.8.8.8/", "8.8.8.8"),
    ],
)
def test_crawls_of_one_domain_share_a_key(address: str, key: str) -> None:
    assert domain_key(address) == key
