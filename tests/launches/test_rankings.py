"""Entering the board of a week, and the close that freezes it."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F

from apps.launches.leaderboards.boards import place_of
from apps.launches.leaderboards.periods import Board
from apps.launches.models import LedgerEntry, Standing, VoteLedger
from apps.launches.votes.rankings import close_boards, enter_board
from apps.launches.votes.voting import toggle_vote
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.factories import CategoryFactory, ListingFactory, SiteFactory
from tests.launches.test_votes import assert_chain
from tests.launches.voting import WEEK, moment, person, play_week

pytestmark = pytest.mark.db


def entry_kinds() -> list[str]:
    return list(LedgerEntry.objects.order_by("ledger__iso_week", "ledger", "number").values_list("kind", flat=True))


def ranks() -> dict[int, int | None]:
    return dict(Standing.objects.values_list("listing", "rank"))


class TestEntering:
    def test_the_first_launch_of_a_week_opens_its_ledger(self, site: Site) -> None:
        with moment():
            one, other = ListingFactory.create(live=True), ListingFactory.create(live=True)
        assert entry_kinds() == ["open", "launch", "launch"]
        assert {standing.listing_id for standing in Standing.objects.filter(iso_week=str(WEEK))} == {one.pk, other.pk}

    def test_twice_is_once(self, site: Site) -> None:
        with moment():
            listing = ListingFactory.create(live=True)
            assert enter_board(listing=listing) == listing.standing
        assert entry_kinds() == ["open", "launch"]

    def test_a_week_that_is_over_takes_nobody_in(self, site: Site) -> None:
        (first, _, _) = play_week(site)
        entries = LedgerEntry.objects.count()
        with moment(WEEK + 1):
            late = ListingFactory.create()
            Listing.objects.filter(pk=late.pk).update(
                status="live", launch_week=str(WEEK), launched_at=WEEK.ends_at - timedelta(seconds=1)
            )
            late.refresh_from_db()
            standing = enter_board(listing=late)
        assert (standing.is_final, standing.rank) == (True, None)
        assert LedgerEntry.objects.count() == entries
        assert ranks()[first.pk] == 2

    def test_the_first_launch_of_a_week_closes_the_weeks_before(self, site: Site) -> None:
        """A launch that is paid right after midnight does not wait for the weekly turn."""
        with moment():
            ListingFactory.create(live=True)
        with moment(WEEK + 1, hours=0):
            ListingFactory.create(live=True)
        assert entry_kinds() == ["open", "launch", "close", "open", "launch"]
        closed, opened = VoteLedger.objects.order_by("iso_week")
        assert opened.entries.get(number=1).body["previous"] == {"week": str(WEEK), "hash": closed.head}

    def test_what_was_never_launched_is_refused(self, site: Site) -> None:
        with pytest.raises(ValueError, match="not launched"):
            enter_board(listing=ListingFactory.create())


class TestClosing:
    def test_ranks_are_frozen_by_points_then_launch_then_id(self, site: Site) -> None:
        with moment(hours=2):
            late = ListingFactory.create(live=True)
            best = ListingFactory.create(live=True)
            toggle_vote(listing=best, by=in_browser(person()))
        with moment(hours=1):
            early, twin = ListingFactory.create(live=True), ListingFactory.create(live=True)
        with moment(WEEK + 1):
            assert close_boards() == 1
        assert ranks() == {best.pk: 1, early.pk: 2, twin.pk: 3, late.pk: 4}

    def test_points_and_not_people_decide(self, site: Site) -> None:
        with moment():
            new, settled = ListingFactory.create(live=True), ListingFactory.create(live=True)
            for _ in range(3):
                toggle_vote(listing=new, by=in_browser(person(days_old=1)))
            for _ in range(2):
                toggle_vote(listing=settled, by=in_browser(person()))
        with moment(WEEK + 1):
            close_boards()
        assert ranks() == {settled.pk: 1, new.pk: 2}

    def test_again_and_before_the_end_nothing_happens(self, site: Site) -> None:
        with moment():
            ListingFactory.create(live=True)
            assert close_boards() == 0
        with moment(hours=167.999):
            assert close_boards() == 0
        with moment(WEEK + 1, hours=0):
            assert [close_boards(), close_boards()] == [1, 0]
        assert entry_kinds() == ["open", "launch", "close"]

    def test_every_week_and_site_that_is_over_is_closed(self, site: Site) -> None:
        other = SiteFactory.create()
        with moment():
            ListingFactory.create(live=True)
            ListingFactory.create(live=True, site=other)
        with moment(WEEK + 1):
            ListingFactory.create(live=True)
        with moment(WEEK + 4):
            assert close_boards() == 2
        assert not VoteLedger.objects.filter(closed_at=None).exists()
        for ledger in VoteLedger.objects.all():
            assert_chain(ledger)

    @pytest.mark.parametrize("status", ["archived", "suspended"])
    def test_who_is_not_live_gets_no_rank_and_stays_without_one(self, site: Site, status: str) -> None:
        with moment():
            gone, here = ListingFactory.create(live=True), ListingFactory.create(live=True)
            toggle_vote(listing=gone, by=in_browser(person()))
            Listing.objects.filter(pk=gone.pk).update(
                status=status, suspended_from="live" if status == "suspended" else ""
            )
        with moment(WEEK + 1):
            close_boards()
            Listing.objects.filter(pk=gone.pk).update(status="live", suspended_from="")
            assert close_boards() == 0
        assert ranks() == {gone.pk: None, here.pk: 1}
        assert entry_kinds()[-2:] == ["leave", "close"]

    def test_categories_are_those_of_the_close(self, site: Site) -> None:
        maps, games = (CategoryFactory.create(site=site, slug=slug) for slug in ("maps", "games"))
        with moment():
            listing = ListingFactory.create(live=True)
            listing.categories.set([maps, games])
        with moment(WEEK + 1):
            close_boards()
            listing.categories.clear()
        assert Standing.objects.get().categories == ["games", "maps"]

    def test_the_database_gives_no_rank_twice_and_none_before_the_close(self, site: Site) -> None:
        play_week(site)
        with pytest.raises(IntegrityError), transaction.atomic():
            Standing.objects.filter(rank__isnull=False).update(rank=1)
        with pytest.raises(IntegrityError), transaction.atomic():
            Standing.objects.update(is_final=False)
        with pytest.raises(IntegrityError), transaction.atomic():
            VoteLedger.objects.update(salt="x")


class TestPlaces:
    def test_the_place_of_a_month_and_a_year_is_there_once_they_are_over(self, site: Site) -> None:
        first, second, third = play_week(site)
        better, *_ = play_week(site, WEEK + 5)
        Standing.objects.filter(listing=better).update(points=F("points") + 1000)
        standing = Standing.objects.get(listing=third)
        with moment(WEEK + 4):
            assert [place_of(standing, board) for board in Board] == [1, None, None, None]
        with moment(WEEK + 6):
            assert [place_of(standing, board) for board in Board] == [1, 1, None, None]
        with moment(WEEK + 60):
            assert [place_of(standing, board) for board in Board] == [1, 1, 2, None]
            assert place_of(Standing.objects.get(listing=second), Board.MONTHLY) is None
            assert place_of(Standing.objects.get(listing=first), Board.YEARLY) == 4
