"""The site of a request: kept by the process until a site changes, and never shared between requests."""

from typing import Any

import pytest
from django.db import connection, transaction
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from apps.core.stores.valkey import generations
from apps.sites import middleware
from apps.sites.middleware import site_of
from apps.sites.models import Site, SitePage
from tests.factories import SiteFactory

pytestmark = pytest.mark.django_db(transaction=True)


def current(host: str = "testserver.localhost") -> Any:
    return site_of(RequestFactory().get("/", headers={"host": host}))


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep sites as a process does; other tests read them for each request."""
    monkeypatch.setattr(middleware, "_site_cache", {})


@pytest.fixture
def elsewhere(site: Site) -> Site:
    made: Site = SiteFactory.create(host="elsewhere.localhost")
    return made


def test_it_is_read_once_for_each_host(elsewhere: Site, site: Site) -> None:
    hosts = ["testserver.localhost", "elsewhere.localhost", "elsewhere.localhost:8000", "other.localhost"]
    keys = [current(host).key for host in hosts]
    assert keys == [site.key, elsewhere.key, elsewhere.key, site.key]
    with CaptureQueriesContext(connection) as captured:
        assert [current(host).key for host in hosts] == keys
    assert len(captured) == 0


def test_a_change_is_seen_by_the_next_request(elsewhere: Site) -> None:
    current("elsewhere.localhost")
    elsewhere.name = "Renamed"
    with transaction.atomic():
        elsewhere.save()
        # The transaction sees its own change, others do not yet.
        assert current("elsewhere.localhost").name == "Renamed"
    assert current("elsewhere.localhost").name == "Renamed"
    Site.objects.filter(pk=elsewhere.pk).update(host="moved.localhost")
    assert current("elsewhere.localhost").is_default
    assert current("moved.localhost") == elsewhere


def test_a_new_imprint_is_seen_by_the_next_request(site: Site) -> None:
    assert not current().has_imprint
    SitePage.objects.create(site=site, kind=SitePage.Kind.IMPRINT, title="Imprint", text="Us")
    assert current().has_imprint


def test_what_one_request_changes_of_it_others_do_not_see(site: Site) -> None:
    current().name = "Changed"
    assert current().name == site.name


def test_without_valkey_it_is_read_from_the_database(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    current()
    monkeypatch.setattr(generations, "recent", lambda name: None)
    Site.objects.filter(pk=site.pk).update(name="Changed meanwhile")
    assert current().name == "Changed meanwhile"
