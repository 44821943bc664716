import pytest

from apps.accounts.models import User
from apps.curation.models import Collection
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.comments.people import trusted
from tests.curation.making import make_collection
from tests.factories import ListingFactory


@pytest.fixture
def listing(site: Site) -> Listing:
    made: Listing = ListingFactory.create(live=True, slug="acme", company__name="Acme")
    return made


@pytest.fixture
def author(site: Site) -> User:
    return trusted(name="Ada Example")


@pytest.fixture
def collection(author: User) -> Collection:
    """A public collection with three live listings."""
    return make_collection(author, number=3)
