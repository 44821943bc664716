"""The crawl of a website: what it reads, in what manner, and how it ends."""

import asyncio
import math
from itertools import pairwise
from typing import Any

import pytest

from apps.core.fetch import FetchFailure, SafeClient
from apps.core.fetch.errors import WHY_CUT
from apps.drafts.crawl import http, job, response_cache
from apps.drafts.crawl.failures import NO_TIME, CrawlError, skipped_as_unusable, too_slow
from apps.drafts.crawl.site_crawler import SiteCrawler
from apps.drafts.extraction.site.site_files import PATHS
from apps.drafts.models import Draft
from apps.drafts.services import creation, guidance
from apps.sites.models import Site
from tests.api import ApiClient
from tests.drafts.conftest import HOME, HOUR, page
from tests.drafts.factories import by
from tests.driven_loop import PeersLoop, run
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, UserFactory
from tests.odd_websites import ODD_WEBSITES
from tests.pages_server import Answer, PagesServer, Respond

pytestmark = pytest.mark.django_db


def start(server: PagesServer, site: Site, host: str = "acme.localhost", path: str = "/") -> Draft:
    draft, _ = creation.create_draft(site=site, url=server.url(host, path), by=by(UserFactory.create()))
    return draft


def crawled(server: PagesServer, site: Site, host: str = "acme.localhost", path: str = "/") -> Draft:
    draft = start(server, site, host, path)
    job.run(draft.pk)
    draft.refresh_from_db()
    return draft


def failure(server: PagesServer, site: Site, path: str = "/") -> str:
    draft = crawled(server, site, path=path)
    assert draft.status == Draft.Status.FAILED
    assert draft.error_message
    assert draft.proposal == {}
    return draft.error_code


@pytest.mark.slow
def test_a_website_becomes_a_proposal_with_evidence(acme: PagesServer, site: Site) -> None:
    draft = crawled(acme, site)
    assert draft.status == Draft.Status.READY
    assert (draft.pages_done, draft.pages_planned) == (4, 4)
    assert draft.proposal["name"] == "Acme"
    assert draft.proposal["headline"] == "Invoices that write themselves"
    assert draft.proposal["summary"].startswith("Acme reads your time sheets")
    # It has no https there, and an owner could not send it so.
    assert "logo_url" not in draft.proposal
    assert draft.proposal["socials"] == {"github": "https://github.com/acme-invoices"}
    by_field = {item["field"]: item for item in draft.evidence}
    assert by_field["name"]["page_url"] == acme.url("acme.localhost", "/")
    assert "Acme" in by_field["name"]["snippet"]
    assert len(by_field["name"]["page_sha256"]) == 64
    assert {item["field"] for item in draft.missing} >= {"docs_url", "openapi_url", "logo_url"}


@pytest.mark.slow
def test_one_request_at_a_time_with_pauses_and_an_honest_name(acme: PagesServer, site: Site, settings: Any) -> None:
    settings.CRAWL_DELAY_SECONDS = 0.05
    crawled(acme, site)
    requests = [request for request in acme.seen if request.host == "acme.localhost"]
    assert [request.path for request in requests] == [
        "/robots.txt", "/", "/sitemap.xml", "/about", "/pricing", "/faq", *PATHS,
    ]  # fmt: skip
    assert acme.most_in_flight["acme.localhost"] == 1
    assert all(later.at - earlier.at >= 0.05 for earlier, later in pairwise(requests))
    assert {request.user_agent for request in requests} == {f"SlipwayBot/0.1 (+{settings.CRAWL_CONTACT_URL})"}


