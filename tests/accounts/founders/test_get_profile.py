"""get_profile: the account's own profile, and what this site still asks for."""

import pytest

from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, complete_profile

pytestmark = pytest.mark.django_db


def test_an_empty_profile_says_what_is_missing(owner: ApiClient, site: Site) -> None:
    body = owner.get("/me/profile").json()
    assert (body["real_name"], body["links"], body["photo_url"], body["page_url"]) == ("", [], "", "")
    assert [part["part"] for part in body["missing"]] == site.profile_required_parts
    assert body["missing"][0]["url"].startswith(site.url("/account/profile#"))


def test_a_founder_with_a_live_listing_has_a_page(owner: ApiClient, site: Site) -> None:
    profile = complete_profile(owner.account)
    profile.slug = "ada"
    profile.save()
    assert owner.get("/me/profile").json()["page_url"] == ""
    ListingFactory.create(live=True, company__owner=owner.account)
    body = owner.get("/me/profile").json()
    assert (body["page_url"], body["missing"]) == (site.url("/founders/ada"), [])
    assert body["photo_url"].startswith(site.url("/founders/photos/"))
