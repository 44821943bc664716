"""Find a page of a site's live listings for a query."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from time import monotonic
from typing import Any, TypeVar

from apps.core.api.lists.rows import Page, Read, place_of
from apps.core.stores.postgresql.statements import Statement, TooSlowError
from apps.core.text.weeks import Week
from apps.listings.models import Category, Listing
from apps.listings.search.correction import MOST_MILLISECONDS, corrected
from apps.listings.search.language import Query, name_beginning, parse
from apps.listings.search.words import MIN_BEGINNING
from apps.sites.models import Site

T = TypeVar("T")

# Matches are counted up to this number, because counting all listings with a common word takes longer than finding the
# best.
COUNTED = 2_000
MANY = 2 * COUNTED
_MANY_SECONDS = 30.0
# Until when this process does not count the listings of a site, by site id. It saves lists the count of up to `MANY`.
_count_cache: dict[int, float] = {}
# This many listings with the most votes are ranked by relevance, and votes decide beyond. Listings with the words in
# their names are looked up separately, so that no vote hides them.
RANKED = 500
RANKED_NAMES = 200
RANKED_NAMESAKES = 50
# For a common word, walking down from the listing with the most votes soon finds enough. After this many without
# enough, the word index returns all of the TOP, and without enough of those all of the site, which are then sorted.
WALKED = 5_000
TOP = 30_000
_TOP_SECONDS = 600.0
_MOST_VOTES = 2**31 - 1
# By site id: the votes that at most TOP of its listings exceed, and until when this process relies on it. Any number
# gives the same results.
_top_cache: dict[int, tuple[int, float]] = {}


class Order(StrEnum):
    """The order of results. Without words, the best matches are those with the most votes."""

    BEST = "best"
    VOTES = "votes"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class Found(Page[T]):
    """One page of results.

    Its total is exact below COUNTED, and otherwise means that many or more. `corrected` is the query used instead of
    the text, or None.
    """

    corrected: str | None = None


@dataclass(frozen=True, slots=True)
class _Filter:
    """The listings to search."""

    site: Site
    category: Category | None
    week: Week | None

    @property
    def condition(self) -> str:
        parts = ["l.site_id = %(site)s AND l.status = 'live'"]
        if self.week:
            parts.append("l.launch_week = %(week)s")
        if self.category:
            parts.append(
                "EXISTS (SELECT FROM listings_listing_categories m"
                " WHERE m.listing_id = l.id AND m.category_id = %(category)s)"
            )
        return " AND ".join(parts)

    @property
    def is_whole_site(self) -> bool:
        return self.category is None and self.week is None


def find_listings(
    *,
    site: Site,
    text: str = "",
    category: Category | None = None,
    week: Week | None = None,
    order: Order = Order.BEST,
    page: int,
    per_page: int,
) -> Found[Listing]:
    """Search as `search_listings` does, and load the listings with details. Three more queries."""
    return search_listings(
        site=site,
        text=text,
        category=category,
        week=week,
        order=order,
        page=page,
        per_page=per_page,
        read=_load_listings,
    )


def suggest_listings(*, site: Site, text: str, count: int) -> list[Listing]:
    """Return listings for the beginning of a search: of a short word, those with names that begin like it."""
    if len(text) < MIN_BEGINNING and (named := _named(site, text, count)):
        return named
    return find_listings(site=site, text=text, page=1, per_page=count).items


def _named(site: Site, text: str, count: int) -> list[Listing]:
    condition = name_beginning(text)
    if not condition:
        return []
    wanted = f"{_Filter(site, None, None).condition} AND l.search_vector @@ %(query)s::tsquery"
    by_votes = Statement(_sorted_sql(wanted, Order.VOTES, "0"), milliseconds=MOST_MILLISECONDS)
    try:
        return _load_listings(by_votes, {"site": site.pk, "query": condition}, page=1, per_page=count).items
    except TooSlowError:
        return []


def search_listings(
    *,
    site: Site,
    text: str = "",
    category: Category | None = None,
    week: Week | None = None,
    order: Order = Order.BEST,
    page: int,
    per_page: int,
    read: Read[T],
) -> Found[T]:
    """Return a page of the site's live listings in the given order.

    `page` is 1-based, and `read` loads the items. Words are corrected only if nothing matches them in any category or
    week. The order is total, so pages neither overlap nor leave gaps.
    """
    base = _Filter(site, category, week)
    query = parse(text)
    if query.is_unsearchable:
        return Found([], 0, has_next=False)
    result = _page(base, query, order=order, page=page, per_page=per_page, read=read)
    if result.total or not query.wanted:
        return result
    try:
        other = corrected(query, site=site)
    except TooSlowError:
        return result
    if other is None:
        return result
    instead = _page(base, other, order=order, page=page, per_page=per_page, read=read)
    return replace(instead, corrected=str(other)) if instead.total else result


def _load_listings(choice: Statement, values: Mapping[str, Any], *, page: int, per_page: int) -> Page[Listing]:
    [(ids, total)] = choice.run({**values, **place_of(page, per_page)})
    page_ids = ids[:per_page]
    loaded = Listing.objects.public().with_details().in_bulk(page_ids) if page_ids else {}
    return Page([loaded[pk] for pk in page_ids if pk in loaded], total, len(ids) > per_page)


def _page(base: _Filter, query: Query, *, order: Order, page: int, per_page: int, read: Read[T]) -> Found[T]:
    start = (page - 1) * per_page
    values: dict[str, Any] = {
        "site": base.site.pk,
        "category": base.category and base.category.pk,
        "week": base.week and str(base.week),
        "counted": COUNTED,
    }
    if query.wanted and order == Order.BEST:
        values |= {"query": query.condition, "in_name": query.in_name, "is_name": query.is_name, "rank": query.rank}
        values["top"] = _top_votes(base.site)
        best = Statement(_ranked_sql(base.condition, start=start, per_page=per_page), milliseconds=MOST_MILLISECONDS)
        try:
            result = read(best, values, page=page, per_page=per_page)
        except TooSlowError:
            result = read(Statement(_quick_sql(base.condition)), values, page=page, per_page=per_page)
    elif query:
        values |= {"query": query.condition}
        wanted = f"{base.condition} AND l.search_vector @@ %(query)s::tsquery"
        total = _TOTAL_SQL.format(base=wanted, counted=COUNTED)
        result = read(Statement(_sorted_sql(wanted, order, total)), values, page=page, per_page=per_page)
    else:
        by_order = Statement(_sorted_sql(base.condition, order, _total_sql(base)), prepared=True)
        result = read(by_order, values, page=page, per_page=per_page)
        if result.total == MANY and base.is_whole_site:
            _count_cache[base.site.pk] = monotonic() + _MANY_SECONDS
    return Found(result.items, min(result.total, COUNTED), result.has_next)


def _top_votes(site: Site) -> int:
    """Return the votes that at most TOP listings of the site exceed, or more than any has if it has no more."""
    votes, until = _top_cache.get(site.pk, (0, 0.0))
    if until <= monotonic():
        rows = Statement(_TOP_SQL).run({"site": site.pk, "top": TOP})
        votes = rows[0][0] if rows else _MOST_VOTES
        _top_cache[site.pk] = votes, monotonic() + _TOP_SECONDS
    return votes


def _sorted_sql(base: str, order: Order, total: str) -> str:
    """Return SQL for listings in an order that an index has."""
    columns = "l.launched_at DESC, l.id DESC" if order == Order.NEWEST else "l.votes DESC, l.id"
    return _SORTED_SQL.format(base=base, columns=columns, total=total)


def _total_sql(base: _Filter) -> str:
    """Return SQL for the number of listings. A site that just had many isn't counted again."""
    if base.is_whole_site and _count_cache.get(base.site.pk, 0.0) > monotonic():
        return str(COUNTED)
    return _TOTAL_SQL.format(base=base.condition, counted=MANY)