def test_pages_of_the_sitemap_are_found(pages: PagesServer, site: Site) -> None:
    pages.serve("acme.localhost", "/robots.txt", f"Sitemap: {pages.url('acme.localhost', '/maps.xml')}")
    index = f"<sitemapindex><sitemap><loc>{pages.url('acme.localhost', '/pages.xml')}</loc></sitemap></sitemapindex>"
    pages.serve("acme.localhost", "/maps.xml", index)
    listed = f"<urlset><url><loc>{pages.url('acme.localhost', '/pricing')}</loc></url></urlset>"
    pages.serve("acme.localhost", "/pages.xml", listed)
    pages.serve("acme.localhost", "/", page("Acme"))
    pages.serve("acme.localhost", "/pricing", page("Prices"))
    draft = crawled(pages, site)
    assert draft.status == Draft.Status.READY
    assert pages.paths("acme.localhost") == ["/robots.txt", "/", "/maps.xml", "/pages.xml", "/pricing", *PATHS]


@pytest.mark.slow
def test_posts_of_a_blog_that_shows_no_days_are_read_one_level_deeper(pages: PagesServer, site: Site) -> None:
    pages.serve("acme.localhost", "/", page("Acme", '<a href="/blog">Blog</a>' + "Acme writes invoices. " * 20))
    links = '<a href="/blog/mobile">Introducing Acme Mobile</a><a href="/blog/tips">How to write invoices</a>'
    pages.serve("acme.localhost", "/blog", page("Blog", links + "What we write about, in short. " * 20))
    text = '<time datetime="2024-05-03">May 3, 2024</time>' + "It fits into every pocket there is. " * 20
    pages.serve("acme.localhost", "/blog/mobile", page("Introducing Acme Mobile", text))
    draft = crawled(pages, site)
    assert pages.paths("acme.localhost") == ["/robots.txt", "/", "/sitemap.xml", "/blog", "/blog/mobile", *PATHS]
    assert (draft.pages_done, draft.pages_planned) == (3, 3)
    [milestone] = draft.proposal["milestones"]
    assert (milestone["date"], milestone["title"]) == ("2024-05-03", "Introducing Acme Mobile")
    assert {item["page_url"] for item in draft.evidence if item["field"] == "milestones.0"} == {
        pages.url("acme.localhost", "/blog/mobile")
    }


@pytest.mark.parametrize("how", ODD_WEBSITES)
def test_a_website_is_read_as_visitors_get_it(how: str, pages: PagesServer, site: Site) -> None:
    ODD_WEBSITES[how](pages, "acme.localhost", HOME)
    draft = crawled(pages, site)
    assert (draft.status, draft.error_message) == (Draft.Status.READY, "")
    assert (draft.proposal["name"], draft.proposal["headline"]) == ("Acme", "Invoices that write themselves")
    assert draft.website == pages.url("acme.localhost", "/")
    cut = {
        "3 MB": WHY_CUT[FetchFailure.TOO_LARGE],
        "giant tag": "65,536 characters",
    }.get(how)
    warnings = [item["detail"] for item in draft.warnings if item["code"] == "cut_off"]
    assert len(warnings) == bool(cut)
    assert all(f"{cut}." in warning for warning in warnings)


def test_characters_that_cannot_be_read_are_warned_of(pages: PagesServer, site: Site) -> None:
    html = HOME.replace("<p>", "<p>Für Büros in Köln, Düsseldorf, Zürich und Besançon. ").encode()
    pages.serve("acme.localhost", "/", html.replace("ç".encode(), b"\xff"))
    [warning] = crawled(pages, site).warnings
    assert warning["code"] == "unreadable_characters"
    assert warning["page_url"] == pages.url("acme.localhost", "/")


def test_a_cookie_wall_on_another_domain_is_passed(pages: PagesServer, site: Site) -> None:
    wall = Answer(status=302, headers={"Location": pages.url("other.localhost", "/consent"), "Set-Cookie": "a=1"})
    pages.serve("acme.localhost", "/", Answer(HOME.encode(), wall=wall))
    pages.redirect("other.localhost", "/consent", pages.url("acme.localhost", "/"))
    draft = crawled(pages, site)
    assert (draft.status, draft.proposal["name"]) == (Draft.Status.READY, "Acme")
    assert draft.website == pages.url("acme.localhost", "/")


