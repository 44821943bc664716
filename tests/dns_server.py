"""A DNS server on loopback, over UDP and TCP, with a book of names; some of its answers are not what was asked for."""

import socket
import socketserver
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

TTL = 60


@dataclass
class Zone:
    """What stands at one name: `texts` as lists of strings, or an `alias`; `rcode` refuses, `is_silent` never answers.

    `is_truncated` sends UDP askers to TCP; `forged` are answers with another id, sent before the true one.
    """

    texts: list[list[str]] = field(default_factory=list)
    alias: str = ""
    rcode: str = ""
    is_silent: bool = False
    is_truncated: bool = False
    forged: list[str] = field(default_factory=list)


class DnsServer:
    """`with DnsServer() as server: server.text("_slipway.acme.localhost", "slipway-claim=…")`."""

    def __init__(self) -> None:
        self.book: dict[str, Zone] = {}
        self.asked: list[tuple[str, str]] = []
        self._tcp, self._udp = _pair()
        self.port: int = self._tcp.server_address[1]
        self._udp.names = self._tcp.names = self
        servers: list[socketserver.BaseServer] = [self._udp, self._tcp]
        self._threads = [threading.Thread(target=one.serve_forever, args=(0.005,), daemon=True) for one in servers]

    def __enter__(self) -> "DnsServer":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in (self._udp, self._tcp):
            server.shutdown()
            server.server_close()
        for thread in self._threads:
            thread.join()

    @property
    def address(self) -> str:
        """As CLAIM_DNS_SERVERS takes it."""
        return f"127.0.0.1:{self.port}"

    def text(self, name: str, *texts: str) -> None:
        """Put TXT records of one string each at a name."""
        self.book[name] = Zone(texts=[[text] for text in texts])

    def answers(self, wire: bytes, *, transport: str) -> list[bytes]:
        """What to send back for a question, in order."""
        query = dns.message.from_wire(wire)
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True).lower()
        self.asked.append((name, transport))
        zone = self.book.get(name)
        if zone is not None and zone.is_silent:
            return []
        response = dns.message.make_response(query)
        if zone is None:
            response.set_rcode(dns.rcode.NXDOMAIN)
        elif zone.rcode:
            response.set_rcode(dns.rcode.from_text(zone.rcode))
        elif zone.is_truncated and transport == "udp":
            response.flags |= dns.flags.TC
        else:
            self._fill(response, f"{name}.", zone)
        forged = [self._forgery(query, f"{name}.", text) for text in (zone.forged if zone else ())]
        return [*forged, response.to_wire(max_size=65535)]

    def _fill(self, response: Any, name: str, zone: Zone) -> None:
        if zone.alias:
            response.answer.append(dns.rrset.from_text(name, TTL, "IN", "CNAME", f"{zone.alias}."))
            name, zone = f"{zone.alias}.", self.book.get(zone.alias, Zone())
        if zone.texts:
            rows = [" ".join(f'"{part}"' for part in parts) for parts in zone.texts]
            response.answer.append(dns.rrset.from_text(name, TTL, "IN", "TXT", *rows))

    def _forgery(self, query: Any, name: str, text: str) -> bytes:
        response = dns.message.make_response(query)
        response.id = (query.id + 1) % 65536
        self._fill(response, name, Zone(texts=[[text]]))
        wire: bytes = response.to_wire()
        return wire


class _Udp(socketserver.ThreadingUDPServer):
    daemon_threads = True
    names: DnsServer


class _Tcp(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    names: DnsServer


def _pair() -> tuple[_Tcp, _Udp]:
    """Servers on one port, which has to be free for both."""
    while True:
        tcp = _Tcp(("127.0.0.1", 0), _TcpHandler)
        try:
            return tcp, _Udp(("127.0.0.1", tcp.server_address[1]), _UdpHandler)
        except OSError:
            tcp.server_close()


class _UdpHandler(socketserver.BaseRequestHandler):
    server: _Udp
    request: tuple[bytes, socket.socket]

    def handle(self) -> None:
        wire, connection = self.request
        for answer in self.server.names.answers(wire, transport="udp"):
            connection.sendto(answer, self.client_address)


class _TcpHandler(socketserver.BaseRequestHandler):
    server: _Tcp
    request: socket.socket

    def handle(self) -> None:
        length = int.from_bytes(self.request.recv(2))
        for answer in self.server.names.answers(self.request.recv(length), transport="tcp"):
            self.request.sendall(len(answer).to_bytes(2) + answer)
