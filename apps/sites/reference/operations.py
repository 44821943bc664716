"""Build the API reference from the OpenAPI document."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString

from apps.core.api import schema
from apps.core.api.operation import EXTENSION
from apps.core.api.scopes import SCOPE_TEXTS, Scope
from apps.core.text.weeks import Week
from apps.core.web.markdown import render_markdown
from apps.sites.guide import Addresses
from apps.sites.reference.examples import WEEK
from apps.sites.reference.fields import Field, parameter_fields, schema_fields
from apps.sites.reference.schemas import answer_of, body_of
from apps.sites.reference.snippets import Call, Snippet, example_call, snippets

FOLDER = Path(__file__).with_name("answers")


def recorded_answer(name: str) -> str:
    """Return the recorded JSON answer to an operation's example call, or an empty string if there is no body."""
    path = FOLDER / f"{name}.json"
    return path.read_text(encoding="utf-8").rstrip() if path.exists() else ""


@dataclass(frozen=True, slots=True)
class Summary:
    """An operation in a list."""

    name: str
    summary: str
    method: str
    path: str
    scope: str


@dataclass(frozen=True, slots=True)
class Group:
    """The operations under one OpenAPI tag."""

    name: str
    operations: list[Summary]


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields in one place: path, query, body or answer. Each field's id on the page starts with the place."""

    place: str
    title: str
    rows: list[Field]


@dataclass(frozen=True, slots=True)
class Input:
    """A parameter of the form that sends a request. `value` is the example's, empty without one."""

    place: str
    field: Field
    value: Any


@dataclass(frozen=True, slots=True)
class Problem:
    """An error status and when it occurs."""

    status: str
    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """Everything an operation's page shows.

    `answer` is JSON, empty if there is no body. `text` is the full description as HTML, `description` its first
    paragraph.
    """

    summary: Summary
    group: str
    description: str
    text: SafeString
    scope_text: str
    or_scope: str
    is_tool: bool
    hints: list[str]
    fields: list[Fields]
    takes_key: bool
    answer_status: str
    answer: str
    answer_fields: Fields
    problems: list[Problem]


# The documented week passes, but copied calls must keep working.
_WEEKS_AHEAD = 3
_PLACES = (("path", "Path parameters"), ("query", "Query parameters"))


@cache
def groups() -> list[Group]:
    """Return all operations by tag, in OpenAPI order."""
    result: dict[str, list[Summary]] = {}
    for spec, method, path in _specs().values():
        result.setdefault(spec["tags"][0], []).append(_summary(spec, method, path))
    return [Group(name, operations) for name, operations in result.items()]


def summary_of(name: str) -> Summary | None:
    """Return an operation as lists show it, or None if it doesn't exist."""
    return _summary(*_specs()[name]) if name in _specs() else None


def search(text: str) -> list[Group]:
    """Return the operations that have every word of the text in their name, description or fields, by tag."""
    words = text.lower().split()
    result = [
        Group(group.name, [each for each in group.operations if all(word in _words(each.name) for word in words)])
        for group in groups()
    ]
    return [group for group in result if group.operations]


@cache
def _words(name: str) -> str:
    spec, _, path = _specs()[name]
    reference = _reference(name)
    fields = [field.path for part in [*reference.fields, reference.answer_fields] for field in part.rows]
    return " ".join([name, path, spec["summary"], spec["description"], *fields]).lower()


def reference(name: str) -> Reference | None:
    """Return the reference of an operation, or None if it doesn't exist."""
    # Only known names are cached, so that invented ones use no memory.
    return _reference(name) if name in _specs() else None


@cache
def _reference(name: str) -> Reference:
    spec, method, path = _specs()[name]
    components = schema.document()["components"]["schemas"]
    body, (status, answered) = body_of(spec), answer_of(spec)
    fields = [Fields(place, title, parameter_fields(spec, place, components=components)) for place, title in _PLACES]
    if body:
        fields.append(Fields("body", "Body", schema_fields(body, components=components)))
    scope = spec[EXTENSION]["scope"]
    return Reference(
        summary=_summary(spec, method, path),
        group=spec["tags"][0],
        description=" ".join(spec["description"].split("\n\n")[0].split()),
        text=render_markdown(spec["description"]),
        scope_text=SCOPE_TEXTS[Scope(scope)] if scope else "",
        or_scope=spec[EXTENSION].get("or_scope", ""),
        is_tool=spec[EXTENSION].get("tool", True),
        hints=_hints(spec),
        fields=[part for part in fields if part.rows],
        takes_key=any(parameter["name"] == "Idempotency-Key" for parameter in spec.get("parameters", [])),
        answer_status=status,
        answer=recorded_answer(name),
        answer_fields=Fields(
            "response", "Response", schema_fields(answered, components=components) if answered else []
        ),
        problems=[
            Problem(status, response["description"])
            for status, response in spec["responses"].items()
            if not status.startswith("2")
        ],
    )


def call_of(name: str, *, origin: str) -> Call:
    """Return the example call of a known operation on the site at `origin`."""
    spec, method, path = _specs()[name]
    return example_call(spec, method=method, path=path, origin=origin)


def call_snippets(name: str, *, addresses: Addresses) -> list[Snippet]:
    """Return the example call of a known operation in each language."""
    call = call_of(name, origin=addresses.origin)
    ways = snippets(call, addresses=addresses, with_mcp=_reference(name).is_tool)
    return [Snippet(way.name, _with_coming_week(way.text)) for way in ways]


def call_inputs(name: str, *, call: Call) -> list[Input]:
    """Return the path and query parameters of a known operation, with the example's values."""
    values = {"path": call.in_path, "query": call.in_query}
    return [
        Input(part.place, field, values[part.place].get(field.path, ""))
        for part in _reference(name).fields
        if part.place in values
        for field in part.rows
    ]


def call_body(call: Call) -> str:
    """Return the example call's body as JSON, or an empty string if it has none."""
    return "" if call.body is None else _with_coming_week(json.dumps(call.body, indent=2, ensure_ascii=False))


def _with_coming_week(text: str) -> str:
    return text.replace(WEEK, str(Week.of(timezone.now()) + _WEEKS_AHEAD))


@cache
def _specs() -> dict[str, tuple[dict[str, Any], str, str]]:
    return {
        spec["operationId"]: (spec, method, path)
        for path, methods in schema.document()["paths"].items()
        for method, spec in methods.items()
    }


def _summary(spec: dict[str, Any], method: str, path: str) -> Summary:
    return Summary(spec["operationId"], spec["summary"], method.upper(), path, spec[EXTENSION]["scope"] or "")


def _hints(spec: dict[str, Any]) -> list[str]:
    declared = spec[EXTENSION]
    result = []
    if declared["destructive"]:
        result.append("Destructive: assistants ask you first.")
    if declared["idempotent"]:
        result.append("Safe to repeat: the same request has no further effect.")
    return result