def _ranked_sql(base: str, *, start: int, per_page: int) -> str:
    beyond = ""
    if start + per_page >= RANKED:
        beyond = _BEYOND_SQL.format(base=base, votes="l.votes" if start < COUNTED else _NO_INDEX)
    mentions = _BEST_MENTIONS_SQL.format(base=base, ranked=RANKED, walked=WALKED, votes=_NO_INDEX)
    return _RANKED_SQL.format(
        base=base, mentions=mentions, beyond=beyond, names=RANKED_NAMES, namesakes=RANKED_NAMESAKES
    )


def _quick_sql(base: str) -> str:
    """Return the best of the first matches instead of the best of all, for slow words."""
    return _RANKED_SQL.format(
        base=base, mentions=_FIRST_MENTIONS_SQL, beyond="", names=RANKED_NAMES, namesakes=RANKED_NAMESAKES
    )


# The same order, but one that no index has.
_NO_INDEX = "(l.votes + 0)"
# A page's listings are chosen by key and loaded afterwards, so that a deep page skips only narrow index rows.
_SORTED_SQL = """
    SELECT
        ARRAY(SELECT l.id FROM listings_listing l WHERE {base} ORDER BY {columns}
            OFFSET %(start)s LIMIT %(rows)s) AS ids,
        {total} AS total"""
