"""PostgreSQL is away, full, out of connections or read-only: every answer says when to come back, nobody gets a 500.

The servers are real: an installation of `manage.py up` on a PostgreSQL of the test's own, which is stopped and filled.
"""

import hashlib
import hmac
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

import httpx2
import psycopg
import pytest

from config.local import Engines
from config.local.places import socket_dir
from config.supervisor.processes import Child
from tests.faults.processes import paused
from tests.running import UNKEPT, Running, copy_demo, pressed, running
from tests.waiting import PATIENCE_SECONDS, wait_for, wait_until_blocked

pytestmark = pytest.mark.processes

SECRET = "whsec_" + "outage" * 5
SETTINGS = {
    "RATE_LIMIT_PER_KEY": "0",
    "RATE_LIMIT_PER_ADDRESS": "0",
    "STRIPE_SECRET_KEY": "sk_test_" + "outage" * 4,
    "STRIPE_WEBHOOK_SECRET": SECRET,
    "STRIPE_API_URL": "http://127.0.0.1:9",
}
MOST_CONNECTIONS = 60
MILESTONE = {"date": "2026-01-01", "title": "First customer"}
# Every table refuses to grow, as on a full disk; what is there can be read.
FILL = """
CREATE FUNCTION refuse_to_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format(
      'CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE OR DELETE ON %I EXECUTE FUNCTION refuse_to_grow()', name);
  END LOOP;
END $$
"""


