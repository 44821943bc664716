"""Domain errors, each with the HTTP status and code of its API response."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

_OPERATION = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|\brefresh: true\b")
_OR_A_PAGE = re.compile(r"\b(?:call|with) [a-z]+(?:_[a-z]+)+ or ")

# An empty field, in the words of Django's forms.
FIELD_REQUIRED = "This field is required."


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """A problem with one field. `pointer` is a JSON Pointer into the request body."""

    code: str
    detail: str
    pointer: str


class DomainError(Exception):
    """An error that the caller can act on.

    `detail` says what went wrong and what to do next, in full sentences. `errors` lists the fields at fault,
    `next_steps` what helps. `retry_after` is in seconds. `extra` is merged into the problem body.
    """

    status: ClassVar[int] = 422
    code: ClassVar[str] = "unprocessable"
    title: ClassVar[str] = "Request not possible"

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

    @property
    def steps_for_people(self) -> list[str]:
        """The next steps for pages: without operations, which only programs call, and steps with nothing else."""
        return [step for step in (_OR_A_PAGE.sub("", step) for step in self.next_steps) if not _OPERATION.search(step)]


class Unprocessable(DomainError):
    pass


class Malformed(DomainError):
    status = 400
    code = "malformed"
    title = "Malformed request"


class Forbidden(DomainError):
    status = 403
    code = "forbidden"
    title = "Not allowed"


class NotFound(DomainError):
    status = 404
    code = "not_found"
    title = "Not found"


NOTHING_HERE = "Nothing found at this URL."


def unknown_id(listed_by: str, what: str = "Nothing in your account has this id.", *, kind: str = "id") -> NotFound:
    """Return the error for an id that doesn't exist; `listed_by` is the operation that returns valid ones.

    `kind` is what it is called, such as slug.
    """
    result = f"Find valid {kind}s with {listed_by}."
    return NotFound(f"{what} {result}", next_steps=[f"Call {listed_by} to find the {kind}."])


class Conflict(DomainError):
    status = 409
    code = "conflict"
    title = "Conflict"


class TooManyRequests(DomainError):
    status = 429
    code = "rate_limited"
    title = "Rate limit reached"


class ServiceUnavailable(DomainError):
    status = 503
    code = "unavailable"
    title = "Temporarily unavailable"
