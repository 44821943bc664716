"""The web server's front, with a small application behind it, over real sockets."""

import json
import select
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGTERM

import pytest

from config.supervisor.up import free_port
from tests.config.support import LARGE, PIECE, clean_environment
from tests.faults.processes import Process, started
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.processes

UPLOAD = "Content-Type: multipart/form-data; boundary=x"
# Variables of the process, which Granian's own server adds to every request, and names that differ by server.
_LEFT_OUT = {"SERVER_SOFTWARE", "GATEWAY_INTERFACE", "SERVER_PORT"}


@dataclass
class Server:
    """A Granian with the small application."""

    port: int
    process: Process
    folder: Path

    def connect(self, request: bytes) -> socket.socket:
        made = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS)
        made.sendall(request)
        return made

    def ask(self, request: bytes) -> tuple[str, bytes]:
        """The status line and body of the answer to a request that ends the connection."""
        with self.connect(request) as made:
            head, _, body = b"".join(iter(lambda: made.recv(65536), b"")).partition(b"\r\n\r\n")
        return head.split(b"\r\n")[0].decode(), body

    @contextmanager
    def holding(self, path: str, name: str, request: Callable[[str], bytes]) -> Iterator[socket.socket]:
        """Have the application work on a request until the block ends; yields its connection."""
        (self.folder / f"held-{name}").unlink(missing_ok=True)
        (self.folder / f"free-{name}").unlink(missing_ok=True)
        with self.connect(request(f"{path}/hold/{name}")) as made:
            try:
                wait_for((self.folder / f"held-{name}").exists)
                yield made
            finally:
                (self.folder / f"free-{name}").touch()
            assert made.recv(65536).startswith(b"HTTP/1.1 200 ")

    def refuses(self) -> bool:
        """Whether it takes no new connections."""
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS).close()
            return False
        return True

    def count(self, name: str) -> int:
        """How many reads are `waiting` for a thread, or were `abandoned`: dropped because their clients had left."""
        return int(json.loads(self.ask(_post("/mcp", b""))[1])[name])

    def calls(self) -> list[str]:
        result: list[str] = json.loads(self.ask(_get("/calls"))[1])
        return result


@contextmanager
def served(tmp_path: Path, interface: str, target: str, *more: str, **settings: str) -> Iterator[Server]:
    port = free_port("127.0.0.1", 0)
    command = [sys.executable, "-m", "granian", "--interface", interface, "--http", "1", "--no-ws"]
    command += ["--port", str(port), "--workers-kill-timeout", "120", *more, f"tests.config.front_app:{target}"]
    env = {**clean_environment(), "DJANGO_SETTINGS_MODULE": "config.settings", "SLIPWAY_DATA_DIR": str(tmp_path)}
    env |= settings
    with (
        (tmp_path / f"{target}.log").open("w") as log,
        started(command, stop=SIGTERM, env=env, stdout=log, stderr=log) as process,
    ):
        server = Server(port, process, tmp_path)

        def is_there() -> bool:
            with suppress(OSError):
                return bool(server.calls())
            return False

        wait_for(is_there)
        yield server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("front"), "rsgi", "application") as server:
        yield server


def _get(path: str, *headers: str, method: str = "GET") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: h.example:80", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def _post(path: str, body: bytes, *headers: str) -> bytes:
    return _get(path, f"Content-Length: {len(body)}", *headers, method="POST") + body


REQUESTS = {
    "duplicates": _get("/p?q=%C3%A9&a=%20", "X-A: 1", "X-A: 2", "Cookie: a=1", "Cookie: b=2", "Content-Type: a/b"),
    "a path that is not ASCII": _get("/caf%C3%A9/%E4%BD%A0/a%2Fb;x"),
    "values that are not ASCII": _get("/p", "Idempotency-Key: \xe9", "Authorization: Bearer \xe9", "Cookie: a=\xe9"),
    "one of two that is not": _get("/p", "X-A: \xe9", "X-A: 1"),
    "HTTP/1.0 without a host": b"GET /p HTTP/1.0\r\n\r\n",
    "an absolute address": _get("http://abs.example/p"),
    "the whole server": _get("*", method="OPTIONS"),
    "a body": _post("/p", b"abc", "Content-Type: text/plain"),
    "a body behind HEAD's sibling": _get("/p", "Content-Length: 2") + b"ab",
}


def test_a_request_looks_as_it_does_to_granians_wsgi_server(server: Server, tmp_path: Path) -> None:
    with served(tmp_path, "wsgi", "plain") as peer:
        for name, request in REQUESTS.items():
            seen, meant = (json.loads(one.ask(request)[1]) for one in (server, peer))
            assert seen.keys() >= {"REQUEST_METHOD", "PATH_INFO", "HTTP_HOST", "REMOTE_ADDR", "scheme", "body"}
            shared = meant.keys() & seen.keys()
            assert {key: seen[key] for key in shared - _LEFT_OUT} == {key: meant[key] for key in shared - _LEFT_OUT}
            left = {key for key in meant.keys() - seen.keys() if key.startswith(("HTTP_", "CONTENT_"))}
            assert not left, name


def test_a_header_with_an_underscore_cannot_pass_for_a_proxys(server: Server) -> None:
    seen = json.loads(server.ask(_get("/p", "X_Forwarded_For: 203.0.113.9", "X-Other: 1"))[1])
    assert "HTTP_X_FORWARDED_FOR" not in seen
    assert seen["HTTP_X_OTHER"] == "1"


