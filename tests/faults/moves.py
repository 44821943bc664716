"""Every change of a status as triggers of the database see it, beside the events that the service records."""

from typing import LiteralString

from tests.faults.shop import Shop

_TABLES: dict[LiteralString, LiteralString] = {
    "draft": "drafts_draft",
    "listing": "listings_listing",
    "order": "orders_order",
    "order_line": "orders_orderline",
    "payment": "orders_payment",
    "refund": "orders_refund",
}
_SEEN: LiteralString = """
CREATE TABLE seen_move (kind text, id text, before text, after text);
CREATE FUNCTION see_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO seen_move VALUES (
        TG_ARGV[0], coalesce(to_jsonb(NEW)->>'number', NEW.id::text),
        CASE TG_OP WHEN 'UPDATE' THEN to_jsonb(OLD)->>'status' END, NEW.status
    );
    RETURN NULL;
END $$;
"""
_CHANGES: LiteralString = """
CREATE TRIGGER see_change AFTER UPDATE OF status ON {table} FOR EACH ROW
WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION see_move('{kind}');
"""
# A new line is no event: its order tells of it.
_STARTS: LiteralString = """
CREATE TRIGGER see_start AFTER INSERT ON {table} FOR EACH ROW
WHEN ('{kind}' <> 'order_line') EXECUTE FUNCTION see_move('{kind}');
"""
_TOLD: LiteralString = """
SELECT object_type, object_id, data->>'previous_status', split_part(type, '.', 2) FROM events_event
WHERE id > %s AND data ? 'previous_status' AND object_type IN (SELECT DISTINCT kind FROM seen_move)
"""
_LACKING: LiteralString = "SELECT count(*) FROM ({one} EXCEPT ALL {other}) AS lacking"
_ALL_SEEN: LiteralString = "SELECT kind, id, before, after FROM seen_move"


class Moves:
    """Everything that changes its status from now on."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        with shop.database.transaction():
            shop.database.execute(_SEEN)
            for kind, table in _TABLES.items():
                shop.database.execute((_CHANGES + _STARTS).format(kind=kind, table=table))
            # Creating a trigger waited for the transactions before.
            self._after = shop.one("SELECT coalesce(max(id), 0) FROM events_event")

    def count(self) -> int:
        return int(self._shop.one("SELECT count(*) FROM seen_move"))

    def compare(self) -> dict[str, int]:
        """How many changes have no event, and how many events no change."""
        return {
            "transitions without an event": self._shop.one(_LACKING.format(one=_ALL_SEEN, other=_TOLD), self._after),
            "events without a transition": self._shop.one(_LACKING.format(one=_TOLD, other=_ALL_SEEN), self._after),
        }
