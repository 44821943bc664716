"""A connection to a server that a test can cut, as if the server was gone."""

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit


class Line:
    """Passes connections on to a server on loopback, at an address of its own, until it is cut."""

    def __init__(self, base_url: str) -> None:
        self._target = urlsplit(base_url).port or 80
        self._open: set[socket.socket] = set()
        self._listener = self._listening(0)
        self.port: int = self._listener.getsockname()[1]
        self.base_url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def cut(self) -> None:
        """Refuse new connections, and break those that are there."""
        _close(self._listener)
        for connection in list(self._open):
            _close(connection)

    def mend(self) -> None:
        self._listener = self._listening(self.port)

    def _listening(self, port: int) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, args=[listener], daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
                self._open |= {near, far}
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=[source, sink], daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        for connection in (source, sink):
            self._open.discard(connection)
            _close(connection)


def _close(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
