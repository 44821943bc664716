"""Request bodies that are more or less than a view reads."""

import io
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from django.http import HttpRequest, UnreadablePostError

# Past what any operation reads (apps/core/parsers.py), so that its refusals arrive.
MAX_REST_BYTES = 300 * 1024
WsgiApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def with_lengths(application: WsgiApplication, *, most: int) -> WsgiApplication:
    """Read a chunked body, up to one byte past `most`, before the application asks for its length.

    WSGI leaves bodies of unknown length to the server, and Django takes them for empty.
    """

    def measured(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if not environ.get("CONTENT_LENGTH") and "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
            body = environ["wsgi.input"].read(most + 1)
            environ = {**environ, "wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        return application(environ, start_response)

    return measured


def read_rest(request: HttpRequest) -> None:
    """Read what the view left of a body, up to MAX_REST_BYTES.

    A server closes a connection on which the body still stands, sometimes before the client has read the answer.
    """
    # The client has gone.
    with suppress(UnreadablePostError):
        request.read(MAX_REST_BYTES)
