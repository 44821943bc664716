"""Milestones as the API adds and deletes them, for its tests."""

from datetime import date
from typing import Any

from apps.listings.models import Listing, Milestone
from tests.api import ApiClient

GOOD = {"date": "2024-02-29", "title": "A thousand invoices"}


def add(client: ApiClient, listing: Listing, body: Any, **headers: str) -> Any:
    return client.post(f"/me/listings/{listing.pk}/milestones", body, **headers)


def delete(client: ApiClient, listing: Listing, pk: int, **headers: str) -> Any:
    return client.delete(f"/me/listings/{listing.pk}/milestones/{pk}", **headers)


def fill(listing: Listing, count: int) -> None:
    Milestone.objects.bulk_create(
        [Milestone(listing=listing, date=date(2020, 1, 1), title=f"{number}") for number in range(count)]
    )
