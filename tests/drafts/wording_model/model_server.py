"""A stand-in for an OpenAI-compatible endpoint on loopback, which can be told to misbehave in every way."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Respond = Callable[["Turn"], None]


@dataclass
class Turn:
    """One request, and the means to answer it."""

    handler: BaseHTTPRequestHandler
    path: str
    headers: dict[str, str]
    body: Any
    over: threading.Event

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """The blocks that were sent."""
        blocks: list[dict[str, Any]] = json.loads(self.body["messages"][-1]["content"])["blocks"]
        return blocks

    def number_of(self, words: str) -> int:
        """The number of the first block that holds these words."""
        return next(int(block["number"]) for block in self.blocks if words in block["text"])

    def send(self, body: bytes, *, status: int = 200, **headers: str) -> None:
        self.head(status, **{"Content_Length": str(len(body)), **headers})
        self.write(body)

    def head(self, status: int = 200, **headers: str) -> None:
        self.handler.send_response(status)
        for name, value in {"Content_Type": "application/json", **headers}.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.end_headers()

    def write(self, data: bytes) -> None:
        self.handler.wfile.write(data)
        self.handler.wfile.flush()

    def say(self, content: object) -> None:
        """Answer as a model does whose text is `content`."""
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        whole = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        self.send(json.dumps(whole).encode())

    def word(self, *, headline: tuple[str, list[Any]] = ("", []), summary: tuple[str, list[Any]] = ("", [])) -> None:
        """Answer by the schema: a text each, and the numbers it cites."""
        texts = {"headline": headline, "summary": summary}
        self.say(json.dumps({name: {"text": text, "blocks": cited} for name, (text, cited) in texts.items()}))


@dataclass
class ModelServer:
    """`respond` answers; `turns` are the requests so far."""

    url: str = ""
    respond: Respond = lambda turn: turn.word()
    turns: list[Turn] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """Serve on a free port of loopback until the block ends, which sets `over`."""
    state = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            named = {name.lower(): value for name, value in self.headers.items()}
            turn = Turn(self, self.path, named, json.loads(sent), state.over)
            state.turns.append(turn)
            self.close_connection = True
            state.respond(turn)

        def do_GET(self) -> None:
            state.turns.append(Turn(self, self.path, {}, None, state.over))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Clients that hang up are what most of these tests are about."""

    server = Quiet(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
