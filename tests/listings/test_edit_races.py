"""Edits, decisions and merges at the same moment, in real threads: nothing is lost, nobody waits in a circle."""

from collections import Counter
from functools import partial

import pytest

from apps.accounts.actors import Actor
from apps.listings.models import Company, Listing, ListingVersion
from apps.listings.services import moderation
from apps.listings.services.creation import create_listing
from apps.listings.services.editing import restore_version, update_my_listing
from apps.listings.services.locks import NotEditable
from apps.listings.services.merging import merge_companies
from apps.sites.models import Site
from tests.factories import CompanyFactory, ListingFactory, SiteFactory, UserFactory
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def team(transactional_db: None) -> Actor:
    return Actor(user=UserFactory.create(is_staff=True), via="admin")


def by(company: Company) -> Actor:
    return Actor(user=company.owner, via="key", credential="A key")


@pytest.mark.parametrize("decisions", [("approve", "reject"), ("suspend", "archive"), ("suspend", "suspend")])
def test_of_two_decisions_one_is_taken(team: Actor, decisions: tuple[str, str]) -> None:
    listing = ListingFactory.create(status="in_review") if "approve" in decisions else ListingFactory.create(live=True)
    reasons = {"reject": {"reason": "No"}, "suspend": {"reason": "No"}}

    def decide(decision: str) -> str:
        command = getattr(moderation, f"{decision}_listing")
        return str(command(listing=listing, by=team, **reasons.get(decision, {})).status)

    outcomes = run_at_once(*[partial(decide, decision) for decision in decisions])
    # Archived after a suspension is refused, suspended after the archive is not.
    allowed = 2 if decisions == ("suspend", "archive") and "not_in_this_status" not in outcomes else 1
    assert ListingVersion.objects.exclude(changes=[]).count() == allowed
    listing.refresh_from_db()
    assert listing.status in outcomes
    if allowed == 1:
        assert Counter(outcomes)["not_in_this_status"] == 1


def test_an_edit_of_a_listing_that_was_merged_meanwhile_is_refused(team: Actor) -> None:
    owner = UserFactory.create()
    keep, drop = CompanyFactory.create(owner=owner), CompanyFactory.create(owner=owner)
    read_before = ListingFactory.create(live=True, company=drop)
    merge_companies(keep=keep, drop=drop, by=team)
    with pytest.raises(NotEditable):
        update_my_listing(listing=read_before, fields={"headline": "Newer"}, by=by(keep))
    read_before.refresh_from_db()
    assert read_before.headline != "Newer"


def test_a_merge_across_edits_of_both_loses_none(team: Actor, site: Site) -> None:
    owner = UserFactory.create()
    keep, drop = CompanyFactory.create(owner=owner), CompanyFactory.create(owner=owner)
    other = SiteFactory.create()
    kept = ListingFactory.create(live=True, company=keep, site=site)
    moved = ListingFactory.create(live=True, company=drop, site=other)

    def edit(listing: Listing, name: str) -> str:
        update_my_listing(listing=listing, fields={name: name}, apply_to=["all"], by=by(keep))
        return "edited"

    outcomes = run_at_once(
        lambda: str(merge_companies(keep=keep, drop=drop, by=team).company.pk),
        *[partial(edit, kept, name) for name in ("headline", "city")],
        *[partial(edit, moved, name) for name in ("description", "seo_title")],
    )
    assert outcomes[:3] == [str(keep.pk), "edited", "edited"]
    kept, moved = (Listing.objects.get(pk=listing.pk) for listing in (kept, moved))
    assert (kept.headline, kept.company.city, moved.company) == ("headline", "city", keep)
    for outcome, name in zip(outcomes[3:], ("description", "seo_title"), strict=True):
        assert outcome == ("edited" if getattr(moved, name) == name else "not_editable")


def test_restoring_beside_edits_loses_neither(team: Actor) -> None:
    listing = ListingFactory.create(live=True, headline="First", seo_title="First")
    update_my_listing(listing=listing, fields={"headline": "Second"}, by=by(listing.company))
    first = ListingVersion.objects.get(listing=listing, changes=[])

    def edit(number: int) -> str:
        update_my_listing(listing=listing, fields={"seo_title": f"Title {number}"}, by=by(listing.company))
        return "edited"

    run_at_once(lambda: restore_version(version=first, by=team), *[partial(edit, number) for number in range(3)])
    listing.refresh_from_db()
    versions = ListingVersion.objects.filter(listing=listing).order_by("pk")
    assert listing.headline == "First"
    assert list(versions)[-1].snapshot["seo_title"] == listing.seo_title
    # Each version begins with what the one before it left.
    stands = dict(first.snapshot)
    for version in versions:
        for change in version.changes:
            assert stands[change["field"]] == change["before"]
            stands[change["field"]] = change["after"]


def test_a_new_listing_of_a_merged_website_beside_another_merge(team: Actor, site: Site) -> None:
    owner = UserFactory.create()
    first, second, third = (CompanyFactory.create(owner=owner) for _ in range(3))
    ListingFactory.create(live=True, company=third, site=site)
    merge_companies(keep=second, drop=first, by=team)
    sites = [SiteFactory.create() for _ in range(4)]

    def add(where: Site) -> str:
        fields = {"name": "New", "headline": "New", "summary": "New"}
        return str(create_listing(site=where, website=first.website, fields=fields, by=by(first)).company_id)

    outcomes = run_at_once(
        lambda: str(merge_companies(keep=third, drop=second, by=team).company.pk),
        *[partial(add, one) for one in sites],
    )
    assert outcomes[0] == str(third.pk)
    assert set(outcomes[1:]) <= {str(second.pk), str(third.pk)}
    assert Listing.objects.filter(company=third).count() == 5
    assert Listing.objects.count() == 5
