"""Convert a request of the web server to a WSGI environ."""

import io
import sys
from typing import Any

from granian.rsgi import Scope as RsgiScope


def environ_of(scope: RsgiScope) -> dict[str, Any]:
    """Return a request's WSGI environ without a body, as Granian's own WSGI server makes it, with two differences.

    Headers with an underscore are dropped, because they could pass for a proxy's. Process variables are left out.
    """
    server, _, port = scope.server.rpartition(":")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": (server or scope.server).strip("[]"),
        "SERVER_PORT": port if server else "0",
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    headers = scope.headers
    # `items` leaves out values that aren't ASCII. Empty ones are refused where they matter.
    unreadable = [(name, "") for name in headers.keys() if headers.get(name) is None]  # noqa: SIM118 - no mapping
    for name, value in [*unreadable, *headers.items()]:
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        if key in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
            environ.setdefault(key, value)
            continue
        key = f"HTTP_{key}"
        if key in environ:
            # Two credentials count as none.
            value = f"{environ[key]}{';' if name == 'cookie' else ','}{value}"
        environ[key] = value
    environ.setdefault("HTTP_HOST", scope.authority or "")
    return environ
