"""Fill a migrated database with a realistic directory of any size, by COPY; an interrupted run goes on where it was.

The database has no other listings. Indexes of the large tables are built at the end. Needs PostgreSQL's superuser,
which the project's own engines give.

usage: DATABASE_URL=… python -m tests.benchmarks.fill --rows 1000000
"""

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import django

from tests.benchmarks.listings import make
from tests.benchmarks.rows import FIRST_ID, Place, rows_of

if TYPE_CHECKING:
    from django.db.models import Model

CHUNK = 5_000
_STATE = """
    CREATE TABLE IF NOT EXISTS benchmark_index (definition text);
    CREATE UNLOGGED TABLE IF NOT EXISTS benchmark_word (word text, deletions text);
    CREATE TABLE IF NOT EXISTS benchmark_finished (listings bigint)"""
# Without the indexes that constraints have; what is dropped is kept in the same transaction.
_DROP_INDEXES = """
DO $$
DECLARE
    item record;
BEGIN
    FOR item IN
        SELECT i.indexrelid::regclass AS name, pg_get_indexdef(i.indexrelid) AS definition
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        WHERE c.relname IN
                ('listings_listing', 'listings_company', 'listings_listing_categories', 'listings_searchword')
            AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
    LOOP
        INSERT INTO benchmark_index VALUES (item.definition);
        EXECUTE format('DROP INDEX %s', item.name);
    END LOOP;
END $$"""
_LEARN = """
    INSERT INTO listings_searchword (site_id, word, deletions)
    SELECT DISTINCT ON (word) %s::bigint, word, string_to_array(deletions, ' ') FROM benchmark_word
    ON CONFLICT DO NOTHING"""
# Ranked as the close of a week does it, without a ledger's entries for each vote.
_RANK = """
    INSERT INTO launches_standing
        (site_id, iso_week, listing_id, votes, points, held, launched_at, left_at, is_final, rank, categories)
    SELECT site_id, launch_week, l.id, votes, votes * 100, 0, launched_at,
        CASE WHEN status <> 'live' THEN updated_at END, launch_week < %(now)s,
        CASE WHEN launch_week < %(now)s AND status = 'live' THEN row_number() OVER (
            PARTITION BY site_id, launch_week, status ORDER BY votes DESC, launched_at, l.id) END,
        CASE WHEN launch_week < %(now)s THEN ARRAY(
            SELECT k.slug FROM listings_category k JOIN listings_listing_categories m ON m.category_id = k.id
            WHERE m.listing_id = l.id ORDER BY 1) ELSE '{}' END
    FROM listings_listing l WHERE launched_at IS NOT NULL"""
_CLOSE = """
    INSERT INTO launches_voteledger
        (site_id, iso_week, salt, head, length, closed_at, vote_counts, decisions, launches, votes,
        launches_by_category)
    SELECT site_id, iso_week, '', '', 0, now(), '{}', '[]', count(*), sum(votes), coalesce((
            SELECT jsonb_object_agg(slug, launches) FROM (
                SELECT slug, count(*) AS launches FROM launches_standing s, unnest(s.categories) slug
                WHERE s.site_id = week.site_id AND s.iso_week = week.iso_week AND s.rank IS NOT NULL GROUP BY slug
            ) by_category), '{}')
    FROM launches_standing week WHERE rank IS NOT NULL GROUP BY site_id, iso_week"""
_SEQUENCES = """
    SELECT setval(pg_get_serial_sequence(t, 'id'), %s) FROM unnest(ARRAY[
        'accounts_user', 'listings_company', 'listings_listing', 'orders_order', 'orders_orderline']) t"""


def fill(listings: int, *, say: Callable[[str], None] = lambda _: None) -> None:
    """Bring the directory to so many listings, and all that depends on them up to date."""
    _run(_STATE)
    if _rows("SELECT max(listings) FROM benchmark_finished")[0][0] == listings:
        return
    _run("TRUNCATE benchmark_finished")
    if missing := list(_missing(listings)):
        _run(_DROP_INDEXES)
        _copy_chunks(missing, listings, say)
    for step in (_learn_words, _restore_indexes, _rank_weeks, _open_week, _set_sequences, _analyze):
        began = time.monotonic()
        step()
        say(f"{step.__name__.strip('_').replace('_', ' ')}: {time.monotonic() - began:.0f} s")
    _run("INSERT INTO benchmark_finished VALUES (%s)", [listings])


