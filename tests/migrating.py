"""Tables as they were before a migration, and back to what they are now."""

from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def migrate(targets: list[tuple[str, str]]) -> Any:
    """Bring the tables to these migrations; returns the registry of the models as they are then."""
    return MigrationExecutor(connection).migrate(targets).apps


def to_now() -> None:
    """Apply everything: whatever a test went back from, the next one meets the tables of today."""
    migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())
