"""Pages show international host names in their own script, and look-alikes in ASCII."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from lxml import html

from apps.accounts.models import User
from apps.listings.models import Claim, Listing
from apps.sites.models import Site
from tests.drafts.factories import DraftFactory
from tests.factories import ListingFactory, UserFactory

pytestmark = pytest.mark.db

NAMES = [("xn--bcher-kva.example", "bücher.example"), ("xn--80ak6aa92e.example", "xn--80ak6aa92e.example")]


@pytest.fixture
def owner(site: Site) -> User:
    return UserFactory.create(email="owner@example.com")


@pytest.fixture
def browser(owner: User) -> Client:
    client = Client(headers={"host": "testserver.localhost"})
    client.force_login(owner)
    return client


def listing_at(host: str, owner: User, site: Site, **values: object) -> Listing:
    website = f"https://{host}/"
    made: Listing = ListingFactory.create(
        site=site, company__owner=owner, company__website=website, company__website_key=host, **values
    )
    return made


def paths_of(listing: Listing, owner: User) -> Iterator[str]:
    """Every page that shows the website of a listing, a draft or a claim of the account."""
    website = listing.company.website
    pages = [{"url": website, "kind": "home", "reason": ""}]
    draft = DraftFactory.create(owner=owner, site=listing.site, url=website, website=website, pages_read=pages)
    claim = Claim.objects.create(
        company=listing.company, claimant=owner, site=listing.site, website=website, token="x" * 32
    )
    yield from (f"{listing.path}/badges", f"{listing.path}/launch", "/drafts", f"/drafts/{draft.pk}")
    yield from ("/claims/new", f"/claims/{claim.pk}")


@pytest.mark.parametrize(("host", "shown"), NAMES)
def test_owners_pages_show_the_host(host: str, shown: str, browser: Client, owner: User, site: Site) -> None:
    listing = listing_at(host, owner, site, status="awaiting_badge", plan="free")
    seen = {}
    for path in paths_of(listing, owner):
        answer = browser.get(path)
        assert answer.status_code == 200, path
        page: Any = html.document_fromstring(answer.content.decode())
        # What owners copy into DNS and where they put the file has to be ASCII.
        for section in page.xpath("//section[@aria-labelledby='dns' or @aria-labelledby='file']"):
            section.drop_tree()
        text = page.text_content()
        seen[path] = (shown in text, host in text)
    assert set(seen.values()) == {(True, host == shown)}, seen


@pytest.mark.parametrize(("host", "shown"), NAMES)
def test_a_listing_s_page_shows_the_host_and_links_its_ascii_form(
    host: str, shown: str, client: Client, owner: User, site: Site
) -> None:
    listing = listing_at(host, owner, site, live=True)
    page: Any = html.document_fromstring(client.get(listing.path).content.decode())
    [link] = [link for link in page.iter("a") if host in (link.get("href") or "") and link.text_content().strip()]
    assert link.text_content().strip() == shown
    assert link.get("href") == f"https://{host}/"


@pytest.mark.parametrize("host", ["bücher.example", " Bücher.Example ", "xn--bcher-kva.example", "bücher.example."])
def test_a_site_takes_its_host_in_both_forms(host: str, site: Site) -> None:
    site.host = host
    site.full_clean()
    assert site.host == "xn--bcher-kva.example"


def test_a_host_that_is_none_is_refused(site: Site) -> None:
    site.host = "bü..example"
    with pytest.raises(ValidationError) as refused:
        site.full_clean()
    assert [(field, error.code) for field, [error] in refused.value.error_dict.items()] == [("host", "invalid")]
