"""What comes of badge checks over days: found, absent, unknown; and when the next one is due."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from apps.core.models import OutgoingEmail
from apps.core.text.dates import moment_text
from apps.core.text.weeks import Week
from apps.launches import tasks
from apps.launches.badges import checks
from apps.launches.calendar import launch_weeks
from apps.launches.services import launch
from apps.listings.guidance import blockers
from apps.listings.guidance.badge_status import LEASE
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.factories import ListingFactory, complete_profile
from tests.launches.badge_results import absent, check_result, found, unknown

pytestmark = pytest.mark.db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def queued(site: Site) -> Listing:
    """A free listing in the queue, its badge found a moment ago."""
    listing = ListingFactory.create(status="awaiting_badge", plan="free")
    complete_profile(listing.company.owner)
    queued = found(listing)
    OutgoingEmail.objects.all().delete()
    return queued


def subjects() -> list[str]:
    return list(OutgoingEmail.objects.order_by("pk").values_list("subject", flat=True))


def fresh(listing: Listing) -> Listing:
    return Listing.objects.select_related("company__owner", "site").get(pk=listing.pk)


def test_two_absences_and_a_week_take_the_launch_week_away(queued: Listing) -> None:
    start = timezone.now()
    for day in range(1, 9):
        with time_machine.travel(start + day * DAY, tick=False):
            absent(queued)
            now = fresh(queued)
            if day < 8:
                assert (now.status, now.badge_failed_checks) == ("scheduled", day)
                assert now.badge_missing_since == start + DAY
                assert blockers.lose_at(now) == start + 8 * DAY
    assert (now.status, now.launch_week, now.badge_state) == ("awaiting_badge", "", "absent")
    missing_subject, lost_subject = subjects()
    assert now.company.website.removeprefix("https://") in missing_subject
    assert lost_subject.startswith(f"{now.company} lost ")
    warning, lost = OutgoingEmail.objects.order_by("pk").values_list("text", flat=True)
    until = start + 8 * DAY
    assert moment_text(until) in warning
    week = Week.parse(queued.launch_week)
    assert f"Week {week.number}, {week.year}" in lost
    assert blockers.blockers(now)[0].code == "badge"
    assert launch_weeks.places(now.site, first=launch_weeks.current_week() + 4, count=1)[0].free_left == 20


def test_one_absence_is_not_enough_however_long_ago(queued: Listing) -> None:
    start = timezone.now()
    absent(queued)
    with time_machine.travel(start + 20 * DAY, tick=False):
        assert unknown(queued).status == "scheduled"
        assert unknown(queued).status == "scheduled"
        assert fresh(queued).badge_failed_checks == 1
        assert absent(queued).status == "awaiting_badge"


def test_many_absences_within_the_grace_are_not_enough(queued: Listing) -> None:
    for _ in range(10):
        assert absent(queued).status == "scheduled"
    assert len(subjects()) == 1


def test_a_find_ends_the_row_and_the_next_absence_is_told_again(queued: Listing) -> None:
    start = timezone.now()
    absent(queued)
    with time_machine.travel(start + 3 * DAY, tick=False):
        now = found(queued)
        assert (now.badge_failed_checks, now.badge_missing_since, blockers.lose_at(now)) == (0, None, None)
    for days in (8, 9, 10):
        with time_machine.travel(start + days * DAY, tick=False):
            assert absent(queued).status == "scheduled"
    assert len(subjects()) == 2


def test_an_unknown_result_changes_nothing_that_was_known(queued: Listing) -> None:
    evidence = fresh(queued).badge_evidence
    now = unknown(queued)
    assert (now.badge_state, now.badge_failed_checks, now.badge_evidence) == ("unknown", 0, evidence)
    assert (now.status, blockers.has_badge(now)) == ("scheduled", True)
    assert subjects() == []


def test_the_sites_numbers_decide(queued: Listing) -> None:
    Site.objects.update(badge_failed_checks=1, badge_grace_days=0)
    assert absent(queued).status == "awaiting_badge"
    assert len(subjects()) == 1


def test_a_lost_week_is_not_given_back_until_the_badge_is_found(queued: Listing) -> None:
    Site.objects.update(badge_failed_checks=1, badge_grace_days=0)
    absent(queued)
    assert unknown(queued).status == absent(queued).status == "awaiting_badge"
    assert found(queued).status == "scheduled"


@pytest.mark.parametrize("plan", ["free", "paid"])
def test_after_the_launch_nothing_happens(site: Site, plan: str) -> None:
    Site.objects.update(badge_failed_checks=1, badge_grace_days=0)
    listing = ListingFactory.create(live=True, plan=plan, badge_seen_at=timezone.now())
    absent(listing)
    now = fresh(listing)
    assert (now.status, now.badge_check_at) == ("live", None)
    assert subjects() == []


def test_a_paid_launch_keeps_its_week_without_a_badge(site: Site) -> None:
    Site.objects.update(badge_failed_checks=1, badge_grace_days=0)
    week = str(launch_weeks.current_week() + 2)
    listing = ListingFactory.create(status="scheduled", plan="paid", launch_week=week)
    absent(listing)
    assert (fresh(listing).status, fresh(listing).launch_week) == ("scheduled", week)


def test_a_week_that_has_begun_is_not_taken_away(site: Site) -> None:
    Site.objects.update(badge_failed_checks=1, badge_grace_days=0)
    week = str(launch_weeks.current_week())
    listing = ListingFactory.create(status="scheduled", plan="free", launch_week=week)
    assert absent(listing).launch_week == week


def test_a_check_of_a_former_website_is_dropped(queued: Listing) -> None:
    seen = check_result(queued, "absent")
    queued.company.website = "https://moved.example"
    queued.company.save()
    before = fresh(queued)
    after = checks.record_check(listing=queued, result=seen)
    assert (after.badge_state, after.badge_failed_checks) == (before.badge_state, 0) == ("found", 0)
    assert after.badge_checked_at == before.badge_checked_at


def test_a_check_that_a_newer_one_has_overtaken_is_dropped(queued: Listing) -> None:
    older = check_result(queued, "absent", at=timezone.now() - HOUR)
    assert checks.record_check(listing=queued, result=older).badge_state == "found"


def test_only_due_checks_are_leased_each_once(site: Site) -> None:
    now = timezone.now()
    due = [
        ListingFactory.create(status="awaiting_badge", plan="free", badge_check_at=now - HOUR),
        ListingFactory.create(status="awaiting_badge", plan="free", badge_check_at=None),
        ListingFactory.create(
            status="scheduled", plan="free", launch_week=str(launch_weeks.current_week() + 4), badge_check_at=now
        ),
    ]
    ListingFactory.create(status="awaiting_badge", plan="free", badge_check_at=now + HOUR)
    ListingFactory.create(status="scheduled", plan="paid", launch_week=str(launch_weeks.current_week() + 4))
    ListingFactory.create()
    ListingFactory.create(live=True)
    assert sorted(checks.lease_due_badges()) == sorted(listing.pk for listing in due)
    assert checks.lease_due_badges() == []
    with time_machine.travel(now + LEASE + HOUR / 60, tick=False):
        assert len(checks.lease_due_badges()) == 3


def test_each_due_check_gets_a_task_of_its_own(site: Site, asked: list[int]) -> None:
    listings = [ListingFactory.create(status="awaiting_badge", plan="free") for _ in range(3)]
    tasks.check_due_badges()
    assert sorted(asked) == [listing.pk for listing in listings]


def test_claims_are_limited_and_the_longest_due_come_first(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "CHECKS_AT_ONCE", 2)
    listings = [
        ListingFactory.create(status="awaiting_badge", plan="free", badge_check_at=timezone.now() - ago * HOUR)
        for ago in (1, 3, 2)
    ]
    assert checks.lease_due_badges() == [listings[1].pk, listings[2].pk]
    assert checks.lease_due_badges() == [listings[0].pk]


def test_a_listing_that_needs_no_badge_any_more_is_not_checked(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    listing = ListingFactory.create(live=True)

    def refuse(listing: Listing) -> None:
        raise AssertionError("nobody checks")

    monkeypatch.setattr(checks, "find_badge", refuse)
    assert checks.check_badge(listing_id=listing.pk) == listing


def gap(listing: Listing) -> float:
    """Hours until the next check, without its little chance."""
    now = fresh(listing)
    assert now.badge_check_at is not None
    assert now.badge_checked_at is not None
    return (now.badge_check_at - now.badge_checked_at) / HOUR


def test_who_waits_is_checked_every_hour_at_first_and_daily_in_the_end(site: Site) -> None:
    listing = ListingFactory.create(status="awaiting_badge", plan="free")
    start = timezone.now()
    gaps = []
    for hours in (0, 6, 12, 24, 48, 24 * 12, 24 * 60):
        with time_machine.travel(start + hours * HOUR, tick=False):
            absent(listing)
            gaps.append(gap(listing))
    assert [round(one) for one in gaps[:3]] == [1, 1, 1]
    assert gaps == pytest.approx([1, 1, 1, 2, 4, 24, 24], rel=checks.JITTER)
    assert len(set(gaps)) == len(gaps)


def test_a_queued_listing_is_checked_as_often_as_the_site_says(queued: Listing) -> None:
    assert gap(queued) == pytest.approx(24, rel=checks.JITTER)
    absent(queued)
    assert gap(queued) == pytest.approx(24, rel=checks.JITTER)
    Site.objects.update(badge_check_hours=6)
    found(queued)
    assert gap(queued) == pytest.approx(6, rel=checks.JITTER)
    unknown(queued)
    assert gap(queued) == pytest.approx(1, rel=checks.JITTER)


def test_a_payment_ends_the_checks(queued: Listing) -> None:
    launch.launch_paid(listing=queued, week=launch_weeks.current_week() + 1)
    assert fresh(queued).badge_check_at is None
    assert checks.lease_due_badges() == []


def test_choosing_again_checks_a_queued_listing_too(
    queued: Listing, asked: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        launch.choose_free_listing(listing=queued, by=in_browser(queued.company.owner))
    assert asked == [queued.pk]
