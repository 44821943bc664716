"""Notices to owners and to site admins."""

import pytest

from apps.core.email.text import Words
from apps.core.models import OutgoingEmail
from apps.listings.emails import notify_owner, notify_team
from apps.sites.models import Site
from tests.factories import ListingFactory, SiteFactory, UserFactory

pytestmark = pytest.mark.db

WORDS = Words(subject="About your listing", text="Something happened.")


@pytest.fixture
def elsewhere(site: Site) -> Site:
    return SiteFactory.create(name="Elsewhere")


def told() -> list[tuple[str, str, str]]:
    return list(OutgoingEmail.objects.order_by("to", "pk").values_list("to", "site_name", "site_url"))


def test_the_owner_is_told_in_the_name_of_the_listings_site(elsewhere: Site) -> None:
    listing = ListingFactory.create(site=elsewhere)
    notify_owner(listing=listing, key="approved", words=WORDS)
    assert told() == [(listing.company.owner.email, "Elsewhere", elsewhere.base_url)]


def test_an_occasion_is_told_once_a_listing(site: Site) -> None:
    first, second = ListingFactory.create_batch(2)
    for _ in range(2):
        for listing in (first, second):
            notify_owner(listing=listing, key="approved", words=WORDS)
    notify_owner(listing=first, key="suspended", words=WORDS)
    assert OutgoingEmail.objects.count() == 3


def test_a_closed_account_is_left_alone(site: Site) -> None:
    listing = ListingFactory.create(company__owner__is_active=False)
    notify_owner(listing=listing, key="approved", words=WORDS)
    assert told() == []


def test_site_admins_have_an_address(elsewhere: Site) -> None:
    UserFactory.create(is_staff=True)
    elsewhere.team_email = "team@elsewhere.example"
    elsewhere.save()
    for _ in range(2):
        notify_team(site=elsewhere, key="edit-1", words=WORDS)
    assert told() == [("team@elsewhere.example", "Elsewhere", elsewhere.base_url)]


def test_otherwise_every_site_admin_gets_it(site: Site, elsewhere: Site) -> None:
    staff = [UserFactory.create(is_staff=True).email for _ in range(2)]
    UserFactory.create(is_staff=True, is_active=False)
    UserFactory.create()
    for where in (site, elsewhere):
        for _ in range(2):
            notify_team(site=where, key="edit-1", words=WORDS)
    assert sorted(told()) == sorted((to, where.name, where.base_url) for to in staff for where in (site, elsewhere))
