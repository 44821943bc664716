from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from jsonschema import Draft202012Validator, ValidationError
from openapi_spec_validator import OpenAPIV31SpecValidator
from openapi_spec_validator.schemas import openapi_v31_schema_validator

from apps.core.api import schema
from apps.core.api.operation import EXTENSION
from apps.core.management.commands import write_docs


class SpecValidator(OpenAPIV31SpecValidator):
    """Finds the specification's anchors once, which otherwise takes most of a validation."""

    _resolver = openapi_v31_schema_validator._resolver
    schema_validator = openapi_v31_schema_validator.evolve(
        _resolver=_resolver._registry.crawl().resolver(_resolver._base_uri)
    )


@pytest.mark.slow
def test_the_document_is_valid_openapi_3_1() -> None:
    document = schema.document()
    assert document["openapi"].startswith("3.1")
    SpecValidator(document).validate()


@pytest.mark.parametrize(
    "part",
    [{"paths": {"/": {"get": 1}}}, {"components": {"schemas": {"One": {"type": "nothing"}}}}],
    ids=["a path", "a schema"],
)
def test_a_document_that_is_not_valid_is_refused(part: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SpecValidator({"openapi": "3.1.0", "info": {"title": "One", "version": "1"}, **part}).validate()


def test_every_operation_describes_itself() -> None:
    for path, methods in schema.document()["paths"].items():
        for method, spec in methods.items():
            where = f"{method} {path}"
            assert len(spec["description"]) > 20, where
            assert {"401", "429", "500"} <= spec["responses"].keys(), where


def test_credentials_are_bearer_tokens_with_one_of_the_scopes() -> None:
    document = schema.document()
    declared = document["components"]["securitySchemes"]
    assert [(name, scheme["type"], scheme["scheme"]) for name, scheme in declared.items()] == [
        ("bearer", "http", "bearer")
    ]
    for path, methods in document["paths"].items():
        for method, spec in methods.items():
            scopes = {spec[EXTENSION]["scope"], spec[EXTENSION].get("or_scope")} - {None}
            required = spec.get("security", [])
            assert all(one.keys() == declared.keys() for one in required), f"{method} {path}"
            assert {scope for one in required for scope in one["bearer"]} == scopes, f"{method} {path}"


def _requests() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object that a body may hold, by where it stands."""
    components = schema.document()["components"]["schemas"]
    for name, made in components.items():
        if name.endswith("Request"):
            yield name, made


def test_requests_close_their_objects_and_bound_their_texts() -> None:
    for name, made in _requests():
        assert made["additionalProperties"] is False, name
        for field, rules in made["properties"].items():
            for text in [rules, rules.get("items", {}), *rules.get("properties", {}).values()]:
                if "string" in str(text.get("type")) and "enum" not in text:
                    assert "pattern" in text, f"{name}.{field}"


def test_formats_are_checked() -> None:
    # A format whose checker is not installed passes everything.
    assert {"uri", "date", "date-time"} <= Draft202012Validator.FORMAT_CHECKER.checkers.keys()


def _validator(operation: str) -> Draft202012Validator:
    """Judges a body of the operation by what the document says."""
    document = schema.document()
    specs = {spec["operationId"]: spec for methods in document["paths"].values() for spec in methods.values()}
    body = specs[operation]["requestBody"]["content"]["application/json"]["schema"]
    rules = {**body, "components": document["components"]}
    return Draft202012Validator(rules, format_checker=Draft202012Validator.FORMAT_CHECKER)


ITEM = {"product": "launch", "listing_id": 1}
STATED: list[tuple[str, dict[str, Any], bool]] = [
    ("create_draft", {"url": "example.com"}, True),
    ("create_draft", {"url": "https://xn--mnchen-3ya.example/a?b#c"}, True),
    ("create_draft", {"url": "ftp://example.com"}, False),
    ("create_draft", {}, False),
    ("update_draft", {}, False),
    ("update_draft", {"fields": {}}, True),
    ("update_draft", {"fields": {"nmae": "X"}}, False),
    ("update_my_listing", {"fields": {"name": " "}}, False),
    ("update_my_listing", {"fields": {"name": "\u200b\u3164"}}, False),
    ("update_my_listing", {"fields": {"name": "Zürich"}}, True),
    ("update_my_listing", {"fields": {"description": ""}}, True),
    ("update_my_listing", {"fields": {"description": "a\x00b"}}, False),
    ("update_my_listing", {"fields": {"country": "DE"}}, True),
    ("update_my_listing", {"fields": {"country": ""}}, True),
    ("update_my_listing", {"fields": {"country": "XX"}}, False),
    ("update_my_listing", {"fields": {"contact_email": ""}}, True),
    ("update_my_listing", {"fields": {"contact_email": "ada@example.com"}}, True),
    ("update_my_listing", {"fields": {"contact_email": "ada@example"}}, False),
    ("update_my_listing", {"fields": {"docs_url": "http://example.com"}}, False),
    ("update_my_listing", {"fields": {"docs_url": "https://example.com/docs"}}, True),
    ("update_my_listing", {"fields": {"founded_year": 1799}}, False),
    ("update_my_listing", {"fields": {"founded_year": "2020"}}, False),
    ("update_my_listing", {"socials": {"github": "https://github.com/acme"}}, True),
    ("update_my_listing", {"socials": {"github": "https://example.com/acme"}}, False),
    ("update_my_listing", {"socials": {"myspace": "https://example.com/acme"}}, False),
    ("update_my_listing", {"apply_to": ["all"]}, True),
    ("update_my_listing", {"apply_to": ["all", "main"]}, False),
    ("add_milestone", {"date": "2026-11-09", "title": "One"}, True),
    ("add_milestone", {"date": "2026-W46", "title": "One"}, False),
    ("set_founder_story", {"story": "We sail.", "how_started": "We sail."}, False),
    ("answer_interview", {"answers": [{"question_id": 1, "answer": ""}]}, True),
    ("quote_order", {"items": []}, False),
    ("quote_order", {"items": [ITEM]}, True),
    ("quote_order", {"items": [ITEM | {"week": "now"}]}, True),
    ("quote_order", {"items": [ITEM | {"week": "2027-W53"}]}, False),
    ("quote_order", {"items": [ITEM | {"week": "now", "options": {"week": "now"}}]}, False),
    ("quote_order", {"items": [ITEM | {"weeks": ["2026-W50", "2026-W50"]}]}, False),
    ("quote_order", {"items": [ITEM], "billing_country": "DE"}, True),
    ("quote_order", {"items": [ITEM], "billing_country": "XX"}, False),
    ("quote_order", {"items": [ITEM], "billing_country": None}, True),
]


@pytest.mark.parametrize(("operation", "body", "is_valid"), STATED)
def test_the_document_states_the_rules_of_bodies(operation: str, body: dict[str, Any], is_valid: bool) -> None:
    assert _validator(operation).is_valid(body) == is_valid


def test_the_examples_keep_the_rules() -> None:
    for methods in schema.document()["paths"].values():
        for spec in methods.values():
            content = spec.get("requestBody", {}).get("content", {}).get("application/json", {})
            if "example" in content:
                _validator(spec["operationId"]).validate(content["example"])


def test_it_is_served(db: None) -> None:
    response = Client().get("/api/v1/openapi.json")
    assert response.json() == schema.document()


def test_the_generated_docs_are_true() -> None:
    call_command("write_docs", "--check")


@pytest.mark.slow
def test_a_stale_page_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    docs = Path(settings.BASE_DIR) / "docs"
    monkeypatch.setattr(write_docs, "STATES", docs / "openapi.yaml")
    with pytest.raises(CommandError, match="write_docs"):
        call_command("write_docs", "--check")


def test_what_only_a_refusal_would_tell_is_stated() -> None:
    schemas = schema.document()["components"]["schemas"]
    assert "Made from" not in schemas["QueuePromise"]["description"]
    assert "closing week" in str(schemas["QueuePromise"]["properties"]["paid"])
    title = schemas["SetStoryRequest"]["properties"]["title"]
    assert (title["maxLength"], "lower length limit" in title["description"]) == (200, True)
    for name in ("UpdateFieldsRequest", "DraftFieldsRequest"):
        assert "list_categories" in schemas[name]["properties"]["categories"]["description"]
