"""Leaderboards read in pages: the same rows and places as numbering everything, from indexes alone."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from apps.core.text.weeks import Week
from apps.launches.leaderboards.periods import Board, Period, period_around
from apps.launches.leaderboards.ranking import board_weeks, ranked
from apps.launches.models import Standing, VoteLedger
from apps.launches.votes.rankings import close_board
from apps.listings.models import Category, Company, Listing
from apps.sites.models import Site
from tests.factories import CategoryFactory, SiteFactory, UserFactory
from tests.launches.voting import moment, play_week
from tests.plans import plan_of

pytestmark = pytest.mark.db

NOW = Week.parse("2026-W06")
# Two months and two years, the last week open.
WEEKS = [Week.parse(name) for name in ("2025-W51", "2026-W01", "2026-W05", "2026-W06")]
SLUGS = ["", "maps", "games"]


def fill(site: Site, chance: random.Random, *, listings: int = 48) -> None:
    """Launches with few different points, of which some left before the close of their week, or after it."""
    owner = UserFactory.create()
    categories = [CategoryFactory.create(site=site, slug=slug) for slug in SLUGS[1:]]
    for week in WEEKS:
        VoteLedger.objects.create(site=site, iso_week=str(week))
    for number in range(listings):
        week = chance.choice(WEEKS)
        name = f"{site.key}-{number}"
        launched_at = week.starts_at + timedelta(hours=chance.randrange(3))
        company = Company.objects.create(owner=owner, name=name, website=f"https://{name}", website_key=name)
        listing = Listing.objects.create(
            company=company,
            site=site,
            slug=name,
            status="live",
            launch_week=str(week),
            launched_at=launched_at,
        )
        listing.categories.set(chance.sample(categories, chance.randrange(3)))
        Standing.objects.create(
            site=site,
            iso_week=str(week),
            listing=listing,
            launched_at=launched_at,
            votes=chance.randrange(4),
            points=100 * chance.randrange(4),
        )
    shuffle_status(site, chance)
    for ledger in VoteLedger.objects.filter(site=site, iso_week__lt=str(NOW)).order_by("iso_week"):
        close_board(ledger.pk)
    shuffle_status(site, chance)
    for listing in Listing.objects.filter(site=site):
        listing.categories.set(chance.sample(categories, chance.randrange(3)))


def shuffle_status(site: Site, chance: random.Random) -> None:
    ids = Listing.objects.filter(site=site).values_list("pk", flat=True)
    gone = [pk for pk in ids if chance.random() < 0.3]
    Listing.objects.filter(site=site).exclude(pk__in=gone).update(status="live")
    Listing.objects.filter(pk__in=gone).update(status="archived")


def numbered(site: Site, period: Period, category: str) -> list[tuple[int, int]]:
    """Place and listing by the definition: number everything that has a rank, then hide what is not live."""
    counted = [
        standing
        for standing in Standing.objects.filter(site=site).select_related("listing")
        if period.contains(Week.parse(standing.iso_week))
        and (standing.rank or (not standing.is_final and standing.listing.status == "live"))
        and (not category or category in slugs_of(standing))
    ]
    counted.sort(key=lambda standing: (-standing.points, standing.launched_at, standing.listing_id))
    return [
        (place, standing.listing_id)
        for place, standing in enumerate(counted, start=1)
        if standing.listing.status == "live"
    ]


def slugs_of(standing: Standing) -> list[str]:
    if standing.is_final:
        return standing.categories
    return list(standing.listing.categories.values_list("slug", flat=True))


def shown(rows: Any) -> list[tuple[int, int]]:
    return [(standing.place, standing.listing_id) for standing in rows]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_pages_are_what_numbering_everything_gives(site: Site, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - launches, not secrets
    fill(SiteFactory.create(), chance, listings=6)
    fill(site, chance)
    with moment(NOW):
        for week in WEEKS:
            for board in Board:
                period = period_around(board, week)
                for category in SLUGS:
                    expected = numbered(site, period, category)
                    rows = ranked(site, period, category=category)
                    pages = [shown(rows[start : start + 7]) for start in range(0, len(expected) + 7, 7)]
                    assert sum(pages, []) == expected, (period.name, category)
                    assert rows.count() == len(expected), (period.name, category)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 6))
def test_weeks_add_up_what_they_show(site: Site, seed: int) -> None:
    fill(site, random.Random(seed))  # noqa: S311
    votes = dict(Standing.objects.values_list("listing", "votes"))
    for one in board_weeks(site, period_around(Board.ALL_TIME, NOW)):
        there = numbered(site, period_around(Board.WEEKLY, one.week), "")
        assert (one.launches, one.votes) == (len(there), sum(votes[pk] for _, pk in there))
        assert one.is_final == (one.week < NOW)


@pytest.mark.parametrize("board", list(Board))
def test_rows_are_numbered_in_the_order_of_an_index(site: Site, board: Board) -> None:
    """No row is sorted or looked up to be numbered, so that reading ends with the page."""
    fill(site, random.Random(1), listings=12)  # noqa: S311
    if board != Board.ALL_TIME:
        # For so few rows PostgreSQL may take either index.
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; DROP INDEX standings_of_all_time")
    rows = ranked(site, period_around(board, NOW))
    plan = plan_of(*rows.statement(0, 30)).below("WindowAgg")
    index = "standings_of_all_time" if board == Board.ALL_TIME else "standings_of_week"
    assert {kind for kind in plan.kinds if "Scan" in kind} - {"Subquery Scan"} == {f"Index Only Scan {index}"}
    assert not {kind for kind in plan.kinds if "Sort" in kind}


@pytest.mark.parametrize("board", list(Board))
def test_counting_reads_stored_totals(site: Site, board: Board, django_assert_num_queries: Any) -> None:
    play_week(site)
    period = period_around(board, Week.parse("2026-W40"))
    Standing.objects.filter(rank__isnull=False).update(votes=0)
    with django_assert_num_queries(1):
        assert ranked(site, period).count() == 2
    with django_assert_num_queries(3):
        assert len(ranked(site, period)[0:30]) == 2


def test_a_standing_follows_its_listing(site: Site) -> None:
    first, _, third = play_week(site)
    Listing.objects.filter(pk=third.pk).update(status="suspended", suspended_from="live")
    left = Standing.objects.exclude(left_at=None).values_list("listing", "left_at")
    assert dict(left)[third.pk] == Listing.objects.get(pk=third.pk).updated_at
    Listing.objects.filter(pk=third.pk).update(status="live", suspended_from="")
    Listing.objects.filter(pk=first.pk).update(headline="Another")
    assert Standing.objects.filter(left_at=None).count() == 2


def test_categories_on_a_closed_week_keep_their_count(site: Site) -> None:
    first, *_ = play_week(site)
    slug = first.categories.get().slug
    Category.objects.filter(slug=slug).update(slug="renamed")
    period = period_around(Board.ALL_TIME, NOW)
    assert [ranked(site, period, category=name).count() for name in (slug, "renamed")] == [1, 0]
