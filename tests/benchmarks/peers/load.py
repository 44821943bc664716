"""Load on a server: wrk where it is installed, otherwise threads of ours, which take more of the machine themselves."""

import re
import shutil
import socket
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import cycle, islice
from urllib.parse import urlsplit

WRK = shutil.which("wrk")
_UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked; `headers` stand beside Host."""

    path: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


@dataclass(frozen=True, slots=True)
class Load:
    """What came of it: answers, seconds, and milliseconds that the middle and the slowest hundredth took."""

    answers: int
    seconds: float
    p50: float
    p99: float

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answers / self.seconds


class BadAnswerError(Exception):
    """A server answered with an error under load."""


def ask(url: str, request: Request) -> bytes:
    """One answer's body. Raises BadAnswerError."""
    [(status, body, _)] = islice(_answers(url, cycle([request])), 1)
    if status >= 300:
        raise BadAnswerError(f"{request.method} {url}{request.path}: {status} {body[:300].decode(errors='replace')}")
    return body


def load(url: str, requests: Sequence[Request], *, connections: int, seconds: float) -> Load:
    """Ask for these in turn on so many connections. Raises BadAnswerError where answers are errors."""
    return _by_wrk(url, requests, connections, seconds) if WRK else _by_threads(url, requests, connections, seconds)


def _by_wrk(url: str, requests: Sequence[Request], connections: int, seconds: float) -> Load:
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(_lua(requests))
        script.flush()
        words = ["-t1", f"-c{connections}", f"-d{max(round(seconds), 1)}s", "--timeout", "100s", "--latency"]
        told = subprocess.run(
            [str(WRK), *words, "-s", script.name, url], capture_output=True, text=True, check=True
        ).stdout
    if "Non-2xx" in told or "Socket errors" in told:
        raise BadAnswerError(f"{url}{requests[0].path}: {told}")
    [(answers, length, unit)] = re.findall(r"(\d+) requests in ([\d.]+)(us|ms|s|m)\b", told)
    took = {
        name: float(number) * _UNITS[of]
        for name, number, of in re.findall(r"^ +(50|99)% +([\d.]+)(us|ms|s|m)\b", told, re.M)
    }
    return Load(int(answers), float(length) * _UNITS[unit] / 1000, took["50"], took["99"])


def _lua(requests: Sequence[Request]) -> str:
    """wrk's script: the requests in turn, written once."""
    lines = [
        f"wrk.format({_quoted(one.method)}, {_quoted(one.path)}, "
        f"{{{', '.join(f'[{_quoted(name)}]={_quoted(value)}' for name, value in one.headers.items())}}}, "
        f"{_quoted(one.body) if one.body else 'nil'})"
        for one in requests
    ]
    return (
        f"local n, at, ready = {len(lines)}, 0, {{}}\n"
        f"init = function() ready = {{{', '.join(lines)}}} end\n"
        "request = function() at = at % n + 1 return ready[at] end\n"
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _by_threads(url: str, requests: Sequence[Request], connections: int, seconds: float) -> Load:
    took: list[float] = []
    errors: list[Exception] = []
    end = time.monotonic() + seconds

    def run(number: int) -> None:
        turns = islice(cycle(requests), number % len(requests), None)
        try:
            for status, body, elapsed in _answers(url, turns):
                if status >= 300:
                    raise BadAnswerError(f"{url}: {status} {body[:300].decode(errors='replace')}")
                took.append(elapsed * 1000)
                if time.monotonic() > end:
                    return
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=[number]) for number in range(connections)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return Load(len(took), time.monotonic() - began, statistics.median(took), quantile(took, 99))


def quantile(values: Sequence[float], percent: int) -> float:
    """The value that so many in a hundred do not exceed."""
    return sorted(values)[min(len(values) * percent // 100, len(values) - 1)]


def _answers(url: str, requests: Iterator[Request]) -> Iterator[tuple[int, bytes, float]]:
    """Status, body and seconds of each, one after the other on one connection."""
    where = urlsplit(url)
    connection = HTTPConnection(str(where.hostname), int(where.port or 80), timeout=60)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        for request in requests:
            began = time.monotonic()
            connection.request(request.method, request.path, request.body.encode() or None, dict(request.headers))
            answer = connection.getresponse()
            body = answer.read()
            yield answer.status, body, time.monotonic() - began
    finally:
        connection.close()
