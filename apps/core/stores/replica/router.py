"""Database router for DATABASE_REPLICA_URL."""

from typing import Any

from django.db.models import Model

from apps.core.stores.replica.reading import REPLICA, read_alias, write_alias


class ReplicaRouter:
    """Sends reads to the database the request may read from, and everything else to the primary."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        """Never the instance's own database, which may have been the replica before a write."""
        return read_alias()

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        return write_alias()

    def allow_relation(self, one: Model, other: Model, **hints: Any) -> bool:
        """Both databases hold the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        return False if db == REPLICA else None
