"""Leaderboards, categories and comparisons in the sitemap."""

from datetime import datetime

from django.urls import reverse

from apps.core.stores.postgresql.statements import Statement
from apps.core.text.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.links import lasting_url
from apps.launches.leaderboards.periods import Board, Period, period_around, period_of
from apps.launches.leaderboards.ranking import board_weeks
from apps.launches.listing_page.related import compare_path
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
        result = changed_categories(self.site)
        latest = max((changed_at for _, _, changed_at in result if changed_at), default=None)
        held = [
            Address(reverse("category", args=[slug]), changed_at) for slug, is_held, changed_at in result if is_held
        ]
        return [Address(reverse("categories"), latest), *held]


class CompareSection(Section):
    """The comparisons of listings that name each other as alternatives."""

    def addresses(self) -> list[Address]:
        pairs = Statement(_PAIRS_SQL).run({"site": self.site.pk})
        return [Address(compare_path(one, other), changed_at) for one, other, changed_at in pairs]


def changed_weeks(site: Site) -> dict[Week, datetime | None]:
    """Return the weeks with launches and their last change, latest first. One query.

    A leaderboard changes with launches and votes until its close, and later when a listing leaves.
    """
    weeks = board_weeks(site, period_of(Board.ALL_TIME))
    return {one.week: one.changed_at for one in weeks if one.launches}


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((at for at in (one, other) if at), default=None)


# Only listings with alternatives are read, because both of a pair have some. Names and websites are joined apart,
# because the planner can hash either of them.
_PAIRS_SQL = """
    WITH live AS MATERIALIZED (
        SELECT l.id, l.slug, l.alternatives, upper(c.name) AS name, c.website_key,
            greatest(l.updated_at, c.updated_at) AS changed_at
        FROM listings_listing l JOIN listings_company c ON c.id = l.company_id
        WHERE l.site_id = %(site)s AND l.status = 'live' AND l.alternatives <> '{}'::varchar(80)[]
    ), written AS MATERIALIZED (
        SELECT live.id, text FROM live CROSS JOIN unnest(live.alternatives) text
    ), named AS MATERIALIZED (
        SELECT written.id, live.id AS other FROM written JOIN live ON live.name = upper(written.text)
        UNION
        SELECT written.id, live.id FROM written JOIN live ON live.website_key = lower(written.text)
    )
    SELECT one.slug, other.slug, greatest(one.changed_at, other.changed_at)
    FROM named JOIN named back ON back.id = named.other AND back.other = named.id
    JOIN live one ON one.id = named.id JOIN live other ON other.id = named.other
    WHERE named.id < named.other ORDER BY named.id, named.other"""


SECTIONS = {"boards": BoardSection, "categories": CategorySection, "comparisons": CompareSection}
