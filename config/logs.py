"""What is logged, and how: JSON lines on standard error."""

from typing import Any


def logging_config(*, level: str) -> dict[str, Any]:
    """LOGGING; `level` is that of everything without a level of its own."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "apps.core.web.logs.JsonFormatter"}},
        "filters": {"routes": {"()": "apps.core.web.logs.RouteFilter"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "httpx2": {"level": "WARNING"},
            # It notes every request and, at DEBUG, what was sent.
            "stripe": {"level": "WARNING"},
            # They note each step of each page.
            "fontTools": {"level": "WARNING"},
            "weasyprint": {"level": "ERROR"},
            # At DEBUG it notes codes and tokens.
            "oauthlib": {"level": "INFO"},
            # It notes the credential at each sign-in with a passkey.
            "fido2": {"level": "WARNING"},
            # The SDK notes every request of the older protocol versions.
            "mcp": {"level": "WARNING"},
            # It notes the path; a part of ours are secrets.
            "django.request": {"level": "ERROR", "filters": ["routes"]},
        },
    }
