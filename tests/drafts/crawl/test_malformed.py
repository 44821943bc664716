"""Websites whose files name addresses that are none: one bad line costs only itself."""

import logging
from hashlib import sha256
from typing import Any

import pytest
from django.db import OperationalError
from redis.exceptions import ConnectionError as CacheConnectionError

from apps.core.html import parse_within_limits
from apps.core.web.urls import host_of, parts_of
from apps.drafts.crawl import http, job, response_cache
from apps.drafts.extraction import ReadPage, choose_pages, draft_listing
from apps.drafts.extraction.document.addresses import absolute, domain_of, page_key, same_site
from apps.drafts.extraction.site.site_files import PATHS
from apps.drafts.models import Draft
from apps.listings.fields.socials import mastodon_profile, profile_of, repository_owner
from apps.sites.models import Site
from tests.drafts.conftest import HOME, page
from tests.drafts.crawl.test_crawl import crawled, start
from tests.pages_server import Answer, PagesServer

HOST = "acme.localhost"
MALFORMED = (
    "http://[x",
    "http://[",
    "//[",
    "http://]x/",
    "http://[::1",
    "http://[::1%25lo]/[",
    "http://[zz]/",
    "http://acme.localhost:99999/pricing",
    "http://acme.localhost:x/pricing",
    "http://acme.localhost:-1/pricing",
    "http://acme.localhost:80:80/",
    f"http://acme.localhost:{'9' * 5000}/",
    "http://acme\u2100.localhost/",
    "http://-\u00e9.localhost/",
    "http://:80/",
    "http://a b/",
    "http://user:[@acme.localhost/",
    "javascript:alert(1)",
    "http://acme.localhost/%zz?%",
)
# Browsers take these for relative ones, as does the crawl.
ODD = ("%", "http://", "http:///pricing", "?", "//", ";")


def every(template: str) -> str:
    return "".join(template.format(address) for address in MALFORMED)


def structured(address: str) -> str:
    node = f'"url": "{address}", "sameAs": ["{address}"], "logo": "{address}", "image": "{address}", "@id": "{address}"'
    types = ("Organization", "WebPage", "Article", "SoftwareApplication")
    nodes = ", ".join(f'{{"@type": "{kind}", "screenshot": "{address}", {node}}}' for kind in types)
    return f'<script type="application/ld+json">[{nodes}]</script>'


def home_with(head: str = "", body: str = "") -> str:
    return HOME.replace("<head>", f"<head>{head}").replace("<body>", f"<body>{body}")


PAGES = {
    "links": home_with(body=every('<a href="{0}">Pricing</a><a href="{0}" class="social">Docs</a>')),
    "base": home_with(head=every('<base href="{}">')),
    "canonical": home_with(head=every('<link rel="canonical" href="{0}"><link rel="icon" href="{0}">')),
    "og:image": home_with(head=every('<meta property="og:image" content="{0}"><meta property="og:url" content="{0}">')),
    "JSON-LD": home_with(head="".join(structured(address) for address in MALFORMED)),
    "surrogates": home_with(head=structured("http://acme.localhost/\\ud800"), body='<a href="/\ufffd">Docs</a>'),
    "code": home_with(body=every("<code>https://mcp.acme.localhost/mcp {}</code>")),
    "sizes": home_with(body=f'<img src="/a.png" width="²" height="{"9" * 5000}">').replace("og:image", "no:image"),
}


@pytest.mark.parametrize("address", [*MALFORMED, *ODD])
def test_no_reader_of_addresses_raises(address: str) -> None:
    base = "http://acme.localhost/"
    sound = absolute(address, base)
    assert sound is None or parts_of(sound).hostname
    assert same_site(address, base) == (host_of(address) == HOST)
    assert isinstance(page_key(address), str)
    assert isinstance(domain_of(address), str)
    assert (profile_of(address), mastodon_profile(address), repository_owner(address)) == (None, None, None)


