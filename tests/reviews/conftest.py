from datetime import timedelta

import pytest
from django.utils import timezone

from apps.listings.models import Listing
from apps.sites.models import Site
from tests.factories import ListingFactory, UserFactory


@pytest.fixture
def listing(site: Site) -> Listing:
    """A live listing whose owner has nothing in common with customers."""
    owner = UserFactory.create(email="maker@acme.example", joined_at=timezone.now() - timedelta(days=300))
    made: Listing = ListingFactory.create(live=True, company__name="Acme", company__owner=owner)
    return made
