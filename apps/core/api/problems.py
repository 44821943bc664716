"""Render every error of the API as a problem document (RFC 9457)."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import orjson
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from apps.core.api.parsers import MAX_BODY_BYTES, BodyTooLarge
from apps.core.errors import NOTHING_HERE, DomainError, FieldProblem, ServiceUnavailable
from apps.core.request.outages import outage_behind
from apps.core.request.request_ids import current_request_id

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
INTERNAL_ERROR = "An internal error occurred. Try again later. If it continues, report this request_id."

# Errors that `_body` can render, whatever else went wrong before.
_ANSWERED = (DomainError, exceptions.APIException, Http404, PermissionDenied, SuspiciousOperation)
_TITLES = {
    400: ("malformed", "Malformed request"),
    401: ("not_authenticated", "Authentication required"),
    403: ("forbidden", "Not allowed"),
    404: ("not_found", "Not found"),
    405: ("method_not_allowed", "Method not allowed"),
    406: ("not_acceptable", "Not acceptable"),
    408: ("too_slow", "Request timed out"),
    413: ("too_large", "Request too large"),
    415: ("unsupported_media_type", "Send JSON"),
    422: ("invalid", "Invalid fields"),
    429: ("rate_limited", "Rate limit reached"),
    500: ("internal_error", "Something went wrong"),
    503: ("unavailable", "Temporarily unavailable"),
}


def problem(
    status: int,
    detail: str,
    *,
    code: str | None = None,
    title: str | None = None,
    instance: str | None = None,
    errors: Sequence[FieldProblem] = (),
    next_steps: Sequence[str] = (),
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A problem body: type, title, status, detail, instance, code, request_id, errors, next_steps."""
    standard_code, standard_title = _TITLES.get(status, ("error", "Request failed"))
    code = code or standard_code
    body: dict[str, Any] = {
        "type": f"urn:slipway:problem:{code}",
        "title": title or standard_title,
        "status": status,
        "detail": detail,
        "instance": instance,
        "code": code,
        "request_id": current_request_id(),
        "errors": [asdict(error) for error in errors],
    }
    if next_steps:
        body["next_steps"] = list(next_steps)
    return body | dict(extra or {})


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A refusal that a response identifies by its code."""

    code: str
    status: int
    title: str


def known_problems() -> list[ProblemKind]:
    """Return all codes that the installed apps can respond with, by status and code."""
    standard = {(code, status): title for status, (code, title) in _TITLES.items()}
    declared = {(error.code, error.status): error.title for error in _errors_under(DomainError)}
    result = [ProblemKind(code, status, title) for (code, status), title in (declared | standard).items()]
    return sorted(result, key=lambda kind: (kind.status, kind.code))


def _errors_under(base: type[DomainError]) -> Iterator[type[DomainError]]:
    for error in base.__subclasses__():
        yield error
        yield from _errors_under(error)


def problem_response(body: Mapping[str, Any]) -> HttpResponse:
    """Return the same body as a plain Django response, for errors outside of a viewset."""
    return HttpResponse(orjson.dumps(body), status=body["status"], content_type=MEDIA_TYPE)


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """The only exception handler of the API: domain errors, DRF's, Django's, and unexpected ones."""
    set_rollback()
    request = context.get("request")
    path = getattr(request, "path", None)
    error = _as_refusal(error, path)
    response = Response(_body(error, path), content_type=MEDIA_TYPE)
    response.status_code = response.data["status"]
    for name, value in _headers(error).items():
        response[name] = value
    return response


def describe(error: Exception, request: HttpRequest) -> HttpResponse:
    """Return the problem response for an exception from a view or a middleware under the API's path."""
    error = _as_refusal(error, request.path)
    response = problem_response(_body(error, request.path))
    for name, value in _headers(error).items():
        response[name] = value
    return response


def field_problems(error: exceptions.ValidationError) -> list[FieldProblem]:
    """Return a serializer's errors as field problems with JSON Pointers."""
    return list(_flatten(error.get_full_details(), ""))


