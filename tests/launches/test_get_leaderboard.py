"""Boards: of the current period and past ones, of all and of one category."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.leaderboards.periods import Board, period_of
from apps.launches.models import Standing, VoteLedger
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import CategoryFactory, ListingFactory, SiteFactory
from tests.launches.voting import WEEK, moment, play_week

WEEKLY = "/leaderboards/community-weekly"


def shown(body: dict[str, Any]) -> list[tuple[int, int]]:
    return [(item["rank"], item["id"]) for item in body["items"]]


def launched(week: Week, **fields: Any) -> Listing:
    listing: Listing = ListingFactory.create(
        live=True, launch_week=str(week), launched_at=week.starts_at + timedelta(hours=1), **fields
    )
    return listing


def test_the_current_week_is_ranked_by_votes(anonymous: ApiClient, site: Site) -> None:
    for votes in (3, 9, 5):
        ListingFactory.create(live=True, votes=votes)
    ListingFactory.create(live=True, votes=99, launch_week=str(launch_weeks.current_week() + -1))
    ListingFactory.create(live=True, votes=50, site=SiteFactory.create())
    body = anonymous.get(WEEKLY).json()
    assert [(item["rank"], item["votes"], item["points"]) for item in body["items"]] == [
        (1, 9, 900),
        (2, 5, 500),
        (3, 3, 300),
    ]
    assert (body["period"], body["total"]) == (str(launch_weeks.current_week()), 3)
    assert (body["is_final"], body["ledger_hash"], body["next_period"]) == (False, None, None)
    assert body["ledger_url"].endswith(f"/ledgers/{launch_weeks.current_week()}.jsonl")
    assert body["previous_period"] == str(launch_weeks.current_week() + -1)


def test_points_order_the_leaderboard_then_the_earlier_launch_then_the_id(anonymous: ApiClient, site: Site) -> None:
    now = timezone.now()
    late, early, twin = (
        ListingFactory.create(live=True, votes=5, launched_at=now - timedelta(minutes=minutes)) for minutes in (1, 2, 2)
    )
    best = ListingFactory.create(live=True, votes=1)
    Standing.objects.filter(listing=best).update(points=501)
    assert shown(anonymous.get(WEEKLY).json()) == [(1, best.pk), (2, early.pk), (3, twin.pk), (4, late.pk)]


def test_ranks_go_on_over_pages_and_categories_narrow(anonymous: ApiClient, site: Site) -> None:
    category = CategoryFactory.create(site=site, slug="maps")
    for votes in (3, 9, 5):
        ListingFactory.create(live=True, votes=votes).categories.add(category)
    ListingFactory.create(live=True, votes=20)
    body = anonymous.get(WEEKLY, {"category": "maps", "per_page": "2", "page": "2"}).json()
    assert [(item["rank"], item["votes"]) for item in body["items"]] == [(3, 3)]
    assert (body["category"], body["total"]) == ("maps", 3)


class TestClosedWeek:
    def test_it_shows_the_frozen_ranks_and_its_ledger(self, anonymous: ApiClient, site: Site) -> None:
        first, _, third = play_week(site)
        body = anonymous.get(WEEKLY, {"week": str(WEEK)}).json()
        assert shown(body) == [(1, third.pk), (2, first.pk)]
        assert body["is_final"] is True
        assert body["ledger_hash"] == VoteLedger.objects.get().head
        assert body["ledger_url"] == f"{site.base_url}/ledgers/{WEEK}.jsonl"

    def test_ranks_keep_gaps_where_listings_left_later(self, anonymous: ApiClient, site: Site) -> None:
        first, _, third = play_week(site)
        Listing.objects.filter(pk=third.pk).update(status="archived")
        for path, query in (
            (WEEKLY, {"week": str(WEEK)}),
            (WEEKLY, {"week": str(WEEK), "category": first.categories.get().slug}),
            ("/leaderboards/community-monthly", {"month": "2026-10"}),
            ("/leaderboards/community-yearly", {"year": "2026"}),
            ("/leaderboards/community-all-time", {}),
        ):
            body = anonymous.get(path, query).json()
            assert shown(body) == [(1 if "category" in query else 2, first.pk)], (path, query)
            assert body["total"] == 1

    def test_categories_are_the_frozen_ones(self, anonymous: ApiClient, site: Site) -> None:
        first, _, third = play_week(site)
        category = first.categories.get()
        first.categories.clear()
        third.categories.add(category)
        body = anonymous.get(WEEKLY, {"week": str(WEEK), "category": category.slug}).json()
        assert shown(body) == [(1, first.pk)]

    def test_before_the_close_it_is_not_final(self, anonymous: ApiClient, site: Site) -> None:
        with moment():
            listing = ListingFactory.create(live=True)
        with moment(WEEK + 1, hours=0):
            body = anonymous.get(WEEKLY, {"week": str(WEEK)}).json()
        assert (shown(body), body["is_final"], body["ledger_hash"]) == ([(1, listing.pk)], False, None)

    def test_a_week_before_ledgers_has_none(self, anonymous: ApiClient, site: Site) -> None:
        launched(WEEK, votes=4)
        body = anonymous.get(WEEKLY, {"week": str(WEEK)}).json()
        assert (body["is_final"], body["ledger_url"], body["ledger_hash"]) == (True, None, None)
        assert body["total"] == 1


class TestPeriods:
    def test_months_and_years_add_up_their_weeks(self, anonymous: ApiClient, site: Site) -> None:
        september, october = launched(WEEK + -1, votes=7), launched(WEEK, votes=9)
        before = launched(Week(2025, 50), votes=30)
        month = anonymous.get("/leaderboards/community-monthly", {"month": "2026-10"}).json()
        assert shown(month) == [(1, october.pk)]
        assert (month["is_final"], month["previous_period"], month["ledger_url"]) == (True, "2026-09", None)
        year = anonymous.get("/leaderboards/community-yearly", {"year": "2026"}).json()
        assert shown(year) == [(1, october.pk), (2, september.pk)]
        assert (year["is_final"], year["previous_period"], year["next_period"]) == (False, "2025", None)
        everything = anonymous.get("/leaderboards/community-all-time").json()
        assert shown(everything) == [(1, before.pk), (2, october.pk), (3, september.pk)]
        assert (everything["is_final"], everything["previous_period"]) == (False, None)

    def test_the_neighbours_are_the_nearest_with_launches(self, anonymous: ApiClient, site: Site) -> None:
        launched(WEEK)
        launched(WEEK + -10)
        body = anonymous.get(WEEKLY, {"week": str(WEEK + -3)}).json()
        assert (body["items"], body["previous_period"], body["next_period"]) == ([], str(WEEK + -10), str(WEEK))
        body = anonymous.get(WEEKLY, {"week": str(WEEK)}).json()
        assert body["next_period"] == str(launch_weeks.current_week())

    @pytest.mark.parametrize(
        ("board", "name", "first", "last"),
        [
            (Board.WEEKLY, "2026-W46", "2026-W46", "2026-W46"),
            (Board.MONTHLY, "2026-11", "2026-W45", "2026-W48"),
            (Board.MONTHLY, "2026-12", "2026-W49", "2026-W53"),
            (Board.MONTHLY, "2027-01", "2027-W01", "2027-W04"),
            (Board.YEARLY, "2026", "2026-W01", "2026-W53"),
        ],
    )
    def test_a_week_belongs_to_the_month_and_year_of_its_thursday(
        self, board: Board, name: str, first: str, last: str
    ) -> None:
        period = period_of(board, name)
        assert (period.first, period.last) == (Week.parse(first), Week.parse(last))

    @pytest.mark.parametrize(
        ("board", "query", "status", "pointer"),
        [
            ("community-daily", {}, 404, None),
            ("community-weekly", {"week": "2026-W60"}, 422, "/week"),
            ("community-weekly", {"week": "2026W40"}, 422, "/week"),
            ("community-weekly", {"week": "1999-W10"}, 422, "/week"),
            ("community-weekly", {"week": ""}, 422, "/week"),
            ("community-weekly", {"month": "2026-11"}, 422, "/month"),
            ("community-weekly", {"year": "2026"}, 422, "/year"),
            ("community-monthly", {"month": "2026-13"}, 422, "/month"),
            ("community-monthly", {"week": "2026-W40"}, 422, "/week"),
            ("community-monthly", {"month": "2026-10", "year": "2026"}, 422, "/year"),
            ("community-yearly", {"year": "0000"}, 422, "/year"),
            ("community-yearly", {"month": "2026-11"}, 422, "/month"),
            ("community-all-time", {"year": "2026"}, 422, "/year"),
            ("community-all-time", {"weak": "2026-W01"}, 422, "/weak"),
            ("community-weekly", {"category": "no-such"}, 422, "/category"),
            ("community-weekly", {"category": "A b"}, 422, "/category"),
            ("community-weekly", {"per_page": "101"}, 422, "/per_page"),
            ("community-weekly", {"page": "0"}, 422, "/page"),
        ],
    )
    def test_what_does_not_exist_is_refused_by_name(
        self, anonymous: ApiClient, site: Site, board: str, query: dict[str, str], status: int, pointer: str | None
    ) -> None:
        answer = anonymous.get(f"/leaderboards/{board}", query)
        assert answer.status_code == status
        assert [error["pointer"] for error in answer.json()["errors"]] == ([pointer] if pointer else [])

    def test_a_period_of_another_leaderboard_is_refused_with_what_this_one_takes(
        self, anonymous: ApiClient, site: Site
    ) -> None:
        answer = anonymous.get("/leaderboards/community-monthly", {"week": "2026-W40"}).json()
        assert answer["errors"][0]["pointer"] == "/week"
        assert "month" in answer["errors"][0]["detail"].split()
        answer = anonymous.get("/leaderboards/community-all-time", {"week": "2026-W40"}).json()
        assert answer["errors"][0]["pointer"] == "/week"
        assert "month" not in answer["errors"][0]["detail"].split()


class TestSites:
    def test_leaderboards_of_two_sites_are_apart(self, site: Site) -> None:
        other = SiteFactory.create()
        here, there = launched(WEEK, votes=1), launched(WEEK, votes=2, site=other)
        ours, theirs = ApiClient(), ApiClient(host=other.host)
        assert shown(ours.get(WEEKLY, {"week": str(WEEK)}).json()) == [(1, here.pk)]
        assert shown(theirs.get(WEEKLY, {"week": str(WEEK)}).json()) == [(1, there.pk)]

    def test_a_category_of_another_site_is_not_there(self, anonymous: ApiClient, site: Site) -> None:
        other = SiteFactory.create()
        listing = ListingFactory.create(live=True)
        listing.categories.add(CategoryFactory.create(site=other, slug="theirs"))
        assert anonymous.get(WEEKLY, {"category": "theirs"}).status_code == 422

    def test_the_same_slug_on_two_sites_is_two_categories(self, anonymous: ApiClient, site: Site) -> None:
        other = SiteFactory.create()
        CategoryFactory.create(site=site, slug="shared")
        listing = ListingFactory.create(live=True)
        listing.categories.add(CategoryFactory.create(site=other, slug="shared"))
        assert anonymous.get(WEEKLY, {"category": "shared"}).json()["items"] == []


def test_an_unknown_category_is_told_the_known_ones(anonymous: ApiClient, site: Site) -> None:
    CategoryFactory.create(site=site, slug="maps")
    detail = anonymous.get(WEEKLY, {"category": "map"}).json()["errors"][0]["detail"]
    assert "maps?" in detail.split()
