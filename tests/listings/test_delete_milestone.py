"""delete_milestone: what goes, what is kept of it, whose it must be."""

import pytest

from apps.core.api.scopes import Scope
from apps.core.models import OutgoingEmail
from apps.listings.models import Listing, ListingVersion, Milestone
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, api_key
from tests.listings.milestones import GOOD, add, delete, fill

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    return ListingFactory.create(live=True, company__owner=owner.user)


def test_a_milestone_is_deleted(owner: ApiClient, listing: Listing) -> None:
    pk, other = (add(owner, listing, GOOD).json()["id"] for _ in range(2))
    answer = delete(owner, listing, pk)
    assert (answer.status_code, answer.content) == (204, b"")
    assert [milestone.pk for milestone in Milestone.objects.all()] == [other]
    assert delete(owner, listing, pk).status_code == 404


def test_milestones_are_kept_in_the_history_and_told(owner: ApiClient, listing: Listing) -> None:
    Site.objects.update(team_email="desk@example.com")
    pk = add(owner, listing, {**GOOD, "url": "https://acme.example/"}).json()["id"]
    delete(owner, listing, pk)
    deleted, added, first = ListingVersion.objects.all()
    kept = {**GOOD, "id": pk, "description": "", "url": "https://acme.example/"}
    assert added.changes == [{"field": "milestones", "before": None, "after": kept}]
    assert deleted.changes == [{"field": "milestones", "before": kept, "after": None}]
    assert {version.via for version in (added, deleted)} == {"key"}
    assert first.changes == []
    emails = OutgoingEmail.objects.order_by("id")
    assert len(emails) == 2
    assert "milestones, after:\n> id: " in emails[0].text
    assert "> title: A thousand invoices" in emails[0].text
    shown = owner.get(f"/me/listings/{listing.pk}", {"include": "versions"}).json()["versions"]
    assert [version["changes"][0]["field"] for version in shown if version["changes"]] == ["milestones"] * 2


def test_milestones_elsewhere_are_not_there(owner: ApiClient, listing: Listing) -> None:
    fill(listing, 1)
    own_other = ListingFactory.create(company__owner=owner.user)
    fill(own_other, 1)
    foreign = ListingFactory.create()
    fill(foreign, 1)
    for wanted in (own_other, foreign):
        assert delete(owner, listing, wanted.milestones.get().pk).status_code == 404
        assert delete(owner, foreign, wanted.milestones.get().pk).status_code == 404
    assert delete(owner, listing, 10**18).status_code == 404
    assert Milestone.objects.count() == 3


def test_others_and_nobody_delete_nothing(
    owner: ApiClient, other_owner: ApiClient, anonymous: ApiClient, listing: Listing
) -> None:
    fill(listing, 1)
    pk = listing.milestones.get().pk
    reading = ApiClient(key=api_key(owner.account, [Scope.ACCOUNT_READ, Scope.ORDERS_WRITE]))
    for client, status in ((other_owner, 404), (anonymous, 401), (reading, 403)):
        assert delete(client, listing, pk).status_code == status
    assert [milestone.pk for milestone in Milestone.objects.all()] == [pk]


def test_a_rejected_listing_keeps_its_own(owner: ApiClient, listing: Listing) -> None:
    fill(listing, 1)
    Listing.objects.update(status="rejected")
    assert delete(owner, listing, listing.milestones.get().pk).status_code == 409
    assert Milestone.objects.count() == 1


def test_a_key_makes_retries_safe(owner: ApiClient, listing: Listing) -> None:
    fill(listing, 1)
    pk = listing.milestones.get().pk
    for _ in range(2):
        assert delete(owner, listing, pk, Idempotency_Key="two").status_code == 204
    assert delete(owner, listing, pk).status_code == 404
    assert ListingVersion.objects.exclude(changes=[]).count() == 1
