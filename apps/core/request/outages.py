"""Which errors mean that PostgreSQL or Valkey cannot serve now."""

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
from redis import RedisError

# For so long a client need not try again: a server that is away, and work that stood in the way of other work.
OUTAGE_SECONDS = 60
BUSY_SECONDS = 5
# SQLSTATEs by their beginning (appendix A of PostgreSQL's manual): connections, resources such as disk and memory,
# shutdown and start, files, a server that only reads, and one that ended an idle transaction.
_OUT = ("08", "53", "57P", "58", "25006", "25P03")
# Serialization failure, deadlock, lock timeout, statement timeout.
_BUSY = ("40001", "40P01", "55P03", "57014")


@dataclass(frozen=True, slots=True)
class Outage:
    """A server that cannot serve now, and how long to wait before trying again."""

    server: str
    retry_after: int

    @property
    def detail(self) -> str:
        """The error text for API clients."""
        wait = "a minute" if self.retry_after == OUTAGE_SECONDS else f"{self.retry_after} seconds"
        return f"Part of this service isn't responding right now. Try again in {wait}."


def outage_behind(error: BaseException) -> Outage | None:
    """The outage that made an error happen, looked for in its causes too; None for any other error."""
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
        # No answer of the server's: it could not be reached, or the connection broke.
        return OUTAGE_SECONDS if isinstance(error, psycopg.OperationalError) else None
    if error.sqlstate.startswith(_OUT):
        return OUTAGE_SECONDS
    return BUSY_SECONDS if error.sqlstate.startswith(_BUSY) else None
