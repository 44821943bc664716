"""Traces by OpenTelemetry and error reports to Sentry, each switched on by its own setting.

Both say what happened where and how long it took, and nothing about people: no addresses, bodies, parameters or
credentials. While a setting is empty, its libraries aren't even imported.
"""

import logging
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from config import env

logger = logging.getLogger(__name__)


def prepare() -> None:
    """Patch libraries for tracing. Call it before Django's handler is made. It starts no threads."""
    if traces := _traces():
        traces.instrument()


def start(process: str) -> None:
    """Begin to send what this process does, named slipway-PROCESS. Call it after the last fork."""
    report_errors()
    if traces := _traces():
        traces.start(process)


def report_errors() -> None:
    """Begin to report errors, also of later forks."""
    if reports := _error_reports():
        reports.start(env.text("SENTRY_DSN"))


def stop() -> None:
    """Send what is left before the process ends."""
    for sender in (_traces(), _error_reports()):
        if sender:
            sender.stop()


def _traces() -> Any:
    return _module("traces", setting="OTEL_EXPORTER_OTLP_ENDPOINT", needs="opentelemetry.exporter.otlp", extra="otel")


def _error_reports() -> Any:
    return _module("error_reports", setting="SENTRY_DSN", needs="sentry_sdk", extra="sentry")


def _module(name: str, *, setting: str, needs: str, extra: str) -> Any:
    """Return a module of this package if its setting is on and its extra is installed."""
    if not env.text(setting):
        return None
    if not _is_installed(needs):
        logger.warning("%s is set, but needs the extra %s (docs/operations/running.md#extras)", setting, extra)
        return None
    return import_module(f"config.telemetry.{name}")


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        # The package around it is missing.
        return False