def _missing(listings: int) -> Iterator[tuple[int, int]]:
    """First and end of each part that is not there; parts are committed whole, so only a chunk's end can be missing."""
    sql = "SELECT (id - %s) / %s, count(*) FROM listings_company WHERE id >= %s GROUP BY 1"
    there = dict(_rows(sql, [FIRST_ID, CHUNK, FIRST_ID]))
    for first in range(0, listings, CHUNK):
        start, end = first + there.get(first // CHUNK, 0), min(first + CHUNK, listings)
        if start < end:
            yield start, end


def _copy_chunks(missing: list[tuple[int, int]], listings: int, say: Callable[[str], None]) -> None:
    left = sum(end - start for start, end in missing)
    began, done = time.monotonic(), 0
    with _runner(len(missing)) as run:
        for size in run(missing):
            done += size
            rate = done / (time.monotonic() - began)
            there = listings - left + done
            say(f"{there:,} of {listings:,} listings, {rate:,.0f} a second, {(left - done) / rate:.0f} s left")


@contextmanager
def _runner(chunks: int) -> Iterator[Callable[[list[tuple[int, int]]], Iterable[int]]]:
    """Copy chunks on every core; a single one in this process."""
    if chunks == 1:
        yield lambda missing: map(_copy_chunk, missing)
        return
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn"), initializer=django.setup) as workers:
        yield lambda missing: workers.map(_copy_chunk, missing)


def _copy_chunk(chunk: tuple[int, int]) -> int:
    """Write one part of the listings with all that belongs to them; returns how many."""
    from django.db import connection, transaction

    place = Place.of_default_site()
    made = [make(number, now=place.now, categories=len(place.categories)) for number in range(*chunk)]
    rows, words = rows_of(made, place)
    with transaction.atomic(), connection.cursor() as cursor:
        # As a replica: foreign keys are right by construction, and checking them takes longer than writing.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for model, of_model in rows.items():
            _copy(cursor, model, of_model)
        with cursor.copy("COPY benchmark_word FROM STDIN") as copy:
            for row in words.items():
                copy.write_row(row)
    return len(made)


def _copy(cursor: Any, model: "type[Model]", rows: Iterable[Mapping[str, Any]]) -> None:
    """Copy rows of named columns; those not named get their fields' defaults, and rows without an id a new one."""
    from django.db import connection

    rows = list(rows)
    fields = [field for field in model._meta.concrete_fields if not field.primary_key or field.attname in rows[0]]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    now = datetime.now(UTC)
    defaults = {field: now if getattr(field, "auto_now", False) else field.get_default() for field in fields}
    ready = [(field, field.attname, field.get_db_prep_save(defaults[field], connection)) for field in fields]
    with cursor.copy(f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN') as copy:
        for row in rows:
            copy.write_row(
                [
                    field.get_db_prep_save(row[name], connection) if name in row else default
                    for field, name, default in ready
                ]
            )


def _learn_words() -> None:
    _run(_LEARN, [Place.of_default_site().site_id])
    _run("TRUNCATE benchmark_word")


def _restore_indexes() -> None:
    _run("SET maintenance_work_mem = '1GB'")
    for (definition,) in _rows("SELECT definition FROM benchmark_index"):
        _run(definition.replace("INDEX ", "INDEX IF NOT EXISTS ", 1))
    _run("TRUNCATE benchmark_index")


def _rank_weeks() -> None:
    """Standings of all launches, ranked where the week is over, and a closed ledger for each of those weeks."""
    _run("TRUNCATE launches_standing, launches_vote, launches_votegroup, launches_ledgerentry, launches_voteledger")
    _run(_RANK, {"now": str(Place.of_default_site().now)})
    _run(_CLOSE)


def _open_week() -> None:
    """The ledger of the current week with its launches, so that votes are taken."""
    from django.db import transaction

    from apps.launches.models import LedgerEntry
    from apps.launches.votes.ledger import append_all, lock_or_open
    from apps.launches.votes.rankings import launch_facts
    from apps.listings.models import Listing
    from apps.sites.models import Site

    place = Place.of_default_site()
    launched = Listing.objects.filter(site=place.site_id, launch_week=str(place.now), status="live").order_by("id")
    with transaction.atomic():
        ledger = lock_or_open(site=Site.objects.get(pk=place.site_id), week=place.now, at=place.now.starts_at)
        entries = [
            (LedgerEntry.Kind.LAUNCH, launch_facts(listing), listing.launched_at or place.now.starts_at)
            for listing in launched.iterator()
        ]
        append_all(ledger, entries)


def _set_sequences() -> None:
    many = _rows("SELECT max(id) FROM listings_listing")[0][0]
    _run(_SEQUENCES, [many])


def _analyze() -> None:
    _run("VACUUM ANALYZE")


def _run(sql: str, values: Any = None) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def _rows(sql: str, values: Any = None) -> list[tuple[Any, ...]]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        result: list[tuple[Any, ...]] = cursor.fetchall()
    return result


def print_line(line: str) -> None:
    """Show progress immediately, also in a pipe."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    options = parser.parse_args()
    defaults = {"DJANGO_SETTINGS_MODULE": "config.settings", "SLIPWAY_LOCAL": "1"}
    os.environ |= {name: value for name, value in defaults.items() if name not in os.environ}
    django.setup()
    fill(options.rows, say=print_line)


if __name__ == "__main__":
    main()
