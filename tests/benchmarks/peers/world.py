"""Databases that stay from run to run: one for each number of listings, filled once for each state of the schema.

usage: DATABASE_URL=… python -m tests.benchmarks.peers.world --rows 20000   (writes what to ask for, as JSON)
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from apps.core.text.weeks import Week
from config.local import EngineAddresses
from tests.benchmarks.peers.peer import PROJECT, World

# A few in a thousand of all words make up most of a text: words from the most frequent to those of a few listings.
_MIXED = 40
_RARE = 10


def prepare(engines: EngineAddresses, *, rows: int, cache: Path, python: Path) -> World:
    """The filled database of this size; what another state of schema or listings had is dropped."""
    name = f"listings_{rows}_{_state()}"
    _create(engines.database_url, name, stale=f"listings_{rows}_")
    url = _database(engines.database_url, name)
    env = {**os.environ, "DATABASE_URL": url, "REDIS_URL": engines.redis_url}
    command = [sys.executable, "-m", "tests.benchmarks.peers.world", "--rows", str(rows)]
    told = subprocess.run(command, cwd=PROJECT, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout
    result: dict[str, Any] = json.loads(told.splitlines()[-1])
    where = EngineAddresses(database_url=url, redis_url=engines.redis_url)
    return World(cache=cache, python=python, engines=where, rows=rows, sizes={}, **result)


def _state() -> str:
    """Short name for migrations, generator and the current week, by which a filled database is known."""
    files = [*sorted(PROJECT.glob("apps/*/migrations/*.py")), *sorted(Path(__file__).parents[1].glob("*.py"))]
    named = [path for path in files if "migrations" in path.parts or path.stem in {"fill", "rows", "listings"}]
    state = b"".join(path.read_bytes() for path in named) + str(Week.of(datetime.now(UTC))).encode()
    return hashlib.sha256(state).hexdigest()[:8]


def _create(url: str, name: str, *, stale: str) -> None:
    with psycopg.connect(_database(url, "postgres"), autocommit=True) as connection:
        there = {row[0] for row in connection.execute("SELECT datname FROM pg_database")}
        for other in there:
            if other.removeprefix("directus_").startswith(stale) and not other.endswith(name):
                connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(other)))
        if name not in there:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))


def _database(url: str, name: str) -> str:
    """The address of another database of the same server."""
    server, _, options = url.partition("?")
    return f"{server.rpartition('/')[0]}/{name}?{options}"


def _facts(listings: int) -> dict[str, Any]:
    """A fresh API key of the owner, a listing of theirs, and the words to search for."""
    from apps.accounts.api_keys.services import create_api_key
    from apps.accounts.models import ApiKey, User
    from apps.accounts.models.users import mark_email_verified
    from apps.core.api.scopes import OWNER_SCOPES
    from apps.listings.models import Listing
    from tests.benchmarks.listings import WORDS, coined, vocabulary
    from tests.benchmarks.rows import OWNER

    owner = User.objects.get(email=OWNER)
    mark_email_verified(owner)
    ApiKey.objects.filter(user=owner).delete()
    _, key = create_api_key(user=owner, name="benchmark", scopes=OWNER_SCOPES)
    own = Listing.objects.visible_to(owner).filter(status="live").exclude(plan="paid").earliest("id")
    ranks = [round(WORDS ** (place / _MIXED)) for place in range(_MIXED)]
    # Of eight listings that share a word some are not live, but never all.
    rare = [coined(number) for number in range(0, listings, 8)]
    return {
        "api_key": key,
        "own_listing": own.pk,
        "slug": own.slug,
        "words": [*rare[:_RARE], *(vocabulary()[rank - 1] for rank in ranks)],
        "rare_words": rare,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, required=True)
    options = parser.parse_args()
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "SLIPWAY_LOCAL": "1", "LOG_LEVEL": "WARNING"}
    import django
    from django.core.management import call_command

    from tests.benchmarks.fill import fill

    django.setup()
    call_command("migrate", verbosity=0)
    fill(options.rows, say=lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201  # progress
    sys.stdout.write(json.dumps(_facts(options.rows)) + "\n")


if __name__ == "__main__":
    main()
