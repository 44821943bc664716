"""A receiver of webhooks on loopback, which verifies each delivery as its owner would."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

TOLERANCE_SECONDS = 300


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self.body)
        return result


@dataclass
class Receiver:
    """`answer` returns the status, headers and body for each request. `accepted` are those answered with success."""

    port: int = 0
    received: list[Received] = field(default_factory=list)
    accepted: list[Received] = field(default_factory=list)
    answer: Callable[[Received], tuple[int, dict[str, str], bytes]] = lambda _: (200, {}, b"ok")

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/hook"

    @property
    def seqs(self) -> list[int]:
        return [each.event["seq"] for each in self.received]


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            receiver.received.append(got)
            status, headers, text = receiver.answer(got)
            if 200 <= status < 300:
                receiver.accepted.append(got)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(text)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
            return

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        # The base class lets five clients wait, fewer than a worker sends in parallel.
        request_queue_size = 256

        def handle_error(self, request: object, client_address: object) -> None:
            return

    with Server(("127.0.0.1", 0), Handler) as server:
        receiver.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()


def is_signed(received: Received, secret: str, *, now: float | None = None) -> bool:
    """Verify a delivery as the Standard Webhooks specification says."""
    timestamp = received.headers["webhook-timestamp"]
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    message = b".".join((received.id.encode(), timestamp.encode(), received.body))
    expected = base64.b64encode(hmac.digest(key, message, hashlib.sha256)).decode()
    signatures = [each.partition(",")[::2] for each in received.headers["webhook-signature"].split(" ")]
    return any(version == "v1" and hmac.compare_digest(value, expected) for version, value in signatures)
