"""How many tool calls a second, as a ratio of the same REST call.

Starts an installation of its own with one web process. Each round measures REST and then each protocol version,
one after the other, so that whatever else the machine does meets all of them; the medians of the rounds count.

usage: python -m tests.benchmarks.tool_calls [--tool list_products] [--seconds 3] [--rounds 3] [--clients 8]
"""

import argparse
import shutil
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import orjson

from config.local.places import socket_dir
from tests.running import Running, running

LIMITS = {"RATE_LIMIT_PER_ADDRESS": "0", "RATE_LIMIT_PER_KEY": "0"}
REST = "REST"
VERSIONS = ("2025-06-18", "2026-07-28")
_ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def rest_request(slipway: Running, path: str) -> bytes:
    """The bytes of the operation's own request."""
    return _request(slipway, "GET", path, b"", {"Accept": "application/json"})


def tool_request(slipway: Running, tool: str, version: str) -> bytes:
    """The bytes of a tools/call in one version of the protocol."""
    params: dict[str, Any] = {"name": tool, "arguments": {}}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": version}
    if version >= "2026":
        params["_meta"] = _ENVELOPE
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": tool}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return _request(slipway, "POST", urlsplit(slipway.up["mcp_url"]).path, orjson.dumps(message), headers)


def _request(slipway: Running, method: str, path: str, body: bytes, headers: dict[str, str]) -> bytes:
    all_headers = {"Host": urlsplit(slipway.base_url).netloc, "Authorization": f"Bearer {slipway.api_key}", **headers}
    if body:
        all_headers |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in all_headers.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Load:
    """Clients that each keep a connection and ask the same again and again."""

    def __init__(self, address: tuple[str, int], *, clients: int) -> None:
        self._address = address
        self._clients = clients

    def rate(self, request: bytes, *, seconds: float) -> float:
        """Answers a second, of which every one has to be a good one."""
        until = time.monotonic() + seconds
        counts = [0] * self._clients
        errors: list[Exception] = []

        def ask(client: int) -> None:
            try:
                counts[client] = sum(1 for _ in self._answers(request, until))
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=ask, args=[client]) for client in range(self._clients)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        return sum(counts) / (time.monotonic() - began)

    def _answers(self, request: bytes, until: float) -> Iterator[bytes]:
        with socket.create_connection(self._address) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with connection.makefile("rb") as reader:
                while time.monotonic() < until:
                    connection.sendall(request)
                    yield _body(reader)


def _body(reader: Any) -> bytes:
    head = [reader.readline()]
    while (line := reader.readline()) not in {b"\r\n", b""}:
        head.append(line)
    lengths = [line for line in head if line.lower().startswith(b"content-length:")]
    body: bytes = reader.read(int(lengths[0].partition(b":")[2]))
    if b" 200 " not in head[0] or b'"isError":true' in body or b'"error":' in body[:40]:
        raise RuntimeError((head[0] + body[:400]).decode(errors="replace"))
    return body


def measure(slipway: Running, options: argparse.Namespace) -> dict[str, float]:
    """Median answers a second, by what was called."""
    requests = {REST: rest_request(slipway, path_of(slipway, options.tool))}
    requests |= {f"MCP {version}": tool_request(slipway, options.tool, version) for version in VERSIONS}
    where = urlsplit(slipway.base_url)
    load = Load((str(where.hostname), int(where.port or 80)), clients=options.clients)
    for request in requests.values():
        load.rate(request, seconds=1)
    rates: dict[str, list[float]] = {name: [] for name in requests}
    for _ in range(options.rounds):
        for name, request in requests.items():
            rates[name].append(load.rate(request, seconds=options.seconds))
    return {name: statistics.median(one) for name, one in rates.items()}


def path_of(slipway: Running, tool: str) -> str:
    """Where the REST API has the operation, which must be one that reads and needs no argument."""
    document = httpx2.get(f"{slipway.up['api_url']}/openapi.json").raise_for_status().json()
    for path, operations in document["paths"].items():
        if operations.get("get", {}).get("operationId") == tool and "{" not in path:
            return str(path)
    raise SystemExit(f"{tool} does not read, needs an argument, or is not there.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="list_products")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="slipway-benchmark-") as folder:
        # PostgreSQL runs as another user where we are root.
        Path(folder).chmod(0o711)
        data_dir = Path(folder) / "data"
        with running(data_dir, private_hosts=[], settings=LIMITS) as slipway:
            rates = measure(slipway, options)
        shutil.rmtree(socket_dir(data_dir), ignore_errors=True)
    for name, rate in rates.items():
        sys.stdout.write(f"{options.tool} by {name:<15} {rate:8.0f} a second   {rate / rates[REST]:5.2f} of REST\n")


if __name__ == "__main__":
    main()
