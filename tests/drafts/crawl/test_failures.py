"""What a failed draft tells its owner: a code, what happened, and what to do."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from apps.core.fetch import FetchError, FetchFailure
from apps.drafts.crawl import failures, job
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
AGAIN = "Then try again."


def to(location: str) -> Answer:
    return Answer(status=302, headers={"Location": location})


HOMES = {
    "missing": (Answer(b"<h1>Gone</h1>", status=404), "unreachable", "a 404. Fix the page"),
    "500": (Answer(b"<h1>Oops</h1>", status=500), "unreachable", "a 500. Fix the page"),
    "error-page": (page("404 Not found", "Nothing here."), "unreachable", "an error page. Fix the page"),
    "3-MB-without-text": (
        Answer(b"<script>" + b"x" * 3_000_000 + b"</script><p>Acme"),
        "too_thin",
        "We read only the first part, because it is over 2 MB.",
    ),
    "3-MB-without-an-element": (
        Answer(b"<!--" + b"x" * 3_000_000 + b"-->" + b"<p>Acme"),
        "too_thin",
        "We read only the first part, because it is over 2 MB.",
    ),
    "66-KB-of-headers": (Answer(headers={"X": "y" * 66_000}), "unreachable", "HTTP headers are over 64 KB."),
    "loop": (to("/"), "unreachable", "Send the final URL."),
    "redirect-to-metadata": (to("http://169.254.169.254/latest"), "private_address", "reachable from the internet."),
    "redirect-to-localhost": (to("http://localhost/"), "private_address", "reachable from the internet."),
    "redirect-to-loopback": (to("http://[::1]/"), "private_address", "reachable from the internet."),
    "redirect-to-mail": (to("mailto:a@b.example"), "unreachable", "Send the final URL."),
    "redirect-to-nonsense": (to("http://[x"), "unreachable", "Send the final URL."),
    "redirect-to-control-characters": (to("https://github.com/a%00b"), "unreachable", "Send the final URL."),
    "forbidden": (Answer(b"<h1>No</h1>", status=403), "blocked", "Allow SlipwayBot"),
    "challenge": (page("Just a moment...", "Checking your browser"), "blocked", "Allow SlipwayBot"),
    "pdf": (Answer(b"%PDF-1.7", content_type="application/pdf"), "too_thin", "Send the home page."),
    "pdf-called-html": (Answer(b"%PDF-1.7 " + bytes(range(256)) * 9), "too_thin", "Send the home page."),
    "png-called-html": (
        Answer(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9),
        "too_thin",
        "Send the home page.",
    ),
    "jpeg-called-html": (
        Answer(b"\xff\xd8\xff\xe0\0\x10JFIF" + b"abc " * 99),
        "too_thin",
        "Send the home page.",
    ),
    "giant-tag": (
        Answer(b"<p " + b"a " * 70_000 + b">"),
        "too_thin",
        "because one of its tags is longer than 65,536 characters.",
    ),
    "image": (Answer(b"\x89PNG\r\n", content_type="image/png"), "too_thin", "Send the home page."),
    "empty": (Answer(b""), "too_thin", "Add a title and a description"),
    "blank": (Answer(b" \n "), "too_thin", "Add a title and a description"),
    "scripts": (Answer(b"<body><div id=root></div></body>"), "too_thin", "Add a title and a description"),
    "javascript": (Answer(b"<div id=root></div><script src=/a.js></script>"), "too_thin", "We don't run JavaScript."),
    "unknown-challenge": (
        Answer(
            b"<h1>One last step before we let you in</h1><p>"
            + b"Prove to us that you are who you say. " * 3
            + b"</p><script src=/prove.js></script>"
        ),
        "too_thin",
        "We don't run JavaScript.",
    ),
    "parked": (page("acme", "This domain is for sale. " * 20), "too_thin", "Add a title and a description"),
}


@pytest.mark.django_db
@pytest.mark.parametrize(("home", "code", "advice"), HOMES.values(), ids=HOMES.keys())
def test_a_home_page_that_cannot_be_drafted_from(
    home: Answer | str, code: str, advice: str, pages: PagesServer, site: Site
) -> None:
    pages.serve(HOST, "/", home)
    tells(crawled(pages, site), code, advice)


ROBOTS = {
    "forbids": (Answer(b"User-agent: *\nDisallow: /"), "robots", "Allow it there. Then try again."),
    "503": (Answer(status=503), "unreachable", "a 503, so we read nothing. Fix it."),
    "garbled": (
        Answer(bytes(range(32)) * 99, headers={"Content-Encoding": "br"}),
        "unreachable",
        "is incomplete or garbled, so we read nothing. Fix it.",
    ),
    "private": (to("http://10.0.0.1/"), "private_address", "reachable from the internet."),
}


@pytest.mark.django_db
@pytest.mark.parametrize(("robots", "code", "advice"), ROBOTS.values(), ids=ROBOTS.keys())
def test_a_robots_txt_that_stops_the_crawl(
    robots: Answer, code: str, advice: str, acme: PagesServer, site: Site
) -> None:
    acme.serve(HOST, "/robots.txt", robots)
    tells(crawled(acme, site), code, advice)
    assert "/" not in acme.paths(HOST)


@pytest.mark.django_db
def test_nobody_at_the_address(pages: PagesServer, site: Site, settings: Any) -> None:
    settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset({"acme.localhost:9"})
    draft, _ = creation.create_draft(site=site, url="http://acme.localhost:9/", by=by(UserFactory.create()))
    job.run(draft.pk)
    draft.refresh_from_db()
    tells(draft, "unreachable", "Check its domain, server and certificate.")


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
    tells(draft, "unreachable", "Make it faster.")


@pytest.mark.django_db
def test_an_address_that_leads_to_another_account_s_website(acme: PagesServer, site: Site) -> None:
    acme.redirect("other.localhost", "/", acme.url(HOST, "/"))
    draft, _ = creation.create_draft(site=site, url=acme.url("other.localhost"), by=by(UserFactory.create()))
    CompanyFactory.create(website=acme.url(HOST, "/"), website_key=acme.host(HOST))
    job.run(draft.pk)
    draft.refresh_from_db()
    tells(draft, "duplicate", "If it is yours, claim it.", is_again=False)


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


def tells(draft: Draft, code: str, advice: str, *, is_again: bool = True) -> None:
    """The draft failed with this code and advice, in the API too; and, if `is_again`, how to go on."""
    assert (draft.status, draft.error_code) == (Draft.Status.FAILED, code), draft.error_message
    assert advice in draft.error_message
    assert draft.error_message.endswith(".")
    if is_again:
        assert AGAIN in draft.error_message or "Send " in draft.error_message
    error = ApiClient(draft.owner).get(f"/drafts/{draft.pk}").json()["error"]
    assert error == {"code": code, "message": draft.error_message}
