"""Two companies that are one: what moves, what closes, what is refused, and that votes stay where they were cast."""

from datetime import date
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.core.errors import DomainError
from apps.core.models import OutgoingEmail
from apps.drafts.services.creation import AlreadyListed, create_draft
from apps.launches.models import LedgerEntry, Standing
from apps.listings.models import Company, Follow, Listing, ListingVersion, Milestone, Update
from apps.listings.search import find_listings
from apps.listings.services.creation import WebsiteTaken, create_listing
from apps.listings.services.merge_plan import plan_merge
from apps.listings.services.merging import CannotMerge, OwnerNotChosen, merge_companies
from apps.sites.models import Site
from tests.factories import CompanyFactory, ListingFactory, SiteFactory, UserFactory
from tests.listings.statuses import in_status

pytestmark = pytest.mark.db

Status = Listing.Status


@pytest.fixture
def team(db: None) -> Actor:
    return Actor(user=UserFactory.create(is_staff=True), via="admin")


@pytest.fixture
def pair(db: None) -> tuple[Company, Company]:
    """Two companies of one account: the one to keep, and its duplicate."""
    owner = UserFactory.create()
    return CompanyFactory.create(owner=owner, name="Kept"), CompanyFactory.create(owner=owner, name="Duplicate")


# status of keep's listing, of drop's (with its plan), and drop's afterwards; None is no listing, a text a refusal.
TABLE: list[tuple[str | None, str, str, str]] = [
    *[(None, status, "free", status) for status in Status.values],
    *[("live", status, "free", "archived") for status in Status.values if status != "rejected"],
    *[("draft", status, "free", "archived") for status in Status.values if status not in {"rejected", "live"}],
    ("live", "rejected", "free", "rejected"),
    ("live", "live", "paid", "archived"),
    ("live", "archived", "paid", "archived"),
    ("archived", "archived", "free", "archived"),
    ("suspended", "scheduled", "free", "archived"),
    # What was paid for and lies ahead is not closed.
    ("live", "scheduled", "paid", "refused: is paid"),
    ("draft", "scheduled", "paid", "refused: is paid"),
    (None, "scheduled", "paid", "scheduled"),
    # No public page leads to a hidden one.
    *[(status, "live", "free", "refused: is live on") for status in Status.values if status != "live"],
]


@pytest.mark.parametrize(("kept_status", "status", "plan", "result"), TABLE)
def test_what_becomes_of_the_duplicates_listing(
    team: Actor, pair: tuple[Company, Company], kept_status: str | None, status: str, plan: str, result: str
) -> None:
    keep, drop = pair
    kept = in_status(kept_status, company=keep) if kept_status else None
    listing = in_status(status, company=drop, plan=plan)
    planned = plan_merge(keep=keep, drop=drop)
    if result.startswith("refused: "):
        with pytest.raises(CannotMerge, match=result.removeprefix("refused: ")):
            merge_companies(keep=keep, drop=drop, by=team)
        assert planned.problems
        drop.refresh_from_db()
        assert drop.merged_into is None
        assert Listing.objects.filter(pk=listing.pk, status=status, company=drop, merged_into=None).exists()
        assert not OutgoingEmail.objects.exists()
        return
    merged = merge_companies(keep=keep, drop=drop, by=team)
    assert not planned.problems
    listing = Listing.objects.get(pk=listing.pk)
    drop.refresh_from_db()
    assert drop.merged_into == keep
    assert listing.status == result
    if kept is None:
        assert (listing.company, listing.merged_into, merged.moved) == (keep, None, [listing])
        return
    assert (listing.company, listing.merged_into, merged.closed) == (drop, kept, [listing])
    assert Listing.objects.get(pk=kept.pk).status == kept_status
    assert bool(listing.launch_week) == (listing.launched_at is not None)


def test_a_suspended_paid_launch_is_in_the_way_too(team: Actor, pair: tuple[Company, Company]) -> None:
    keep, drop = pair
    ListingFactory.create(live=True, company=keep)
    week = {"plan": "paid", "launch_week": "2027-W10", "suspended_from": "scheduled"}
    ListingFactory.create(company=drop, status="suspended", **week)
    with pytest.raises(CannotMerge, match="2027-W10 is paid"):
        merge_companies(keep=keep, drop=drop, by=team)


def test_empty_facts_are_filled_and_others_stay(team: Actor) -> None:
    owner = UserFactory.create()
    keep = CompanyFactory.create(owner=owner, city="Riga", price_from_cents=0, socials={"x": "https://x.com/a"})
    facts: dict[str, Any] = {"city": "Oslo", "price_from_cents": 900, "team_size": 4, "platforms": ["web"]}
    facts |= {"price_currency": "EUR", "price_period": "month"}
    socials = {"x": "https://x.com/b", "github": "https://github.com/b"}
    drop = CompanyFactory.create(owner=owner, socials=socials, **facts)
    merged = merge_companies(keep=keep, drop=drop, by=team)
    keep.refresh_from_db()
    assert (keep.city, keep.price_from_cents, keep.team_size, keep.platforms) == ("Riga", 0, 4, ["web"])
    assert (keep.price_currency, keep.price_period) == ("USD", "")
    assert keep.socials == {"x": "https://x.com/a", "github": "https://github.com/b"}
    assert set(merged.filled) == {"team_size", "platforms", "socials"}
    drop.refresh_from_db()
    assert drop.city == "Oslo"


