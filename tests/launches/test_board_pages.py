"""Boards in the browser: past periods, categories, ranks of closed weeks, and vote buttons in every state."""

import re
from typing import Any

import pytest
from django.test import Client

from apps.launches.calendar.launch_weeks import current_week
from apps.launches.models import Vote, VoteLedger
from apps.launches.votes.voting import toggle_vote
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.factories import CategoryFactory, ListingFactory, SiteFactory, UserFactory
from tests.launches.voting import WEEK, moment, person, play_week

pytestmark = pytest.mark.db

WEEKLY = "/boards/community-weekly"


def page(client: Client, path: str, **query: str) -> str:
    answer = client.get(path, query)
    assert answer.status_code == 200
    return answer.content.decode()


def ranks(text: str) -> list[tuple[int, str]]:
    result = re.findall(r'Rank </span>(\d+)</span>.*?<a href="(/listings/[^"]+)"', text, re.DOTALL)
    return [(int(rank), path) for rank, path in result]


def options(text: str, name: str) -> list[str]:
    (select,) = re.findall(rf'<select[^>]* name="{name}">(.*?)</select>', text, re.DOTALL)
    return re.findall(r'<option value="([^"]*)"', select)


class TestBoards:
    def test_a_closed_week_shows_frozen_ranks_awards_and_the_ledger(self, site: Site, client: Client) -> None:
        first, _, third = play_week(site)
        text = page(client, WEEKLY, week=str(WEEK))
        assert ranks(text) == [(1, third.path), (2, first.path)]
        assert "Week 40, 2026 · final" in text
        assert "#1 of the week" in text
        assert VoteLedger.objects.get().head in text
        assert f"/ledgers/{WEEK}.jsonl" in text

    def test_no_award_is_shown_before_voting_has_closed(self, site: Site, client: Client, time_machine: Any) -> None:
        listing = ListingFactory.create(live=True, votes=2)
        week = current_week()
        of_week = page(client, WEEKLY, week=str(week))
        running = [page(client, path) for path in ("/", "/boards/community-monthly", "/boards/community-yearly")]
        # Then voting has ended, but the votes aren't counted yet.
        time_machine.move_to(week.ends_at, tick=False)
        ended = [page(client, WEEKLY, week=str(week)), page(client, f"/newsletter/{week}")]
        for text in (of_week, *running, *ended):
            assert listing.path in text
            assert 'class="pill award-' not in text

    def test_ranks_keep_a_gap_where_a_listing_left(self, site: Site, client: Client) -> None:
        first, _, third = play_week(site)
        Listing.objects.filter(pk=third.pk).update(status="archived")
        for path, query in ((WEEKLY, {"week": str(WEEK)}), ("/boards/community-monthly", {"month": "2026-10"})):
            assert ranks(page(client, path, **query)) == [(2, first.path)]

    def test_each_page_of_a_long_leaderboard_has_its_own_title_and_address(
        self, site: Site, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("apps.directory.views.leaderboards.PER_PAGE", 1)
        first, _, third = play_week(site)
        for number, listing, title, query in (("1", third, "", ""), ("2", first, ", page 2", "&amp;page=2")):
            text = page(client, WEEKLY, week=str(WEEK), page=number)
            assert ranks(text) == [(int(number), listing.path)]
            assert f"<title>Launches of the week, Week 40, 2026{title} ·" in text
            assert f'<link rel="canonical" href="{site.base_url}{WEEKLY}?week={WEEK}{query}">' in text

    def test_any_period_with_launches_can_be_chosen(self, site: Site, client: Client) -> None:
        play_week(site)
        play_week(site, WEEK + -30)
        now = current_week()
        assert options(page(client, WEEKLY), "week") == [str(now), str(WEEK), str(WEEK + -30)]
        assert options(page(client, "/boards/community-monthly"), "month") == [
            f"{now.thursday:%Y-%m}",
            "2026-10",
            "2026-03",
        ]
        text = page(client, WEEKLY, week=str(WEEK))
        assert f'<option value="{WEEK}" selected>' in text
        assert f'href="{WEEKLY}?week={WEEK + -30}" rel="prev"' in text
        assert f'href="{WEEKLY}?week={now}" rel="next"' in text

    def test_a_period_without_launches_is_empty_and_leads_on(self, site: Site, client: Client) -> None:
        play_week(site)
        text = page(client, WEEKLY, week=str(WEEK + -5))
        assert "No launches here" in text
        assert f'href="{WEEKLY}?week={WEEK}" rel="next"' in text

    def test_a_category_narrows_and_stays_when_going_back(self, site: Site, client: Client) -> None:
        first, _, _ = play_week(site)
        play_week(site, WEEK + 1)
        category = first.categories.get()
        text = page(client, WEEKLY, week=str(WEEK), category=category.slug)
        assert ranks(text) == [(1, first.path)]
        assert f'<option value="{category.slug}" selected>' in text
        assert f"?week={WEEK + 1}&amp;category={category.slug}" in text
        assert "#1 of the week" not in text

    @pytest.mark.parametrize(
        "path",
        [
            f"{WEEKLY}?category=theirs",
            f"{WEEKLY}?week=2026-W60",
            "/boards/community-monthly?month=2026-00",
            "/boards/community-yearly?year=20260",
            "/boards/nonsense",
        ],
    )
    def test_what_is_not_there(self, site: Site, client: Client, path: str) -> None:
        CategoryFactory.create(site=SiteFactory.create(), slug="theirs")
        assert client.get(path).status_code == 404

    def test_sites_are_apart(self, site: Site, client: Client) -> None:
        other = SiteFactory.create()
        play_week(other)
        text = page(client, WEEKLY, week=str(WEEK))
        assert ranks(text) == []
        assert options(page(client, WEEKLY), "week") == [str(current_week())]

    def test_the_front_page_names_the_winners_of_closed_weeks(self, site: Site, client: Client) -> None:
        _, _, third = play_week(site)
        _, _, left = play_week(site, WEEK + 1)
        Listing.objects.filter(pk=left.pk).update(status="archived")
        winners = page(client, "/").split("Past winners")[1]
        assert third.path in winners
        assert left.path not in winners


class TestListing:
    def test_the_page_says_the_rank_of_its_closed_week(self, site: Site, client: Client) -> None:
        first, second, third = play_week(site)
        text = page(client, third.path)
        assert "#1 of the week" in text
        assert f'<a href="{WEEKLY}?week={WEEK}"><strong>#1</strong>' in text
        assert f'<a href="{WEEKLY}?week={WEEK}"><strong>#2</strong>' in page(client, first.path)
        Listing.objects.filter(pk=second.pk).update(status="live")
        assert "<strong>#" not in page(client, second.path)

    def test_a_merged_listing_leads_to_the_one_it_became(self, site: Site, client: Client) -> None:
        kept, dropped = ListingFactory.create(live=True), ListingFactory.create(live=True)
        Listing.objects.filter(pk=dropped.pk).update(status="archived", merged_into=kept)
        answer = client.get(dropped.path)
        assert (answer.status_code, answer["Location"]) == (301, kept.path)
        Listing.objects.filter(pk=kept.pk).update(status="archived")
        assert client.get(dropped.path).status_code == 404


class TestVoteButtons:
    @pytest.fixture
    def closed(self, site: Site) -> Listing:
        listing: Listing = play_week(site)[0]
        return listing

    def test_open_and_signed_out_leads_to_an_account(self, site: Site, client: Client) -> None:
        listing = ListingFactory.create(live=True)
        for path in (listing.path, "/"):
            text = page(client, path)
            assert "sign in to vote" in text
            assert f'href="/listings/{listing.slug}/vote?next=' in text
            assert f'action="/listings/{listing.slug}/vote"' not in text

    def test_open_and_signed_in_is_a_button_that_says_whether_it_is_pressed(self, site: Site, client: Client) -> None:
        listing, voter = ListingFactory.create(live=True), person()
        client.force_login(voter)
        assert 'aria-pressed="false"' in page(client, listing.path)
        toggle_vote(listing=listing, by=in_browser(voter))
        assert 'aria-pressed="true"' in page(client, listing.path)

    def test_the_owner_is_told_that_the_own_vote_gives_no_points(self, site: Site, client: Client) -> None:
        listing = ListingFactory.create(live=True)
        client.force_login(listing.company.owner)
        assert "earns no points" in page(client, listing.path)
        assert "your own listing" in page(client, "/")

    @pytest.mark.parametrize("is_signed_in", [True, False])
    def test_closed_is_a_number_and_no_button(self, closed: Listing, client: Client, is_signed_in: bool) -> None:
        if is_signed_in:
            client.force_login(UserFactory.create())
        for path in (closed.path, f"{WEEKLY}?week={WEEK}", "/boards/community-all-time", f"/search?q={closed.slug}"):
            text = client.get(path).content.decode()
            assert f"/listings/{closed.slug}/vote" not in text
            assert "sign in to vote" not in text
        assert "3 votes · final" in page(client, closed.path)

    def test_closed_says_that_the_own_vote_is_among_them(self, closed: Listing, client: Client) -> None:
        voter = Vote.objects.filter(listing=closed).latest("pk").user
        assert voter
        client.force_login(voter)
        assert "3 votes · final, including yours" in page(client, closed.path)

    @pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
    def test_a_button_left_open_past_the_week_is_answered_with_a_sentence(
        self, site: Site, client: Client, headers: dict[str, str]
    ) -> None:
        with moment():
            listing = ListingFactory.create(live=True)
        voter = UserFactory.create()
        client.force_login(voter)
        answer = client.post(f"{listing.path}/vote", {"next": listing.path}, headers=headers)
        assert answer.headers.get("HX-Redirect" if headers else "Location") == listing.path
        assert "Voting for 2026-W40 closed on" in page(client, listing.path)
        assert not Vote.objects.exists()
