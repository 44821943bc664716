"""Declare an operation of the interface with one decorator: its name, scope, idempotency and schema.

An operation is a viewset method. Its name is the `operation_id` in OpenAPI and the tool name in MCP. Its docstring is
the description in both.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from inspect import getdoc
from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from apps.core.api.idempotency import run_once
from apps.core.api.scopes import Scope
from apps.core.api.serializers import QuerySerializer, StrictSerializer


@dataclass(frozen=True, slots=True)
class Operation:
    """The name and scope of an operation. Scope None makes it public. `or_scope` is accepted instead of `scope`.

    `max_body_bytes` is the size of its largest body, if that is above the usual limit.
    """

    name: str
    scope: Scope | None
    accepts_idempotency_key: bool
    or_scope: Scope | None = None
    max_body_bytes: int | None = None

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes of which a credential needs one. Empty for a public operation."""
        return tuple(scope for scope in (self.scope, self.or_scope) if scope)


def operation_of(view: Any) -> Operation | None:
    """Return the operation that a view instance is about to run, or None."""
    handler = getattr(view, getattr(view, "action", None) or "", None)
    result: Operation | None = getattr(handler, "operation", None)
    return result


Handler = Callable[..., Response]
Settle = Callable[[Any, Response], Response]
SerializerClass = type[Serializer[Any]]

EXTENSION = "x-slipway"


def operation(
    *,
    scope: Scope | None,
    returns: SerializerClass | None,
    summary: str,
    tag: str,
    status: int = 200,
    body: SerializerClass | None = None,
    prepare: Callable[[Any, Request], Any] | None = None,
    query: type[QuerySerializer] | None = None,
    parameters: Sequence[OpenApiParameter] = (),
    idempotency_key: bool = False,
    is_response_secret: bool = False,
    read_only: bool = False,
    destructive: bool = False,
    idempotent: bool = False,
    open_world: bool = False,
    is_tool: bool = True,
    or_scope: Scope | None = None,
    max_body_bytes: int | None = None,
    settle: Settle | None = None,
) -> Callable[[Handler], Handler]:
    """Turn a viewset method into an operation.

    `prepare` does slow work before a transaction opens, and its result is the method's last argument. `scope` None
    makes the operation public. `or_scope` is accepted instead of `scope`. `returns` None means an empty 204 response.
    `idempotency_key` lets the caller send that header; with `is_response_secret` the response is kept encrypted for it.
    `read_only` (implied by GET), `destructive`, `idempotent`
    (repeating it changes nothing more; implied by GET, PUT and DELETE) and `open_world` become hints of the MCP tool.
    `settle` gets the view and the response after the commit, and returns the response to send. Use it for work that
    must wait outside the transaction. With `is_tool` false it is only in REST. `max_body_bytes` raises the usual limit,
    and needs its path in JSON_PICTURE_PATHS.
    """

    def decorate(handler: Handler) -> Handler:
        declared = Operation(handler.__name__, scope, idempotency_key, or_scope, max_body_bytes)

        @wraps(handler)
        def run(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
            # Reject unknown input instead of ignoring it.
            if body is None and request.method not in SAFE_METHODS:
                view.parse(StrictSerializer)
            if query is None:
                view.parse_query(QuerySerializer)
            if prepare:
                args = (*args, prepare(view, request))
            if idempotency_key:
                return run_once(
                    declared.name,
                    request,
                    lambda: handler(view, request, *args, **kwargs),
                    settle=partial(settle, view) if settle else None,
                    is_secret=is_response_secret,
                )
            response = handler(view, request, *args, **kwargs)
            return settle(view, response) if settle else response

        run.operation = declared  # type: ignore[attr-defined]  # read again by operation_of
        code = 204 if returns is None else status
        describe = extend_schema(
            operation_id=declared.name,
            summary=summary,
            description=getdoc(handler),
            tags=[tag],
            request=body,
            responses={code: returns or OpenApiResponse(description="Done. The response has no body.")},
            parameters=[
                *([query] if query else []),
                *parameters,
                *([_IDEMPOTENCY_KEY] if idempotency_key else []),
            ],
            extensions={
                EXTENSION: {
                    "scope": scope and str(scope),
                    **({"or_scope": str(or_scope)} if or_scope else {}),
                    "read_only": read_only,
                    "destructive": destructive,
                    "idempotent": idempotent,
                    "open_world": open_world,
                    **({} if is_tool else {"tool": False}),
                    **({"max_body_bytes": max_body_bytes} if max_body_bytes else {}),
                }
            },
        )
        return describe(run)

    return decorate


_IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!#-~][!-~]{0,254}$"},
    OpenApiParameter.HEADER,
    description="A retry with the same key gets the first result.",
)
