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
from apps.core.text.weeks import Week
from apps.mcp.registry import read_tools
from apps.sites.guide import Addresses
from apps.sites.reference import operations
from apps.sites.reference.examples import WEEK
from apps.sites.reference.schemas import body_of
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

NAMES = [operation.name for group in operations.groups() for operation in group.operations]
WAYS = ["curl", "Python", "TypeScript", "MCP", "MCP in Python"]


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


def test_its_pages_know_who_is_signed_in(client: Client) -> None:
    for is_signed_in in (False, True):
        if is_signed_in:
            client.force_login(UserFactory.create())
        pages = [client.get(f"/reference{path}").content.decode() for path in ("", "/list_my_listings")]
        assert ["Account menu" in page for page in pages] == [is_signed_in] * 2
        assert ("Sign in to create a test key" in pages[1]) is not is_signed_in


@pytest.mark.parametrize("name", NAMES)
def test_an_operation_shows_calls_fields_answer_and_refusals(name: str) -> None:
    response = Client().get(reverse("api_operation", args=[name]))
    page = response.content.decode()
    assert response.status_code == 200
    result = operations.reference(name)
    assert result is not None
    assert re.findall(r'name="language" value="([^"]+)"', page) == (WAYS if result.is_tool else WAYS[:3])
    for part in [*result.fields, result.answer_fields]:
        for field in part.rows:
            assert f'<li id="{part.place}-{field.path}">' in page
    for problem in result.problems:
        assert f"<code>{problem.status}</code>" in page
    if result.answer:
        told = {field.path for field in result.answer_fields.rows}
        top = {path for path in fields_named(json.loads(result.answer)) if "." not in path}
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
    tools = read_tools(document)
    if spec["x-slipway"].get("tool", True):
        Draft202012Validator(tools[name].definition.input_schema).validate(call.arguments)
    else:
        assert name not in tools


@pytest.mark.parametrize("name", NAMES)
def test_the_lines_to_copy_are_well_formed(name: str) -> None:
    ways = texts(name)
    call = operations.call_of(name, origin="https://launch.example")
    if "MCP" in ways:
        assert json.loads(ways["MCP"])["params"]["name"] == name
    words = shlex.split(ways["curl"])
    coming = str(Week.of(timezone.now()) + 3)
    assert call.url.replace(WEEK, coming) in words
    assert ("Authorization: Bearer $SLIPWAY_KEY" in words) == call.needs_key
    for way in {"Python", "MCP in Python"} & ways.keys():
        compile(ways[way], way, "exec")
    assert f'fetch("{call.url.replace(WEEK, coming)}"' in ways["TypeScript"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("promo_code quote", {"quote_order"}), ("INTERVIEW answer", {"answer_interview"}), ("nothing like it", set())],
)
def test_search_finds_operations_by_name_and_field(text: str, expected: set[str]) -> None:
    shown = {
        operation.name
        for group in Client().get(reverse("api_reference"), {"q": text}).context["found"]
        for operation in group.operations
    }
    assert expected <= shown
    assert bool(expected) == bool(shown)
    assert shown < set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_form_has_an_input_for_every_parameter_and_the_example_body(name: str) -> None:
    page = Client().get(reverse("api_operation", args=[name])).content.decode()
    call = operations.call_of(name, origin="http://testserver.localhost")
    result = operations.reference(name)
    assert result is not None
    parameters = {field.path for part in result.fields if part.place in {"path", "query"} for field in part.rows}
    assert (
        set(re.findall(r'name="([^"]+)" (?:value|placeholder)="[^"]*" autocomplete="off" data-place', page))
        == parameters
    )
    assert ('name="body"' in page) == (call.body is not None)
    assert ('name="key"' in page) == call.needs_key


def test_bodies_have_examples_in_the_document() -> None:
    for methods in schema.document()["paths"].values():
        for spec in methods.values():
            if "requestBody" in spec:
                assert spec["requestBody"]["content"]["application/json"]["example"]
