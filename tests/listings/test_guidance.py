"""What owners see in each status: what is missing, where to do it, and until when."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.core.text.dates import date_text, moment_text
from apps.launches.calendar import launch_weeks
from apps.listings.guidance import blockers
from apps.listings.guidance.badge_status import badge_message
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, complete_profile
from tests.hints import unnamed
from tests.launches.badge_results import absent, found, unknown
from tests.listings.statuses import in_status

pytestmark = pytest.mark.db


def steps(listing: Listing) -> str:
    result = blockers.next_steps(listing)
    assert unnamed({"next_steps": result}) == []
    return " ".join(result)


def test_a_page_without_its_tool_is_noticed(site: Site) -> None:
    move = ListingFactory.create().page_url + "/move"
    for hint, is_named in (
        (f"Open {move}.", False),
        (f"Call move_launch or open {move}.", True),
        (site.url("/"), True),
    ):
        for answer in ({"next_steps": [hint]}, {"errors": [{"detail": hint}]}, {"items": [{"notices": [hint]}]}):
            assert unnamed(answer) == ([] if is_named else [hint])


@pytest.mark.parametrize("status", Listing.Status.values)
def test_every_status_has_its_steps_and_only_waiting_has_blockers(site: Site, status: str) -> None:
    fields = {"live": True} if status == "live" else {"status": status, "launch_week": "2031-W07"}
    listing = ListingFactory.create(**fields)
    assert steps(listing)
    assert bool(blockers.blockers(listing)) is (status == "awaiting_badge")


def test_a_draft_is_told_both_ways_and_what_the_free_one_needs(site: Site) -> None:
    listing = ListingFactory.create()
    told = steps(listing)
    for text in (
        "choose_free_listing", "create_checkout", f"{listing.page_url}/launch", f"{listing.page_url}/badges",
        listing.company.website, site.url("/account/profile"), "a photo",
    ):  # fmt: skip
        assert text in told
    complete_profile(listing.company.owner)
    assert "/account/profile" not in steps(Listing.objects.get(pk=listing.pk))


def test_the_blockers_say_what_and_where(site: Site) -> None:
    listing = ListingFactory.create(status="awaiting_badge", plan="free")
    badge, profile = blockers.blockers(listing)
    assert (badge.code, badge.url) == ("badge", f"{listing.page_url}/badges")
    assert (profile.code, profile.url) == ("profile", site.url("/account/profile"))
    absent(listing)
    assert "There is no link" in blockers.blockers(Listing.objects.get(pk=listing.pk))[0].message
    found(listing)
    assert [blocker.code for blocker in blockers.blockers(Listing.objects.get(pk=listing.pk))] == ["profile"]
    unknown(listing)
    assert [blocker.code for blocker in blockers.blockers(Listing.objects.get(pk=listing.pk))] == ["profile"]
    absent(listing)
    assert [blocker.code for blocker in blockers.blockers(Listing.objects.get(pk=listing.pk))] == ["badge", "profile"]


def test_a_waiting_listing_is_told_when_the_next_check_is(site: Site) -> None:
    listing = ListingFactory.create(status="awaiting_badge", plan="free", badge_check_at=timezone.now())
    assert "check is soon" in steps(listing)
    absent(listing)
    listing.refresh_from_db()
    assert listing.badge_check_at is not None
    assert f"{listing.badge_check_at:%H:%M} UTC" in steps(listing)


def test_a_queued_listing_says_the_state_of_its_badge(site: Site) -> None:
    week = launch_weeks.current_week() + 4
    listing = ListingFactory.create(status="scheduled", plan="free", launch_week=str(week))
    found(listing)
    told = steps(Listing.objects.get(pk=listing.pk))
    assert date_text(week.starts_at) in told
    assert "Last found on" in told
    assert f"{listing.page_url}/move" in told
    unknown(listing)
    now = Listing.objects.get(pk=listing.pk)
    assert blockers.lose_at(now) is None
    assert badge_message(now) in steps(now)
    absent(listing)
    now = Listing.objects.get(pk=listing.pk)
    until = blockers.lose_at(now)
    assert until is not None
    assert until - timezone.now() < timedelta(days=site.badge_grace_days)
    assert f"Add it again by {moment_text(until)}" in steps(now)


def test_a_paid_launch_hears_nothing_of_badges(site: Site) -> None:
    listing = ListingFactory.create(status="scheduled", plan="paid", launch_week=str(launch_weeks.current_week() + 4))
    absent(listing)
    assert "badge" not in steps(Listing.objects.get(pk=listing.pk)).lower()


def test_the_launch_week_asks_for_votes_and_later_ones_do_not(site: Site) -> None:
    assert "vote" in steps(ListingFactory.create(live=True))
    assert "vote" not in steps(ListingFactory.create(live=True, launch_week="2025-W20"))


@pytest.mark.parametrize("status", ["suspended", "rejected"])
def test_the_site_teams_reason_is_told(site: Site, status: str) -> None:
    assert "It copies another site." in steps(
        ListingFactory.create(status=status, status_reason="It copies another site.")
    )
    assert f"was {status}." in steps(ListingFactory.create(status=status))


def test_a_merged_listing_says_so(site: Site) -> None:
    listing = ListingFactory.create(status="archived", merged_into=ListingFactory.create(live=True))
    assert "merged" in steps(listing)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("status", "words"),
    [("in_review", "in review"), ("rejected", "rejected"), ("suspended", "suspended"), ("archived", "archived")],
)
def test_refusals_say_the_status_in_words(owner: ApiClient, site: Site, status: str, words: str) -> None:
    listing = in_status(status, company__owner=owner.user)
    items = [{"product": name, "listing_id": listing.pk} for name in ("launch", "section_gallery")]
    answers = [
        owner.post(f"/me/listings/{listing.pk}/free", {}),
        owner.post(f"/me/listings/{listing.pk}/updates", {"title": "New", "body": "New"}),
        *(owner.post("/orders/quote", {"items": [item]}) for item in items),
    ]
    for answer in answers:
        assert f" is {words}" in answer.json()["detail"]


@pytest.mark.parametrize("status", Listing.Status.values)
def test_every_status_has_words(status: str) -> None:
    assert "_" not in Listing(status=status).state_words
