from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from openapi_spec_validator import OpenAPIV31SpecValidator

from apps.core import generated, schema


def test_the_document_is_valid_openapi_3_1() -> None:
    document = schema.document()
    assert document["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(document).validate()


def test_every_operation_describes_itself() -> None:
    for path, methods in schema.document()["paths"].items():
        for method, spec in methods.items():
            where = f"{method} {path}"
            assert len(spec["description"]) > 20, where
            assert {"401", "429", "500"} <= spec["responses"].keys(), where


def test_it_is_served(db: None) -> None:
    response = Client().get("/api/v1/openapi.json")
    assert response.json() == schema.document()


def test_the_generated_docs_are_true() -> None:
    call_command("write_docs", "--check")


def test_a_stale_page_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    docs = Path(settings.BASE_DIR) / "docs"
    monkeypatch.setattr(generated, "STATES", docs / "openapi.yaml")
    with pytest.raises(CommandError, match="write_docs"):
        call_command("write_docs", "--check")
