"""An installation that sells through a provider: its owners, its admins, and the final state of its database."""

import json
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, LiteralString

import httpx2
import psycopg

from apps.core.text.weeks import Week
from config.local.places import EngineAddresses, addresses
from tests.faults.processes import talking
from tests.leftovers import PROJECT, bare_environment
from tests.providers import stripe_server
from tests.providers.http import every_request
from tests.providers.stripe_server import StripeServer
from tests.running import Running, running
from tests.waiting import PATIENCE_SECONDS, wait_for

ACCOUNT_KEY = "sk_test_" + "faults" * 4
WEBHOOK_SECRET = "whsec_" + "faults" * 5
BILLING = {
    "name": "Ada Example",
    "company": "",
    "address": "1 Example Street",
    "postal_code": "10115",
    "city": "Berlin",
    "country": "DE",
    "vat_number": "",
}
# Nobody of one machine asks so much in a minute; the limits have tests of their own.
UNLIMITED = {"RATE_LIMIT_PER_KEY": "0", "RATE_LIMIT_PER_ADDRESS": "0"}
ENOUGH_LAUNCHES = 20_000


@dataclass(frozen=True)
class Owner:
    """An account of the installation with its REST client."""

    account_id: int
    listing_ids: Sequence[int]
    key: str
    rest: httpx2.Client

    def check_out(self, *items: dict[str, Any], key: str | None = None, **fields: Any) -> httpx2.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return self.rest.post("orders/checkout", json={"items": list(items), **fields}, headers=headers)

    def gallery(self, index: int = 0) -> dict[str, Any]:
        """An item that opens a section of one of the listings."""
        return {"product": "section_gallery", "listing_id": self.listing_ids[index]}

    def slot(self, index: int = 0, *, ahead: int = 1) -> dict[str, Any]:
        """An item that places one of the listings in a week's newsletter."""
        return {"product": "newsletter_slot", "listing_id": self.listing_ids[index], "weeks": [week(ahead)]}

    def order(self, *items: dict[str, Any], **fields: Any) -> "Placed":
        response = self.check_out(*items, **fields)
        assert response.status_code == 201, response.text
        return Placed.of(response.json())


@dataclass(frozen=True)
class Placed:
    """What create_checkout answered."""

    number: str
    checkout_url: str

    @classmethod
    def of(cls, body: dict[str, Any]) -> "Placed":
        return cls(body["number"], body["checkout_url"])


class Team:
    """A site admin at the installation's console, one call at a time."""

    def __init__(self, calls: IO[str], answers: IO[str]) -> None:
        self._calls, self._answers = calls, answers
        self._lock = threading.Lock()

    def do(self, call: str, **arguments: Any) -> Any:
        with self._lock:
            self._calls.write(json.dumps({"call": call, "arguments": arguments}) + "\n")
            self._calls.flush()
            answer = self._answers.readline()
        assert answer, f"the console ended at {call}"
        told = json.loads(answer)
        assert "error" not in told, told["error"]
        return told["result"]