@pytest.mark.parametrize("address", [*MALFORMED, *ODD])
@pytest.mark.parametrize(
    "html", [structured("{}"), '<link rel="canonical" href="{}">', '<meta name="og:image" content="{}">']
)
def test_each_address_alone_leaves_a_proposal(address: str, html: str) -> None:
    home = home_with(head=html.replace("{}", address))
    opened = ReadPage.open(home.encode(), url="http://acme.localhost/", content_type="text/html")
    assert draft_listing([opened]).fields["name"] == "Acme"
    assert choose_pages(opened.document.root, opened.url, MALFORMED)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES.keys())
def test_a_page_with_malformed_addresses_is_drafted(html: str, acme: PagesServer, site: Site) -> None:
    acme.serve(HOST, "/", html)
    draft = crawled(acme, site)
    assert (draft.status, draft.error_message) == (Draft.Status.READY, "")
    assert draft.proposal["name"] == "Acme"


@pytest.mark.django_db
def test_malformed_lines_of_robots_txt_cost_only_themselves(acme: PagesServer, site: Site) -> None:
    lines = every("Sitemap: {0}\nDisallow: {0}\nHost: {0}\nCrawl-delay: {0}\nRequest-rate: {0}\n")
    sitemap = f"Sitemap: {acme.url(HOST, '/pages.xml')}\n"
    acme.serve(HOST, "/robots.txt", f"User-agent: *\nCrawl-delay: nan\n{lines}Disallow: /faq\n{sitemap}")
    assert crawled(acme, site).status == Draft.Status.READY
    assert "/pages.xml" in acme.paths(HOST)
    assert "/faq" not in acme.paths(HOST)


@pytest.mark.slow
@pytest.mark.django_db
def test_malformed_entries_of_sitemaps_cost_only_themselves(pages: PagesServer, site: Site) -> None:
    entries = every("<sitemap><loc>{}</loc></sitemap>")
    good = f"<sitemap><loc>{pages.url(HOST, '/other.xml')}</loc></sitemap>"
    pages.serve(HOST, "/sitemap.xml", f"<sitemapindex>{entries}{good}</sitemapindex>")
    listed = every("<url><loc>{}</loc></url>") + f"<url><loc>{pages.url(HOST, '/pricing')}</loc></url>"
    pages.serve(HOST, "/other.xml", f"<urlset>{listed}</urlset>")
    pages.serve(HOST, "/", page("Acme"))
    pages.serve(HOST, "/pricing", page("Prices"))
    assert crawled(pages, site).status == Draft.Status.READY
    assert pages.paths(HOST) == ["/robots.txt", "/", "/sitemap.xml", "/other.xml", "/pricing", *PATHS]


@pytest.mark.django_db
@pytest.mark.parametrize("step", ["propose", "website_of", "_publish"])
def test_a_defect_of_ours_ends_the_draft_at_once_and_is_logged(
    step: str, acme: PagesServer, site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_off(*_: object, **__: object) -> None:
        raise ValueError("a defect")

    monkeypatch.setattr(job, step, break_off)
    draft = crawled(acme, site)
    assert (draft.status, draft.attempt, draft.error_code) == (Draft.Status.FAILED, 1, "unreachable")
    assert "internal error" in draft.error_message
    assert "Try again later" in draft.error_message
    logged = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.name for record in logged] == ["apps.drafts.crawl.job"]
    assert "a defect" in str(logged[0].exc_info)