def test_a_page_that_moves_on_to_a_forbidden_one_is_not_followed(pages: PagesServer, site: Site) -> None:
    pages.serve("acme.localhost", "/robots.txt", "User-agent: *\nDisallow: /en/")
    ODD_WEBSITES["refresh"](pages, "acme.localhost", HOME)
    assert failure(pages, site) == "robots"
    assert pages.paths("acme.localhost") == ["/robots.txt", "/"]


@pytest.mark.slow
def test_files_for_programs_are_asked_for_once(acme: PagesServer, site: Site) -> None:
    draft = crawled(acme, site)
    crawled(acme, site)
    assert all(acme.paths("acme.localhost").count(path) == 1 for path in PATHS)
    assert (draft.pages_done, draft.pages_planned) == (4, 4)


def test_a_file_for_programs_is_read_and_a_page_in_its_place_is_not(acme: PagesServer) -> None:
    acme.serve("acme.localhost", "/llms.txt", Answer(b"# Acme\n> Invoices", content_type="text/plain"))
    acme.serve("acme.localhost", "/openapi.json", "<html>Not what you think</html>")

    async def read() -> SiteCrawler:
        async with SafeClient() as client:
            crawler = SiteCrawler(acme.url("acme.localhost"), client=client, delay_seconds=0.0)
            await crawler.open()
            while await crawler.read_next():
                pass
            return crawler

    crawler = asyncio.run(read())
    assert [(file.url, file.title) for file in crawler.files] == [(acme.url("acme.localhost", "/llms.txt"), "Acme")]


SHELL = """<!doctype html><title>Acme</title><link rel="manifest" href="/app.webmanifest">
<div id="root"></div><script src="/app.js"></script>"""
MANIFEST = b"""{"name": "Acme Invoices", "description": "Acme reads your time sheets and writes the invoices for you.",
"icons": [{"src": "/s.png", "sizes": "48x48"}, {"src": "/l.png", "sizes": "512x512"}],
"screenshots": [{"src": "/shots/list.png", "sizes": "1280x800"}]}"""


@pytest.mark.parametrize("path", ["/app.webmanifest", "/llms.txt"])
def test_a_home_page_without_words_is_drafted_from_its_files(pages: PagesServer, site: Site, path: str) -> None:
    text = {"/app.webmanifest": MANIFEST, "/llms.txt": b"# Acme\n> Acme reads time sheets and writes the invoices."}
    pages.serve("acme.localhost", "/", SHELL)
    pages.serve("acme.localhost", path, Answer(text[path], content_type="text/plain"))
    draft = crawled(pages, site)
    assert (draft.status, draft.proposal["name"].split()[0]) == (Draft.Status.READY, "Acme")
    assert draft.proposal["summary"].startswith("Acme reads")
    sources = {item["field"]: item["page_url"] for item in draft.evidence}
    assert sources["headline"] == sources["summary"] == pages.url("acme.localhost", path)
    assert all("JavaScript" in item["reason"] for item in draft.missing if item["field"] in ("faqs", "city"))


@pytest.mark.slow
def test_a_home_page_with_words_is_not_asked_for_its_manifest(acme: PagesServer, site: Site) -> None:
    acme.serve("acme.localhost", "/", HOME.replace("<head>", '<head><link rel="manifest" href="/app.webmanifest">'))
    assert crawled(acme, site).status == Draft.Status.READY
    assert "/app.webmanifest" not in acme.paths("acme.localhost")


def test_files_for_programs_obey_robots_txt(acme: PagesServer, site: Site) -> None:
    acme.serve("acme.localhost", "/robots.txt", "User-agent: *\nDisallow: /llms.txt\nDisallow: /.well-known/\n")
    assert crawled(acme, site).status == Draft.Status.READY
    assert [path for path in PATHS if path in acme.paths("acme.localhost")] == ["/openapi.json"]