def test_a_chunked_body_gets_its_length(server: Server) -> None:
    request = _get("/p", "Transfer-Encoding: chunked", method="POST") + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    seen = json.loads(server.ask(request)[1])
    assert (seen["body"], seen["CONTENT_LENGTH"]) == ("abcde", "5")


def test_two_lengths_end_the_connection(server: Server) -> None:
    # The server's HTTP library drops Content-Length before anybody sees it, as RFC 9112, section 6.3, lets it.
    both = b"POST /both HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    _, body = server.ask(both + _get("/smuggled"))
    assert json.loads(body)["PATH_INFO"] == "/both"
    assert "/smuggled" not in server.calls()


def test_a_client_that_waits_for_100_continue_is_told(server: Server) -> None:
    with server.connect(_get("/p", "Content-Length: 2", "Expect: 100-continue", method="POST")) as made:
        assert made.recv(65536).startswith(b"HTTP/1.1 100 ")
        made.sendall(b"ab")
        answer = b"".join(iter(lambda: made.recv(65536), b""))
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["body"] == "ab"


def test_mcp_is_answered_on_the_loop_with_the_clients_address(server: Server) -> None:
    answer = json.loads(server.ask(_post("/mcp", b"hello"))[1])
    assert (answer["client"], answer["body"]) == ("127.0.0.1", "hello")


def test_a_broken_body_is_never_given_to_the_application(server: Server) -> None:
    broken = _get("/broken", "Transfer-Encoding: chunked", method="POST")
    with server.connect(broken + b"zz\r\n") as made:
        made.recv(65536)
    with server.connect(_get("/broken", "Content-Length: 9", method="POST") + b"x") as made:
        made.shutdown(socket.SHUT_WR)
        made.recv(65536)
    assert "/broken" not in server.calls()


def test_a_streamed_answer_arrives_whole_and_head_has_none(server: Server) -> None:
    status, body = server.ask(_get("/stream"))
    assert (status, len(body)) == ("HTTP/1.1 200 OK", LARGE * len(PIECE))
    assert server.ask(_get("/stream", method="HEAD")) == ("HTTP/1.1 200 OK", b"")


def test_clients_that_do_not_read_hold_no_thread(server: Server) -> None:
    idle = [server.connect(_get("/stream")) for _ in range(8)]
    try:
        assert server.ask(_get("/p"))[0] == "HTTP/1.1 200 OK"
    finally:
        for made in idle:
            made.close()


def test_bodies_that_drip_hold_nobody_up_and_are_given_up(tmp_path: Path) -> None:
    limits = {"IDLE_SECONDS": "3600", "BODY_SECONDS": "0.5", "UPLOAD_SECONDS": "3600"}
    with served(tmp_path, "rsgi", "application", **limits) as own, ExitStack() as stack:
        waiting = [
            stack.enter_context(own.connect(_get(path, "Content-Length: 9", UPLOAD, method="POST") + b"x"))
            for path in ["/p", "/mcp"] * 32
        ]
        assert own.ask(_get("/p"))[0] == own.ask(_post("/p", b"x", UPLOAD))[0] == "HTTP/1.1 200 OK"
        with own.connect(_get("/p", "Content-Length: 999999", method="POST")) as made:
            while not select.select([made], [], [], 0.05)[0]:
                made.sendall(b"x")
            assert made.recv(65536).startswith(b"HTTP/1.1 408 ")
        assert select.select(waiting, [], [], 0)[0] == []


def test_requests_whose_client_has_gone_are_not_started(server: Server) -> None:
    before = server.count("abandoned")
    with server.holding("", "first", _get):
        left = [server.connect(_get("/left")) for _ in range(5)]
        # A client that leaves earlier can end before there is a request to drop.
        wait_for(lambda: server.count("waiting") == 5)
        for made in left:
            made.close()
        wait_for(lambda: server.count("abandoned") == before + 5)
    assert "/left" not in server.calls()


def test_changes_and_uploads_do_not_wait_for_one_another_or_hold_up_reading(server: Server) -> None:
    with (
        server.holding("", "change", lambda path: _post(path, b"x")),
        server.holding("", "upload", lambda path: _post(path, b"x", UPLOAD)),
    ):
        assert server.ask(_get("/p"))[0] == "HTTP/1.1 200 OK"


def test_pages_that_wait_for_others_do_not_hold_up_reading(server: Server) -> None:
    with server.holding("/waits", "page", _get):
        assert server.ask(_get("/p"))[0] == "HTTP/1.1 200 OK"


def test_two_processes_show_that_they_answer_and_end_requests_before_they_stop(tmp_path: Path) -> None:
    def beats() -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("web.*")}

    with served(tmp_path, "rsgi", "application", "--workers", "2", HEARTBEAT_FILE=str(tmp_path / "web")) as own:
        # A process that gets the signal to stop before it has started would not hear it.
        wait_for(lambda: len(beats()) == 2)
        before = beats()
        wait_for(lambda: all(touched > before[name] for name, touched in beats().items()))
        with own.holding("", "last", _get):
            own.process.send_signal(SIGTERM)
            wait_for(own.refuses)
    assert own.process.returncode == 0
    assert len(list(tmp_path.glob("ended-*"))) == 2
