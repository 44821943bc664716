"""Django's PostgreSQL backend with a cheap health check, prepared statements and a count of queries."""

import select
from collections.abc import Callable
from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper

# Runs of a statement on one connection before PostgreSQL is asked to keep it.
_PREPARE_AFTER = 5


class DatabaseWrapper(base.DatabaseWrapper):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queries_run = 0
        self.execute_wrappers.append(self._count_query)

    def _count_query(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        self.queries_run += 1
        return execute(sql, params, many, context)

    def get_connection_params(self) -> dict[str, Any]:
        # Cursors other than prepared_cursor's bind values in the client and prepare nothing.
        return {**super().get_connection_params(), "prepare_threshold": _PREPARE_AFTER}

    def is_usable(self) -> bool:
        """Check whether a connection still works before a request uses it.

        A server that closed an idle connection has sent at least its end, so only a connection with unread data is
        queried.
        """
        if self.connection is None or self.connection.closed:
            return False
        waiting = select.poll()
        waiting.register(self.connection.fileno(), select.POLLIN)
        return not waiting.poll(0) or bool(super().is_usable())

    def prepared_cursor(self) -> CursorWrapper:
        """Return a cursor whose statements are parsed and planned once on a connection, not in every run."""
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:
            # The stubs know neither of the two.
            result: CursorWrapper = self._prepare_cursor(  # type: ignore[attr-defined]
                base.ServerBindingCursor(self.connection)  # type: ignore[call-arg]
            )
        return result
