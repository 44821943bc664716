"""Whom to write to, in refusals that only a site admin can resolve."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from apps.accounts.actors import Actor
from apps.core.errors import DomainError
from apps.launches.calendar import launch_weeks
from apps.listings.models import Listing
from apps.listings.services.editing import update_my_listing
from apps.listings.services.locks import why_not_editable
from apps.orders.checkout.quote import QuoteRequest, quote_order
from apps.orders.models import SellerSettings, VatRate
from apps.orders.tax.vat import RateMissing
from apps.sites.models import Site
from apps.stories.models import FounderStory
from apps.stories.rules.publication import gaps_of
from tests.factories import CompanyFactory, ListingFactory
from tests.orders.carts import launch, week

pytestmark = pytest.mark.db

CONTACT = "hello@harbor.example"


def all_weeks_full(site: Site) -> str:
    site.free_places_per_week = 0
    with pytest.raises(launch_weeks.WeekFull) as refusal:
        launch_weeks.lock_first_place(site, launch_weeks.current_week(), "free")
    return refusal.value.detail


def locked(site: Site) -> str:
    return why_not_editable(ListingFactory.create(site=site, status=Listing.Status.REJECTED))


def story_taken_down(site: Site) -> str:
    listing = ListingFactory.create(live=True, site=site)
    down = {"taken_down_at": datetime(2026, 1, 1, tzinfo=UTC), "taken_down_reason": "It names a customer"}
    story = FounderStory.objects.create(listing=listing, author=listing.company.owner, **down)
    return " ".join(gap.reason for gap in gaps_of(story))


def website_of_another_company(site: Site) -> str:
    listing = ListingFactory.create(live=True, site=site)
    owner = listing.company.owner
    other = CompanyFactory.create(owner=owner)
    by = Actor(user=owner, via="browser")
    with pytest.raises(DomainError) as refusal:
        update_my_listing(listing=listing, fields={"website": other.website}, by=by)
    return " ".join(refusal.value.next_steps)


def missing_vat_rate(site: Site) -> str:
    SellerSettings.objects.create(
        site=site, legal_name="Harbor", address="Quay 1", country="EE", is_vat_registered=True, vat_number="EE123456780"
    )
    VatRate.objects.all().delete()
    listing = ListingFactory.create(site=site)
    asked = QuoteRequest(items=[launch(listing, week=week(2))], country="EE")
    by = Actor(user=listing.company.owner, via="browser")
    with pytest.raises(RateMissing) as refusal:
        quote_order(asked, site=site, by=by, address="192.0.2.1")
    return refusal.value.detail


@pytest.mark.parametrize(
    "refuse", [all_weeks_full, locked, story_taken_down, website_of_another_company, missing_vat_rate]
)
def test_a_refusal_names_the_contact_address_if_there_is_one(site: Site, refuse: Callable[[Site], str]) -> None:
    site.contact_email = CONTACT
    site.save()
    assert f"the site admin at {CONTACT}" in refuse(site)


@pytest.mark.parametrize("refuse", [all_weeks_full, locked])
def test_without_an_address_it_names_the_site_admin(site: Site, refuse: Callable[[Site], str]) -> None:
    assert "the site admin" in (said := refuse(site))
    assert " at " not in said.partition("the site admin")[2]
