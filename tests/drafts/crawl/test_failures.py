"""What a failed draft tells its owner: a code, what happened, and what to do."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from apps.core.fetch import FetchError, FetchFailure
from apps.core.fetch.errors import WHY_CUT
from apps.drafts.crawl import failures, job
from apps.drafts.extraction.site.unusable_pages import Reason
from apps.drafts.models import Draft
from apps.drafts.services import creation
from apps.sites.models import Site
from tests.api import ApiClient
from tests.drafts.conftest import HOUR, page
from tests.drafts.crawl.test_crawl import crawled
from tests.drafts.factories import by
from tests.driven_loop import skip
from tests.factories import CompanyFactory, UserFactory
from tests.pages_server import HTML, Answer, PagesServer

HOST = "acme.localhost"


def of_fetch(code: FetchFailure) -> failures.CrawlError:
    return failures.from_fetch(FetchError(code))


def unusable(reason: Reason, status: int = 200, cut: str = "") -> failures.CrawlError:
    return failures.from_unusable(reason, status, cut=cut)


THIN, SCRIPTED = unusable("too_thin"), unusable("needs_javascript")
NOT_HTML = unusable("not_html")
TOO_LONG = unusable("too_thin", cut=WHY_CUT[FetchFailure.TOO_LARGE])
PRIVATE, REDIRECT = of_fetch(FetchFailure.PRIVATE_ADDRESS), of_fetch(FetchFailure.BAD_ADDRESS)


def to(location: str) -> Answer:
    return Answer(status=302, headers={"Location": location})


HOMES: dict[str, tuple[Answer | str, str, failures.CrawlError]] = {
    "missing": (Answer(b"<h1>Gone</h1>", status=404), "unreachable", unusable("unreachable", 404)),
    "500": (Answer(b"<h1>Oops</h1>", status=500), "unreachable", unusable("unreachable", 500)),
    "error-page": (page("404 Not found", "Nothing here."), "unreachable", unusable("unreachable")),
    "3-MB-without-text": (
        Answer(b"<script>" + b"x" * 3_000_000 + b"</script><p>Acme"),
        "too_thin",
        unusable("needs_javascript", cut=WHY_CUT[FetchFailure.TOO_LARGE]),
    ),
    "3-MB-without-an-element": (
        Answer(b"<!--" + b"x" * 3_000_000 + b"-->" + b"<p>Acme"),
        "too_thin",
        TOO_LONG,
    ),
    "66-KB-of-headers": (Answer(headers={"X": "y" * 66_000}), "unreachable", of_fetch(FetchFailure.HEADERS_TOO_LARGE)),
    "loop": (to("/"), "unreachable", of_fetch(FetchFailure.TOO_MANY_REDIRECTS)),
    "redirect-to-metadata": (to("http://169.254.169.254/latest"), "private_address", PRIVATE),
    "redirect-to-localhost": (to("http://localhost/"), "private_address", PRIVATE),
    "redirect-to-loopback": (to("http://[::1]/"), "private_address", PRIVATE),
    "redirect-to-mail": (to("mailto:a@b.example"), "unreachable", REDIRECT),
    "redirect-to-nonsense": (to("http://[x"), "unreachable", REDIRECT),
    "redirect-to-control-characters": (to("https://github.com/a%00b"), "unreachable", REDIRECT),
    "forbidden": (Answer(b"<h1>No</h1>", status=403), "blocked", unusable("blocked", 403)),
    "challenge": (page("Just a moment...", "Checking your browser"), "blocked", unusable("blocked")),
    "pdf": (Answer(b"%PDF-1.7", content_type="application/pdf"), "too_thin", NOT_HTML),
    "pdf-called-html": (Answer(b"%PDF-1.7 " + bytes(range(256)) * 9), "too_thin", NOT_HTML),
    "png-called-html": (
        Answer(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9),
        "too_thin",
        NOT_HTML,
    ),
    "jpeg-called-html": (
        Answer(b"\xff\xd8\xff\xe0\0\x10JFIF" + b"abc " * 99),
        "too_thin",
        NOT_HTML,
    ),
    "giant-tag": (
        Answer(b"<p " + b"a " * 70_000 + b">"),
        "too_thin",
        unusable("too_thin", cut="one of its tags is longer than 65,536 characters"),
    ),
    "image": (Answer(b"\x89PNG\r\n", content_type="image/png"), "too_thin", NOT_HTML),
    "empty": (Answer(b""), "too_thin", THIN),
    "blank": (Answer(b" \n "), "too_thin", THIN),
    "scripts": (Answer(b"<body><div id=root></div></body>"), "too_thin", THIN),
    "javascript": (Answer(b"<div id=root></div><script src=/a.js></script>"), "too_thin", SCRIPTED),
    "unknown-challenge": (
        Answer(
            b"<h1>One last step before we let you in</h1><p>"
            + b"Prove to us that you are who you say. " * 3
            + b"</p><script src=/prove.js></script>"
        ),
        "too_thin",
        SCRIPTED,
    ),
    "parked": (page("acme", "This domain is for sale. " * 20), "too_thin", THIN),
}


@pytest.mark.django_db
@pytest.mark.parametrize(("home", "code", "failure"), HOMES.values(), ids=HOMES.keys())
def test_a_home_page_that_cannot_be_drafted_from(
    home: Answer | str, code: str, failure: failures.CrawlError, pages: PagesServer, site: Site
) -> None:
    pages.serve(HOST, "/", home)
    tells(crawled(pages, site), code, failure)


ROBOTS = {
    "forbids": (Answer(b"User-agent: *\nDisallow: /"), "robots", failures.robots_forbids()),
    "503": (Answer(status=503), "unreachable", failures.from_robots_status(503)),
    "garbled": (
        Answer(bytes(range(32)) * 99, headers={"Content-Encoding": "br"}),
        "unreachable",
        failures.from_robots(FetchError(FetchFailure.BAD_RESPONSE)),
    ),
    "private": (to("http://10.0.0.1/"), "private_address", PRIVATE),
}


@pytest.mark.django_db
@pytest.mark.parametrize(("robots", "code", "failure"), ROBOTS.values(), ids=ROBOTS.keys())
def test_a_robots_txt_that_stops_the_crawl(
    robots: Answer, code: str, failure: failures.CrawlError, acme: PagesServer, site: Site
) -> None:
    acme.serve(HOST, "/robots.txt", robots)
    tells(crawled(acme, site), code, failure)
    assert "/" not in acme.paths(HOST)


@pytest.mark.django_db
def test_nobody_at_the_address(pages: PagesServer, site: Site, settings: Any) -> None:
    settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset({"acme.localhost:9"})
    draft, _ = creation.create_draft(site=site, url="http://acme.localhost:9/", by=by(UserFactory.create()))
    job.run(draft.pk)
    draft.refresh_from_db()
    tells(draft, "unreachable", of_fetch(FetchFailure.UNREACHABLE))


class Drip(BaseHTTPRequestHandler):
    """Sends a page a byte at a time for as long as anybody listens, and skips an hour; robots.txt is not there."""

    def do_GET(self) -> None:
        if self.path == "/robots.txt":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", HTML)
        self.end_headers()
        skip(HOUR)
        with suppress(OSError):
            while True:
                self.wfile.write(b".")
                time.sleep(0.01)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        pass


@pytest.fixture
def dripping(settings: Any) -> Iterator[str]:
    """The address of a website that never ends its home page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Drip) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.005,), daemon=True)
        thread.start()
        host = f"{HOST}:{server.server_address[1]}"
        settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset({host})
        yield f"http://{host}/"
        server.shutdown()
        thread.join()


