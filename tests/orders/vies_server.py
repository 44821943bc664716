"""A stand-in for VIES on loopback that gives the answers it is told to."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class ViesServer:
    """What it answers next, and what it was asked."""

    url: str = ""
    status: int = 200
    answer: Any = field(default_factory=lambda: {"valid": True, "requestIdentifier": "WAPIAAAAX1"})
    raw: bytes | None = None
    delay_seconds: float = 0.0
    asked: list[dict[str, Any]] = field(default_factory=list)

    @property
    def body(self) -> bytes:
        return self.raw if self.raw is not None else json.dumps(self.answer).encode()


@contextmanager
def run() -> Iterator[ViesServer]:
    """Serve until the block ends."""
    state = ViesServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            state.asked.append({"path": self.path, **json.loads(sent)})
            time.sleep(state.delay_seconds)
            self.send_response(state.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(state.body)))
            self.end_headers()
            self.wfile.write(state.body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}/rest-api"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
