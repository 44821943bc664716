import pytest

from apps.core.weeks import Week
from apps.launches import calendar
from apps.launches.boards import Board, period_of
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import CategoryFactory, ListingFactory, SiteFactory


def test_the_current_week_is_ranked_by_votes(anonymous: ApiClient, site: Site) -> None:
    for votes in (3, 9, 5):
        ListingFactory.create(live=True, votes=votes)
    ListingFactory.create(live=True, votes=99, launch_week=str(calendar.current_week() + -1))
    ListingFactory.create(live=True, votes=50, site=SiteFactory.create())
    body = anonymous.get("/leaderboards/community-weekly").json()
    assert [(item["rank"], item["votes"]) for item in body["items"]] == [(1, 9), (2, 5), (3, 3)]
    assert (body["period"], body["total"]) == (str(calendar.current_week()), 3)


def test_ranks_go_on_over_pages_and_categories_narrow(anonymous: ApiClient, site: Site) -> None:
    category = CategoryFactory.create(site=site, slug="maps")
    for votes in (3, 9, 5):
        ListingFactory.create(live=True, votes=votes).categories.add(category)
    ListingFactory.create(live=True, votes=20)
    body = anonymous.get("/leaderboards/community-weekly", {"category": "maps", "per_page": "2", "page": "2"}).json()
    assert [(item["rank"], item["votes"]) for item in body["items"]] == [(3, 3)]


@pytest.mark.parametrize(
    ("board", "asked", "first", "last"),
    [
        (Board.WEEKLY, {"week": "2026-W46"}, "2026-W46", "2026-W46"),
        (Board.MONTHLY, {"month": "2026-11"}, "2026-W45", "2026-W48"),
        (Board.MONTHLY, {"month": "2026-12"}, "2026-W49", "2026-W53"),
        (Board.MONTHLY, {"month": "2027-01"}, "2027-W01", "2027-W04"),
        (Board.YEARLY, {"year": "2026"}, "2026-W01", "2026-W53"),
    ],
)
def test_a_week_belongs_to_the_month_and_year_of_its_thursday(
    board: Board, asked: dict[str, str], first: str, last: str
) -> None:
    period = period_of(board, **asked)
    assert (period.first, period.last) == (Week.parse(first), Week.parse(last))


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("/leaderboards/community-daily", {}, 404),
        ("/leaderboards/community-weekly", {"week": "2026-W60"}, 422),
        ("/leaderboards/community-monthly", {"month": "2026-13"}, 422),
        ("/leaderboards/community-yearly", {"year": "0000"}, 422),
        ("/leaderboards/community-all-time", {"weak": "2026-W01"}, 422),
    ],
)
def test_periods_that_do_not_exist(
    anonymous: ApiClient, site: Site, path: str, query: dict[str, str], status: int
) -> None:
    assert anonymous.get(path, query).status_code == status
