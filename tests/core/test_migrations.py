"""An empty database, migrated, has exactly the tables that the models describe."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

pytestmark = pytest.mark.db

COLUMNS = """
    SELECT table_name, column_name, udt_name, is_nullable, character_maximum_length, column_default, is_identity
    FROM information_schema.columns WHERE table_schema = %s
"""
# Type t is a constraint trigger: migrations write triggers in SQL, and models do not describe them.
CONSTRAINTS = """
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = %s::regnamespace AND contype <> 't'
"""
INDEXES = "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = %s"
OURS = {model._meta.db_table for model in apps.get_models(include_auto_created=True) if model.__module__[:5] == "apps."}


@pytest.fixture
def created(transactional_db: None) -> Iterator[str]:
    """A schema whose tables were created from the models, without migrations."""
    models = [model for model in apps.get_models() if model._meta.db_table in OURS]
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA created")
        cursor.execute("SET search_path TO created, public")
    try:
        with connection.schema_editor() as editor:
            for model in models:
                editor.create_model(model)
        yield "created"
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET search_path")
            cursor.execute("DROP SCHEMA created CASCADE")


def described(question: str, schema: str) -> set[tuple[Any, ...]]:
    """The rows about our tables, without the name of the schema they are in."""
    with connection.cursor() as cursor:
        cursor.execute(question, [schema])
        rows = [
            tuple(value.replace(f"{schema}.", "") if isinstance(value, str) else value for value in row)
            for row in cursor.fetchall()
        ]
    return {row for row in rows if row[0].strip('"') in OURS}


@pytest.mark.parametrize("question", [COLUMNS, CONSTRAINTS, INDEXES], ids=["columns", "constraints", "indexes"])
def test_migrations_make_what_the_models_describe(created: str, question: str) -> None:
    migrated, wanted = described(question, "public"), described(question, created)
    assert migrated - wanted == set()
    assert wanted - migrated == set()
    assert {row[0] for row in migrated} == OURS
