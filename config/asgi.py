"""The ASGI application: /mcp alone, for processes of its own behind the balancer."""

from django.core.wsgi import get_wsgi_application

from config.start import read_settings

read_settings()
_django = get_wsgi_application()

from django.conf import settings  # noqa: E402 - needs the line above
from starlette.applications import Starlette  # noqa: E402 - after Django, as the next line
from starlette.routing import Route  # noqa: E402

from apps.mcp.app import create_transport  # noqa: E402 - needs Django's applications

_transport = create_transport(_django)
application = Starlette(routes=[Route(settings.MCP_PATH, _transport)], lifespan=lambda _: _transport.running())