@pytest.mark.django_db
@pytest.mark.parametrize("fault", [OperationalError, CacheConnectionError])
def test_a_fault_that_passes_leaves_the_draft_to_another_attempt(
    fault: type[Exception], acme: PagesServer, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(*_: object, **__: object) -> None:
        raise fault

    draft = start(acme, site)
    monkeypatch.setattr(job, "propose", break_off)
    with pytest.raises(fault):
        job.run(draft.pk)
    draft.refresh_from_db()
    assert (draft.status, draft.attempt) == (Draft.Status.DRAFTING, 1)
    assert draft.leased_until is not None


@pytest.mark.slow
@pytest.mark.django_db
def test_too_large_for_the_rest_of_one_crawl_is_not_kept_for_others(
    acme: PagesServer, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        # The missing robots.txt and sitemap and the home page leave a little, which the next page uses up.
        patch.setattr(http, "MAX_SITE_BYTES", len(HOME.encode()) + 2 * len(b"<h1>Not found</h1>") + 10)
        assert crawled(acme, site).pages_done == 2
    assert response_cache.load_answer(acme.url(HOST, "/")) is not None
    last = acme.paths(HOST)[-1]
    assert response_cache.load_answer(acme.url(HOST, last)) is None
    draft = crawled(acme, site)
    assert acme.paths(HOST).count(last) == 2
    assert response_cache.load_answer(acme.url(HOST, last)) is not None
    assert draft.status == Draft.Status.READY


@pytest.mark.django_db
def test_the_first_part_of_what_is_too_large_for_any_crawl_is_kept(pages: PagesServer, site: Site) -> None:
    pages.serve(HOST, "/", Answer(page("Acme").encode() + b"x" * http.MAX_PAGE_BYTES))
    for _ in range(2):
        draft = crawled(pages, site)
        assert (draft.status, [one["code"] for one in draft.warnings]) == (Draft.Status.READY, ["cut_off"])
    assert pages.paths(HOST).count("/") == 1


def noise(seed: str, length: int) -> str:
    """Text that packs to half its length and no less."""
    return "".join(sha256(f"{seed}{at}".encode()).hexdigest() for at in range(length // 64))


@pytest.mark.slow
@pytest.mark.django_db
def test_the_cache_has_so_much_room_for_a_crawl(acme: PagesServer, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("about", "pricing"):
        acme.serve(HOST, f"/{name}", page(name, f"{name} {noise(name, 6000)}"))
    # The first of the two that nothing can pack fits beside the home page.
    monkeypatch.setattr(http, "MAX_CACHED_BYTES", 6500)
    assert crawled(acme, site).status == Draft.Status.READY
    kept = [name for name in ("", "about", "pricing", "faq") if response_cache.load_answer(acme.url(HOST, f"/{name}"))]
    assert kept in (["", "about", "faq"], ["", "pricing", "faq"])
    assert crawled(acme, site).pages_done == 4


@pytest.mark.slow
@pytest.mark.django_db
def test_the_cache_has_little_room_for_robots(acme: PagesServer, site: Site) -> None:
    acme.serve(HOST, "/robots.txt", f"User-agent: *\nDisallow: /about\n# {noise('robots', 300_000)}\n")
    assert crawled(acme, site).status == Draft.Status.READY
    assert response_cache.load_robots(acme.url(HOST)) is None
    assert "/about" not in acme.paths(HOST)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_page_is_parsed_once(acme: PagesServer, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def counted(text: str) -> Any:
        parsed.append(text)
        return parse_within_limits(text)

    monkeypatch.setattr("apps.drafts.extraction.page.read_page.parse_within_limits", counted)
    monkeypatch.setattr("apps.drafts.extraction.site.unusable_pages.parse", lambda text: counted(text).root)
    assert crawled(acme, site).pages_done == 4
    assert len(parsed) == len(set(parsed)) == 4


@pytest.mark.django_db
def test_pages_that_only_lead_on_count_for_the_limit(
    pages: PagesServer, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise each page could make a crawl read several times as much."""
    monkeypatch.setattr(http, "MAX_SITE_BYTES", 100_000)
    moves = '<meta http-equiv="refresh" content="0; url={}">' + "x" * 60_000
    pages.serve(HOST, "/", moves.format("/one"))
    pages.serve(HOST, "/one", moves.format("/two"))
    pages.serve(HOST, "/two", page("Acme"))
    assert crawled(pages, site).status == Draft.Status.FAILED
    assert "/two" in pages.paths(HOST)
