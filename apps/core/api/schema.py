"""The OpenAPI 3.1 document: generated from the viewsets, extended with the problem responses, built once."""

from functools import cache
from threading import Lock
from typing import Any

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_mock_request, force_instance
from rest_framework import serializers
from rest_framework.request import Request

from apps.core.api.lists.includes import ShortAnswer
from apps.core.api.operation import EXTENSION, operation_of
from apps.core.api.parsers import MAX_BODY_BYTES, size_text
from apps.core.api.problems import MEDIA_TYPE
from apps.core.api.serializers import QuerySerializer, StrictSerializer

_building = Lock()

_PROBLEM_REF = {"$ref": "#/components/schemas/Problem"}

PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "An error in the problem details format (RFC 9457).",
    "required": ["type", "title", "status", "detail", "instance", "code", "request_id", "errors"],
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What went wrong and what to do next."},
        "instance": {"type": ["string", "null"]},
        "code": {"type": "string", "description": "Stable error code for programs."},
        "request_id": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["code", "detail", "pointer"],
                "properties": {
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                    "pointer": {"type": "string", "description": "JSON Pointer to the field in the request."},
                },
            },
        },
        "next_steps": {"type": "array", "items": {"type": "string"}},
        "retry_after_seconds": {"type": "integer", "description": "How long to wait, as in Retry-After."},
    },
    "additionalProperties": True,
}

_DESCRIPTIONS = {
    400: "The request is malformed.",
    401: "The credential is missing or invalid.",
    403: "The credential lacks a permission, or the action is not allowed.",
    404: "Not found, or not yours.",
    409: "The request conflicts with the current state.",
    413: "The body is larger than {limit}.",
    415: "The body is not JSON.",
    422: "A field is invalid or a rule was not met. See code and errors.",
    429: "Too many requests. Wait for the number of seconds in Retry-After.",
    500: "An internal error. Try again later.",
    503: "Temporarily unavailable. Try again soon.",
}
_ANNOTATIONS = frozenset({"title", "description", "default", "deprecated"})
_CHALLENGE = {"WWW-Authenticate": "How to get a credential, and with which permissions."}
_HEADERS = {
    401: _CHALLENGE,
    403: _CHALLENGE,
    429: {
        "Retry-After": "Seconds to wait.",
        "RateLimit": "Requests left and seconds until the limit resets. Sent with every counted request.",
        "RateLimit-Policy": "The limit that RateLimit refers to.",
    },
}


class OperationSchema(AutoSchema):
    """Leaves out everything that is not a declared operation, and describes requests in full.

    A field or serializer adds keywords in `json_schema`. The value None removes one.
    """

    def is_excluded(self) -> bool:
        return operation_of(self.view) is None

    def _insert_field_validators(self, field: Any, schema: dict[str, Any]) -> None:
        super()._insert_field_validators(field, schema)  # type: ignore[no-untyped-call]  # drf-spectacular is partly untyped
        rules = {} if isinstance(field, serializers.Serializer) else getattr(field, "json_schema", {})
        rules = _length_rules(field) | rules
        if rules and "oneOf" in schema:
            # Either a text or an empty text, because the rules say whether it may be blank.
            schema.update(schema.pop("oneOf")[0])
        schema.update(rules)
        for name in [name for name, value in rules.items() if value is None]:
            schema.pop(name)

    def _map_basic_serializer(self, serializer: Any, direction: str) -> Any:
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # drf-spectacular is partly untyped
        made = force_instance(serializer)
        if isinstance(made, ShortAnswer) and made.on_request:
            schema["required"] = [name for name in schema["required"] if name not in made.on_request]
        if direction == "request" and isinstance(made, StrictSerializer):
            schema |= {"additionalProperties": False, **made.json_schema}
            if not isinstance(made, QuerySerializer):
                schema["properties"] = {
                    name: field if name in schema.get("required", ()) else _or_null(field)
                    for name, field in schema.get("properties", {}).items()
                }
        return schema


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an optional value, which null leaves out."""
    around = {key: value for key, value in schema.items() if key in _ANNOTATIONS}
    rest = {key: value for key, value in schema.items() if key not in _ANNOTATIONS}
    if "enum" in rest or not isinstance(rest.get("type"), str | list):
        return around | {"anyOf": [rest, {"type": "null"}]}
    types = [rest["type"]] if isinstance(rest["type"], str) else [one for one in rest["type"] if one != "null"]
    return around | rest | {"type": [*types, "null"]}


def _length_rules(field: Any) -> dict[str, Any]:
    """Return the limits on a list's number of entries."""
    is_list = isinstance(field, serializers.ListField | serializers.ListSerializer)
    if not is_list:
        return {}
    least = field.min_length or (0 if field.allow_empty else 1)
    rules = {"minItems": least or None, "maxItems": field.max_length}
    return {name: value for name, value in rules.items() if value is not None}


def document() -> dict[str, Any]:
    """Return the whole OpenAPI document as plain JSON data, built on first use."""
    # The generator has global state, so concurrent threads would mix up their components.
    with _building:
        return _document()


@cache
def _document() -> dict[str, Any]:
    generator = SchemaGenerator()
    schema: dict[str, Any] = generator.get_schema(request=None, public=True)
    schema["servers"] = [{"url": "/", "description": "The site that serves this document."}]
    return schema


def nobodys_request(*args: Any, **kwargs: Any) -> Request:
    """Return the anonymous, unthrottled request used while viewsets are described."""
    request: Request = build_mock_request(*args, **kwargs)
    request.user = AnonymousUser()
    return request


def add_problem_responses(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Postprocessing hook: declare every error status of an operation."""
    result["components"]["schemas"]["Problem"] = PROBLEM_SCHEMA
    for path, methods in result["paths"].items():
        for method, spec in methods.items():
            for status in _statuses(method, path, spec):
                spec["responses"].setdefault(str(status), _problem_answer(status, spec))
            spec["responses"] = dict(sorted(spec["responses"].items()))
    return result


def _statuses(method: str, path: str, spec: dict[str, Any]) -> list[int]:
    statuses = [400, 401, 422, 429, 500, 503]
    if spec[EXTENSION]["scope"]:
        statuses.append(403)
    if "{" in path:
        statuses.append(404)
    if "requestBody" in spec:
        statuses += [413, 415]
    if method != "get" and not spec[EXTENSION]["read_only"]:
        statuses.append(409)
    return statuses


def _problem_answer(status: int, spec: dict[str, Any]) -> dict[str, Any]:
    limit = size_text(spec[EXTENSION].get("max_body_bytes", MAX_BODY_BYTES))
    answer: dict[str, Any] = {
        "description": _DESCRIPTIONS[status].format(limit=limit),
        "content": {MEDIA_TYPE: {"schema": _PROBLEM_REF}},
    }
    if status in _HEADERS:
        answer["headers"] = {
            name: {"schema": {"type": "integer" if name == "Retry-After" else "string"}, "description": text}
            for name, text in _HEADERS[status].items()
        }
    return answer
