"""The id that ties a request to its answer and its log lines."""

import re
from contextvars import ContextVar
from uuid import uuid4

_current: ContextVar[str] = ContextVar("request_id", default="")
_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{8,64}")


def current_request_id() -> str:
    """The id of the request at hand, or an empty string outside of one."""
    return _current.get()


def begin_request(offered: str | None) -> str:
    """Take over the caller's id if it is harmless in logs, otherwise make one."""
    request_id = offered if offered and _ACCEPTED.fullmatch(offered) else uuid4().hex
    _current.set(request_id)
    return request_id
