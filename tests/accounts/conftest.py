import socket
from collections.abc import Iterator

import pytest


@pytest.fixture
def silent_server() -> Iterator[int]:
    """The port of a server that accepts and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]
