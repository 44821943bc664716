"""Errors of the domain. Each class carries the status and code that the API answers with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One thing wrong with one field; `pointer` is a JSON pointer into the request body."""

    code: str
    detail: str
    pointer: str


class DomainError(Exception):
    """A refusal that the caller can act on.

    `detail` is a full sentence for people. `errors` names single fields, `next_steps` says what helps,
    `retry_after` is in seconds. `extra` is merged into the problem body.
    """

    status: ClassVar[int] = 422
    code: ClassVar[str] = "unprocessable"
    title: ClassVar[str] = "The request cannot be carried out"

    def __init__(
        self,
        detail: str,
        *,
        pointer: str | None = None,
        errors: Sequence[FieldProblem] = (),
        next_steps: Sequence[str] = (),
        retry_after: int | None = None,
        code: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.error_code = code or self.code
        self.errors = list(errors) or ([FieldProblem(self.error_code, detail, pointer)] if pointer else [])
        self.next_steps = list(next_steps)
        self.retry_after = retry_after
        self.extra = extra or {}


class Unprocessable(DomainError):
    pass


class Malformed(DomainError):
    status = 400
    code = "malformed"
    title = "The request is malformed"


class Forbidden(DomainError):
    status = 403
    code = "forbidden"
    title = "Not allowed"


class NotFound(DomainError):
    status = 404
    code = "not_found"
    title = "Not found"


class Conflict(DomainError):
    status = 409
    code = "conflict"
    title = "In conflict with the present state"


class TooManyRequests(DomainError):
    status = 429
    code = "rate_limited"
    title = "Too many requests"


class ServiceUnavailable(DomainError):
    status = 503
    code = "unavailable"
    title = "Not available at the moment"
