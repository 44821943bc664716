"""The owner's statistics as a page and as files, and the figures on the dashboard."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from apps.analytics.models import DailyReferrer, DailyStatistics
from apps.analytics.series import Row, drawn_rows
from apps.analytics.visits import SAME_SITE
from apps.launches.models import Vote
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.browsing import signed_in
from tests.factories import ListingFactory, SiteFactory, UserFactory
from tests.listings.owner.browsing import html_of

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
TODAY = NOW.date()


@pytest.fixture
def listing(site: Site) -> Listing:
    made: Listing = ListingFactory.create(
        live=True, company__owner=UserFactory.create(), launch_week="2026-W40", launched_at=NOW - timedelta(days=50)
    )
    return made


@pytest.fixture
def browser(listing: Listing) -> Client:
    return signed_in(listing.company.owner)


def on(listing: Listing, day: date, views: int, visitors: int = 0, clicks: int = 0) -> None:
    DailyStatistics.objects.create(listing=listing, day=day, views=views, visitors=visitors, clicks=clicks)


def voted(listing: Listing, *moments: datetime) -> None:
    for moment in moments:
        Vote.objects.create(listing=listing, user=UserFactory.create(), created_at=moment)


def opened(browser: Client, listing: Listing, query: str = "") -> Any:
    with time_machine.travel(NOW, tick=False):
        return browser.get(f"{listing.path}/statistics{query}")


def test_totals_beside_those_of_the_time_before(browser: Client, listing: Listing) -> None:
    on(listing, TODAY, 10, 6, 2)
    on(listing, TODAY - timedelta(days=6), 2, 2)
    on(listing, TODAY - timedelta(days=7), 6, 4, 4)
    on(ListingFactory.create(live=True), TODAY, 99)
    voted(listing, NOW, NOW - timedelta(days=6), NOW - timedelta(days=10))
    page = opened(browser, listing, "?days=7")
    assert [(total.value, total.change) for total in page.context["totals"]] == [
        (12, "+100%"), (8, "+100%"), (2, "−50%"), (2, "+100%")
    ]  # fmt: skip
    html = html_of(page)
    assert "vs. previous 7 days" in html
    assert "Nov 18, 2026: 10 views, 6 visitors" in html


@pytest.mark.parametrize(
    ("query", "rows"), [("", 30), ("?days=7", 7), ("?days=90", 90), ("?days=all", 51), ("?days=x", 30)]
)
def test_ranges(browser: Client, listing: Listing, query: str, rows: int) -> None:
    page = opened(browser, listing, query)
    assert len(page.context["rows"]) == rows
    assert page.context["rows"][0].label == "Nov 18, 2026"
    assert page.context["sources"] == []


def test_nothing_is_compared_with_a_time_before_the_launch(browser: Client, listing: Listing) -> None:
    on(listing, TODAY, 10)
    on(listing, TODAY - timedelta(days=40), 5)
    for query in ("?days=90", "?days=all", "?days=30"):
        assert {total.change for total in opened(browser, listing, query).context["totals"]} == {""}


def test_long_times_are_drawn_by_week_and_by_month() -> None:
    def rows(count: int) -> list[Row]:
        first = date(2026, 1, 1)
        days = [(first + timedelta(days=number), Row("", "", 2, 1, 0, 0)) for number in range(count)]
        return drawn_rows(days)

    weeks, months = rows(365), rows(1500)
    assert len(weeks) == 53
    assert (weeks[0].label, weeks[0].views, weeks[1].views) == ("Week of Dec 29, 2025", 8, 14)
    assert (months[0].label, months[0].views, months[1].short_label) == ("January 2026", 62, "Feb 2026")
    assert sum(row.views for row in months) == 3000


def test_where_views_came_from(browser: Client, listing: Listing) -> None:
    on(listing, TODAY, 20)
    for source, views in ((SAME_SITE, 8), ("mail.example", 5), *((f"s{number}", 1) for number in range(5))):
        DailyReferrer.objects.create(listing=listing, day=TODAY, source=source, views=views)
    shown = opened(browser, listing).context["sources"]
    assert (shown[0]["label"], shown[0]["views"], shown[0]["percent"]) == (f"{listing.site.name} pages", 8, 40)
    assert shown[1]["label"] == "mail.example"
    assert (shown[-1]["label"], shown[-1]["views"]) == ("Direct or unknown", 2)


def test_files(browser: Client, listing: Listing) -> None:
    on(listing, TODAY, 10, 6, 2)
    DailyReferrer.objects.create(listing=listing, day=TODAY, source="mail.example", views=5)
    voted(listing, NOW)
    with time_machine.travel(NOW, tick=False):
        days = browser.get(f"{listing.path}/statistics.csv?days=7")
        sources = browser.get(f"{listing.path}/referrers.csv?days=7")
    lines = html_of(days).splitlines()
    assert lines[0] == "day,views,visitors,clicks,votes"
    assert len(lines) == 8
    assert lines[1:3] == ["2026-11-12,0,0,0,0", "2026-11-13,0,0,0,0"]
    assert lines[-1] == "2026-11-18,10,6,2,1"
    assert html_of(sources).splitlines() == ["source,views", "mail.example,5"]
    assert days["Content-Type"] == "text/csv; charset=utf-8"
    assert days["Content-Disposition"] == f'attachment; filename="{listing.slug}-statistics.csv"'


@pytest.mark.parametrize("name", ["statistics", "statistics.csv", "referrers.csv"])
def test_only_the_owner_reads_them(listing: Listing, name: str) -> None:
    address = f"{listing.path}/{name}"
    for other in (UserFactory.create(), UserFactory.create(is_staff=True, is_superuser=True)):
        assert signed_in(other).get(address).status_code == 404
    assert Client(headers={"host": "testserver.localhost"}).get(address).status_code == 302
    elsewhere = SiteFactory.create()
    assert signed_in(listing.company.owner).get(address, headers={"host": elsewhere.host}).status_code == 404


def test_there_are_none_before_the_launch(site: Site) -> None:
    draft = ListingFactory.create(company__owner=UserFactory.create())
    owner = signed_in(draft.company.owner)
    assert owner.get(f"{draft.path}/statistics").headers["Location"] == f"{draft.path}/manage"
    assert "/statistics" not in html_of(owner.get(f"{draft.path}/manage"))
    assert "/statistics" not in html_of(owner.get("/account"))


def test_the_dashboard_says_how_listings_do(browser: Client, listing: Listing) -> None:
    other = ListingFactory.create(live=True, company__owner=listing.company.owner)
    on(listing, TODAY, 10, 6, 2)
    on(other, TODAY - timedelta(days=7), 5, 5)
    with time_machine.travel(NOW, tick=False):
        page = browser.get("/account")
    assert [(total["value"], total["change"]) for total in page.context["totals"]] == [
        (10, "+100%"), (6, "+20%"), (2, ""),
        (0, ""),
    ]  # fmt: skip
    shown = {one["slug"]: one for one in page.context["listings"]}
    assert shown[listing.slug]["figures"]["recent"].views == 10
    assert shown[listing.slug]["figures"]["course"][-1] == 10
    assert [way.url for way in shown[listing.slug]["suggestions"]] == [
        listing.site.url(f"{listing.path}/{page}") for page in ("pictures", "story", "updates/new", "badges")
    ]
    for way in shown[listing.slug]["suggestions"]:
        assert browser.get(way.url.removeprefix(listing.site.base_url)).status_code == 200


def test_the_dashboard_compares_nothing_with_days_before_the_first_launch(browser: Client, listing: Listing) -> None:
    on(listing, TODAY, 10, 6, 2)
    on(listing, TODAY - timedelta(days=8), 1, 1, 1)
    Listing.objects.update(launched_at=NOW - timedelta(days=8))
    with time_machine.travel(NOW, tick=False):
        totals = browser.get("/account").context["totals"]
    assert [(total["value"], total["change"]) for total in totals] == [(10, ""), (6, ""), (2, ""), (0, "")]
