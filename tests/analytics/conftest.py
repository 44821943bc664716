import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.test import override_settings

from tests.process_caches import forget_connections


@contextmanager
def _out(kind: str) -> Iterator[None]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if kind == "is silent":
            server.listen(64)
        with override_settings(REDIS_LIMITS_URL=f"redis://127.0.0.1:{server.getsockname()[1]}/0"):
            forget_connections()
            yield
        forget_connections()


@pytest.fixture
def valkey_out() -> Callable[[str], AbstractContextManager[None]]:
    """While entered, the counters' server refuses connections, or accepts them and stays silent."""
    return _out
