import pytest
from django.test import Client

from apps.accounts.models import User
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.browsing import signed_in
from tests.factories import ListingFactory, UserFactory


@pytest.fixture
def person(site: Site) -> User:
    return UserFactory.create(email="owner@example.com")


@pytest.fixture
def browser(person: User) -> Client:
    """A browser in which the owner is signed in."""
    return signed_in(person)


@pytest.fixture
def listing(person: User) -> Listing:
    made: Listing = ListingFactory.create(
        live=True, company__owner=person, company__name="Acme", company__website="https://acme.example"
    )
    return made
