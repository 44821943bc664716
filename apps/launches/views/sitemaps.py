"""Leaderboards and categories in the sitemap."""

from datetime import datetime

from django.urls import reverse

from apps.core.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.links import lasting_url
from apps.launches.leaderboards.periods import Board, Period, period_around, period_of
from apps.launches.leaderboards.ranking import board_weeks
from apps.listings.services.categories import changed_categories
from apps.sites.models import Site
from apps.sites.seo.sitemaps import Address, Section


class BoardSection(Section):
    """The front page, the lists of past leaderboards, and every leaderboard with launches."""

    def addresses(self) -> list[Address]:
        weeks = changed_weeks(self.site)
        now = current_week()
        weeks.setdefault(now, None)
        boards: dict[Period, datetime | None] = {}
        years: dict[int, datetime | None] = {}
        for week, changed_at in weeks.items():
            years[week.year] = _later(years.get(week.year), changed_at)
            for period in (period_around(board, week) for board in Board):
                boards[period] = _later(boards.get(period), changed_at)
        past = reverse("boards")
        return [
            Address(reverse("home"), weeks[now]),
            *(
                Address(past if year == now.year else f"{past}?year={year}", changed_at)
                for year, changed_at in years.items()
            ),
            *(Address(lasting_url(period), changed_at) for period, changed_at in boards.items()),
        ]


class CategorySection(Section):
    """The index of categories, and those with listings."""

    def addresses(self) -> list[Address]:
        found = changed_categories(self.site)
        latest = max((changed_at for _, _, changed_at in found if changed_at), default=None)
        held = [Address(reverse("category", args=[slug]), changed_at) for slug, is_held, changed_at in found if is_held]
        return [Address(reverse("categories"), latest), *held]


def changed_weeks(site: Site) -> dict[Week, datetime | None]:
    """Return the weeks with launches and their last change, latest first. One query.

    A leaderboard changes with launches and votes until its close, and later when a listing leaves.
    """
    weeks = board_weeks(site, period_of(Board.ALL_TIME))
    return {one.week: one.changed_at for one in weeks if one.launches}


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((at for at in (one, other) if at), default=None)
