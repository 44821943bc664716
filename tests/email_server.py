"""An email server on loopback that keeps what it is given."""

import email
import socketserver
import threading
from email.policy import default
from typing import TYPE_CHECKING

from tests.waiting import wait_for

if TYPE_CHECKING:
    from email.message import EmailMessage


class _Conversation(socketserver.StreamRequestHandler):
    """As much of SMTP (RFC 5321) as Django's backend speaks."""

    server: "EmailServer"

    def handle(self) -> None:
        self.server.connections += 1
        self._say("220 ready")
        while line := self.rfile.readline():
            verb = line.split()[0].upper() if line.split() else b""
            if verb == b"DATA":
                self._say("354 go on")
                self.server.keep(self._read_message())
            answer = self.server.answer(line.decode()) if verb == b"RCPT" else "250 ok"
            if not answer:
                return
            self._say("221 bye" if verb == b"QUIT" else answer)
            if verb == b"QUIT" or answer.startswith("421"):
                return

    def _read_message(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                raise ConnectionResetError("the client went away in the middle of a message")
            lines.append(line.removeprefix(b"."))
        return b"".join(lines)

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class EmailServer(socketserver.ThreadingTCPServer):
    """Use as a context manager; `url` is for EMAIL_URL."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.messages: list[EmailMessage] = []
        self.connections = 0
        self._answers: dict[str, str] = {}
        self._thread = threading.Thread(target=self.serve_forever, args=(0.005,), daemon=True)

    def __enter__(self) -> "EmailServer":
        self._thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: some tests kill clients in the middle of a message, which counts as not sent."""

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.server_address[1]}"

    def keep(self, raw: bytes) -> None:
        self.messages.append(email.message_from_bytes(raw, policy=default))

    def refuse(self, to: str, code: int, words: str) -> None:
        """Answer so when an email is for this address; after 421 the connection ends."""
        self._answers[to] = f"{code} {words}"

    def break_off(self, to: str) -> None:
        """End the connection without a word when an email is for this address."""
        self._answers[to] = ""

    def accept(self, to: str) -> None:
        """Take emails for this address again."""
        self._answers.pop(to, None)

    def answer(self, line: str) -> str:
        """What the server says to a RCPT line; nothing to break off."""
        address = line.partition("<")[2].partition(">")[0]
        return self._answers.get(address, "250 ok")

    def newest_text(self, to: str, *, subject: str = "") -> str:
        """The text of the newest email to an address, once there is one with these words in its subject."""

        def find() -> str | None:
            for message in reversed(self.messages):
                body = message.get_body(("plain",))
                if message["To"] == to and subject in message["Subject"] and body is not None:
                    return str(body.get_content()).replace("\r\n", "\n")
            return None

        return wait_for(find)