def test_news_and_followers_move_without_doubles(team: Actor, pair: tuple[Company, Company]) -> None:
    keep, drop = pair
    kept, closed = ListingFactory.create(live=True, company=keep), ListingFactory.create(live=True, company=drop)
    both, only_drop = UserFactory.create(), UserFactory.create()
    for listing, person in ((kept, both), (closed, both), (closed, only_drop)):
        Follow.objects.create(listing=listing, user=person)
    for listing in (kept, closed):
        Milestone.objects.create(listing=listing, date=date(2026, 1, 1), title="Founded")
        Update.objects.create(listing=listing, title="Hello", body="World")
    Milestone.objects.create(listing=closed, date=date(2026, 2, 1), title="First customer")
    Update.objects.create(listing=closed, title="News", body="Text")
    merge_companies(keep=keep, drop=drop, by=team)
    assert set(Follow.objects.values_list("listing", "user")) == {(kept.pk, both.pk), (kept.pk, only_drop.pk)}
    assert sorted(kept.milestones.values_list("title", flat=True)) == ["First customer", "Founded"]
    assert sorted(kept.updates.values_list("title", flat=True)) == ["Hello", "News"]


@pytest.mark.parametrize(("plan", "sections"), [("paid", ["faq", "gallery", "milestones"]), ("free", ["faq"])])
def test_what_was_paid_for_stays_open(
    team: Actor, pair: tuple[Company, Company], plan: str, sections: list[str]
) -> None:
    keep, drop = pair
    kept = ListingFactory.create(live=True, company=keep)
    ListingFactory.create(live=True, company=drop, plan=plan, unlocked_sections=["faq"])
    merge_companies(keep=keep, drop=drop, by=team)
    kept.refresh_from_db()
    assert kept.unlocked_sections == sections
    assert kept.plan == "free"


def test_votes_standings_and_ledgers_stay(team: Actor, pair: tuple[Company, Company]) -> None:
    keep, drop = pair
    kept, closed = (ListingFactory.create(live=True, company=one, votes=votes) for one, votes in ((keep, 2), (drop, 5)))
    entries = list(LedgerEntry.objects.values_list("hash", flat=True))
    # That a listing left the site is no part of how it stood.
    fields = [field.attname for field in Standing._meta.fields if field.name != "left_at"]
    standings = list(Standing.objects.order_by("pk").values(*fields))
    assert standings
    merge_companies(keep=keep, drop=drop, by=team)
    assert list(LedgerEntry.objects.values_list("hash", flat=True)) == entries
    assert list(Standing.objects.order_by("pk").values(*fields)) == standings
    assert list(Listing.objects.filter(pk__in=[kept.pk, closed.pk]).order_by("pk").values_list("votes", flat=True)) == [
        2,
        5,
    ]


# ---- owners ----
def test_with_two_owners_site_admins_say_which_account_has_it(team: Actor) -> None:
    keep, drop, stranger = CompanyFactory.create(), CompanyFactory.create(), UserFactory.create()
    for owner in (None, stranger):
        with pytest.raises(OwnerNotChosen):
            merge_companies(keep=keep, drop=drop, by=team, owner=owner)
    merge_companies(keep=keep, drop=drop, by=team, owner=drop.owner)
    keep.refresh_from_db()
    assert keep.owner == drop.owner


@pytest.mark.parametrize("chosen", ["keep", "drop"])
def test_both_owners_are_told_and_keep_what_is_theirs(team: Actor, chosen: str) -> None:
    keep, drop = CompanyFactory.create(name="Kept"), CompanyFactory.create(name="Duplicate")
    kept, closed = ListingFactory.create(live=True, company=keep), ListingFactory.create(live=True, company=drop)
    owner, other = (keep.owner, drop.owner) if chosen == "keep" else (drop.owner, keep.owner)
    merge_companies(keep=keep, drop=drop, by=team, owner=owner)
    emails = {email.to: email.text for email in OutgoingEmail.objects.all()}
    assert set(emails) == {owner.email, other.email}
    assert "in your account" in emails[owner.email]
    assert "in another account" in emails[other.email]
    assert all(closed.page_url in text and kept.page_url in text for text in emails.values())
    assert list(Listing.objects.visible_to(drop.owner).filter(pk=closed.pk)) == [closed]
    assert list(Listing.objects.visible_to(owner).filter(pk=kept.pk)) == [kept]


def test_one_owner_is_told_once(team: Actor, pair: tuple[Company, Company]) -> None:
    for company in pair:
        ListingFactory.create(live=True, company=company)
    merge_companies(keep=pair[0], drop=pair[1], by=team)
    assert OutgoingEmail.objects.get().to == pair[0].owner.email


