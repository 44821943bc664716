"""get_statistics: the numbers of the owner's page, by REST."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.analytics.models import DailyReferrer, DailyStatistics
from apps.listings.models import Listing
from tests.api import ApiClient
from tests.factories import ListingFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    """Launched 40 days ago, with 3 views a day and 5 in each of the last 30 days."""
    made: Listing = ListingFactory.create(live=True, company__owner=owner.user)
    launched = timezone.now() - timedelta(days=70)
    Listing.objects.filter(pk=made.pk).update(launched_at=launched)
    today = timezone.now().date()
    for ago in range(60):
        views = 5 if ago < 30 else 3
        DailyStatistics.objects.create(listing=made, day=today - timedelta(days=ago), views=views, visitors=2, clicks=1)
    DailyReferrer.objects.create(listing=made, day=today, source="mail.example", views=4)
    return made


def test_the_last_days_are_compared_with_those_before(owner: ApiClient, listing: Listing) -> None:
    body = owner.get(f"/me/listings/{listing.pk}/statistics").json()
    assert body["totals"] == {"views": 150, "visitors": 60, "clicks": 30, "votes": 0}
    assert body["previous_totals"] == {"views": 90, "visitors": 60, "clicks": 30, "votes": 0}
    assert body["sources"] == [{"source": "mail.example", "views": 4}, {"source": "Direct or unknown", "views": 146}]
    assert "by_day" not in body


def test_days_come_on_request(owner: ApiClient, listing: Listing) -> None:
    body = owner.get(f"/me/listings/{listing.pk}/statistics", {"days": "7", "include": "by_day"}).json()
    assert [day["views"] for day in body["by_day"]] == [5] * 7
    assert (body["by_day"][0]["day"], body["by_day"][-1]["day"]) == (body["first_day"], body["last_day"])


def test_all_time_has_nothing_before_it(owner: ApiClient, listing: Listing) -> None:
    body = owner.get(f"/me/listings/{listing.pk}/statistics", {"days": "all"}).json()
    assert (body["totals"]["views"], body["previous_totals"]) == (240, None)


@pytest.mark.parametrize("days", ["0", "31", "forever"])
def test_other_ranges_are_refused(owner: ApiClient, listing: Listing, days: str) -> None:
    answer = owner.get(f"/me/listings/{listing.pk}/statistics", {"days": days})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/days")


def test_nobody_reads_the_numbers_of_another_account(other_owner: ApiClient, listing: Listing) -> None:
    assert other_owner.get(f"/me/listings/{listing.pk}/statistics").status_code == 404
