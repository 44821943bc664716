"""A year of the calendar with frozen time: 500 listings, outages of the beat, lost badges, jumps, moves, votes."""

import logging
import runpy
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from random import Random

import pytest
import time_machine
from django.db.models import Count
from django.utils import timezone

from apps.accounts.actors import SYSTEM
from apps.accounts.models import FounderProfile, User
from apps.core import tasks as core_tasks
from apps.core.errors import DomainError
from apps.core.models import OutgoingEmail
from apps.core.text.weeks import Week
from apps.launches import tasks as launch_tasks
from apps.launches.badges import checks
from apps.launches.calendar import launch_weeks
from apps.launches.models import Standing, VoteLedger
from apps.launches.services import launch, queue, reschedule, rollover
from apps.launches.votes.voting import toggle_vote
from apps.listings.guidance import blockers
from apps.listings.models import Company, Listing
from apps.listings.services import moderation
from apps.sites.models import Site
from tests.actors import in_browser
from tests.factories import CompanyFactory, UserFactory, complete_profile
from tests.launches.badge_results import check_result
from tests.launches.voting import SCRIPT, download, entries_of

pytestmark = pytest.mark.db

FIRST = Week.parse("2026-W01")
WEEKS = 57
LISTINGS = 500
LAST_ARRIVAL_DAY = 45 * 7
FREE_PLACES, PAID_PLACES = 8, 4
# Days without a beat: over a Monday, for less than a week, for two whole weeks and more, over the end of the year.
OUTAGES = [range(33, 37), range(100, 105), range(196, 216), range(360, 374)]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class Year:
    """Who does what on which day; the same chances in every run."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.random = Random(2026)  # noqa: S311 - a course of events, no secret
        self.websites: dict[int, Iterator[str]] = {}
        self.voters: list[User] = []
        self.owners: list[User] = []
        self.comers: Iterator[Listing] = iter(())
        self.happened: Counter[str] = Counter()
        self.arrivals = Counter(self.random.randrange(LAST_ARRIVAL_DAY) for _ in range(LISTINGS))

    def play(self) -> None:
        self.voters = [UserFactory.create(joined_at=FIRST.starts_at - 90 * DAY) for _ in range(8)]
        self.owners = [UserFactory.create() for _ in range(40)]
        for owner in self.owners:
            complete_profile(owner)
        self.comers = iter(self.drafts())
        for day in range(WEEKS * 7):
            is_down = any(day in outage for outage in OUTAGES)
            with time_machine.travel(FIRST.starts_at + day * DAY + HOUR, tick=False):
                if not is_down:
                    self.beat(day)
                self.people(day)
                if day % 7 == 6:
                    assert_no_week_over_capacity(self.site)

    def beat(self, day: int) -> None:
        """What the schedule wakes workers for, once a day."""
        self.happened["live"] += rollover.roll_over_week()
        # Every other week is often enough to see all that can come of a check.
        due = sorted(checks.lease_due_badges()) if day % 14 == 3 else []
        listings = Listing.objects.select_related("company", "site").in_bulk(due)
        for pk in due:
            listing, state = listings[pk], next(self.websites[pk])
            was = listing.status
            now = checks.record_check(listing=listing, result=check_result(listing, state))
            self.happened[f"check: {state}"] += 1
            self.happened[f"{was} to {now.status}"] += was != now.status
        self.happened["queued by the sweep"] += queue.queue_ready()

    def people(self, day: int) -> None:
        for _ in range(self.arrivals[day]):
            self.arrive()
        if day % 2:
            self.vote()
            return
        for listing in self.some(0.018, status__in=["awaiting_badge", "scheduled"]):
            if self.random.random() < 0.7:
                self.attempt("moved", partial(self.move, listing))
            else:
                self.attempt("jumped", partial(self.pay, listing))
        for listing in self.some(0.02, status="awaiting_badge"):
            self.complete(listing.company.owner)
        if day % 4 == 0:
            self.team()

    def drafts(self) -> list[Listing]:
        """Everybody who will come, written in one go; a draft takes part in nothing until its owner does something."""
        owners = [
            self.random.choice(self.owners) if self.random.random() < 0.85 else UserFactory.create()
            for _ in range(LISTINGS)
        ]
        companies = Company.objects.bulk_create([CompanyFactory.build(owner=owner) for owner in owners])
        drafts = [Listing(site=self.site, company=company, slug=f"year-{company.pk}") for company in companies]
        return Listing.objects.bulk_create(drafts)

    def arrive(self) -> None:
        listing = next(self.comers)
        self.websites[listing.pk] = self.website()
        if self.random.random() < 0.22:
            return self.attempt("bought", partial(self.pay, listing))
        launch.choose_free_listing(listing=listing, by=in_browser(listing.company.owner))
        return None

    def website(self) -> Iterator[str]:
        """What checks will find, one after another: a badge that comes late, goes away, or cannot be looked for."""
        kind = self.random.random()
        late = 0 if kind < 0.7 else 400 if kind > 0.97 else self.random.randrange(30)
        gone = self.random.randrange(1, 5) if self.random.random() < 0.4 else 400
        back = gone + self.random.randrange(1, 5)
        number = 0
        while True:
            is_there = number >= late and not late + gone <= number < late + back
            yield "unknown" if self.random.random() < 0.06 else "found" if is_there else "absent"
            number += 1

    def pay(self, listing: Listing) -> None:
        week = None if self.random.random() < 0.4 else launch_weeks.current_week() + self.random.randrange(20)
        launch.launch_paid(listing=listing, week=week)

    def move(self, listing: Listing) -> None:
        week = launch_weeks.current_week() + self.random.randrange(30)
        reschedule.move_launch(listing=listing, week=week, by=in_browser(listing.company.owner))

    def team(self) -> None:
        """Now and then somebody is suspended, and half of them come back."""
        for listing in self.some(0.0032, status__in=["scheduled", "live"]):
            moderation.suspend_listing(listing=listing, reason="Looked into.", by=SYSTEM)
            self.happened["suspended"] += 1
        for listing in self.some(0.12, status="suspended"):
            moderation.restore_listing(listing=listing, by=SYSTEM)
            self.happened["restored"] += 1

    def vote(self) -> None:
        for listing in self.some(0.33, status="live", launch_week=str(launch_weeks.current_week())):
            self.attempt("voted", partial(toggle_vote, listing=listing, by=in_browser(self.random.choice(self.voters))))

    def complete(self, owner: User) -> None:
        if not FounderProfile.objects.filter(user=owner).exists():
            complete_profile(owner)

    def attempt(self, name: str, action: Callable[[], object]) -> None:
        try:
            action()
            self.happened[name] += 1
        except DomainError as error:
            self.happened[f"{name}: {error.error_code}"] += 1

    def some(self, share: float, **which: object) -> list[Listing]:
        ids = Listing.objects.filter(**which).order_by("id").values_list("pk", flat=True)
        chosen = [pk for pk in ids if self.random.random() < share]
        return (
            list(Listing.objects.filter(pk__in=chosen).select_related("company__owner").order_by("id"))
            if chosen
            else []
        )


def assert_no_week_over_capacity(site: Site) -> None:
    launches = Listing.objects.exclude(launch_week="").filter(site=site, status__in=["scheduled", "live", "suspended"])
    for week, plan, count in launches.values_list("launch_week", "plan").annotate(count=Count("id")):
        assert count <= {"free": FREE_PLACES, "paid": PAID_PLACES}[plan], (week, plan, count)


@pytest.fixture
def year(transactional_db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Year:
    """Committed for real: in one long transaction every step would walk over all the steps before."""
    for task in (launch_tasks.check_badge, core_tasks.send_emails):
        monkeypatch.setattr(task, "delay", lambda *arguments: None)
    # Each of the thousand steps would be noted.
    caplog.set_level(logging.WARNING)
    site = Site.objects.get(is_default=True)
    # Looks once a week keep the test short; two in a row and a week of grace still lose a badge.
    site.badge_check_hours = 7 * 24
    site.free_places_per_week, site.paid_places_per_week = FREE_PLACES, PAID_PLACES
    site.save()
    return Year(site)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_year_of_launches(year: Year) -> None:
    year.play()
    end: datetime = (FIRST + WEEKS).starts_at
    with time_machine.travel(end, tick=False):
        rollover.roll_over_week()
        # Listings that became ready after the last beat are found by the next.
        queue.queue_ready()
        assert_no_week_over_capacity(year.site)
        assert_nobody_is_lost()
        assert_boards_are_reproducible(year.site)
    happened = year.happened
    assert happened["scheduled to awaiting_badge"] > 10
    assert happened["awaiting_badge to scheduled"] > 100
    for name in ("queued by the sweep", "bought", "bought: week_full", "jumped", "moved", "moved: invalid_week"):
        assert happened[name] > 0, (name, happened)
    assert happened["suspended"] > happened["restored"] > 0
    assert happened["voted"] > 300
    told = Counter(subject.split(" ", 2)[-1] for subject in OutgoingEmail.objects.values_list("subject", flat=True))
    assert any(subject.startswith("moved to Week") for subject in told), "nobody's missed week was moved on"


def assert_nobody_is_lost() -> None:
    """Everybody is live or in a status with a stated reason. Launched listings launched within their own week."""
    now = launch_weeks.current_week()
    assert Listing.objects.count() == LISTINGS
    standings = {standing.listing_id: standing for standing in Standing.objects.all()}
    launched = 0
    for listing in Listing.objects.for_owner():
        assert blockers.next_steps(listing), listing
        match listing.status:
            case "live":
                launched += 1
                assert listing.launched_at is not None
                assert Week.of(listing.launched_at) == listing.week
                assert standings[listing.pk].iso_week == listing.launch_week
            case "scheduled":
                assert listing.week is not None
                assert listing.week > now
            case "awaiting_badge":
                assert blockers.blockers(listing)
            case "suspended":
                assert listing.status_reason
            case "draft":
                # Buyers who wanted a full week have chosen nothing yet.
                assert listing.plan == "none"
            case _:
                pytest.fail(f"{listing} is {listing.status}")
    assert launched > LISTINGS * 0.7
    live = OutgoingEmail.objects.filter(subject__contains=" is live on ")
    assert live.count() == len(standings)


def assert_boards_are_reproducible(site: Site) -> None:
    """The script that anybody can run counts each closed board from its ledger, and finds the ranks of the site."""
    count_class = runpy.run_path(str(SCRIPT))["Count"]
    ledgers = VoteLedger.objects.filter(site=site, iso_week__lt=str(Week.of(timezone.now())))
    assert ledgers.count() > 50
    assert not ledgers.filter(closed_at=None).exists()
    for ledger in ledgers:
        count = count_class()
        entries = entries_of(download(site, Week.parse(ledger.iso_week)))
        count.take([(entry["body"], entry["hash"]) for entry in entries])
        assert count.problems == [], ledger
        ranked = Standing.objects.filter(site=site, iso_week=ledger.iso_week, rank__isnull=False).order_by("rank")
        assert [row[:2] for row in count.ranks()] == list(ranked.values_list("rank", "listing"))
