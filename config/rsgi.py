"""The RSGI application of `manage.py up` and production: pages, REST and /mcp on one port."""

from django.core.wsgi import get_wsgi_application

from config import telemetry
from config.start import read_settings

read_settings()
telemetry.prepare()
_django = get_wsgi_application()

from django.conf import settings  # noqa: E402 - needs the line above

from apps.mcp.app import create_transport  # noqa: E402 - needs Django's applications
from config.serving.front import Front  # noqa: E402 - after Django, as the line before

application = Front(
    _django,
    threads=settings.WEB_THREADS,
    transport=create_transport(_django, with_streams=True),
    mcp_path=settings.MCP_PATH,
    folder=settings.DATA_DIR / "answers",
    waiting_paths=settings.WAITING_PATHS,
)
