"""A web server on loopback that plays several websites, told apart by their host names."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import urlsplit

from tests.waiting import PATIENCE_SECONDS

HTML = "text/html; charset=utf-8"


@dataclass
class Answer:
    """What the server says at one address.

    `gate` holds the answer back until it is set, and visitors without a cookie get the `wall`.
    """

    body: bytes = b""
    status: int = 200
    content_type: str = HTML
    headers: dict[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    gate: threading.Event | None = None
    wall: "Answer | None" = None


@dataclass(frozen=True)
class Seen:
    """A request that arrived; `at` is a monotonic time in seconds."""

    host: str
    path: str
    at: float
    user_agent: str
    cookie: str = ""


Respond = Callable[[int], Answer]


class PagesServer:
    """Websites by host name: `with PagesServer() as server: server.serve("acme.localhost", "/", "<h1>…")`.

    An unknown path of a known host is 404; a host nobody has set up is 421.
    """

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self._answers: dict[tuple[str, str], Respond] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()
        self._in_flight: dict[str, int] = {}
        self.most_in_flight: dict[str, int] = {}
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.pages = self
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.005,), daemon=True)

    def __enter__(self) -> "PagesServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def url(self, host: str, path: str = "") -> str:
        """The address of a path on one of the websites."""
        return f"http://{host}:{self.port}{path}"

    def host(self, name: str) -> str:
        """`host:port`, as CRAWL_ALLOW_PRIVATE_HOSTS takes it."""
        return f"{name}:{self.port}"

    def serve(self, host: str, path: str, body: str | bytes | Answer | Respond) -> None:
        """Set what a website answers; a function is called with the number of requests before this one."""
        answer = Answer(body.encode()) if isinstance(body, str) else body
        answer = Answer(answer) if isinstance(answer, bytes) else answer
        if isinstance(answer, Answer):
            fixed = answer
            self._answers[host, path] = lambda _: fixed
        else:
            self._answers[host, path] = answer

    def redirect(self, host: str, path: str, to: str, status: int = 302) -> None:
        """Send visitors of a path elsewhere."""
        self.serve(host, path, Answer(status=status, headers={"Location": to}))

    def paths(self, host: str) -> list[str]:
        """What was asked of a website, in order."""
        with self._lock:
            return [request.path for request in self.seen if request.host == host]

    def answer(self, request: Seen) -> Answer:
        """Note the request and find its answer."""
        key = (request.host, urlsplit(request.path).path)
        with self._lock:
            self.seen.append(request)
            before = self._counts.get(key, 0)
            self._counts[key] = before + 1
            respond = self._answers.get(key)
            is_known = any(host == request.host for host, _ in self._answers)
        if respond is None:
            return Answer(b"<h1>Not found</h1>", status=404 if is_known else 421)
        answer = respond(before)
        return answer if request.cookie else answer.wall or answer

    def website(self, host: str) -> "Website":
        """The website of a host."""
        return Website(self, host)

    def enter(self, host: str) -> None:
        """Count a request in flight."""
        with self._lock:
            count = self._in_flight[host] = self._in_flight.get(host, 0) + 1
            self.most_in_flight[host] = max(self.most_in_flight.get(host, 0), count)

    def leave(self, host: str) -> None:
        """Count it out."""
        with self._lock:
            self._in_flight[host] -= 1


@dataclass(frozen=True)
class Website:
    """One of the websites of a server."""

    _server: PagesServer
    _host: str

    @property
    def host(self) -> str:
        """`host:port`, as pages show it."""
        return self._server.host(self._host)

    def url(self, path: str = "") -> str:
        return self._server.url(self._host, path)

    def serve(self, path: str, body: str | bytes | Answer | Respond) -> None:
        self._server.serve(self._host, path, body)

    def paths(self) -> list[str]:
        return self._server.paths(self._host)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    pages: PagesServer

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: crawlers hang up on servers, and some tests make them."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        host = self.headers.get("Host", "").rsplit(":", 1)[0]
        pages = self.server.pages
        pages.enter(host)
        agent = self.headers.get("User-Agent", "")
        answer = pages.answer(Seen(host, self.path, time.monotonic(), agent, self.headers.get("Cookie", "")))
        if answer.gate is not None:
            answer.gate.wait(PATIENCE_SECONDS)
        if answer.delay_seconds:
            time.sleep(answer.delay_seconds)
        # Before the answer is written: a quick client may ask again before this thread goes on.
        pages.leave(host)
        try:
            self._send(answer)
        except (BrokenPipeError, ConnectionResetError):
            # The crawler may hang up whenever it has had enough.
            self.close_connection = True

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        pass