_TOP_SQL = """
    SELECT votes FROM listings_listing WHERE site_id = %(site)s AND status = 'live'
    ORDER BY votes DESC, id OFFSET %(top)s LIMIT 1"""
_TOTAL_SQL = "(SELECT count(*) FROM (SELECT FROM listings_listing l WHERE {base} LIMIT {counted}) counted)"
_RANKED_SQL = """
    WITH matches AS MATERIALIZED (
        SELECT l.id, l.votes FROM listings_listing l WHERE {base} AND l.search_vector @@ %(query)s::tsquery
        LIMIT %(counted)s
    ){mentions}, chosen AS MATERIALIZED (
        SELECT id FROM mentions
        UNION (SELECT l.id FROM listings_listing l WHERE {base} AND l.search_vector @@ %(in_name)s::tsquery
            ORDER BY l.votes DESC, l.id LIMIT {names})
        UNION (SELECT l.id FROM listings_listing l WHERE {base} AND l.search_vector @@ %(is_name)s::tsquery
            ORDER BY l.votes DESC, l.id LIMIT {namesakes})
    ), ranked AS MATERIALIZED (
        SELECT l.id, row_number() OVER (
            ORDER BY l.search_vector @@ %(is_name)s::tsquery DESC,
                ts_rank(l.search_vector, %(rank)s::tsquery) DESC, l.votes DESC, l.id) AS place
        FROM listings_listing l JOIN chosen USING (id)
    )
    SELECT
        ARRAY(SELECT id FROM (
            (SELECT id, place FROM ranked WHERE place > %(start)s ORDER BY place LIMIT %(rows)s){beyond}
        ) page ORDER BY place) AS ids,
        (SELECT count(*) FROM matches) AS total"""
_BEST_MENTIONS_SQL = """, walked AS MATERIALIZED (
        SELECT id FROM (
            SELECT l.id, l.votes, l.search_vector FROM listings_listing l WHERE {base}
            ORDER BY l.votes DESC, l.id LIMIT {walked}
        ) first
        WHERE search_vector @@ %(query)s::tsquery AND (SELECT count(*) FROM matches) = %(counted)s
        ORDER BY votes DESC, id LIMIT {ranked}
    ), top AS MATERIALIZED (
        SELECT l.id FROM listings_listing l
        WHERE {base} AND l.votes > %(top)s AND l.search_vector @@ %(query)s::tsquery
            AND (SELECT count(*) FROM matches) = %(counted)s AND (SELECT count(*) FROM walked) < {ranked}
        ORDER BY {votes} DESC, l.id LIMIT {ranked}
    ), mentions AS MATERIALIZED (
        (SELECT id FROM matches WHERE (SELECT count(*) FROM matches) < %(counted)s
            ORDER BY votes DESC, id LIMIT {ranked})
        UNION ALL
        SELECT id FROM walked WHERE (SELECT count(*) FROM walked) = {ranked}
        UNION ALL
        SELECT id FROM top WHERE (SELECT count(*) FROM top) = {ranked}
        UNION ALL
        (SELECT l.id FROM listings_listing l WHERE {base} AND l.search_vector @@ %(query)s::tsquery
            AND (SELECT count(*) FROM matches) = %(counted)s AND (SELECT count(*) FROM walked) < {ranked}
            AND (SELECT count(*) FROM top) < {ranked}
            ORDER BY {votes} DESC, l.id LIMIT {ranked})
    )"""
_FIRST_MENTIONS_SQL = ", mentions AS MATERIALIZED (SELECT id FROM matches)"
_BEYOND_SQL = """
            UNION ALL
            (SELECT l.id, 1000000 + row_number() OVER (ORDER BY {votes} DESC, l.id) FROM listings_listing l
            WHERE {base} AND l.search_vector @@ %(query)s::tsquery AND l.id NOT IN (SELECT id FROM chosen)
            ORDER BY {votes} DESC, l.id
            OFFSET greatest(%(start)s - (SELECT count(*) FROM chosen), 0)
            LIMIT greatest(least(%(rows)s, %(start)s + %(rows)s - (SELECT count(*) FROM chosen)), 0))"""
