"""Log lines as JSON, one object a line."""

import json
import logging
from datetime import UTC, datetime
from functools import lru_cache

import orjson

from apps.core.request.request_ids import current_request_id

_STANDARD = set(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "request",
    "color_message",
}


class RouteFilter(logging.Filter):
    """Django logs failed requests by path. Some paths are secrets, so log the route instead."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if request is not None and isinstance(record.args, tuple):
            match = getattr(request, "resolver_match", None)
            route = match.route if match else "no route"
            record.args = tuple(route if value == request.path else value for value in record.args)
        return True


class ClientFaultFilter(logging.Filter):
    """Django logs refused requests as warnings and errors. They are the client's fault, so log them as information."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security."):
            record.levelno, record.levelname = logging.INFO, "INFO"
            record.exc_info = record.exc_text = None
        return True


class JsonFormatter(logging.Formatter):
    """Formats time, level, logger, message, request_id, and everything passed as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": f"{_second(int(record.created))}.{int(record.msecs):03}+00:00",
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := current_request_id():
            line["request_id"] = request_id
        line |= {key: value for key, value in vars(record).items() if key not in _STANDARD}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        try:
            return orjson.dumps(line, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
        except TypeError:
            # Half a surrogate pair, or an integer past 64 bits.
            return json.dumps(line, default=str)


# Most lines of a second follow each other.
@lru_cache(maxsize=1)
def _second(timestamp: int) -> str:
    return datetime.fromtimestamp(timestamp, UTC).isoformat(timespec="seconds").removesuffix("+00:00")