def test_a_file_that_leads_elsewhere_is_not_followed(acme: PagesServer, site: Site) -> None:
    acme.redirect("acme.localhost", "/llms.txt", acme.url("other.localhost", "/llms.txt"))
    assert crawled(acme, site).status == Draft.Status.READY
    assert acme.paths("other.localhost") == []


def test_robots_txt_is_obeyed_page_by_page(acme: PagesServer, site: Site) -> None:
    acme.serve("acme.localhost", "/robots.txt", "User-agent: *\nDisallow: /pricing\n")
    assert crawled(acme, site).status == Draft.Status.READY
    assert "/pricing" not in acme.paths("acme.localhost")
    assert "/about" in acme.paths("acme.localhost")


def test_robots_txt_may_forbid_all(acme: PagesServer, site: Site) -> None:
    acme.serve("acme.localhost", "/robots.txt", "User-agent: SlipwayBot\nDisallow: /\n")
    assert failure(acme, site) == "robots"
    assert acme.paths("acme.localhost") == ["/robots.txt"]


def test_a_broken_robots_txt_forbids_all(acme: PagesServer, site: Site) -> None:
    acme.serve("acme.localhost", "/robots.txt", Answer(status=503))
    assert failure(acme, site) == "unreachable"
    assert acme.paths("acme.localhost") == ["/robots.txt"] * 3


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(b"<h1>Gone</h1>", status=404), "unreachable"),
        (Answer(b"<h1>No</h1>", status=403), "blocked"),
        (Answer(b"%PDF-1.7", content_type="application/pdf"), "too_thin"),
        (Answer(b"<html><body><div id=root></div></body></html>"), "too_thin"),
        (Answer(b"<title>Just a moment...</title><p>Checking your browser</p>", status=200), "blocked"),
        (Answer(status=302, headers={"Location": "http://169.254.169.254/latest"}), "private_address"),
        (Answer(status=302, headers={"Location": "/"}), "unreachable"),
        (Answer(b"<p " + b"a " * 70_000 + b">"), "too_thin"),
    ],
)
def test_what_cannot_be_drafted_fails_with_a_code(answer: Answer, code: str, pages: PagesServer, site: Site) -> None:
    pages.serve("acme.localhost", "/", answer)
    assert failure(pages, site) == code


def test_a_passing_error_is_tried_again(acme: PagesServer, site: Site) -> None:
    home = Answer(page("Acme").encode())
    acme.serve("acme.localhost", "/", lambda before: home if before == 2 else Answer(status=503))
    assert crawled(acme, site).status == Draft.Status.READY
    assert acme.paths("acme.localhost").count("/") == 3


def test_a_lasting_error_is_not_tried_again(acme: PagesServer, site: Site) -> None:
    acme.serve("acme.localhost", "/", Answer(status=410))
    failure(acme, site)
    assert acme.paths("acme.localhost").count("/") == 1


@pytest.mark.slow
def test_a_page_that_fails_costs_only_itself(acme: PagesServer, site: Site) -> None:
    acme.serve("acme.localhost", "/about", Answer(status=500))
    draft = crawled(acme, site)
    assert draft.status == Draft.Status.READY
    assert draft.pages_done == draft.pages_planned == 4


@pytest.mark.slow
def test_answers_are_kept_for_an_hour_and_failures_too(acme: PagesServer, site: Site) -> None:
    crawled(acme, site)
    before = len(acme.seen)
    assert crawled(acme, site).status == Draft.Status.READY
    assert len(acme.seen) == before
    acme.serve("other.localhost", "/", Answer(status=404))
    for _ in range(2):
        assert crawled(acme, site, host="other.localhost").error_code == "unreachable"
    assert acme.paths("other.localhost").count("/") == 1
    assert response_cache.PAGE_SECONDS == 3600


