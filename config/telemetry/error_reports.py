"""Error reports to Sentry: the error, its place in the code and the route. Nothing about the person."""

import re
from typing import Any

import sentry_sdk
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.django import DjangoIntegration

_STOP_SECONDS = 2
_EMAIL = re.compile(r"[^\s@<>\"'(),;:=]+@[^\s@<>\"'(),;:=]+\.[a-zA-Z]{2,}")
# PostgreSQL quotes values of the row here.
_DETAIL = re.compile(r"\nDETAIL: .*", re.DOTALL)


def start(dsn: str) -> None:
    """Begin to report. SENTRY_ENVIRONMENT and SENTRY_RELEASE are read by the library."""
    sentry_sdk.init(
        dsn,
        integrations=[DjangoIntegration(middleware_spans=False), CeleryIntegration()],
        # No library is patched because it happens to be installed.
        auto_enabling_integrations=False,
        auto_session_tracking=False,
        send_default_pii=False,
        max_request_body_size="never",
        # Local variables hold whatever the code works with.
        include_local_variables=False,
        before_send=_without_people,
    )


def stop() -> None:
    """Send the reports that are left."""
    sentry_sdk.flush(timeout=_STOP_SECONDS)


def _without_people(event: Any, hint: Any) -> Any:
    """Keep the method of the request, whose route is the event's transaction, and strike emails and values of rows."""
    event.pop("user", None)
    if request := event.get("request"):
        event["request"] = {"method": request.get("method", "")}
    return _struck(event)


def _struck(value: Any) -> Any:
    if isinstance(value, str):
        return _EMAIL.sub("[email]", _DETAIL.sub("", value))
    if isinstance(value, dict):
        return {key: _struck(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_struck(each) for each in value]
    return value
