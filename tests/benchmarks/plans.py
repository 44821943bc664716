"""How PostgreSQL would answer public reads at a size that no machine here can hold, and what a listing costs on disk.

A directory of `--rows` listings is filled and measured. Then its statistics are multiplied to those of `--as-if`
listings (`pg_restore_relation_stats`, PostgreSQL 18) and its files extended with holes, as the planner looks at both.
Every statement of the public addresses is explained there, and none is executed.

usage: python -m tests.benchmarks.plans --rows 20000 --as-if 100000000
"""

import argparse
import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from config.local import Engines, throwaway_engines
from tests.leftovers import start_watcher

ADDRESSES = (
    "/",
    "/boards",
    "/categories",
    "/categories/ai",
    "/weeks",
    "/search?q=design",
    "/api/v1/listings",
    "/api/v1/listings?q=design",
    "/api/v1/listings?q=design+team&page=40",
    "/api/v1/leaderboards/community-weekly",
    "/api/v1/leaderboards/community-all-time",
    "/api/v1/products",
    "/launches.rss",
    "/updates.rss",
    "/sitemap.xml",
    "/founders",
)
_PAGE = 8192
_SEGMENT = 131_072
_LIMITS = re.compile(r"^(SET LOCAL \w+ = \S+; )+")
# Of tables that grow with the directory: those with a row for every so many listings.
_GROWS = 20
# In the planner's units, of which a page read in order is one: a statement past it takes longer than a page may.
_MUCH = 50_000
_SIZES = """
SELECT c.relname, pg_table_size(c.oid), pg_indexes_size(c.oid), c.reltuples
FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.reltuples >= %s
ORDER BY pg_total_relation_size(c.oid) DESC"""
_RELATIONS = """
SELECT c.relname, pg_relation_filepath(c.oid), c.relpages, c.reltuples, c.relallvisible
FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_class t ON t.oid = coalesce(i.indrelid, c.oid)
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i') AND t.reltuples >= %s"""
_RESTORE = """
SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', %s::text, 'relpages', %s::integer,
    'reltuples', %s::real, 'relallvisible', %s::integer)"""


@dataclass(frozen=True)
class Asked:
    """One statement of a public address."""

    address: str
    sql: str


def measure(engines: Engines, *, rows: int, as_if: int) -> Iterator[str]:
    """The lines of the report."""
    url = engines.addresses.database_url
    with psycopg.connect(url, autocommit=True) as database:
        database.execute("VACUUM ANALYZE")
        yield from _costs(database, rows)
    asked = list(_statements())
    _scale(engines, factor=as_if / rows, least=rows / _GROWS)
    yield f"\nPlans as if there were {as_if:,} listings:\n"
    yield "| address | what PostgreSQL would do | cost |"
    yield "|---|---|---|"
    with psycopg.connect(url, autocommit=True) as database:
        for statement in asked:
            yield _explained(database, statement)


def _costs(database: "psycopg.Connection[tuple[Any, ...]]", rows: int) -> Iterator[str]:
    yield f"Bytes per listing, with {rows:,} listings:\n"
    yield "| table | rows per listing | table bytes | index bytes |"
    yield "|---|---|---|---|"
    whole = [0, 0]
    for name, table, indexes, count in database.execute(_SIZES, [rows / _GROWS]):
        yield f"| `{name}` | {count / rows:.2f} | {table / rows:,.0f} | {indexes / rows:,.0f} |"
        whole = [whole[0] + table, whole[1] + indexes]
    yield f"| total | | {whole[0] / rows:,.0f} | {whole[1] / rows:,.0f} |"