@pytest.mark.django_db
@pytest.mark.usefixtures("pages", "an_hour_for_each_fetch")
def test_a_site_that_drips(dripping: str, site: Site) -> None:
    draft, _ = creation.create_draft(site=site, url=dripping, by=by(UserFactory.create()))
    job.run(draft.pk)
    draft.refresh_from_db()
    tells(draft, "unreachable", of_fetch(FetchFailure.TIMEOUT))


@pytest.mark.django_db
def test_an_address_that_leads_to_another_account_s_website(acme: PagesServer, site: Site) -> None:
    acme.redirect("other.localhost", "/", acme.url(HOST, "/"))
    draft, _ = creation.create_draft(site=site, url=acme.url("other.localhost"), by=by(UserFactory.create()))
    CompanyFactory.create(website=acme.url(HOST, "/"), website_key=acme.host(HOST))
    job.run(draft.pk)
    draft.refresh_from_db()
    tells(draft, "duplicate", failures.listed_by_another(acme.url(HOST, "/")), is_again=False)


@pytest.mark.parametrize("code", FetchFailure)
def test_every_failure_of_a_fetch_has_its_words(code: FetchFailure) -> None:
    error = FetchError(code)
    for say in (failures.from_fetch, failures.from_robots):
        failure = say(error)
        assert failure.code in Draft.Failure.values
        assert_whole(failure)


@pytest.mark.parametrize("say", [failures.robots_forbids, failures.too_slow, failures.unexpected])
def test_every_other_failure_has_its_words(say: Callable[[], failures.CrawlError]) -> None:
    assert_whole(say())


def assert_whole(failure: failures.CrawlError) -> None:
    """Sentences, the last of which was not cut off, and one of which begins with what to do."""
    assert failure.message.endswith(".")
    assert len(failure.message) < 300
    first_words = {"Add", "Allow", "Check", "Fix", "Make", "Reduce", "Send", "Shorten", "Start", "Try"}
    words = {sentence.split()[0] for sentence in failure.message.split(". ")[1:]}
    assert words & first_words, failure.message


def tells(draft: Draft, code: str, failure: failures.CrawlError, *, is_again: bool = True) -> None:
    """The draft failed with this code and message, in the API too; and, if `is_again`, how to go on."""
    assert (draft.status, draft.error_code, draft.error_message) == (Draft.Status.FAILED, code, failure.message)
    assert draft.error_message.endswith(".")
    if is_again:
        assert failures.AGAIN in draft.error_message or "Send " in draft.error_message
    error = ApiClient(draft.owner).get(f"/drafts/{draft.pk}").json()["error"]
    assert error == {"code": code, "message": draft.error_message}
