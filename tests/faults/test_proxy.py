"""The proxy between an installation and its engines passes on, delays and cuts."""

import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.proxy import Proxy
from tests.waiting import PATIENCE_SECONDS


@contextmanager
def echo(path: Path) -> Iterator[None]:
    """A server that sends a given text, to one client."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                while piece := connection.recv(1000):
                    connection.sendall(piece)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        thread.join()


@pytest.fixture
def folder() -> Iterator[Path]:
    # The path of a socket is short.
    with tempfile.TemporaryDirectory(prefix="proxy-") as name:
        yield Path(name)


def is_cut(client: socket.socket) -> bool:
    try:
        return client.recv(100) == b""
    except ConnectionError:
        return True


def test_it_passes_on_delays_and_cuts(folder: Path) -> None:
    with (
        echo(folder / "target"),
        Proxy(folder / "listen", folder / "target") as proxy,
        socket.socket(socket.AF_UNIX) as client,
    ):
        client.settimeout(PATIENCE_SECONDS)
        client.connect(str(folder / "listen"))
        client.sendall(b"one")
        assert client.recv(100) == b"one"
        proxy.delay_seconds = 0.1
        began = time.monotonic()
        client.sendall(b"two")
        assert client.recv(100) == b"two"
        assert time.monotonic() - began >= 2 * proxy.delay_seconds
        assert proxy.cut() == 1
        assert is_cut(client)


def test_nobody_behind_it_is_a_cut_connection(folder: Path) -> None:
    with Proxy(folder / "listen", folder / "target"), socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE_SECONDS)
        client.connect(str(folder / "listen"))
        assert is_cut(client)
