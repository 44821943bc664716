"""A web server with a website to draft from, and a crawler that may read it without pauses."""

import asyncio
import math
import threading
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from apps.drafts.crawl import http, job
from apps.drafts.crawl.site_crawler import SiteCrawler
from apps.listings.websites.shared_hosts import shared_hosts
from tests.driven_loop import PeersLoop, skip
from tests.pages_server import Answer, PagesServer, Respond

HOUR = 3600.0
HOSTS = ("acme.localhost", "www.acme.localhost", "docs.acme.localhost", "other.localhost", "third.localhost")

HOME = """<!doctype html>
<html lang="en">
<head>
  <title>Acme: invoices that write themselves</title>
  <meta name="description" content="Acme reads your time sheets and writes the invoices for you, in any currency, with
  reminders that stay polite.">
  <meta property="og:site_name" content="Acme">
  <meta property="og:image" content="/share.png">
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
</head>
<body>
  <nav><a href="/about">About us</a> <a href="/pricing">Pricing</a> <a href="/faq">FAQ</a>
  <a href="https://github.com/acme-invoices">GitHub</a></nav>
  <h1>Invoices that write themselves</h1>
  <p>Acme reads the time sheets of your team and writes one invoice for each client. Invoicing takes minutes, and
  accounting gets its export. Nobody has to open a spreadsheet again at the end of the month, and every invoice arrives
  on the day it was promised.</p>
</body>
</html>
"""


def page(title: str, text: str = "") -> str:
    """A page with enough words to be one."""
    words = text or f"{title} says a few words about what the company does for whom and why. " * 5
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{words}</p></body></html>"


@pytest.fixture
def pages(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[PagesServer]:
    """An empty server; its hosts may be crawled although they are private."""
    monkeypatch.setattr(http, "RETRY_SECONDS", 0.01)
    settings.CRAWL_DELAY_SECONDS = 0.0
    with PagesServer() as server:
        settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset(server.host(name) for name in HOSTS)
        yield server


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host acme.localhost serves the websites of many owners, by the first part of the path."""
    monkeypatch.setitem(shared_hosts().segments, "acme.localhost", 1)


@pytest.fixture
def acme(pages: PagesServer) -> PagesServer:
    """The server with a whole website at acme.localhost."""
    pages.serve("acme.localhost", "/", HOME)
    for name in ("about", "pricing", "faq"):
        pages.serve("acme.localhost", f"/{name}", page(name.capitalize()))
    return pages


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The wake-ups that went out."""
    ids: list[int] = []
    monkeypatch.setattr("apps.drafts.tasks.crawl_draft.delay", ids.append)
    return ids


@pytest.fixture
def silence() -> Iterator[Respond]:
    """What a website does that says nothing: on a PeersLoop, an hour passes with each request."""
    gate = threading.Event()

    def hold(_: int) -> Answer:
        skip(HOUR)
        return Answer(gate=gate)

    yield hold
    gate.set()


@pytest.fixture
def an_hour_for_each_fetch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Crawls end by no other limit of time, and servers can skip the hour: a busy machine is no slow website."""
    monkeypatch.setattr(http, "FETCH_SECONDS", HOUR)
    monkeypatch.setattr(job, "SiteCrawler", partial(SiteCrawler, seconds=math.inf))
    monkeypatch.setattr(job, "asyncio", SimpleNamespace(Runner=partial(asyncio.Runner, loop_factory=PeersLoop)))
