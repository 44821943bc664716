"""Instances read by a queryset that is compiled once equal what the queryset loads."""

from typing import Any

import pytest
from django.db import connection
from django.db.models import Count, F, Model
from django.test.utils import CaptureQueriesContext

from apps.core.stores.postgresql.instances import Instances
from apps.core.stores.postgresql.statements import Parameter
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.factories import CategoryFactory, ListingFactory

pytestmark = pytest.mark.django_db

QUERYSET = Listing.objects.with_details().select_related("founder_story", "company__owner__founder_profile")
ANNOTATED = QUERYSET.annotate(twice=2 * F("votes"), of_categories=Count("categories"))
BY_SLUG = Instances(ANNOTATED.filter(slug=Parameter("slug"), status="live").order_by("pk"), prefetch=["categories"])


def fields_of(instance: Model) -> dict[str, Any]:
    return {field.attname: getattr(instance, field.attname) for field in instance._meta.concrete_fields}


def test_an_instance_has_its_fields_relations_and_annotations(site: Site) -> None:
    listing = ListingFactory.create(live=True, slug="marina", faqs=[{"question": "Why?", "answer": "So."}], votes=4)
    listing.categories.set([CategoryFactory.create(site=site), CategoryFactory.create(site=site)])
    ListingFactory.create(live=True, slug="harbor")
    loaded = ANNOTATED.get(slug="marina")
    with CaptureQueriesContext(connection) as captured:
        result: Any = BY_SLUG.first(slug="marina")
        for one, other in ((result, loaded), (result.company, loaded.company), (result.site, loaded.site)):
            assert fields_of(one) == fields_of(other)
        assert fields_of(result.company.owner) == fields_of(loaded.company.owner)
        assert result.standing.votes == loaded.standing.votes
        assert list(result.categories.all()) == list(loaded.categories.all())
        assert (result.twice, result.of_categories) == (8, 2)
        assert not hasattr(result, "founder_story")
        assert not hasattr(result.company.owner, "founder_profile")
    assert len(captured) == 2
    assert not result._state.adding


def test_values_differ_from_run_to_run(site: Site) -> None:
    for slug in "ab":
        ListingFactory.create(live=True, slug=slug)
    assert [[one.slug for one in BY_SLUG.read(slug=slug)] for slug in ("a", "b", "c", "a")] == [["a"], ["b"], [], ["a"]]
    assert BY_SLUG.first(slug="c") is None
