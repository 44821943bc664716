"""Purges: which keys a change sends to a CDN, once, and what happens when it doesn't answer."""

from typing import Any

import httpx2
import pytest

from apps.accounts.models import FounderProfile
from apps.core.schedule import BEAT
from apps.core.stores.valkey import generations
from apps.core.stores.valkey.generations import (
    EVERYTHING,
    LISTS,
    company_name,
    founder_name,
    listing_name,
    site_name,
    touch,
)
from apps.core.web.public_cache import purging
from apps.core.web.public_cache.purging import follow_changes, purge_waiting, surrogate_keys
from apps.sites.models import Site
from tests.core.public_cache.commits import committed
from tests.core.public_cache.visitors import visitor
from tests.factories import ListingFactory

pytestmark = pytest.mark.django_db

_URL = "https://cdn.example/purge"
_CLIENT = httpx2.AsyncClient


class Cdn:
    """In place of a CDN: keeps the requests, and answers as set."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []
        self.status = 200

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        if not self.status:
            raise httpx2.ConnectError("refused")
        return httpx2.Response(self.status)

    @property
    def keys(self) -> list[str]:
        return [key for request in self.requests for key in request.headers["Surrogate-Key"].split()]


@pytest.fixture
def cdn(settings: Any, monkeypatch: pytest.MonkeyPatch, site: Site) -> Cdn:
    settings.PURGE_URL, settings.PURGE_HEADER = _URL, "Fastly-Key: secret: token"
    cdn = Cdn()
    transport = httpx2.MockTransport(cdn.answer)
    monkeypatch.setattr(httpx2, "AsyncClient", lambda **_: _CLIENT(transport=transport))
    monkeypatch.setattr(generations, "after_change", [])
    follow_changes()
    queued: list[str] = []
    monkeypatch.setattr(purging, "delay_on_commit", queued.append)
    purge_waiting()
    cdn.requests.clear()
    return cdn


def change(*names: str) -> None:
    with committed():
        touch(*names)


def test_a_change_sends_its_keys_once(cdn: Cdn) -> None:
    assert BEAT["caches-purge"]["task"] == "apps.core.tasks.purge_caches"
    change(listing_name(7), LISTS)
    change(listing_name(7), site_name(1))
    assert [purge_waiting(), purge_waiting()] == [3, 0]
    (request,) = cdn.requests
    assert (request.method, str(request.url), request.headers["Fastly-Key"]) == ("POST", _URL, "secret: token")
    assert sorted(cdn.keys) == ["listing-7", "lists", "site-1"]
    assert sorted(key.strip('" ') for key in request.content.decode()[9:-2].split(",")) == sorted(cdn.keys)


def test_many_changes_queue_one_task(cdn: Cdn, monkeypatch: pytest.MonkeyPatch) -> None:
    queued: list[str] = []
    monkeypatch.setattr(purging, "delay_on_commit", queued.append)
    for number in range(3):
        change(listing_name(number))
    assert queued == ["apps.core.tasks.purge_caches"]
    purge_waiting()
    change(LISTS)
    assert len(queued) == 2


def test_many_keys_are_sent_in_batches(cdn: Cdn) -> None:
    change(*(listing_name(number) for number in range(70)))
    assert purge_waiting() == 70
    assert len(cdn.requests) == 3
    assert len(set(cdn.keys)) == 70


def test_everything_needs_one_key(cdn: Cdn) -> None:
    change(EVERYTHING, LISTS)
    purge_waiting()
    assert cdn.keys == ["all"]


@pytest.mark.parametrize("status", [0, 302, 403, 500])
def test_a_cdn_that_fails_gets_the_keys_again(cdn: Cdn, status: int) -> None:
    cdn.status = status
    change(LISTS)
    assert purge_waiting() == 0
    cdn.status = 200
    assert purge_waiting() == 1
    assert cdn.keys == ["lists", "lists"]


def test_nothing_is_sent_without_the_setting(cdn: Cdn, settings: Any) -> None:
    change(LISTS)
    settings.PURGE_URL = ""
    assert (purge_waiting(), cdn.requests) == (0, [])


def test_a_rollback_purges_nothing(cdn: Cdn) -> None:
    touch(LISTS)
    assert (purge_waiting(), cdn.requests) == (0, [])


def test_a_page_has_a_key_of_every_change_that_ends_it(cdn: Cdn, site: Site) -> None:
    listing = ListingFactory.create(live=True, site=site)
    FounderProfile.objects.get_or_create(user=listing.company.owner, defaults={"real_name": "Ada"})
    cdn.requests.clear()
    of_page = set(visitor().get(listing.path)["Surrogate-Key"].split())
    for names in (
        [listing_name(listing.pk)],
        [company_name(listing.company_id)],
        [founder_name(listing.company.owner_id)],
        [site_name(listing.site_id)],
        [EVERYTHING],
    ):
        change(*names)
        purge_waiting()
        assert of_page & set(cdn.keys), names
        cdn.requests.clear()


def test_numbers_of_companies_and_accounts_stay_private() -> None:
    keys = surrogate_keys([company_name(41), founder_name(41)])
    assert len(set(keys)) == 2
    assert not [key for key in keys if "41" in key.replace("-", " ").split() or "company" in key or "founder" in key]
