"""Recognize errors that mean PostgreSQL or Valkey can't serve now."""

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
from redis import RedisError

# How long clients should wait to retry: a server that is down, and work blocked by other work.
OUTAGE_SECONDS = 60
BUSY_SECONDS = 5
# SQLSTATE prefixes (appendix A of PostgreSQL's manual): connections, resources such as disk and memory, shutdown and
# start, files, a read-only server, and one that ended an idle transaction.
_OUT = ("08", "53", "57P", "58", "25006", "25P03")
# Serialization failure, deadlock, lock timeout, statement timeout.
_BUSY = ("40001", "40P01", "55P03", "57014")


@dataclass(frozen=True, slots=True)
class Outage:
    """A server that can't serve now, and how long to wait before trying again."""

    server: str
    retry_after: int

    @property
    def detail(self) -> str:
        """The error text for API clients."""
        wait = "a minute" if self.retry_after == OUTAGE_SECONDS else f"{self.retry_after} seconds"
        return f"Part of this service isn't responding right now. Try again in {wait}."


def outage_behind(error: BaseException) -> Outage | None:
    """Return the outage that caused an error, searching its causes too. None for any other error."""
    for cause in _causes(error):
        if isinstance(cause, RedisError):
            return Outage("Valkey", OUTAGE_SECONDS)
        if isinstance(cause, psycopg.Error) and (wait := _database_wait(cause)):
            return Outage("PostgreSQL", wait)
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        yield current
        seen.add(id(current))
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)


def _database_wait(error: psycopg.Error) -> int | None:
    if error.sqlstate is None:
        # Not a response from the server: it could not be reached, or the connection broke.
        return OUTAGE_SECONDS if isinstance(error, psycopg.OperationalError) else None
    if error.sqlstate.startswith(_OUT):
        return OUTAGE_SECONDS
    return BUSY_SECONDS if error.sqlstate.startswith(_BUSY) else None
