"""What database and provider say after everything has come to rest, as counts of what went well and of what did not."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

from tests.faults.shop import Shop
from tests.faults.traffic import Journal

_ACCOUNTS: LiteralString = "CREATE TEMP TABLE IF NOT EXISTS counted_accounts (id bigint)"
_VIEWS: tuple[LiteralString, ...] = (
    """CREATE OR REPLACE TEMP VIEW counted_orders AS
    SELECT o.*,
        (SELECT count(*) FROM orders_invoice i WHERE i.order_id = o.id AND i.kind = 'invoice') AS invoices,
        (SELECT count(*) FROM orders_promouse u WHERE u.order_id = o.id AND u.state = 'consumed') AS consumed
    FROM orders_order o WHERE o.account_id IN (SELECT id FROM counted_accounts)""",
    """CREATE OR REPLACE TEMP VIEW counted_lines AS
    SELECT l.*, o.status AS order_status,
        coalesce(jsonb_array_length(l.options->'weeks'), 0) AS weeks,
        (SELECT count(*) FROM orders_placement w WHERE w.line_id = l.id) AS placed,
        (SELECT count(*) FROM launches_standing s WHERE s.listing_id = l.listing_id) AS launches,
        coalesce(g.status = 'live' AND g.plan = 'paid', false) AS is_live,
        coalesce(cardinality(array_positions(g.unlocked_sections, 'gallery')), 0) AS galleries
    FROM orders_orderline l JOIN counted_orders o ON o.id = l.order_id
    LEFT JOIN listings_listing g ON g.id = l.listing_id""",
    """CREATE OR REPLACE TEMP VIEW counted_payments AS
    SELECT p.*, o.total_cents, o.status AS order_status
    FROM orders_payment p JOIN counted_orders o ON o.id = p.order_id""",
    """CREATE OR REPLACE TEMP VIEW counted_refunds AS
    SELECT r.*, p.status AS payment_status,
        (SELECT count(*) FROM orders_invoice i WHERE i.refund_id = r.id) AS credit_notes
    FROM orders_refund r JOIN counted_payments p ON p.id = r.payment_id""",
    """CREATE OR REPLACE TEMP VIEW counted_states AS
    SELECT 'order' AS kind, number AS id, status FROM counted_orders
    UNION ALL SELECT 'order_line', id::text, status FROM counted_lines WHERE status <> 'pending'
    UNION ALL SELECT 'payment', id::text, status FROM counted_payments
    UNION ALL SELECT 'refund', id::text, status FROM counted_refunds""",
    """CREATE OR REPLACE TEMP VIEW counted_moves AS
    SELECT object_type AS kind, object_id AS id, split_part(type, '.', 2) AS status,
        data->>'previous_status' AS previous,
        lag(split_part(type, '.', 2)) OVER steps AS before, lead(seq) OVER steps IS NULL AS is_last
    FROM events_event
    WHERE account_id IN (SELECT id FROM counted_accounts) AND data ? 'previous_status'
        AND object_type IN ('order', 'order_line', 'payment', 'refund')
    WINDOW steps AS (PARTITION BY object_type, object_id ORDER BY seq)""",
)
_OUTCOME: dict[str, LiteralString] = {
    "lines fulfilled": "SELECT count(*) FROM counted_lines WHERE status = 'fulfilled'",
    "lines failed": "SELECT count(*) FROM counted_lines WHERE status = 'failed'",
    "launches": "SELECT count(*) FROM counted_lines WHERE status = 'fulfilled' AND product = 'launch'",
    "sections opened": "SELECT count(*) FROM counted_lines WHERE status = 'fulfilled' AND product = 'section_gallery'",
    "weeks placed": "SELECT sum(placed) FROM counted_lines",
    "invoices": "SELECT sum(invoices) FROM counted_orders",
    "credit notes": "SELECT sum(credit_notes) FROM counted_refunds",
    "uses of the code": "SELECT sum(consumed) FROM counted_orders",
    "events of moves": "SELECT count(*) FROM counted_moves",
}
_WAITING: dict[str, LiteralString] = {
    "payments without an answer": "SELECT count(*) FROM counted_payments WHERE status = 'starting'",
    "paid and unfulfilled": """SELECT count(*) FROM counted_lines
        WHERE status = 'pending' AND order_status IN ('paid', 'partially_refunded')""",
    "refunds not made": "SELECT count(*) FROM counted_refunds WHERE status <> 'done'",
}
_FAULTS: dict[str, LiteralString] = {
    **_WAITING,
    "lines placed too often or too seldom": """SELECT count(*) FROM counted_lines
        WHERE placed <> CASE WHEN status = 'fulfilled' THEN weeks ELSE 0 END""",
    "launches not live once": """SELECT count(*) FROM counted_lines
        WHERE product = 'launch' AND status = 'fulfilled' AND NOT (launches = 1 AND is_live)""",
    "launches without payment": """SELECT count(*) FROM counted_lines
        WHERE product = 'launch' AND status <> 'fulfilled' AND is_live""",
    "sections not opened once": """SELECT count(*) FROM counted_lines
        WHERE product = 'section_gallery' AND galleries <> CASE WHEN status = 'fulfilled' THEN 1 ELSE 0 END""",
    "unpaid orders with delivered lines": """SELECT count(*) FROM counted_lines
        WHERE status = 'fulfilled' AND order_status NOT IN ('paid', 'partially_refunded', 'refunded')""",
    "orders that wait for a person": "SELECT count(*) FROM counted_orders WHERE needs_review",
    "series of numbers with a gap": """SELECT count(*) FROM orders_invoiceseries s WHERE last_number <>
        ANY (SELECT unnest(ARRAY[count(*), count(DISTINCT sequence), coalesce(max(sequence), 0)])
            FROM orders_invoice i WHERE i.series_id = s.id)""",
    "paid orders without exactly one invoice": """SELECT count(*) FROM counted_orders
        WHERE invoices <> CASE WHEN paid_at IS NULL THEN 0 ELSE 1 END""",
    "refunds without their credit note": """SELECT count(*) FROM counted_refunds
        WHERE credit_notes <> CASE WHEN payment_status = 'paid' AND status = 'done' THEN 1 ELSE 0 END""",
    "codes that count other than their uses": """SELECT count(*) FROM orders_promocode c WHERE used <>
        (SELECT count(*) FROM orders_promouse u WHERE u.promo_id = c.id AND u.state <> 'released')""",
    "orders whose code was not used rightly": """SELECT count(*) FROM counted_orders
        WHERE consumed <> CASE WHEN promo_id IS NOT NULL AND paid_at IS NOT NULL THEN 1 ELSE 0 END""",
    "states of which no event tells": """SELECT count(*) FROM counted_states s
        LEFT JOIN counted_moves m ON m.kind = s.kind AND m.id = s.id AND m.is_last
        WHERE m.status IS DISTINCT FROM s.status""",
    # Nothing tells of a new line.
    "events that do not follow the one before": """SELECT count(*) FROM counted_moves
        WHERE previous IS DISTINCT FROM
            CASE WHEN before IS NULL AND kind = 'order_line' THEN 'pending' ELSE before END""",
    "accounts with a gap between their events": """SELECT count(*) FROM (
        SELECT FROM events_event WHERE account_id IN (SELECT id FROM counted_accounts)
        GROUP BY account_id HAVING count(*) <> ANY (ARRAY[count(seq), max(seq)])) gaps""",
}
_HAS_MONEY = {"paid", "partially_refunded", "refunded"}


class Truth:
    """The orders of some accounts, in the database and at the provider."""

    def __init__(self, shop: Shop, accounts: Sequence[int]) -> None:
        self._shop = shop
        shop.sql(_ACCOUNTS)
        shop.sql("TRUNCATE counted_accounts")
        shop.sql("INSERT INTO counted_accounts SELECT unnest(%s::bigint[])", list(accounts))
        for view in _VIEWS:
            shop.sql(view)

    def is_settled(self) -> bool:
        """Whether nothing is left to do but to wait for people."""
        # In the order in which one becomes the other, or what moves on meanwhile is in neither.
        return not any([self._overlooked(), *self._shop.counts(_WAITING).values()])

    def count_events(self) -> int:
        query = "SELECT count(*) FROM events_event WHERE account_id IN (SELECT id FROM counted_accounts)"
        return int(self._shop.one(query))

    def outcome(self, journal: Journal) -> dict[str, int]:
        """How much of everything there is."""
        states = self._shop.sql("SELECT status, count(*) FROM counted_orders GROUP BY status ORDER BY status")
        return {
            "orders that were answered 201": len(journal.placed),
            **{f"orders {status}": count for status, count in states},
            **self._shop.counts(_OUTCOME),
            "sessions at the provider": len(self._sessions()),
            "sessions paid at the provider": len(self._paid()),
            "refunds at the provider": len(self._refunds()),
        }

    def faults(self, journal: Journal) -> dict[str, int]:
        """How often each thing went wrong; all of them should be 0."""
        numbers = {number for [number] in self._shop.sql("SELECT number FROM counted_orders")}
        return {
            "orders lost": len(set(journal.placed) - numbers),
            "orders built twice for one key": len(numbers) - len(journal.placed),
            "retries that were answered otherwise": len(journal.differing),
            "paid sessions not taken over": self._overlooked(),
            **self._shop.counts(_FAULTS),
            **self._money(),
        }

    def _money(self) -> dict[str, int]:
        """Every paid session has to be an order's money, or all of it sent back; nothing may be sent back twice."""
        rows = self._shop.sql("SELECT reference, status, amount_cents, total_cents, order_status FROM counted_payments")
        payments = {row[0]: row[1:] for row in rows}
        returned: Counter[str] = Counter()
        for refund in self._refunds():
            returned[refund["payment_intent"]] += refund["amount"]
        wrong: Counter[str] = Counter()
        for name, session in self._paid().items():
            status, amount, total, order = payments.get(name, ("unknown", 0, 0, ""))
            got, back = session["amount_total"], returned[session["payment_intent"]]
            wrong["paid sessions of no paid or refunded order"] += status not in {"paid", "surplus"}
            wrong["surplus money kept"] += status == "surplus" and back != got
            wrong["orders paid with another total"] += status == "paid" and not got == amount == total
            wrong["orders paid but not said so"] += status == "paid" and order not in _HAS_MONEY
            wrong["more sent back than was paid"] += back > got
        wrong["refunds made twice"] = _repeated(row["metadata"].get("refund") for row in self._refunds())
        wrong["attempts with two sessions"] = _repeated(row["client_reference_id"] for row in self._sessions().values())
        return dict(wrong)

    def _overlooked(self) -> int:
        """Paid sessions whose payments are still open here."""
        waiting = self._shop.sql("SELECT reference FROM counted_payments WHERE status = 'open'")
        return len({name for [name] in waiting} & set(self._paid()))

    def _sessions(self) -> dict[str, dict[str, Any]]:
        numbers = {number for [number] in self._shop.sql("SELECT number FROM counted_orders")}
        result = list(self._shop.provider.sessions.items())
        return {name: row for name, row in result if row["client_reference_id"].partition(":")[0] in numbers}

    def _paid(self) -> dict[str, dict[str, Any]]:
        return {name: row for name, row in self._sessions().items() if row["payment_status"] == "paid"}

    def _refunds(self) -> list[dict[str, Any]]:
        paid = {row["payment_intent"] for row in self._paid().values()}
        return [row for row in list(self._shop.provider.refunds.values()) if row["payment_intent"] in paid]


def _repeated(names: Iterable[Any]) -> int:
    return sum(count - 1 for count in Counter(names).values())
