"""A company that another account has now: what its earlier owner still reaches, and what the new one reads of them."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.drafts.models import Draft
from apps.listings.models import Company, Listing, ListingVersion, Milestone
from apps.listings.services.editing import update_my_listing
from apps.listings.services.locks import NotEditable
from apps.listings.services.merging import merge_companies
from apps.listings.services.milestones import add_milestone, delete_milestone
from apps.sites.models import Site
from tests.api import ApiClient
from tests.drafts.factories import DraftFactory
from tests.factories import CompanyFactory, ListingFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def former(site: Site) -> User:
    return UserFactory.create(email="former@example.com", name="Former Person")


@pytest.fixture
def present(site: Site) -> User:
    return UserFactory.create(email="present@example.com")


@pytest.fixture
def listing(former: User, present: User) -> Listing:
    """A live listing that its first owner edited with a key, and that changed hands by a merge."""
    made: Listing = ListingFactory.create(live=True, company=CompanyFactory.create(owner=former))
    by = Actor(user=former, via="key", credential="Former's secret project")
    update_my_listing(listing=made, fields={"headline": "By the first owner"}, by=by)
    team = Actor(user=UserFactory.create(is_staff=True, name="Team Member"), via="admin")
    drop = CompanyFactory.create(owner=present)
    merge_companies(keep=made.company, drop=drop, by=team, owner=present)
    return Listing.objects.get(pk=made.pk)


@pytest.fixture
def draft(former: User, listing: Listing) -> Draft:
    """What the first owner made the listing of."""
    made: Draft = DraftFactory.create(
        owner=former, ready=True, status=Draft.Status.SUBMITTED, submitted_at=timezone.now(), listing=listing
    )
    return made


def test_a_draft_does_not_edit_a_listing_of_somebody_else(former: User, listing: Listing, draft: Draft) -> None:
    answer = ApiClient(former).patch(f"/drafts/{draft.pk}", {"fields": {"headline": "Taken back"}})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_editable")
    listing.refresh_from_db()
    draft.refresh_from_db()
    assert listing.headline == "By the first owner"
    assert draft.proposal["headline"] != "Taken back"


def test_submitting_again_tells_nothing_of_the_listing(former: User, listing: Listing, draft: Draft) -> None:
    Listing.objects.filter(pk=listing.pk).update(
        status="suspended", suspended_from="live", status_reason="Complaints about the new owner"
    )
    answer = ApiClient(former).post(f"/drafts/{draft.pk}/submit", {})
    assert answer.status_code == 409
    assert "Complaints" not in answer.content.decode()


def test_an_edit_that_was_let_in_before_the_change_is_refused(former: User, listing: Listing) -> None:
    by = Actor(user=former, via="browser")
    milestone = Milestone.objects.create(listing=listing, date=date(2026, 1, 1), title="Kept")
    for call in (
        lambda: update_my_listing(listing=listing, fields={"headline": "Late"}, by=by),
        lambda: add_milestone(listing=listing, date=milestone.date, title="Late", by=by),
        lambda: delete_milestone(milestone=milestone, by=by),
    ):
        with pytest.raises(NotEditable, match="another account"):
            call()
    assert Milestone.objects.get().title == "Kept"


def test_the_new_owner_reads_no_names_of_the_old_one(present: User, listing: Listing) -> None:
    answer = ApiClient(present).get(f"/me/listings/{listing.pk}", {"include": "versions"})
    assert "By the first owner" in answer.content.decode()
    changes = [change for version in answer.json()["versions"] for change in version["changes"]]
    owners = next(change for change in changes if change["field"] == "owner")
    assert owners == {"field": "owner", "before": "another account", "after": "you"}
    browser = Client(headers={"host": "testserver.localhost"})
    browser.force_login(present)
    page = browser.get(f"{listing.path}/history").content.decode()
    assert "By the first owner" in page
    for text in (answer.content.decode(), page):
        for name in ("former@example.com", "Former Person", "secret project", "Team Member"):
            assert name not in text


def test_the_history_keeps_whose_it_was_for_site_admins(listing: Listing, former: User, present: User) -> None:
    changes = [change for version in ListingVersion.objects.all() for change in version.changes]
    assert {"field": "owner", "before": former.email, "after": present.email} in changes


def test_the_merged_company_stays_its_owners_and_is_not_the_other_ones(former: User, present: User) -> None:
    keep, drop = CompanyFactory.create(owner=present), CompanyFactory.create(owner=former)
    ListingFactory.create(live=True, company=keep)
    closed = ListingFactory.create(live=True, company=drop)
    by = Actor(user=present, via="browser")
    update_my_listing(listing=keep.listings.get(), fields={"contact_email": "private@example.com"}, by=by)
    merge_companies(keep=keep, drop=drop, by=Actor(user=None, via="admin"), owner=present)
    assert ApiClient(present).get(f"/me/listings/{closed.pk}").status_code == 404
    shown: Any = ApiClient(former).get(f"/me/listings/{closed.pk}").content.decode()
    assert "present@example.com" not in shown
    assert "private@example.com" not in shown
    assert Company.objects.get(pk=drop.pk).owner == former
