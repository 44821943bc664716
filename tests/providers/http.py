"""What the stand-ins of payment providers have in common: a real HTTP server that can be told to misbehave."""

import html
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

import httpx2

from tests.waiting import PATIENCE_SECONDS


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came in; names of headers are in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))

    @property
    def json(self) -> Any:
        return json.loads(self.body or b"null")


@dataclass(frozen=True, slots=True)
class Answer:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def json_answer(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(status, json.dumps(data).encode(), {"Content-Type": "application/json", **(headers or {})})


def redirect(url: str) -> Answer:
    return Answer(303, b"", {"Location": url})


def pay_page(provider: str, rows: Mapping[str, str], *, is_open: bool) -> Answer:
    """The provider's own page for people: what is to be paid, with Pay and Cancel while it can be."""
    told = "".join(f"<dt>{html.escape(name)}<dd>{html.escape(value)}" for name, value in rows.items())
    buttons = "".join(f'<button name="action" value="{name.lower()}">{name}</button>' for name in ("Pay", "Cancel"))
    form = f'<form method="post">{buttons}</form>' if is_open else "<p>This payment is over.</p>"
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{provider}</title>'
        f'<link rel="icon" href="data:,"></head><body><h1>{provider}</h1><dl>{told}</dl>{form}</body></html>'
    )
    return Answer(200, page.encode(), {"Content-Type": "text/html; charset=utf-8"})


def every_request(request: Request) -> bool:
    return True


def posts(ending: str) -> Callable[[Request], bool]:
    """Which requests post to a path that ends so."""
    return lambda request: request.method == "POST" and request.path.endswith(ending)


class ProviderServer:
    """One provider. A subclass answers its API in `answer` and shows people its pages in `page`.

    Knobs, for the API alone: `delay_seconds` before each answer, after the work is done; `drop_answers`: so many
    requests are worked on and then left without an answer; `fail_with`: (status, how many requests are refused
    with it before any work); `concerns`: which requests are dropped or refused. `is_telling`: whether what happens
    on the provider's page is sent to `webhook_url`, which may be set after the start.
    """

    def __init__(self, *, webhook_url: str = "") -> None:
        self.url = ""
        self.webhook_url = webhook_url
        self.requests: list[Request] = []
        self.delay_seconds = 0.0
        self.drop_answers = 0
        self.fail_with: tuple[int, int] = (500, 0)
        self.concerns: Callable[[Request], bool] = every_request
        self.is_telling = True
        self.lock = threading.RLock()
        self.is_over = threading.Event()

    def answer(self, request: Request) -> Answer:
        raise NotImplementedError

    def page(self, request: Request) -> Answer | None:
        """The answer to a person's browser; None for what belongs to the API."""
        return None

    def refusal(self, status: int) -> Answer:
        """What `fail_with` answers, in the provider's shape."""
        raise NotImplementedError

    def deliver(self, body: bytes, headers: Mapping[str, str]) -> int:
        """Post an event to `webhook_url` as the provider does; returns the status of the answer."""
        with httpx2.Client(trust_env=False, timeout=PATIENCE_SECONDS) as client:
            return client.post(self.webhook_url, content=body, headers=dict(headers)).status_code

    def respond(self, request: Request) -> Answer | None:
        """The answer with all knobs applied; None to break off."""
        if (shown := self.page(request)) is not None:
            return shown
        with self.lock:
            self.requests.append(request)
            is_concerned = self.concerns(request)
            refused_with, refused = self.fail_with
            if is_concerned and refused > 0:
                self.fail_with = (refused_with, refused - 1)
                made = self.refusal(refused_with)
            else:
                made = self.answer(request)
            is_dropped = is_concerned and self.drop_answers > 0
            self.drop_answers -= is_dropped
        self.is_over.wait(self.delay_seconds)
        return None if is_dropped else made


Server = TypeVar("Server", bound=ProviderServer)


@contextmanager
def serve(state: Server) -> Iterator[Server]:
    """Serve on a free port of loopback until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def _respond(self) -> None:
            parts = urlsplit(self.path)
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            named = {name.lower(): value for name, value in self.headers.items()}
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            made = state.respond(Request(self.command, parts.path, query, named, sent))
            self.close_connection = True
            if made is None:
                return
            self.send_response(made.status)
            for name, value in {**made.headers, "Content-Length": str(len(made.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(made.body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _respond  # noqa: N815 - the base class's names

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        # 200 parallel clients are a test; the base class lets five wait.
        request_queue_size = 256

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Clients that gave up waiting are what the knobs are for."""

    server = Quiet(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.is_over.set()
        server.shutdown()
        thread.join()
        server.server_close()
