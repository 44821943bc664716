"""Logging as JSON lines on standard error."""

from typing import Any


def logging_config(*, level: str) -> dict[str, Any]:
    """Return LOGGING. `level` applies to all without their own level."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "apps.core.web.logs.JsonFormatter"}},
        "filters": {
            "routes": {"()": "apps.core.web.logs.RouteFilter"},
            "client_faults": {"()": "apps.core.web.logs.ClientFaultFilter"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json",
                "filters": ["routes", "client_faults"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "httpx2": {"level": "WARNING"},
            # Logs every request and, at DEBUG, what was sent.
            "stripe": {"level": "WARNING"},
            # Log each step of each page.
            "fontTools": {"level": "WARNING"},
            "weasyprint": {"level": "ERROR"},
            # Logs codes and tokens at DEBUG.
            "oauthlib": {"level": "INFO"},
            # Logs the credential at each sign-in with a passkey.
            "fido2": {"level": "WARNING"},
            # The SDK logs every request of older protocol versions.
            "mcp": {"level": "WARNING"},
            # The middleware logs every request.
            "django.request": {"level": "ERROR"},
        },
    }
