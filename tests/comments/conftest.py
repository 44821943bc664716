import pytest

from apps.listings.models import Listing
from apps.sites.models import Site
from tests.factories import ListingFactory


@pytest.fixture
def listing(site: Site) -> Listing:
    made: Listing = ListingFactory.create(live=True, company__name="Acme")
    return made
