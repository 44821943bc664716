"""What a crawl does and leaves to spare its websites: redirects hop by hop, pauses, refusals, files that are bombs."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from typing import Any

import pytest

from apps.drafts import tasks
from apps.drafts.crawl import job, lock
from apps.drafts.crawl.robots import merge_others, parse_robots
from apps.drafts.models import Draft
from apps.drafts.services import creation
from apps.sites.models import Site
from config.celery import app
from tests.drafts.conftest import page
from tests.drafts.crawl.test_crawl import crawled, failure, start
from tests.drafts.factories import by
from tests.pages_server import Answer, PagesServer

HOST = "acme.localhost"


def wait_of(draft: Draft, path: str) -> str:
    """Why a page that was planned was not used; empty when it was."""
    [entry] = [entry for entry in draft.pages_read if entry["url"].endswith(path)]
    return str(entry["reason"])


@pytest.mark.django_db
def test_a_redirect_is_not_followed_to_where_robots_txt_forbids(acme: PagesServer, site: Site) -> None:
    acme.serve(HOST, "/robots.txt", "User-agent: *\nDisallow: /private/\n")
    acme.redirect(HOST, "/about", "/private/about")
    acme.serve(HOST, "/private/about", page("About"))
    draft = crawled(acme, site)
    assert draft.status == Draft.Status.READY
    assert "/private/about" not in acme.paths(HOST)
    assert "robots.txt" in wait_of(draft, "/about")


@pytest.mark.django_db
def test_a_home_page_that_redirects_to_where_robots_txt_forbids(acme: PagesServer, site: Site) -> None:
    acme.serve("other.localhost", "/robots.txt", "User-agent: *\nDisallow: /\n")
    acme.serve("other.localhost", "/", page("Other"))
    acme.redirect(HOST, "/", acme.url("other.localhost", "/"))
    assert failure(acme, site) == "robots"
    assert acme.paths("other.localhost") == ["/robots.txt"]


@pytest.mark.django_db
def test_a_page_that_leads_to_another_website_is_not_followed(acme: PagesServer, site: Site) -> None:
    acme.redirect(HOST, "/about", acme.url("other.localhost", "/about"))
    draft = crawled(acme, site)
    assert acme.paths("other.localhost") == []
    assert "another website" in wait_of(draft, "/about")


@pytest.mark.django_db
@pytest.mark.usefixtures("shared")
def test_hops_keep_the_pause_and_are_at_most_five(acme: PagesServer, site: Site, settings: Any) -> None:
    settings.CRAWL_DELAY_SECONDS = 0.05
    for number in range(9):
        acme.redirect(HOST, f"/{number}", f"/{number + 1}")
    assert failure(acme, site, path="/0") == "unreachable"
    assert acme.paths(HOST) == ["/robots.txt", *(f"/{number}" for number in range(6))]
    assert all(later.at - earlier.at >= 0.05 for earlier, later in pairwise(acme.seen))


@pytest.mark.slow
@pytest.mark.django_db
def test_a_website_that_is_being_read_is_not_read_through_a_redirect(
    acme: PagesServer, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.crawl_draft, "delay", sent.append)
    acme.redirect("other.localhost", "/", acme.url(HOST, "/"))
    busy, late = start(acme, site), start(acme, site, host="other.localhost")
    lease = lock.lease_draft(busy.pk)
    assert lease is not None
    tasks.crawl_draft(late.pk)
    late.refresh_from_db()
    assert (late.status, late.domain, late.leased_until) == (Draft.Status.CRAWLING, busy.domain, None)
    assert acme.paths(HOST) == []
    lease.update(lambda row: lock.fail(row, code="unreachable", message="Gone."))
    assert lock.unblocked_by(domains={busy.domain}, owner_id=busy.owner_id) == [late.pk]
    assert job.run(late.pk) == []
    late.refresh_from_db()
    assert (late.status, late.website) == (Draft.Status.READY, acme.url(HOST, "/"))


@pytest.mark.slow
@pytest.mark.django_db
def test_a_website_that_nobody_reads_is_taken_over_with_the_redirect(
    acme: PagesServer, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    acme.redirect("other.localhost", "/", acme.url(HOST, "/"))
    draft, second = start(acme, site, host="other.localhost"), start(acme, site)
    leases: list[lock.Lease | None] = []
    report = lock.Lease.report

    def lease_beside(self: lock.Lease, **progress: Any) -> None:
        leases.append(lock.lease_draft(second.pk))
        report(self, **progress)

    monkeypatch.setattr(lock.Lease, "report", lease_beside)
    assert job.run(draft.pk) == [second.pk]
    assert set(leases) == {None}
    draft.refresh_from_db()
    assert (draft.status, draft.attempt) == (Draft.Status.READY, 1)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("shared")
def test_two_crawls_of_a_website_keep_the_pause_between_them(acme: PagesServer, site: Site, settings: Any) -> None:
    settings.CRAWL_DELAY_SECONDS = 0.3
    acme.serve(HOST, "/", Answer(b"<h1>Gone</h1>", status=404))
    acme.serve(HOST, "/other", Answer(b"<h1>Gone</h1>", status=404))
    failure(acme, site)
    assert failure(acme, site, path="/other") == "unreachable"
    assert acme.paths(HOST) == ["/robots.txt", "/", "/other"]
    assert all(later.at - earlier.at >= 0.3 for earlier, later in pairwise(acme.seen))


@pytest.mark.django_db
@pytest.mark.parametrize("status", [500, 504, 507, 520, 529])
def test_every_server_error_is_tried_again(status: int, acme: PagesServer, site: Site) -> None:
    acme.serve(HOST, "/", Answer(status=status))
    assert failure(acme, site) == "unreachable"
    assert acme.paths(HOST).count("/") == 3


@pytest.mark.slow
@pytest.mark.django_db
def test_retry_after_may_be_a_date(acme: PagesServer, site: Site) -> None:
    def busy() -> Answer:
        soon = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
        return Answer(status=503, headers={"Retry-After": soon})

    home = Answer(page("Acme").encode())
    acme.serve(HOST, "/", lambda before: home if before else busy())
    assert crawled(acme, site).status == Draft.Status.READY
    first, second = [seen.at for seen in acme.seen if seen.path == "/"]
    assert second - first > 0.5, "the server's date was kept, not our own short pause"


@pytest.mark.django_db
def test_a_website_that_has_had_enough_is_asked_for_nothing_more(acme: PagesServer, site: Site) -> None:
    acme.serve(HOST, "/about", Answer(status=429, headers={"Retry-After": "600"}))
    draft = crawled(acme, site)
    assert draft.status == Draft.Status.READY
    assert acme.paths(HOST) == ["/robots.txt", "/", "/sitemap.xml", "/about"]
    assert "slow down" in wait_of(draft, "/about")
    assert "slow down" in wait_of(draft, "/faq")


@pytest.mark.django_db
def test_the_draft_tells_each_page_and_why_it_was_not_used(acme: PagesServer, site: Site) -> None:
    acme.serve(HOST, "/robots.txt", "User-agent: *\nDisallow: /pricing\n")
    acme.serve(HOST, "/faq", Answer(status=500))
    acme.redirect(HOST, "/about", "/")
    draft = crawled(acme, site)
    kinds = {entry["url"].removeprefix(acme.url(HOST)): entry["kind"] for entry in draft.pages_read}
    assert kinds == {"/": "home", "/about": "about", "/pricing": "pricing", "/faq": "faq"}
    assert wait_of(draft, f":{acme.port}/") == ""
    assert "already" in wait_of(draft, "/about")
    assert "robots.txt" in wait_of(draft, "/pricing")
    assert "a 500" in wait_of(draft, "/faq")
    assert all(set(entry) == {"url", "kind", "reason"} for entry in draft.pages_read)


@pytest.mark.django_db
def test_a_draft_that_fails_tells_its_page_too(pages: PagesServer, site: Site) -> None:
    pages.serve(HOST, "/", Answer(status=404))
    draft = crawled(pages, site)
    assert draft.pages_read == [{"url": pages.url(HOST, "/"), "kind": "home", "reason": draft.error_message}]


@pytest.mark.slow
@pytest.mark.django_db
def test_pages_beyond_the_site_s_allowance_are_told(acme: PagesServer, site: Site, settings: Any) -> None:
    acme.serve(HOST, "/about", page("About", "word " * 400_000))
    acme.serve(HOST, "/pricing", page("Pricing", "word " * 400_000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("apps.drafts.crawl.http.MAX_SITE_BYTES", 3_000_000)
        draft = crawled(acme, site)
    assert wait_of(draft, "/about") == ""
    assert "10 MB" in wait_of(draft, "/pricing")


BOMBS = {
    "agents": "".join(f"User-agent: a{number}\n" for number in range(400))
    + "".join(f"Disallow: /{number}\n" for number in range(20_000)),
    "agents-and-sitemaps": "".join(f"USER  agent a{number}\nSitemap: /x\n" for number in range(4000))
    + "".join(f"Disallow: /{number}\n" for number in range(20_000)),
    "wildcards": "User-agent: *\n" + f"Disallow: /{'*a' * 20}*b\n" * 10_000,
    "one-line": "User-agent: *\nDisallow: /" + "*a" * 200_000,
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS.keys())
def test_robots_txt_that_multiplies_its_rules(text: str) -> None:
    own = "\nUser-agent: SlipwayBot/0.1\nUser-agent: x\nDisallow: /closed\n"
    text = text[: 500 * 1024] + own
    robots = parse_robots(text, agent="SlipwayBot")
    assert not robots.allows("http://acme.example/closed/page")
    assert robots.allows("http://acme.example/" + "a" * 1900)
    names = {line for line in merge_others(text, agent="SlipwayBot").splitlines() if line.startswith("User-agent")}
    assert names <= {"User-agent: *", "User-agent: others", "User-agent: slipwaybot"}


@pytest.mark.parametrize("blank", "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
def test_no_other_character_ends_a_line(blank: str) -> None:
    """The parser takes these for the end of a line, where names of crawlers would multiply the rules."""
    merged = merge_others(f"x{blank}User-agent: a{blank}Disallow: /\nUser-agent: *", agent="SlipwayBot")
    assert merged.splitlines() == ["x User-agent: a Disallow: /", "User-agent: *"]


@pytest.mark.parametrize(
    ("line", "seconds"),
    [("Crawl-delay: 2", 2.0), ("Request-rate: 1/3", 3.0), ("Request-rate: 2/1m", 10.0), ("Request-rate: 9/1", 1 / 9)],
)
def test_robots_txt_asks_for_pauses(line: str, seconds: float) -> None:
    assert parse_robots(f"User-agent: *\n{line}\n", agent="SlipwayBot").delay_seconds == pytest.approx(seconds)


def test_workers_are_replaced_before_they_grow() -> None:
    assert app.conf.worker_max_memory_per_child == 400_000
    assert app.conf.worker_max_tasks_per_child == 500
    assert tasks.crawl_draft.acks_late is True


@pytest.mark.django_db
def test_nothing_of_a_draft_is_lost_by_starting_it_twice(acme: PagesServer, site: Site) -> None:
    draft = start(acme, site)
    again, is_new = creation.create_draft(site=site, url=draft.url, by=by(draft.owner))
    assert (again.pk, is_new) == (draft.pk, False)