@dataclass
class Shop:
    """A running installation, the provider's stand-in, and direct sight of the database."""

    running: Running
    provider: StripeServer
    team: Team
    database: "psycopg.Connection[tuple[Any, ...]]"
    pages: httpx2.Client
    database_url: str
    _owners: list[Owner] = field(default_factory=list)
    _reconnecting: threading.Lock = field(default_factory=threading.Lock)

    @property
    def base_url(self) -> str:
        return self.running.base_url

    def sql(self, query: LiteralString, *values: Any) -> list[tuple[Any, ...]]:
        try:
            cursor = self.database.execute(query, values)
        except psycopg.OperationalError:
            with self._reconnecting:
                if self.database.broken:
                    self.database = psycopg.connect(self.database_url, autocommit=True)
            cursor = self.database.execute(query, values)
        return cursor.fetchall() if cursor.description else []

    def one(self, query: LiteralString, *values: Any) -> Any:
        [[value]] = self.sql(query, *values)
        return value

    def counts(self, queries: dict[str, LiteralString]) -> dict[str, int]:
        """The number that each query finds, by its name."""
        return {name: int(self.one(query) or 0) for name, query in queries.items()}

    def owner(self, name: str, *, listings: int = 1, live: bool = False) -> Owner:
        """A new owner; names must differ."""
        made = self.team.do("make_owner", name=name, listings=listings, live=live)
        rest = httpx2.Client(
            base_url=self.running.up["api_url"] + "/",
            headers={"Authorization": f"Bearer {made['key']}"},
            timeout=PATIENCE_SECONDS,
            limits=httpx2.Limits(max_connections=200),
        )
        self._owners.append(Owner(made["account_id"], made["listing_ids"], made["key"], rest))
        return self._owners[-1]

    def update_total(self, order: Placed, **changes: Any) -> httpx2.Response:
        return self.pages.post(order.checkout_url, data={**BILLING, **self._promo(order), **changes})

    def press_pay(self, order: Placed, *, method: str = "stripe", **changes: Any) -> httpx2.Response:
        """Post the page's form as its Pay button does, with the total that it shows now."""
        accepted = {"terms": "on", "terms_version": self._terms(order)}
        form = {**BILLING, **self._promo(order), **accepted, "method": method, "total_cents": self.total(order)}
        return self.pages.post(f"{order.checkout_url}/pay", data={**form, **changes})

    def start_paying(self, order: Placed, **changes: Any) -> str:
        """Fill in the checkout page and press Pay; returns the provider's session."""
        assert self.update_total(order, **changes).status_code == 302
        answer = self.press_pay(order, **changes)
        assert answer.status_code == 302, answer.text
        return self.session(order)

    def pay(self, order: Placed, **changes: Any) -> str:
        """Pay at the provider, which sends its message; returns the session."""
        session = self.start_paying(order, **changes)
        self.provider.pay(session)
        self.tell_until_heard(session)
        return session

    def tell(self, session: str, kind: str = "checkout.session.completed") -> int:
        """Have the provider send a message about a session; returns the answer's status."""
        return self.provider.deliver(*self.provider.event_for(session, kind))

    def tell_until_heard(self, session: str) -> None:
        """Have the provider send messages until one is taken: a busy process refuses them for a moment."""
        wait_for(lambda: self.tell(session) == 204)

    def session(self, order: Placed) -> str:
        """The provider's name of the order's latest payment."""
        return str(self.payments(order, "reference")[-1])

    def sessions(self, order: Placed) -> list[dict[str, Any]]:
        """The provider's record of the order's sessions, oldest first."""
        result = list(self.provider.sessions.values())
        return [session for session in result if session["client_reference_id"].startswith(f"{order.number}:")]

    @contextmanager
    def transaction(self) -> Iterator["psycopg.Connection[tuple[Any, ...]]"]:
        """A transaction of somebody else, rolled back in the end."""
        with psycopg.connect(self.database_url) as other:
            yield other
            other.rollback()

    def calm(self) -> None:
        """Let the provider behave."""
        self.provider.delay_seconds, self.provider.drop_answers, self.provider.fail_with = 0.0, 0, (500, 0)
        self.provider.concerns = every_request

    def payments(self, order: Placed, column: str = "status") -> list[Any]:
        rows = self.sql(
            "SELECT to_jsonb(p) FROM orders_payment p JOIN orders_order o ON o.id = p.order_id"
            " WHERE o.number = %s ORDER BY p.attempt",
            order.number,
        )
        return [row[column] for [row] in rows]

    def refunds(self, order: Placed) -> list[dict[str, Any]]:
        """Rows of the order's refunds, oldest first."""
        rows = self.sql(
            "SELECT to_jsonb(r) FROM orders_refund r JOIN orders_payment p ON p.id = r.payment_id"
            " JOIN orders_order o ON o.id = p.order_id WHERE o.number = %s ORDER BY r.id",
            order.number,
        )
        return [row for [row] in rows]

    def provider_refunds(self, order: Placed) -> list[dict[str, Any]]:
        """The provider's record of what it sent back of the order's sessions."""
        paid = {session["payment_intent"] for session in self.sessions(order)} - {None}
        return [row for row in list(self.provider.refunds.values()) if row["payment_intent"] in paid]

    def returned(self, order: Placed) -> dict[str, int]:
        """What the provider sent back of each session of the order, in cents."""
        refunds = self.provider_refunds(order)
        return {
            session["id"]: sum(row["amount"] for row in refunds if row["payment_intent"] == session["payment_intent"])
            for session in self.sessions(order)
        }

    def date_payments(self, order: Placed, *, seconds: int) -> None:
        """Let the order's payments have begun so many seconds from now: recovery looks at those older than 20."""
        self.sql(
            "UPDATE orders_payment SET created_at = now() + make_interval(secs => %s)"
            " WHERE order_id = (SELECT id FROM orders_order WHERE number = %s)",
            seconds,
            order.number,
        )

    def two_sessions(self, order: Placed) -> list[str]:
        """Two sessions of one order that can both be paid: one was given up here, but the person was paying it."""
        first = self.start_paying(order)
        second = self.start_paying(order)
        # The provider's clock is its own: the person's payment went through there before the request to close it.
        self.provider.sessions[first]["status"] = "open"
        return [first, second]

    def lines(self, order: Placed, column: str = "status") -> list[Any]:
        rows = self.sql(
            "SELECT to_jsonb(l) FROM orders_orderline l JOIN orders_order o ON o.id = l.order_id"
            " WHERE o.number = %s ORDER BY l.position",
            order.number,
        )
        return [row[column] for [row] in rows]

    def state(self, order: Placed, column: str = "status") -> Any:
        return self.one("SELECT to_jsonb(o) FROM orders_order o WHERE number = %s", order.number)[column]

    def wait_for_lines(self, order: Placed, *statuses: str) -> None:
        wait_for(lambda: self.lines(order) == list(statuses))

    def wait_for_state(self, order: Placed, status: str) -> None:
        wait_for(lambda: bool(self.state(order) == status))

    def _terms(self, order: Placed) -> int:
        """The version of the terms that the checkout page names."""
        return int(
            self.one(
                "SELECT t.id FROM orders_termsofsale t JOIN orders_order o ON o.site_id = t.site_id WHERE o.number = %s"
                " ORDER BY t.published_at DESC, t.id DESC LIMIT 1",
                order.number,
            )
        )

    def total(self, order: Placed) -> int:
        return int(self.state(order, "total_cents"))

    def placements(self, order: Placed) -> int:
        return int(
            self.one(
                "SELECT count(*) FROM orders_placement p JOIN orders_orderline l ON l.id = p.line_id"
                " JOIN orders_order o ON o.id = l.order_id WHERE o.number = %s",
                order.number,
            )
        )

    def _promo(self, order: Placed) -> dict[str, str]:
        return {"promo_code": self.state(order, "promo_code")}

    def close(self) -> None:
        for owner in self._owners:
            owner.rest.close()


