"""The WSGI application: Django, and /mcp beside it on the same port."""

from django.core.wsgi import get_wsgi_application

from config import telemetry
from config.start import read_settings

read_settings()
telemetry.prepare()
telemetry.start("web")
_django = get_wsgi_application()

from django.conf import settings  # noqa: E402 - needs the line above

from apps.core.web.body_limits import with_lengths  # noqa: E402 - needs the line above
from apps.mcp.app import OnePort  # noqa: E402 - needs Django's applications

application = OnePort(with_lengths(_django, most=settings.MAX_JSON_PICTURE_BYTES), path=settings.MCP_PATH)
