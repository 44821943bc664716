"""Search engines hear of changed pages by IndexNow, over HTTP to a receiver on loopback."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from threading import Event
from typing import Any

import httpx2
import pytest
from django.test import Client
from django.utils import timezone

from apps.listings.models import Company, Listing
from apps.sites.models import Site
from apps.sites.seo import indexnow
from apps.sites.tasks import submit_changed_pages
from tests.factories import ListingFactory, SiteFactory
from tests.webhooks.receiver import Received, Receiver, receiving

pytestmark = pytest.mark.django_db

KEY = "0123456789abcdef"


@pytest.fixture
def engine(settings: Any) -> Iterator[Receiver]:
    """A search engine that takes what it is sent."""
    with receiving() as receiver:
        receiver.answer = lambda _: (202, {}, b"")
        settings.INDEXNOW_KEY, settings.INDEXNOW_URL = KEY, receiver.url
        yield receiver


@pytest.fixture
def listing() -> Listing:
    """A listing that changed just now."""
    made: Listing = ListingFactory.create(live=True)
    return made


def test_engines_hear_of_changed_pages_and_can_check_the_key(engine: Receiver, site: Site, listing: Listing) -> None:
    old = ListingFactory.create(live=True)
    long_ago = timezone.now() - timedelta(days=3)
    Listing.objects.filter(pk=old.pk).update(updated_at=long_ago)
    Company.objects.filter(pk=old.company_id).update(updated_at=long_ago)
    submit_changed_pages()

    [got] = engine.received
    assert got.headers["content-type"] == "application/json"
    assert got.event["host"] == site.host
    assert site.url(f"/listings/{listing.slug}") in got.event["urlList"]
    assert site.url(f"/listings/{old.slug}") not in got.event["urlList"]
    visitor = Client(headers={"host": site.host})
    assert visitor.get(httpx2.URL(got.event["keyLocation"]).path).content.decode() == got.event["key"] == KEY


def test_without_a_key_nothing_is_sent(engine: Receiver, site: Site, listing: Listing, settings: Any) -> None:
    settings.INDEXNOW_KEY = ""
    submit_changed_pages()
    assert engine.received == []
    assert Client(headers={"host": site.host}).get("/indexnow.txt").status_code == 404


def test_a_long_list_is_cut(engine: Receiver, site: Site, listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexnow, "MAX_ADDRESSES", 1)
    submit_changed_pages()
    assert len(engine.received[0].event["urlList"]) == 1


@pytest.mark.parametrize("status", [302, 400, 403, 422, 429, 500])
def test_a_refusal_is_logged_and_the_other_sites_go_on(
    engine: Receiver, site: Site, listing: Listing, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    other = SiteFactory.create()
    ListingFactory.create(live=True, site=other)
    location = {"Location": engine.url}

    def answer(got: Received) -> tuple[int, dict[str, str], bytes]:
        return (status, location, b"") if got.event["host"] == site.host else (200, {}, b"")

    engine.answer = answer
    with caplog.at_level(logging.WARNING):
        sent = indexnow.submit_changed_pages(since=timezone.now() - timedelta(hours=1))
    assert [got.event["host"] for got in engine.received] == [site.host, other.host]
    assert sent == len(engine.received[1].event["urlList"])
    [record] = caplog.records
    assert (record.message, record.__dict__["status"]) == ("IndexNow rejected the URLs", status)


@pytest.mark.parametrize("failure", ["refuses", "hangs", "hangs up"])
def test_an_engine_that_does_not_answer_is_logged(
    engine: Receiver,
    listing: Listing,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failure: str,
) -> None:
    over = Event()

    def answer(_: Received) -> tuple[int, dict[str, str], bytes]:
        if failure == "hangs":
            over.wait()
        raise ConnectionError

    engine.answer = answer
    if failure == "refuses":
        settings.INDEXNOW_URL = "http://127.0.0.1:9/"
    if failure == "hangs":
        monkeypatch.setattr(indexnow, "_DEADLINE_SECONDS", 0.3)
    with caplog.at_level(logging.WARNING):
        assert indexnow.submit_changed_pages(since=timezone.now() - timedelta(hours=1)) == 0
    over.set()
    [record] = caplog.records
    assert record.message == "IndexNow didn't respond"
