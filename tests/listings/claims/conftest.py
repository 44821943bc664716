"""A claim of a website on loopback, with the DNS server that is asked for its domain."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.accounts.models import User
from apps.listings.claims import text_records
from apps.listings.models import Claim, Company, Listing
from apps.sites.models import Site
from tests.dns_server import DnsServer
from tests.factories import CompanyFactory, ListingFactory, UserFactory
from tests.pages_server import PagesServer

HOST = "acme.localhost"


@pytest.fixture
def names(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[DnsServer]:
    monkeypatch.setattr(text_records, "QUERY_SECONDS", 120)
    monkeypatch.setattr(text_records, "LOOKUP_SECONDS", 120)
    with DnsServer() as server:
        settings.CLAIM_DNS_SERVERS = (server.address,)
        yield server


@pytest.fixture
def web(settings: Any) -> Iterator[PagesServer]:
    with PagesServer() as server:
        hosts = [HOST, f"www.{HOST}", "other.localhost"]
        settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset(server.host(host) for host in hosts)
        yield server


@pytest.fixture
def claimant(site: Site) -> User:
    return UserFactory.create(email="claimant@example.com")


@pytest.fixture
def company(site: Site) -> Company:
    """Listed by somebody who has proven nothing."""
    made: Company = CompanyFactory.create(
        name="Acme", website="https://acme.example", owner__email="lister@example.com"
    )
    return made


@pytest.fixture
def listing(company: Company) -> Listing:
    made: Listing = ListingFactory.create(live=True, company=company)
    return made


@pytest.fixture
def claim(claimant: User, company: Company, site: Site) -> Claim:
    return claim_of(company, claimant, site)


def claim_of(company: Company, claimant: User, site: Site, token: str = "c0ffee" * 5) -> Claim:
    return Claim.objects.create(company=company, claimant=claimant, site=site, website=company.website, token=token)
