"""Choose the server a request reads from: the primary, or a replica that has every acknowledged write.

Each change records the primary's position in Valkey before the client gets a response. A request may read from the
replica once it has replayed that position. So every client reads at least what any response confirmed, and nothing
older than an invalidation gets into a cache.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from redis import RedisError

from apps.core.stores.valkey.circuit_breaker import CircuitBreaker
from apps.core.stores.valkey.counters import script, valkey

REPLICA = "replica"
_KEY = "replica:needed"
_RAISE = """
if tonumber(ARGV[1]) >= tonumber(redis.call('GET', KEYS[1]) or 0) then
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
end
"""
# A server restored from a dump counts from the beginning, so its predecessor's position expires after this time.
_LIFETIME_SECONDS = 3600
_WRITTEN = "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint"
# A promoted replica has everything there is.
_REPLAYED = """
SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint >= %s ELSE true END
"""

_DATABASE_ERRORS = (DatabaseError, InterfaceError)
_LOG_AS = ("the replica is not read", "the replica is read again")
_positions = CircuitBreaker(log_as=_LOG_AS)
_replica = CircuitBreaker(log_as=_LOG_AS, server="it", errors=_DATABASE_ERRORS)


@dataclass(slots=True)
class Reading:
    """How a request reads. `alias` is chosen with its first query."""

    may_use_replica: bool
    alias: str = ""
    has_written: bool = False

    @property
    def other_alias(self) -> str:
        """Return where to retry a failed read. Empty for a read that had no choice."""
        if not self.alias or self.has_written:
            return ""
        return DEFAULT_DB_ALIAS if self.alias == REPLICA else REPLICA


_current: ContextVar[Reading | None] = ContextVar("reading", default=None)


def is_configured() -> bool:
    """Return whether there is a replica."""
    return bool(settings.DATABASE_REPLICA_URL)


@contextmanager
def begin_reading(*, may_use_replica: bool, alias: str = "") -> Iterator[Reading]:
    """Have the queries inside read from `alias`, or else from the replica if that is allowed and it has caught up."""
    reading = Reading(may_use_replica, alias)
    token = _current.set(reading)
    try:
        yield reading
    finally:
        _current.reset(token)


def read_alias() -> str:
    """Return the database to read from now. Inside a transaction and after a write it is the primary."""
    reading = _current.get()
    if reading is None or not reading.may_use_replica or connection.in_atomic_block:
        return DEFAULT_DB_ALIAS
    if not reading.alias:
        reading.alias = REPLICA if _has_caught_up() else DEFAULT_DB_ALIAS
    return reading.alias


def read_connection() -> BaseDatabaseWrapper:
    """Return the connection for public reads in SQL. Querysets find theirs through the router."""
    return connections[read_alias()]


def write_alias() -> str:
    """Return the primary, and let the request read from it from now on."""
    if reading := _current.get():
        reading.has_written, reading.may_use_replica = True, False
    return DEFAULT_DB_ALIAS


def note_write() -> None:
    """Keep readers off the replica until it has what was committed so far. Does nothing without a replica.

    Call it after a commit and before anybody can learn of it. It ignores outages: while Valkey is down nobody reads
    from the replica, and a primary that is down sends it nothing more.
    """
    if not is_configured():
        return
    with suppress(RedisError, *_DATABASE_ERRORS):
        with connection.cursor() as cursor:
            cursor.execute(_WRITTEN)
            [position] = cursor.fetchone()
        script(_RAISE)(keys=[_KEY], args=[position, _LIFETIME_SECONDS])


def _has_caught_up() -> bool:
    needed = _positions.call(lambda: valkey().get(_KEY))
    # Without a recorded position, such as after a restart of Valkey, nobody knows.
    return needed is not None and bool(_replica.call(lambda: _has_replayed(int(needed))))


def _has_replayed(position: int) -> bool:
    with connections[REPLICA].cursor() as cursor:
        cursor.execute(_REPLAYED, [position])
        [has_replayed] = cursor.fetchone()
    return bool(has_replayed)