@contextmanager
def open_shop(data_dir: Path) -> Iterator[Shop]:
    """Start an installation with two web processes that takes money through the stand-in, and stop it all."""
    where = addresses(data_dir)
    command = (sys.executable, "manage.py", "up", "--workers", "2")
    with (
        taking_money() as (provider, settings),
        running(data_dir, private_hosts=[], command=command, settings=settings) as started,
        shop_of(started, provider, data_dir=data_dir, where=where, **settings) as shop,
    ):
        yield shop


@contextmanager
def taking_money() -> Iterator[tuple[StripeServer, dict[str, str]]]:
    """A provider's stand-in, and the settings of an installation that sells through it."""
    with stripe_server.run(secret=WEBHOOK_SECRET, account_key=ACCOUNT_KEY) as provider:
        yield (
            provider,
            {
                **UNLIMITED,
                "STRIPE_SECRET_KEY": ACCOUNT_KEY,
                "STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
                "STRIPE_API_URL": provider.url,
                "STRIPE_PAGE_ORIGIN": provider.url,
            },
        )


@contextmanager
def shop_of(
    started: Running,
    provider: StripeServer,
    *,
    data_dir: Path,
    where: EngineAddresses,
    cwd: Path | str = PROJECT,
    **settings: str,
) -> Iterator[Shop]:
    """What is needed to sell with a running installation whose engines are at these addresses.

    `cwd` is the checkout that runs, and `settings` are those of the installation that its console has to share.
    """
    provider.webhook_url = f"{started.base_url}/webhooks/stripe"
    with (
        console_of(started, data_dir=data_dir, where=where, cwd=cwd, **settings) as team,
        httpx2.Client(timeout=PATIENCE_SECONDS, limits=httpx2.Limits(max_connections=200)) as pages,
    ):
        database = psycopg.connect(where.database_url, autocommit=True)
        shop = Shop(started, provider, team, database, pages, where.database_url)
        shop.team.do("make_room", paid_places=ENOUGH_LAUNCHES)
        try:
            yield shop
        finally:
            shop.database.close()
            shop.close()


@contextmanager
def console_of(
    started: Running,
    *,
    data_dir: Path,
    where: EngineAddresses,
    calls: str = "tests.faults.team",
    cwd: Path | str = PROJECT,
    **settings: str,
) -> Iterator[Team]:
    """A console of the installation that runs the calls of a module."""
    env = {
        **bare_environment(),
        "DATABASE_URL": where.database_url,
        "REDIS_URL": where.redis_url,
        "SLIPWAY_DATA_DIR": str(data_dir.resolve()),
        "SLIPWAY_LOCAL": "1",
        "PUBLIC_BASE_URL": started.base_url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        **settings,
    }
    command = [sys.executable, "-m", "tests.faults.console", calls]
    with talking(command, env=env, cwd=cwd) as (_, questions, answers):
        yield Team(questions, answers)


def week(ahead: int) -> str:
    """The ISO week so many weeks from now."""
    return str(Week.of(datetime.now(UTC)) + ahead)