@pytest.mark.slow
def test_categories_come_from_words_of_the_site(acme: PagesServer, site: Site) -> None:
    site.categories.all().delete()
    wanted = CategoryFactory.create(site=site, slug="books", name="Bookkeeping", synonyms=["invoice", "accounting"])
    CategoryFactory.create(site=site, slug="games", name="Games")
    draft = crawled(acme, site)
    assert draft.proposal["categories"] == [wanted.slug]
    evidence = next(item for item in draft.evidence if item["field"] == "categories.books")
    assert "invoice" in evidence["selector"].lower()
    assert "invoice" in evidence["snippet"].lower()


@pytest.mark.slow
def test_no_category_is_better_than_a_wrong_one(acme: PagesServer, site: Site) -> None:
    site.categories.all().delete()
    CategoryFactory.create(site=site, slug="games", name="Games")
    draft = crawled(acme, site)
    assert "categories" not in draft.proposal
    assert "categories" in {item["field"] for item in draft.missing}


@pytest.mark.slow
def test_where_the_address_leads_is_what_is_listed(acme: PagesServer, site: Site) -> None:
    acme.redirect("other.localhost", "/", acme.url("acme.localhost", "/"))
    draft = crawled(acme, site, host="other.localhost")
    assert draft.status == Draft.Status.READY
    assert draft.website == acme.url("acme.localhost", "/")


@pytest.mark.parametrize("is_mine", [True, False])
def test_an_address_that_leads_to_a_listed_website_fails(is_mine: bool, acme: PagesServer, site: Site) -> None:
    acme.redirect("other.localhost", "/", acme.url("acme.localhost", "/"))
    draft = start(acme, site, host="other.localhost")
    owner = draft.owner if is_mine else UserFactory.create()
    key = acme.host("acme.localhost")
    company = CompanyFactory.create(owner=owner, website=acme.url("acme.localhost", "/"), website_key=key)
    ListingFactory.create(company=company, site=site)
    job.run(draft.pk)
    draft.refresh_from_db()
    assert (draft.status, draft.error_code) == (Draft.Status.FAILED, "duplicate")
    assert draft.website == company.website
    assert "acme.localhost" not in draft.error_message, "assistants take the message for ours"
    assert "/about" not in acme.paths("acme.localhost")
    [step] = guidance.next_steps(draft)
    assert ("/claims/new?url=http" in step, "refresh" in step) == (not is_mine, is_mine)


@pytest.mark.slow
def test_a_menu_says_nothing_about_the_category(acme: PagesServer, site: Site) -> None:
    """What nearly every website has a page of, such as a blog, is named in menus and titles of pages."""
    site.categories.all().delete()
    CategoryFactory.create(site=site, slug="support", name="Support", synonyms=["FAQ", "pricing"])
    menu = '<nav><a href="/faq">FAQ</a> <a href="/pricing">Pricing</a> <a href="/about">Support</a></nav>'
    acme.serve(
        "acme.localhost", "/", HOME.replace("<h1>", f"{menu}<h1>").replace("</body>", f"<footer>{menu}</footer>")
    )
    for name in ("faq", "pricing", "about"):
        acme.serve("acme.localhost", f"/{name}", page(name, f"<p>{'What we sell, and to whom. ' * 10}</p>{menu}"))
    assert "categories" not in crawled(acme, site).proposal


def test_text_that_postgres_refuses_is_cleaned(pages: PagesServer, site: Site) -> None:
    data = '{"@type": "Organization", "name": "Ac\\u0000me\\ud800", "slogan": "Invoices that \\u0000 write themselves"}'
    script = f'<script type="application/ld+json">{data}</script>'
    pages.serve("acme.localhost", "/", page("Acme").replace("</head>", f"{script}</head>"))
    assert crawled(pages, site).status == Draft.Status.READY


