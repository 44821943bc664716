"""The pages of the API reference: nothing of the schema is missing, and what they offer to copy works."""

import json
import re
import shlex
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from jsonschema import Draft202012Validator

from apps.core.api import schema
from apps.core.weeks import Week
from apps.mcp.registry import read_tools
from apps.sites.guide import Addresses
from apps.sites.reference import operations
from apps.sites.reference.examples import WEEK
from apps.sites.reference.schemas import body_of

pytestmark = pytest.mark.django_db

NAMES = [operation.name for group in operations.groups() for operation in group.operations]
WAYS = ["REST", "curl", "Python", "MCP", "MCP in Python"]


def addresses(origin: str) -> Addresses:
    rest = dict.fromkeys(("openapi", "mcp_metadata", "rest_metadata", "server_metadata"), "")
    return Addresses(origin=origin, mcp=f"{origin}/mcp", rest=f"{origin}/api/v1", **rest)


def texts(name: str, origin: str = "https://launch.example") -> dict[str, str]:
    return {way.name: way.text for way in operations.call_snippets(name, addresses=addresses(origin))}


def fields_named(value: Any, *, inside: str = "") -> set[str]:
    """The paths of a JSON value's fields, as the reference writes them."""
    if isinstance(value, dict):
        deeper = [fields_named(inner, inside=f"{inside}{key}.") for key, inner in value.items()]
        return {f"{inside}{key}" for key in value}.union(*deeper)
    if isinstance(value, list):
        return {path for inner in value for path in fields_named(inner, inside=f"{inside[:-1]}[].")}
    return set()


def test_the_index_leads_to_every_operation() -> None:
    page = Client().get(reverse("api_reference")).content.decode()
    paths = schema.document()["paths"].values()
    assert {spec["operationId"] for methods in paths for spec in methods.values()} == set(NAMES)
    for name in NAMES:
        assert f'href="{reverse("api_operation", args=[name])}"' in page
    for code in ("invalid", "rate_limited", "terms_changed"):
        assert f"<code>{code}</code>" in page


@pytest.mark.parametrize("name", NAMES)
def test_an_operation_shows_calls_fields_answer_and_refusals(name: str) -> None:
    response = Client().get(reverse("api_operation", args=[name]))
    page = response.content.decode()
    assert response.status_code == 200
    assert [found for found in re.findall(r"<summary>([^<]+)</summary>", page) if found in WAYS] == WAYS
    found = operations.reference(name)
    assert found is not None
    for _, fields in found.fields:
        for field in fields:
            assert f"<code>{field.path}</code>" in page
    for problem in found.problems:
        assert f"<code>{problem.status}</code>" in page
    if found.answer:
        told = {field.path for field in found.answer_fields}
        top = {path for path in fields_named(json.loads(found.answer)) if "." not in path}
        assert top <= told


def test_there_is_nothing_under_other_names() -> None:
    kept = operations._reference.cache_info().currsize
    assert Client().get(reverse("api_operation", args=["delete_everything"])).status_code == 404
    assert operations._reference.cache_info().currsize == kept


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_fit_the_schema(name: str) -> None:
    document = schema.document()
    spec = next(
        spec for methods in document["paths"].values() for spec in methods.values() if spec["operationId"] == name
    )
    call = operations.call_of(name, origin="https://launch.example")
    body = body_of(spec)
    assert (body is None) == (call.body is None)
    if body is not None:
        Draft202012Validator({**body, "components": document["components"]}).validate(call.body)
    tool = read_tools(document)[name]
    Draft202012Validator(tool.definition.input_schema).validate(call.arguments)


@pytest.mark.parametrize("name", NAMES)
def test_the_lines_to_copy_are_well_formed(name: str) -> None:
    ways = texts(name)
    call = operations.call_of(name, origin="https://launch.example")
    assert json.loads(ways["MCP"])["params"]["name"] == name
    words = shlex.split(ways["curl"])
    coming = str(Week.of(timezone.now()) + 3)
    assert call.url.replace(WEEK, coming) in words
    assert ("Authorization: Bearer $SLIPWAY_KEY" in words) == call.needs_key
    for way in ("Python", "MCP in Python"):
        compile(ways[way], way, "exec")
    assert ways["REST"].startswith(f"{call.method} /api/v1/")


def test_swagger_is_served_by_ourselves_under_the_strict_policy() -> None:
    response = Client().get(reverse("api_try"))
    page = response.content.decode()
    assert "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js" in page
    assert "script-src 'self'" in response["Content-Security-Policy"]
    assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", page) == []
    script = Client().get(reverse("api_try"), {"script": ""})
    assert script["Content-Type"].startswith("application/javascript")
    assert reverse("openapi") in script.content.decode()


def test_bodies_have_examples_in_the_document() -> None:
    for methods in schema.document()["paths"].values():
        for spec in methods.values():
            if "requestBody" in spec:
                assert spec["requestBody"]["content"]["application/json"]["example"]