def test_the_history_of_both_says_so(team: Actor, pair: tuple[Company, Company]) -> None:
    keep, drop = pair
    ListingFactory.create(live=True, company=keep)
    closed = ListingFactory.create(live=True, company=drop)
    moved = ListingFactory.create(live=True, company=drop, site=SiteFactory.create())
    merge_companies(keep=keep, drop=drop, by=team)
    versions = ListingVersion.objects.exclude(changes=[])
    assert versions.values("edit_id").distinct().count() == 1
    said = {
        (version.company_id, version.listing_id): {change["field"] for change in version.changes}
        for version in versions
    }
    assert said == {
        (keep.pk, None): {"merged"},
        (drop.pk, None): {"merged_into"},
        (drop.pk, closed.pk): {"status", "merged_into"},
        (keep.pk, moved.pk): {"company"},
    }
    assert {version.author for version in versions} == {team.user}


# ---- chains and refusals ----
def test_a_chain_is_one_step_long(team: Actor, site: Site) -> None:
    owner = UserFactory.create()
    first, second, third = (CompanyFactory.create(owner=owner) for _ in range(3))
    listings = [ListingFactory.create(live=True, company=company) for company in (first, second, third)]
    merge_companies(keep=second, drop=first, by=team)
    merge_companies(keep=third, drop=second, by=team)
    assert set(Company.objects.exclude(pk=third.pk).values_list("merged_into", flat=True)) == {third.pk}
    closed = Listing.objects.exclude(pk=listings[2].pk)
    assert set(closed.values_list("merged_into", flat=True)) == {listings[2].pk}
    for company in (first, second, third):
        assert Company.objects.for_website(company.website_key) == third
    assert Company.objects.for_website("nowhere.example") is None


def test_a_company_is_not_merged_into_itself_nor_twice(team: Actor, pair: tuple[Company, Company]) -> None:
    keep, drop = pair
    with pytest.raises(CannotMerge, match="two different"):
        merge_companies(keep=keep, drop=keep, by=team)
    merge_companies(keep=keep, drop=drop, by=team)
    third = CompanyFactory.create(owner=keep.owner)
    for one, other in ((drop, third), (third, drop), (keep, drop)):
        with pytest.raises(CannotMerge, match="already"):
            merge_companies(keep=one, drop=other, by=team)
    third.refresh_from_db()
    assert third.merged_into is None


def test_nothing_is_half_merged(team: Actor, pair: tuple[Company, Company]) -> None:
    keep, drop = pair
    other = SiteFactory.create()
    ListingFactory.create(live=True, company=keep)
    ListingFactory.create(company=keep, site=other)
    closing = ListingFactory.create(live=True, company=drop)
    ListingFactory.create(live=True, company=drop, site=other)
    with pytest.raises(CannotMerge):
        merge_companies(keep=keep, drop=drop, by=team)
    closing.refresh_from_db()
    assert (closing.status, closing.merged_into) == (Status.LIVE, None)


# ---- the website of the duplicate leads to the company that is kept ----
def test_a_draft_of_the_duplicates_website_is_answered_as_of_the_kept_one(
    team: Actor, pair: tuple[Company, Company], site: Site
) -> None:
    keep, drop = pair
    kept = ListingFactory.create(live=True, company=keep)
    merge_companies(keep=keep, drop=drop, by=team)
    with pytest.raises(AlreadyListed) as answer:
        create_draft(site=site, url=drop.website, by=Actor(user=keep.owner, via="browser"))
    assert answer.value.extra["listing_id"] == kept.pk
    with pytest.raises(WebsiteTaken):
        create_draft(site=site, url=drop.website, by=Actor(user=UserFactory.create(), via="browser"))


def test_a_listing_of_the_duplicates_website_belongs_to_the_kept_one(
    team: Actor, pair: tuple[Company, Company], site: Site
) -> None:
    keep, drop = pair
    merge_companies(keep=keep, drop=drop, by=team)
    fields = {"name": "Again", "headline": "Again", "summary": "Again"}
    listing = create_listing(site=site, website=drop.website, fields=fields, by=Actor(user=keep.owner, via="browser"))
    assert listing.company == keep
    with pytest.raises(DomainError):
        create_listing(
            site=SiteFactory.create(),
            website=drop.website,
            fields=fields,
            by=Actor(user=UserFactory.create(), via="browser"),
        )


def test_the_search_finds_the_moved_listing_by_its_new_name(team: Actor, site: Site) -> None:
    owner = UserFactory.create()
    keep = CompanyFactory.create(owner=owner, name="Marigold")
    drop = CompanyFactory.create(owner=owner, name="Zebrafish")
    moved = ListingFactory.create(live=True, company=drop, site=site)
    merge_companies(keep=keep, drop=drop, by=team)
    result = find_listings(site=site, text="marigold", page=1, per_page=20)
    assert [listing.pk for listing in result.items] == [moved.pk]
