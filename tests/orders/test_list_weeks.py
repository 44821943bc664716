"""list_weeks: spots and prices of the coming weeks, as launches and orders would find them."""

import pytest

from apps.launches.calendar.launch_weeks import current_week, first_free_week
from apps.launches.models import LaunchWeek
from apps.orders.models import Product
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory

pytestmark = pytest.mark.django_db


def test_the_spots_are_those_of_the_calendar(anonymous: ApiClient, site: Site) -> None:
    soon = current_week() + 1
    LaunchWeek.objects.create(site=site, iso_week=str(soon), free_places=4, paid_places=2)
    ListingFactory.create(status="scheduled", plan="paid", launch_week=str(soon))
    items = anonymous.get("/weeks").json()["items"]
    assert [item["week"] for item in items] == [str(current_week() + ahead) for ahead in range(12)]
    assert items[1]["paid_left"] == 1
    assert items[1]["first_day"] == soon.starts_at.date().isoformat()
    first_free = first_free_week(site)
    assert [item["free_left"] is None for item in items] == [current_week() + n < first_free for n in range(12)]


def test_placements_are_named_while_they_have_a_spot(anonymous: ApiClient, site: Site) -> None:
    Product.objects.filter(site=site, name="billboard").update(capacity=0)
    body = anonymous.get("/weeks").json()
    sold = {price["product"]: price["price_cents"] for price in body["prices"]}
    assert sold["launch"] == Product.objects.get(site=site, name="launch").price_cents
    assert "billboard" in sold
    assert all("billboard" not in item["bookable"] for item in body["items"])
    assert all("newsletter_slot" in item["bookable"] for item in body["items"])


@pytest.mark.parametrize(("weeks", "status"), [("1", 200), ("53", 200), ("0", 422), ("54", 422), ("x", 422)])
def test_up_to_a_year_is_listed(anonymous: ApiClient, site: Site, weeks: str, status: int) -> None:
    answer = anonymous.get("/weeks", {"weeks": weeks})
    assert answer.status_code == status
    if status == 200:
        assert len(answer.json()["items"]) == int(weeks)
