"""The list of past boards: what each period held, who won it, and the way from year to year."""

from typing import Any

import pytest
from django.test import Client
from lxml import html

from apps.core.text.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.archive import summaries
from apps.launches.leaderboards.links import tabs
from apps.launches.leaderboards.periods import Board, period_of
from apps.launches.votes.rankings import close_boards
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.factories import ListingFactory, SiteFactory
from tests.launches.voting import WEEK, moment, play_week


def told(site: Site, board: Board, *, year: int = WEEK.year) -> list[tuple[str, int, int, str | None]]:
    """Name, launches, votes and the winner's address of each period."""
    return [
        (one.period.name, one.launches, one.votes, one.winner.slug if one.winner else None)
        for one in summaries(site, year=year)[board]
    ]


def page_of(client: Client, path: str = "/boards") -> Any:
    answer = client.get(path)
    assert answer.status_code == 200
    return html.fromstring(answer.content)


def links(page: Any, name: str) -> list[str]:
    return [str(link) for link in page.xpath(f"//*[@aria-label='{name}' or @aria-labelledby='{name}']//a/@href")]


class TestSummaries:
    def test_a_week_has_its_launches_its_votes_and_its_winner(self, site: Site) -> None:
        _, _, third = play_week(site)
        assert told(site, Board.WEEKLY) == [(str(WEEK), 2, 7, third.slug)]

    def test_months_and_the_year_are_made_of_their_weeks(self, site: Site) -> None:
        play_week(site)
        _, _, later = play_week(site, WEEK + 1)
        _, _, other_month = play_week(site, WEEK + 5)
        # Of two with the same points the one that launched earlier stands first.
        first = Listing.objects.get(standing__iso_week=str(WEEK), standing__rank=1)
        assert told(site, Board.MONTHLY) == [("2026-11", 2, 7, other_month.slug), ("2026-10", 4, 14, first.slug)]
        assert told(site, Board.YEARLY) == [("2026", 6, 21, first.slug)]
        Listing.objects.filter(pk=first.pk).update(status="archived")
        assert told(site, Board.WEEKLY)[1:] == [(str(WEEK + 1), 2, 7, later.slug), (str(WEEK), 1, 3, None)]

    def test_nobody_moves_up_where_the_winner_left(self, site: Site) -> None:
        _, _, third = play_week(site)
        Listing.objects.filter(pk=third.pk).update(status="archived")
        for board in (Board.WEEKLY, Board.MONTHLY, Board.YEARLY):
            assert [row[3] for row in told(site, board)] == [None]

    def test_a_week_without_votes_has_no_winner_and_an_open_one_is_not_final(self, site: Site) -> None:
        with moment():
            ListingFactory.create(live=True)
            (result,) = summaries(site, year=WEEK.year)[Board.WEEKLY]
        assert (result.winner, result.is_final, result.launches) == (None, False, 1)

    def test_weeks_belong_to_the_year_of_their_thursday(self, site: Site) -> None:
        last = Week.parse("2026-W53")
        with moment(last):
            ListingFactory.create(live=True)
        assert told(site, Board.WEEKLY, year=2027) == []
        assert [row[0] for row in told(site, Board.MONTHLY)] == ["2026-12"]

    def test_sites_are_apart_and_the_queries_stay_two(self, site: Site, django_assert_num_queries: Any) -> None:
        play_week(SiteFactory.create())
        assert told(site, Board.WEEKLY) == []
        play_week(site)
        play_week(site, WEEK + 1)
        with django_assert_num_queries(2):
            told(site, Board.YEARLY)