@dataclass(frozen=True)
class Database:
    """The server that the installation uses."""

    url: str
    server: Child

    def sql(self, query: LiteralString) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(query)
            return cursor.fetchall() if cursor.description else []

    def end_connections(self) -> None:
        """End all others' connections, and return when they are gone, for one on its way out may still take a query."""
        self.sql("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    def start(self) -> None:
        self.server.start()
        wait_for(self._answers)

    def _answers(self) -> bool:
        try:
            return bool(self.sql("SELECT 1"))
        except psycopg.OperationalError:
            return False


@dataclass(frozen=True)
class Shop:
    """The installation, its database, and an owner and an admin in browsers."""

    started: Running
    database: Database
    browser: httpx2.Client
    staff: httpx2.Client
    form: httpx2.Request
    listing_id: int

    @property
    def key(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.started.api_key}"}

    def get(self, path: str, **headers: str) -> httpx2.Response:
        return httpx2.get(self.started.base_url + path, headers=headers, cookies=UNKEPT, timeout=PATIENCE_SECONDS)

    def post(self, path: str, body: Any, **headers: str) -> httpx2.Response:
        return httpx2.post(self.started.base_url + path, json=body, headers=headers, timeout=PATIENCE_SECONDS)

    def call(self, method: str, **params: Any) -> httpx2.Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        told = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25", **self.key}
        return self.post("/mcp", message, **told)

    def webhook(self) -> httpx2.Response:
        body = b'{"id": "evt_1", "object": "event", "type": "charge.refunded", "data": {"object": {}}}'
        stamp = str(int(time.time()))
        signed = hmac.new(SECRET.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
        headers = {"Stripe-Signature": f"t={stamp},v1={signed}", "Content-Type": "application/json"}
        return httpx2.post(
            f"{self.started.base_url}/webhooks/stripe", content=body, headers=headers, timeout=PATIENCE_SECONDS
        )

    def sign_in(self) -> httpx2.Response:
        """Send the form of a page that was opened before."""
        with httpx2.Client(timeout=PATIENCE_SECONDS) as client:
            return client.send(self.form)


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    # PostgreSQL's user cannot enter pytest's own folders.
    folder = Path(tempfile.mkdtemp(prefix="slipway-test-"))
    folder.chmod(0o711)
    copy_demo(folder)
    with Engines(folder, durable=False, redis_url="redis://given") as engines:
        made = Database(engines.addresses.database_url, engines.processes()[0])
        made.sql(f"ALTER SYSTEM SET max_connections = {MOST_CONNECTIONS}")
        made.server.stop()
        made.start()
        yield made
    shutil.rmtree(socket_dir(folder), ignore_errors=True)
    shutil.rmtree(folder)


def sign_in_form(started: Running, account: Mapping[str, str]) -> httpx2.Request:
    """The form of the sign-in page, filled in and not sent yet."""
    fields = {"login": account["email"], "[password]": account["password"]}
    with httpx2.Client(base_url=started.base_url, timeout=PATIENCE_SECONDS) as fresh:
        return pressed(fresh, fresh.get("/account/sign-in"), "Sign in", fields)


@pytest.fixture(scope="module")
def installation(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    settings = {**SETTINGS, "DATABASE_URL": database.url}
    with ExitStack() as stack:
        data_dir = tmp_path_factory.mktemp("outage") / "data"
        copy_demo(data_dir)
        started = stack.enter_context(running(data_dir, private_hosts=[], settings=settings))
        browser, staff = (
            stack.enter_context(httpx2.Client(base_url=started.base_url, timeout=PATIENCE_SECONDS)) for _ in range(2)
        )
        form = sign_in_form(started, started.up["demo"])
        browser.send(form)
        staff.send(sign_in_form(started, started.up["admin"]))
        key = {"Authorization": f"Bearer {started.api_key}"}
        owned = httpx2.get(f"{started.base_url}/api/v1/me/listings", headers=key, timeout=PATIENCE_SECONDS).json()[
            "items"
        ]
        yield Shop(started, database, browser, staff, form, owned[0]["id"])
        # `up` stops cleanly only with its database.
        if database.server.poll() is not None:
            database.start()


READS: dict[str, Callable[[Shop], httpx2.Response]] = {
    "front page": lambda shop: shop.get("/"),
    "page of an account": lambda shop: shop.browser.get("/account/profile"),
    "admin": lambda shop: shop.staff.get("/admin/"),
    "feed": lambda shop: shop.get("/launches.rss"),
    "search": lambda shop: shop.get("/api/v1/listings?q=a"),
    "own listings": lambda shop: shop.get("/api/v1/me/listings", **shop.key),
    "webhook": lambda shop: shop.webhook(),
    "a credential at /mcp": lambda shop: shop.call("tools/list"),
}
WRITES: dict[str, Callable[[Shop], httpx2.Response]] = {
    "form": lambda shop: shop.sign_in(),
    "milestone": lambda shop: shop.post(f"/api/v1/me/listings/{shop.listing_id}/milestones", MILESTONE, **shop.key),
    "registration": lambda shop: shop.post("/oauth/register", {"redirect_uris": ["http://127.0.0.1/"]}),
}


@pytest.fixture
def shop(installation: Shop) -> Iterator[Shop]:
    """Well before a test, and well again after it."""
    assert_works(installation)
    yield installation
    assert_works(installation)


def assert_works(shop: Shop) -> None:
    for name, ask in (READS | WRITES).items():
        answer = ask(shop)
        assert answer.status_code < 500, (name, answer.text)
    assert not shop.call("tools/call", name="list_my_listings", arguments={}).json()["result"].get("isError")


def assert_told_when_to_come_back(name: str, answer: httpx2.Response, *, seconds: int = 60) -> None:
    said = (name, answer.status_code, answer.text[:2000])
    assert answer.status_code == 503, said
    assert answer.headers["Retry-After"] == str(seconds), said
    assert not re.search("Traceback|psycopg|PostgreSQL|Error:", answer.text), said
    kind = answer.headers["Content-Type"].split(";")[0]
    if kind == "text/html":
        assert "Temporarily unavailable" in answer.text
    elif kind == "application/problem+json":
        assert answer.json()["code"] == "unavailable"
    else:
        assert kind == "application/json", said
        assert "isn't responding" in answer.text


def assert_tool_tells(shop: Shop, tool: str, arguments: dict[str, Any]) -> None:
    """Tool calls tell the problem as a tool error, which is what assistants read."""
    answer = shop.call("tools/call", name=tool, arguments=arguments)
    assert answer.headers["Retry-After"] == "60"
    result = answer.json()["result"]
    assert result["isError"]
    assert '"status":503' in result["content"][0]["text"]


def assert_nothing_answers(shop: Shop) -> None:
    for name, ask in (READS | WRITES).items():
        assert_told_when_to_come_back(name, ask(shop))
    assert_tool_tells(shop, "list_my_listings", {})
    assert shop.get("/healthz").status_code == 200
    readiness = shop.get("/readyz")
    assert readiness.status_code == 503
    assert readiness.json()["parts"]["database"].startswith("failed")


def assert_only_reads_answer(shop: Shop) -> None:
    for name, ask in READS.items():
        answer = ask(shop)
        assert answer.is_success, (name, answer.text[:2000])
    for name, ask in WRITES.items():
        assert_told_when_to_come_back(name, ask(shop))
    assert_tool_tells(shop, "add_milestone", {"listing_id": shop.listing_id, **MILESTONE})


def test_a_server_that_is_away(shop: Shop) -> None:
    shop.database.server.stop()
    try:
        assert_nothing_answers(shop)
    finally:
        shop.database.start()


def test_a_server_without_a_connection_left(shop: Shop) -> None:
    with ExitStack() as held, paused(shop.started.children("celery")):
        shop.database.end_connections()
        taken = 0

        def has_taken_all() -> bool:
            nonlocal taken
            # What has ended may be on its way out still.
            with suppress(psycopg.OperationalError):
                held.enter_context(psycopg.connect(shop.database.url))
                taken += 1
            return taken == MOST_CONNECTIONS

        wait_for(has_taken_all, pause=0)
        assert_nothing_answers(shop)


def test_a_full_disk(shop: Shop) -> None:
    shop.database.sql(FILL)
    try:
        assert_only_reads_answer(shop)
    finally:
        shop.database.sql("DROP FUNCTION refuse_to_grow CASCADE")


def test_a_server_that_only_reads(shop: Shop) -> None:
    shop.database.sql("ALTER DATABASE slipway SET default_transaction_read_only = on")
    try:
        shop.database.end_connections()
        assert_only_reads_answer(shop)
    finally:
        shop.database.sql("BEGIN READ WRITE; ALTER DATABASE slipway RESET default_transaction_read_only; COMMIT")
        shop.database.end_connections()


@contextmanager
def waiting(shop: Shop) -> Iterator[Callable[[], httpx2.Response]]:
    """A request that waits in the database for a lock; yields what waits for its answer."""
    with psycopg.connect(shop.database.url) as blocker, ThreadPoolExecutor(1) as pool:
        blocker.execute("LOCK TABLE listings_milestone IN ACCESS EXCLUSIVE MODE")
        asked = pool.submit(WRITES["milestone"], shop)
        wait_until_blocked(blocker)
        try:
            yield asked.result
        finally:
            with suppress(psycopg.OperationalError):
                blocker.rollback()


def test_a_connection_that_ends_in_the_middle(shop: Shop) -> None:
    with waiting(shop) as answer:
        shop.database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        assert_told_when_to_come_back("milestone", answer())


def test_a_server_that_is_shut_down_in_the_middle(shop: Shop) -> None:
    with waiting(shop) as answer:
        shop.database.server.stop()
        try:
            assert_told_when_to_come_back("milestone", answer())
        finally:
            shop.database.start()


def test_a_statement_that_takes_too_long(shop: Shop) -> None:
    with waiting(shop) as answer:
        shop.database.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        assert_told_when_to_come_back("milestone", answer(), seconds=5)
