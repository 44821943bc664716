"""However much is sent or posted: refusals stay short, and answers bounded."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.listings.models import Company, Listing, Update
from tests.api import ApiClient
from tests.factories import ListingFactory

pytestmark = pytest.mark.django_db

HUGE = "x" * 250_000


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    made: Listing = ListingFactory.create(live=True, company__owner=owner.user)
    return made


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"fields": {"pricing_model": HUGE}}, "/fields/pricing_model"),
        ({"fields": {"country": HUGE}}, "/fields/country"),
        ({"fields": {"contact_email": f"a@{HUGE}"}}, "/fields/contact_email"),
        ({"fields": {"logo_url": f"https://acme.example/{HUGE}"}}, "/fields/logo_url"),
        ({"fields": {"categories": [HUGE]}}, "/fields/categories/0"),
        ({"fields": {HUGE: 1}}, f"/fields/{HUGE[:80]}"),
        ({HUGE: 1}, f"/{HUGE[:80]}"),
        ({"socials": {HUGE: "https://acme.example/"}}, f"/socials/{HUGE[:80]}"),
        ({"socials": {f"platform{number}": "" for number in range(10_000)}}, "/socials/platform0"),
        ({"fields": {f"field{number}": "" for number in range(10_000)}}, "/fields/field0"),
        ({"faqs": [{"question": HUGE, "answer": "a"}]}, "/faqs/0/question"),
    ],
)
def test_a_huge_body_gets_a_short_refusal(owner: ApiClient, listing: Listing, body: Any, pointer: str) -> None:
    answer = owner.patch(f"/me/listings/{listing.pk}", body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert len(answer.content) < 20_000


@pytest.mark.parametrize(
    "address",
    ["\u212aim@example.com", "\u0131@example.com", "\u0430@example.com", "a@[127.0.0.1]", "a@\u202eexample.com"],
)
def test_an_address_that_only_looks_like_one_is_refused(owner: ApiClient, listing: Listing, address: str) -> None:
    answer = owner.patch(f"/me/listings/{listing.pk}", {"fields": {"contact_email": address}})
    assert [problem["pointer"] for problem in answer.json()["errors"]] == ["/fields/contact_email"]
    assert Company.objects.get().contact_email == ""


def test_the_newest_fifty_updates_are_shown(owner: ApiClient, listing: Listing) -> None:
    now = timezone.now()
    Update.objects.bulk_create(
        Update(listing=listing, title=f"Update {number}", body="Text", created_at=now - timedelta(hours=number))
        for number in range(60)
    )
    other = ListingFactory.create(live=True, company__owner=owner.user)
    Update.objects.create(listing=other, title="Of another", body="Text")
    shown = owner.get(f"/me/listings/{listing.pk}").json()["updates"]
    assert [update["title"] for update in shown] == [f"Update {number}" for number in range(50)]


def test_an_edit_that_changes_nothing_touches_no_time(owner: ApiClient, listing: Listing) -> None:
    before = Listing.objects.values_list("updated_at", "company__updated_at").get()
    body = {"fields": {"headline": listing.headline, "name": listing.company.name, "categories": []}}
    assert owner.patch(f"/me/listings/{listing.pk}", body).json()["changed"] == []
    assert Listing.objects.values_list("updated_at", "company__updated_at").get() == before
    owner.patch(f"/me/listings/{listing.pk}", {"fields": {"headline": "New"}})
    listing_time, company_time = Listing.objects.values_list("updated_at", "company__updated_at").get()
    assert (listing_time > before[0], company_time == before[1]) == (True, True)
