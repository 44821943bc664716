"""Sitemaps as websites have them: broken, in other formats, compressed, hostile."""

import gzip

import pytest

from apps.drafts.crawl.sitemap import Sitemap, parse_sitemap
from apps.drafts.extraction.site.site_files import PATHS
from apps.drafts.models import Draft
from apps.sites.models import Site
from tests.drafts.conftest import page
from tests.drafts.crawl.test_crawl import crawled
from tests.pages_server import Answer, PagesServer

HOST = "acme.localhost"
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
ONE = f"<urlset {NAMESPACE}><url><loc>https://a.example/x</loc></url></urlset>"


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


def test_a_packed_sitemap_is_read_as_far_as_a_page_may_be_long() -> None:
    listed = b"<urlset><url><loc>https://acme.example/pricing</loc></url></urlset>"
    bomb = gzip.compress(b"<urlset>" + b" " * 50_000_000 + listed[8:])
    assert parse_sitemap(bomb).pages == ()
    assert parse_sitemap(gzip.compress(listed)[:-20]).pages == ()


@pytest.mark.parametrize(
    "text",
    [
        f"\n  <?xml version='1.0' encoding='UTF-8'?>\n{ONE}",
        f"\ufeff<?xml version='1.0'?>{ONE}",
        f"\ufeff\ufeff\n{ONE}",
        f"<br />\n<b>Warning</b>: foo() in /srv/x.php\n{ONE}",
        f"<!DOCTYPE urlset><?xml-stylesheet href='/s.xsl'?>{ONE}",
        ONE.removesuffix("</url></urlset>"),
        ONE.replace("</urlset>", "<url><loc>https://a.example/cut-o"),
        f"{ONE}\n<!-- 12 ms -->\n</html>",
        ONE.replace("<loc>", "<loc>\n\t").replace("</loc>", "\n</loc>"),
        ONE.replace("https://a.example/x", "<![CDATA[https://a.example/x]]>"),
        ONE.replace(NAMESPACE, 'xmlns="https://www.google.com/schemas/sitemap/0.84"'),
        ONE.replace(NAMESPACE, "xmlns:xsi='x' xsi:schemaLocation='y z'"),
        '<s:urlset xmlns:s="x"><s:url><s:loc>https://a.example/x</s:loc></s:url></s:urlset>',
        "<s:urlset><s:url><s:loc>https://a.example/x</s:loc></s:url></s:urlset>",
        "<urlset><url><image:image><image:loc>/i.png</image:loc></image:image><loc>https://a.example/x</loc></url></urlset>",
        "<URLSET><URL><LOC>https://a.example/x</LOC></URL></URLSET>",
        "<rss><channel><link>/</link><item><link>https://a.example/x</link></item></channel></rss>",
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://a.example/x"/></entry></feed>',
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="replies" href="/comments"/>'
        '<link rel="alternate" href="https://a.example/x"/></entry></feed>',
        '<urlset xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><xhtml:link rel="alternate" hreflang="de" href="/de"/>'
        "<loc>https://a.example/x</loc></url></urlset>",
        '<rdf:RDF xmlns:rdf="x" xmlns="y"><item><link>https://a.example/x</link></item></rdf:RDF>',
        f"<urlset>\n</urlset><?xml version='1.0'?>{ONE}",
        f"<sitemapindex></sitemapindex>\n<?xml version='1.0'?>\n<!-- two -->\n{ONE}",
        "https://a.example/x",
        "\ufeffhttps://a.example/x\r\n\r\n# a comment\r\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_sitemap_is_read_as_far_as_possible(text: str, encoding: str) -> None:
    body = text.encode(encoding)
    for sent in (body, gzip.compress(body), gzip.compress(gzip.compress(body))):
        assert parse_sitemap(sent) == Sitemap(pages=("https://a.example/x",))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://a.example/?a=1&b=2", "https://a.example/?a=1&b=2"),
        ("https://a.example/?a=1&amp;b=2&#38;c=3", "https://a.example/?a=1&b=2&c=3"),
        ("https://a.example/?a=1&copy=2&eacute;", "https://a.example/?a=1&copy=2&eacute;"),
        ("https://a.example/?a=1&amp;amp;b=2", "https://a.example/?a=1&b=2"),
        ("<![CDATA[https://a.example/?a=1&b=2]]>", "https://a.example/?a=1&b=2"),
        ("/pricing", "/pricing"),
        ("../pricing", "../pricing"),
        ("https://a.example/é", "https://a.example/é"),
    ],
)
def test_a_url_is_read_as_it_was_meant(written: str, meant: str) -> None:
    for encoding in ("utf-8", "iso-8859-1"):
        xml = f'<?xml version="1.0" encoding="{encoding}"?>{ONE.replace("https://a.example/x", written)}'
        assert parse_sitemap(xml.encode(encoding)).pages == (meant,)


@pytest.mark.parametrize(
    "body",
    [b"<urlset>" * 300_000, b"<urlset>" + b"&" * 2_000_000, b"<urlset>" + b"<" * 2_000_000, b"<urlset><url>" * 150_000],
    ids=["deep", "ampersands", "angles", "entries"],
)
def test_a_hostile_sitemap_comes_to_an_end(body: bytes) -> None:
    assert parse_sitemap(body) == Sitemap()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("/sitemap.xml", Answer(b"\n<urlset><url><loc>pricing?a=1&b=2</loc></url></urlset>", content_type="text/html")),
        ("/maps/all.xml.gz", Answer(gzip.compress(b"<urlset><url><loc>/pricing?a=1&amp;b=2</loc></url></urlset>"))),
        ("/all.txt", Answer(b"/\n/pricing?a=1&b=2\n", content_type="text/plain")),
        ("/maps/1.xml", Answer(b"<urlset><url><loc>../pricing?a=1&b=2</loc></url></urlset>", content_type="image/png")),
    ],
    ids=["broken", "packed", "text", "relative"],
)
def test_pages_of_any_sitemap_are_found(name: str, answer: Answer, pages: PagesServer, site: Site) -> None:
    if name != "/sitemap.xml":
        pages.serve(HOST, "/robots.txt", f"sitemap:{name}\r")
    pages.serve(HOST, name, answer)
    pages.serve(HOST, "/", page("Acme"))
    pages.serve(HOST, "/pricing", page("Prices"))
    assert crawled(pages, site).status == Draft.Status.READY
    assert pages.paths(HOST) == ["/robots.txt", "/", name, "/pricing?a=1&b=2", *PATHS]