def _statements() -> Iterator[Asked]:
    """What the addresses ask of the database, each statement once."""
    from django.db import connection, reset_queries
    from django.test import Client

    seen: set[str] = set()
    for address in ADDRESSES:
        connection.force_debug_cursor = True
        reset_queries()
        status = Client().get(address, headers={"Host": "localhost"}).status_code
        if status != 200:
            sys.stderr.write(f"{address} answers {status}\n")
        for query in connection.queries:
            sql = _LIMITS.sub("", str(query["sql"]))
            if sql.startswith(("SELECT", "WITH", "\n")) and "FROM" in sql and sql not in seen:
                seen.add(sql)
                yield Asked(address, sql)
    connection.close()


def _scale(engines: Engines, *, factor: float, least: float) -> None:
    """Multiply statistics and files of what grows with the directory."""
    url = engines.addresses.database_url
    with psycopg.connect(url, autocommit=True) as database:
        database.execute("ALTER SYSTEM SET autovacuum = off")
        relations = database.execute(_RELATIONS, [least]).fetchall()
        [[data]] = database.execute("SHOW data_directory")
    server = engines.processes()[1]
    # In order: recovery would bring the files back to their lengths.
    os.kill(server.pid, signal.SIGINT)
    server.wait(60)
    server.stop()
    for _, path, pages, _, _ in relations:
        _extend(Path(data, path), max(int(pages * factor), pages))
    server.start()
    with _connected(url) as database:
        for name, _, pages, count, visible in relations:
            values = [name, int(pages * factor), count * factor, int(visible * factor)]
            database.execute(_RESTORE, values)


def _extend(path: Path, pages: int) -> None:
    """Make a relation's file so long, in segments of 1 GB; what is added takes no room on the disk."""
    owner = path.stat()
    for number in range(-(-pages // _SEGMENT)):
        segment = path.with_name(f"{path.name}.{number}") if number else path
        segment.touch()
        os.chown(segment, owner.st_uid, owner.st_gid)
        os.truncate(segment, min(_SEGMENT, pages - number * _SEGMENT) * _PAGE)


def _connected(url: str) -> "psycopg.Connection[tuple[Any, ...]]":
    from tests.waiting import wait_for

    def answers() -> bool:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            return False
        return True

    wait_for(answers, seconds=60)
    return psycopg.connect(url, autocommit=True)


def _explained(database: "psycopg.Connection[tuple[Any, ...]]", asked: Asked) -> str:
    # Prepared statements keep their parameters.
    options = "GENERIC_PLAN, FORMAT JSON" if "$1" in asked.sql else "FORMAT JSON"
    [[[result]]] = database.execute(f"EXPLAIN ({options}) {asked.sql}".encode())
    plans = list(_plans(result["Plan"]))
    scans = [_scan(plan) for plan in plans if "Scan" in plan["Node Type"] and "Relation Name" in plan]
    cost = result["Plan"]["Total Cost"]
    mark = " **grows**" if cost > _MUCH else ""
    return f"| `{asked.address}` | {', '.join(dict.fromkeys(scans)) or 'nothing of a table'} | {cost:,.0f}{mark} |"


def _plans(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from _plans(inner)


def _scan(plan: Mapping[str, Any]) -> str:
    index = f" by `{plan['Index Name']}`" if "Index Name" in plan else ""
    return f"{plan['Node Type'].lower()} of `{plan['Relation Name']}`{index}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--as-if", type=int, default=100_000_000)
    chosen = parser.parse_args()
    start_watcher()
    engines = throwaway_engines()
    where = engines.start()
    try:
        os.environ |= {
            "DATABASE_URL": where.database_url,
            "REDIS_URL": where.redis_url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "only-for-benchmarks-" + "0123456789" * 4,
            "SLIPWAY_LOCAL": "1",
            "RATE_LIMIT_PER_ADDRESS": "0",
            "LOG_LEVEL": "ERROR",
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        from tests.benchmarks.fill import fill

        fill(chosen.rows)
        for line in measure(engines, rows=chosen.rows, as_if=chosen.as_if):
            sys.stdout.write(line + "\n")
    finally:
        engines.stop()


if __name__ == "__main__":
    main()