@pytest.mark.slow
def test_the_owner_sees_the_progress(acme: PagesServer, site: Site) -> None:
    draft = crawled(acme, site)
    answer = ApiClient(draft.owner).get(f"/drafts/{draft.pk}").json()
    assert answer["progress"] == {"done": 4, "planned": 4}
    assert answer["untrusted"] == ["pages_read", "proposal", "founders", "language", "evidence", "differences"]


@pytest.mark.usefixtures("an_hour_for_each_fetch")
def test_a_server_that_does_not_answer_is_given_up(acme: PagesServer, site: Site, silence: Respond) -> None:
    acme.serve("acme.localhost", "/", silence)
    assert failure(acme, site) == "unreachable"
    assert acme.paths("acme.localhost").count("/") == 3


@pytest.fixture
def an_hour_for_the_site(acme: PagesServer, monkeypatch: pytest.MonkeyPatch) -> SiteCrawler:
    """A crawler for a PeersLoop that no other limit of time ends."""
    monkeypatch.setattr(http, "FETCH_SECONDS", math.inf)
    return SiteCrawler(acme.url("acme.localhost"), client=SafeClient(), delay_seconds=0.0, seconds=HOUR)


def test_the_site_s_time_ends_the_reading_but_not_the_draft(
    acme: PagesServer, an_hour_for_the_site: SiteCrawler, silence: Respond
) -> None:
    acme.serve("acme.localhost", "/pricing", silence)
    crawler = an_hour_for_the_site
    with asyncio.Runner(loop_factory=PeersLoop) as runner:
        runner.run(crawler.open())
        steps = [runner.run(crawler.read_next()) for _ in range(2)]
    assert steps == [True, False]
    assert (crawler.done, crawler.planned, len(crawler.pages)) == (2, 4, 2)
    assert [outcome["reason"] for outcome in crawler.outcomes] == ["", "", NO_TIME, NO_TIME]


def test_a_home_page_that_takes_too_long_fails(
    acme: PagesServer, an_hour_for_the_site: SiteCrawler, silence: Respond
) -> None:
    acme.serve("acme.localhost", "/", silence)
    with pytest.raises(CrawlError) as caught:
        run(an_hour_for_the_site.open())
    assert (caught.value.code, caught.value.message) == ("unreachable", too_slow().message)
    assert acme.paths("acme.localhost").count("/") == 1


def test_a_site_is_read_up_to_ten_megabytes(acme: PagesServer, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert http.MAX_SITE_BYTES == 10 * 1024 * 1024
    # As much as the missing robots.txt and the home page have.
    monkeypatch.setattr(http, "MAX_SITE_BYTES", len(HOME.encode()) + len(b"<h1>Not found</h1>"))
    assert crawled(acme, site).status == Draft.Status.READY
    assert "/about" not in acme.paths("acme.localhost")


@pytest.mark.slow
@pytest.mark.parametrize(("header", "requests"), [("1", 3), ("3600", 1), ("Sat, 21 Nov 2099 03:00:00 GMT", 1)])
def test_retry_after_is_kept_or_given_up(header: str, requests: int, acme: PagesServer, site: Site) -> None:
    busy = Answer(status=429, headers={"Retry-After": header})
    acme.serve("acme.localhost", "/", busy)
    assert failure(acme, site) == "blocked"
    assert acme.paths("acme.localhost").count("/") == requests


@pytest.mark.slow
def test_a_short_page_is_read_and_an_error_page_that_says_200_is_not(acme: PagesServer, site: Site) -> None:
    acme.serve("acme.localhost", "/about", "<title>About</title><h1>About</h1><p>Founded 2017 in Leipzig.</p>")
    acme.serve("acme.localhost", "/faq", "<title>Acme</title><h1>Page not found</h1>")
    draft = crawled(acme, site)
    assert draft.proposal["founded_year"] == 2017
    reasons = {page["kind"]: page["reason"] for page in draft.pages_read}
    assert (reasons["about"], reasons["faq"]) == ("", skipped_as_unusable("unreachable", 200))
