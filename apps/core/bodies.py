"""Request bodies of unknown length, which WSGI leaves to the server and Django takes for empty."""

import io
from collections.abc import Callable, Iterable
from typing import Any

WsgiApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def with_lengths(application: WsgiApplication, *, most: int) -> WsgiApplication:
    """Read a chunked body, up to one byte past `most`, before the application asks for its length."""

    def measured(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if not environ.get("CONTENT_LENGTH") and "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
            body = environ["wsgi.input"].read(most + 1)
            environ = {**environ, "wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        return application(environ, start_response)

    return measured