def _as_refusal(error: Exception, path: str | None) -> Exception:
    """Convert an outage to ServiceUnavailable, and return every other error unchanged."""
    if isinstance(error, _ANSWERED) or (outage := outage_behind(error)) is None:
        return error
    logger.error("%s cannot be used", outage.server, exc_info=error, extra={"path": path})
    return ServiceUnavailable(outage.detail, retry_after=outage.retry_after)


def _body(error: Exception, path: str | None) -> dict[str, Any]:
    match error:
        case DomainError():
            return problem(
                error.status,
                error.detail,
                code=error.error_code,
                title=error.title,
                instance=path,
                errors=error.errors,
                next_steps=error.next_steps,
                extra=error.extra | _wait(error.retry_after),
            )
        case exceptions.ValidationError():
            problems = field_problems(error)
            return problem(422, _summary(problems), code="invalid", instance=path, errors=problems)
        case exceptions.APIException():
            detail = _detail(error)
            code = str(error.get_codes()) if isinstance(error.get_codes(), str) else None
            return problem(
                error.status_code,
                detail,
                code=_code(error.status_code, code),
                instance=path,
                extra=_extra(error),
            )
        case Http404():
            return problem(404, NOTHING_HERE, instance=path)
        case PermissionDenied():
            return problem(403, "You don't have permission to do this.", instance=path)
        case RequestDataTooBig():
            return problem(413, str(BodyTooLarge(MAX_BODY_BYTES).detail), instance=path)
        case SuspiciousOperation():
            return problem(400, "The request is malformed.", instance=path)
    logger.error("unexpected error", exc_info=error, extra={"path": path})
    return problem(500, INTERNAL_ERROR, instance=path)


def _detail(error: exceptions.APIException) -> str:
    match error:
        case exceptions.UnsupportedMediaType():
            return "Send a JSON body with the header Content-Type: application/json."
        case exceptions.NotAcceptable():
            return "Responses are JSON. Send the header Accept: application/json, or none."
        case exceptions.MethodNotAllowed():
            return "This URL doesn't take this method. The Allow header lists those it takes."
    return str(error.detail)


def _code(status: int, code: str | None) -> str | None:
    generic = {"error", "parse_error", "permission_denied", "throttled", "authentication_failed"}
    return None if code in generic or status not in _TITLES else code


def _wait(seconds: int | None) -> dict[str, Any]:
    """Repeat Retry-After, because models read the body alone."""
    return {"retry_after_seconds": seconds} if seconds else {}


def _extra(error: exceptions.APIException) -> dict[str, Any]:
    return dict(getattr(error, "extra", {}) or {})


def _headers(error: Exception) -> dict[str, str]:
    headers: dict[str, str] = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "retry_after", None) or getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    return headers


def _flatten(details: Any, pointer: str) -> Iterator[FieldProblem]:
    if isinstance(details, Mapping):
        if _is_message(details):
            yield FieldProblem(str(details["code"]), str(details["message"]), pointer or "/")
            return
        for key, value in details.items():
            step = "" if key == "non_field_errors" else f"/{_escape(str(key))}"
            yield from _flatten(value, pointer + step)
    elif isinstance(details, list):
        for index, value in enumerate(details):
            yield from _flatten(value, pointer if _is_message(value) else f"{pointer}/{index}")


def _is_message(details: Any) -> bool:
    """Return whether this is DRF's own leaf. A body may have the same keys, but never a plain text as `code`."""
    return isinstance(details, Mapping) and set(details) == {"message", "code"} and isinstance(details["code"], str)


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _summary(problems: Sequence[FieldProblem]) -> str:
    if not problems:
        return "Some fields are invalid."
    first = problems[0]
    more = f" See errors for {len(problems) - 1} more." if len(problems) > 1 else ""
    return f"{first.pointer}: {first.detail}{more}"
