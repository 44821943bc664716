"""A stand-in for VIES on loopback that gives the answers that a test sets."""

import contextlib
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
    # What it answers to those who name themselves as the one who asks.
    refuses_requester: Any = None
    # Without it, answers wait, until the server ends at the latest.
    may_answer: threading.Event = field(default_factory=threading.Event)
    trickle: str = ""
    is_all_sent: bool = False
    asked: list[dict[str, Any]] = field(default_factory=list)

    @property
    def body(self) -> bytes:
        return self.raw if self.raw is not None else json.dumps(self.answer).encode()


@contextmanager
def run() -> Iterator[ViesServer]:
    """Serve until the block ends."""
    state = ViesServer()
    state.may_answer.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked = json.loads(sent or "{}")
            state.asked.append({"path": self.path, **asked})
            state.may_answer.wait()
            body = state.body
            if state.refuses_requester and "requesterNumber" in asked:
                body = json.dumps(state.refuses_requester).encode()
            if state.trickle == "head":
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                self._trickle()
                return
            self.send_response(state.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if state.trickle == "body":
                self._trickle()
                return
            with contextlib.suppress(ConnectionError):
                self.wfile.write(body)
                state.is_all_sent = True

        do_GET = do_POST  # noqa: N815 - the name that http.server looks for

        def _trickle(self) -> None:
            """Send a byte every 50 ms until nobody listens."""
            with contextlib.suppress(ConnectionError):
                while True:
                    self.wfile.write(b"H")
                    time.sleep(0.05)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}/rest-api"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005})
    thread.start()
    try:
        yield state
    finally:
        state.may_answer.set()
        server.shutdown()
        thread.join()
        server.server_close()