class TestTabs:
    @pytest.mark.parametrize(
        ("board", "name", "expected"),
        [
            (
                Board.WEEKLY,
                None,
                [
                    ("This week", "/"),
                    ("This month", "/boards/community-monthly"),
                    ("This year", "/boards/community-yearly"),
                    ("All time", "/boards/community-all-time"),
                ],
            ),
            (
                Board.WEEKLY,
                "2025-W10",
                [
                    ("Week 10, 2025", "/boards/community-weekly?week=2025-W10"),
                    ("March 2025", "/boards/community-monthly?month=2025-03"),
                    ("2025", "/boards/community-yearly?year=2025"),
                    ("All time", "/boards/community-all-time"),
                ],
            ),
            (
                Board.MONTHLY,
                "2026-09",
                [
                    ("Week 39", "/boards/community-weekly?week=2026-W39"),
                    ("September", "/boards/community-monthly?month=2026-09"),
                    ("This year", "/boards/community-yearly"),
                    ("All time", "/boards/community-all-time"),
                ],
            ),
        ],
    )
    def test_they_stay_at_the_time_that_is_shown(
        self, board: Board, name: str | None, expected: list[tuple[str, str]]
    ) -> None:
        with moment():
            result = tabs(period_of(board, name))
        assert [(tab["label"], tab["url"]) for tab in result] == expected
        assert [tab["current"] for tab in result] == [one == board for one in Board]

    def test_a_category_goes_along(self) -> None:
        with moment():
            result = tabs(period_of(Board.WEEKLY), category="ai")
        assert [tab["url"] for tab in result][:2] == [
            "/boards/community-weekly?category=ai",
            "/boards/community-monthly?category=ai",
        ]


class TestPage:
    def test_it_leads_to_every_period_of_a_year_and_to_other_years(self, site: Site, client: Client) -> None:
        _, _, winner = play_week(site)
        play_week(site, WEEK + -52)
        with moment(WEEK + 1):
            now = current_week()
            page = page_of(client)
            assert links(page, "weeks") == [f"/boards/community-weekly?week={WEEK}"]
            assert links(page, "months") == ["/boards/community-monthly?month=2026-10"]
            assert links(page, "of-the-year") == ["/boards/community-yearly?year=2026"]
            assert f"Won by {winner.company.name}" in page.get_element_by_id("weeks").getparent().text_content()
            assert links(page, "Years") == ["/boards?year=2025"]
            assert now.year == WEEK.year
            before = page_of(client, "/boards?year=2025")
        assert links(before, "Years") == ["/boards?year=2026"]
        assert links(before, "weeks") == [f"/boards/community-weekly?week={WEEK + -52}"]

    @pytest.mark.parametrize(
        ("votes", "is_live", "is_final", "expected"),
        [
            (2, True, True, "Won by Acme"),
            (2, True, False, "Acme leads"),
            (2, False, True, "Winner no longer listed"),
            (0, True, True, "No votes"),
            (0, False, True, "No votes"),
            (0, True, False, "No votes yet"),
        ],
    )
    def test_it_says_who_won_or_why_nobody_did(
        self, site: Site, client: Client, votes: int, is_live: bool, is_final: bool, expected: str
    ) -> None:
        with moment():
            listing = ListingFactory.create(live=True, votes=votes, company__name="Acme")
        with moment(WEEK + (1 if is_final else 0)):
            close_boards()
            if not is_live:
                Listing.objects.filter(pk=listing.pk).update(status="archived")
            page = page_of(client)
        told = page.xpath("string(//*[@aria-labelledby='weeks']//*[@class='headline'])")
        assert told.strip() == expected

    def test_a_month_says_that_who_leads_it_has_left(self, site: Site, client: Client) -> None:
        _, _, third = play_week(site)
        Listing.objects.filter(pk=third.pk).update(status="archived")
        with moment(WEEK + 1):
            page = page_of(client)
        assert "Leader no longer listed" in page.xpath("string(//*[@aria-labelledby='months'])")

    def test_a_new_site_says_so(self, site: Site, client: Client) -> None:
        page = page_of(client)
        assert "No leaderboards yet" in page.text_content()
        assert links(page, "Years") == []

    @pytest.mark.parametrize("year", ["1999", "2024", "x", "20260", "٢٠٢٦"])
    def test_years_without_launches_are_not_there(self, site: Site, client: Client, year: str) -> None:
        play_week(site)
        assert client.get("/boards", {"year": year}).status_code == 404
