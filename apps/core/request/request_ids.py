"""The id that links a request to its response and its log lines."""

import os
import re
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("request_id", default="")
_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{8,64}")


def current_request_id() -> str:
    """Return the id of the current request, or an empty string outside of one."""
    return _current.get()


def begin_request(offered: str | None) -> str:
    """Use the caller's id if it is harmless in logs, or make a new one."""
    request_id = offered if offered and _ACCEPTED.fullmatch(offered) else os.urandom(16).hex()
    _current.set(request_id)
    return request_id
