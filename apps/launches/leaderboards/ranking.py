"""Read leaderboards from standings in index order, numbering only the rows up to the page shown."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Prefetch

from apps.core.api.lists.rows import Page, Read, place_of
from apps.core.stores.postgresql.statements import Statement
from apps.core.text.weeks import Week
from apps.launches.leaderboards.periods import Board, Period
from apps.launches.models import Standing
from apps.listings.models import Listing
from apps.sites.models import Site

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BoardWeek:
    """A launch week with the launches and votes its leaderboard shows.

    `is_final` means that its ranks are frozen. `changed_at` is the time of the last launch, vote, close or departure of
    a listing.
    """

    week: Week
    launches: int
    votes: int
    is_final: bool
    changed_at: datetime | None


@dataclass(frozen=True, slots=True)
class RankedStandings:
    """The standings of a leaderboard, each with its `.place` and loaded with what lists show.

    Slice it for a page. Places count every ranked launch, so a listing that left the site later leaves a gap.
    """

    site: Site
    period: Period
    category: str
    weeks: tuple[Week, ...]

    def __getitem__(self, rows: slice) -> list[Standing]:
        """Return some rows, the first one 0. Three queries, and one more for a category."""
        start = rows.start or 0
        result = Standing.objects.raw(*self.statement(start, rows.stop - start))
        return list(result.prefetch_related(Prefetch("listing", queryset=Listing.objects.with_details())))

    def page(self, *, page: int, per_page: int, read: Read[T], total: int | None = None) -> Page[T]:
        """Return a page, 1-based, whose items get their `rank` and `points` from here.

        One query, one more to count unless `total` is known, and one more for a category.
        """
        place = place_of(page, per_page)
        sql, values = self.statement(place["start"], place["rows"])
        choice = Statement(_CHOICE.format(page=sql))
        total = self.count() if total is None else total
        return read(choice, {**values, "total": total}, page=page, per_page=per_page)

    def count(self) -> int:
        """Count the rows, those of closed weeks by their stored totals. One query."""
        return sum(launches for _, launches, *_ in _totals(self.site, self.period, self.category))

    def _count_left(self) -> int:
        """Count the listings of the category that have a rank and left the site since."""
        left = Standing.objects.filter(
            site=self.site,
            rank__isnull=False,
            left_at__isnull=False,
            iso_week__gte=self._first,
            iso_week__lte=self._last,
            categories__contains=[self.category],
        )
        return left.count()

    @property
    def _first(self) -> str:
        return str(self.period.first or "")

    @property
    def _last(self) -> str:
        return str(self.period.last or "9999")

    def statement(self, start: int, rows: int) -> tuple[str, dict[str, Any]]:
        """Return the SQL that reads these rows, and its values."""
        if self.category:
            # With a bound PostgreSQL reads a common category in leaderboard order, and sorts only a rare one.
            branches = [_FROZEN_CATEGORY, _CURRENT_CATEGORY]
            is_short = self.period.board == Board.WEEKLY
            bound = "" if is_short else f" LIMIT {start + rows + self._count_left()}"
        else:
            # A week's rows come in order from an index. PostgreSQL merges branches that are ordered, and sorts others.
            weeks = [f" AND iso_week = %(week{number})s" for number in range(len(self.weeks))] or [""]
            branches, bound = [_RANKED.format(week=week) for week in weeks], ""
        counted = " UNION ALL ".join(f"({branch} ORDER BY {_ORDER}{bound})" for branch in branches)
        is_frozen = self.period.board == Board.WEEKLY and not self.category
        values = {
            "site": self.site.pk,
            "category": self.category,
            "categories": [self.category],
            "start": start,
            "rows": rows,
            "first": self._first,
            "last": self._last,
            **{f"week{number}": str(week) for number, week in enumerate(self.weeks)},
        }
        return _PAGE.format(counted=counted, place="coalesce(rank, number)" if is_frozen else "number"), values


def ranked(site: Site, period: Period, *, category: str = "") -> RankedStandings:
    """Return the standings of live listings on a leaderboard in order. Reads nothing yet."""
    return RankedStandings(site, period, category, weeks=tuple(period.weeks))


def board_weeks(site: Site, period: Period) -> list[BoardWeek]:
    """List the launch weeks in a period with their totals, the latest first. One query."""
    return [
        BoardWeek(Week.parse(name), launches, votes, is_final, changed_at)
        for name, launches, votes, is_final, changed_at in _totals(site, period, "")
    ]


def _totals(site: Site, period: Period, category: str) -> list[tuple[str, int, int, bool, datetime | None]]:
    """Read the fields of BoardWeek: stored totals of closed weeks, without the listings that left since."""
    in_category = (_CATEGORY_LAUNCHES, _IS_FROZEN_CATEGORY, _IS_IN_CATEGORY)
    launches, frozen, current = in_category if category else ("week.launches", "", "")
    values: dict[str, Any] = {
        "site": site.pk,
        "first": str(period.first or ""),
        "last": str(period.last or "9999"),
        "category": category,
        "categories": [category],
    }
    with connection.cursor() as cursor:
        cursor.execute(_TOTALS.format(launches=launches, frozen=frozen, current=current), values)
        result: list[tuple[str, int, int, bool, datetime | None]] = cursor.fetchall()
    return result


_COLUMNS = "listing_id, points, launched_at, rank, left_at"
_RANKED = f"""
    SELECT {_COLUMNS} FROM launches_standing
    WHERE site_id = %(site)s{{week}} AND (rank IS NOT NULL OR (NOT is_final AND left_at IS NULL))"""  # noqa: S608 - made of constants
_IS_FROZEN_CATEGORY = " AND categories @> %(categories)s::varchar[]"
_FROZEN_CATEGORY = f"""
    SELECT {_COLUMNS} FROM launches_standing
    WHERE site_id = %(site)s AND iso_week BETWEEN %(first)s AND %(last)s AND rank IS NOT NULL{_IS_FROZEN_CATEGORY}"""  # noqa: S608 - made of constants
# A listing's own categories count until its week is closed. As a value they are looked up for few rows. With EXISTS,
# PostgreSQL would read the whole category.
_IS_IN_CATEGORY = """ AND (
            SELECT true FROM listings_listing_categories m WHERE m.listing_id = launches_standing.listing_id
            AND m.category_id = (SELECT id FROM listings_category WHERE site_id = %(site)s AND slug = %(category)s))"""
_CURRENT_CATEGORY = f"""
    SELECT {_COLUMNS} FROM launches_standing
    WHERE site_id = %(site)s AND NOT is_final AND left_at IS NULL AND iso_week IN (
        SELECT iso_week FROM launches_voteledger
        WHERE site_id = %(site)s AND closed_at IS NULL AND iso_week BETWEEN %(first)s AND %(last)s
    ){_IS_IN_CATEGORY}"""  # noqa: S608 - made of constants
_ORDER = "points DESC, launched_at, listing_id"
# The window and the page have the same order, so rows are numbered while reading, which stops at the page's end.
_PAGE = f"""
    WITH page AS MATERIALIZED (
        SELECT listing_id, {{place}} AS place FROM (
            SELECT counted.*, row_number() OVER (ORDER BY {_ORDER}) AS number FROM ({{counted}}) counted
        ) numbered
        WHERE left_at IS NULL ORDER BY {_ORDER} OFFSET %(start)s LIMIT %(rows)s
    )
    SELECT launches_standing.*, page.place FROM page JOIN launches_standing USING (listing_id)
    ORDER BY place, {_ORDER}"""  # noqa: S608 - made of constants
_CHOICE = f"""
    SELECT coalesce(array_agg(listing_id ORDER BY place, {_ORDER}), '{{{{}}}}') AS ids,
        array_agg(place ORDER BY place, {_ORDER}) AS rank, array_agg(points ORDER BY place, {_ORDER}) AS points,
        %(total)s::bigint AS total
    FROM ({{page}}) page"""  # noqa: S608 - made of constants
_CATEGORY_LAUNCHES = "coalesce((week.launches_by_category ->> %(category)s)::int, 0)"
_TOTALS = """
    SELECT week.iso_week, {launches} - gone.launches + open.launches, week.votes - gone.votes + open.votes,
        week.closed_at IS NOT NULL, greatest(week.closed_at, gone.left_at, open.changed_at)
    FROM launches_voteledger week
    CROSS JOIN LATERAL (
        SELECT count(*) AS launches, coalesce(sum(votes), 0) AS votes, max(left_at) AS left_at FROM launches_standing
        WHERE site_id = week.site_id AND iso_week = week.iso_week AND rank IS NOT NULL
            AND left_at IS NOT NULL{frozen}
    ) gone
    CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE left_at IS NULL) AS launches,
            coalesce(sum(votes) FILTER (WHERE left_at IS NULL), 0) AS votes,
            greatest(max(launched_at), max(left_at), (
                SELECT (body ->> 'at')::timestamptz FROM launches_ledgerentry
                WHERE ledger_id = week.id AND number = week.length)) AS changed_at
        FROM launches_standing
        WHERE week.closed_at IS NULL AND site_id = week.site_id AND iso_week = week.iso_week
            AND NOT is_final{current}
    ) open
    WHERE week.site_id = %(site)s AND week.iso_week BETWEEN %(first)s AND %(last)s
    ORDER BY week.iso_week DESC"""
