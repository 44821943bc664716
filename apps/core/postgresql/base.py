"""Django's PostgreSQL backend with a health check that needs no round trip."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        """Check whether a connection still works before a request uses it.

        A server that closed an idle connection has sent something, if only its end: only then is it asked.
        """
        if self.connection is None or self.connection.closed:
            return False
        waiting = select.poll()
        waiting.register(self.connection.fileno(), select.POLLIN)
        return not waiting.poll(0) or bool(super().is_usable())
