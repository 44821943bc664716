"""Build the API reference from the OpenAPI document."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString

from apps.core.api import schema
from apps.core.api.operation import EXTENSION
from apps.core.api.scopes import SCOPE_TEXTS, Scope
from apps.core.web.markdown import render_markdown
from apps.core.weeks import Week
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
    hints: list[str]
    fields: list[tuple[str, list[Field]]]
    takes_key: bool
    answer_status: str
    answer: str
    answer_fields: list[Field]
    problems: list[Problem]


# The documented week passes, but copied calls must keep working.
_WEEKS_AHEAD = 3
_PLACES = (("path", "In the path"), ("query", "In the query"))


@cache
def groups() -> list[Group]:
    """Return all operations by tag, in OpenAPI order."""
    found: dict[str, list[Summary]] = {}
    for spec, method, path in _specs().values():
        found.setdefault(spec["tags"][0], []).append(_summary(spec, method, path))
    return [Group(name, operations) for name, operations in found.items()]


def reference(name: str) -> Reference | None:
    """Return the reference of an operation, or None if it doesn't exist."""
    # Only known names are cached, so that invented ones use no memory.
    return _reference(name) if name in _specs() else None


@cache
def _reference(name: str) -> Reference:
    spec, method, path = _specs()[name]
    components = schema.document()["components"]["schemas"]
    body, (status, answered) = body_of(spec), answer_of(spec)
    fields = [(title, parameter_fields(spec, place, components=components)) for place, title in _PLACES]
    if body:
        fields.append(("Body", schema_fields(body, components=components)))
    scope = spec[EXTENSION]["scope"]
    return Reference(
        summary=_summary(spec, method, path),
        group=spec["tags"][0],
        description=" ".join(spec["description"].split("\n\n")[0].split()),
        text=render_markdown(spec["description"]),
        scope_text=SCOPE_TEXTS[Scope(scope)] if scope else "",
        or_scope=spec[EXTENSION].get("or_scope", ""),
        hints=_hints(spec),
        fields=[(title, rows) for title, rows in fields if rows],
        takes_key=any(parameter["name"] == "Idempotency-Key" for parameter in spec.get("parameters", [])),
        answer_status=status,
        answer=recorded_answer(name),
        answer_fields=schema_fields(answered, components=components) if answered else [],
        problems=[
            Problem(status, told["description"])
            for status, told in spec["responses"].items()
            if not status.startswith("2")
        ],
    )


def call_of(name: str, *, origin: str) -> Call:
    """Return the example call of a known operation on the site at `origin`."""
    spec, method, path = _specs()[name]
    return example_call(spec, method=method, path=path, origin=origin)


def call_snippets(name: str, *, addresses: Addresses) -> list[Snippet]:
    """Return the example call of a known operation in each of the four forms."""
    call = call_of(name, origin=addresses.origin)
    coming = str(Week.of(timezone.now()) + _WEEKS_AHEAD)
    return [Snippet(way.name, way.text.replace(WEEK, coming)) for way in snippets(call, addresses=addresses)]


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
    told = []
    if declared["destructive"]:
        told.append("Destructive: assistants ask you first.")
    if declared["idempotent"]:
        told.append("Safe to repeat: the same request has no further effect.")
    return told
