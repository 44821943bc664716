"""A small stand-in for an S3 server: one bucket in memory, over real HTTP on loopback."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from django.utils import timezone

NAME = "photos"


class Bucket:
    """Objects by key with the time of their writing, unfinished uploads as parts by key and number, and every request
    as (method, path, headers)."""

    def __init__(self) -> None:
        self.objects: dict[str, tuple[bytes, datetime, str]] = {}
        self.parts: dict[str, dict[int, bytes]] = {}
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.fails = False
        self.url = ""

    def make_old(self) -> None:
        long_ago = timezone.now() - timedelta(days=2)
        self.objects = {key: (content, long_ago, kind) for key, (content, _, kind) in self.objects.items()}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    bucket: Bucket

    def handle_one(self) -> None:
        """Answer as S3 does to what the project asks of it."""
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.bucket.requests.append((self.command, self.path, dict(self.headers)))
        owner, _, key = unquote(parts.path).lstrip("/").partition("/")
        if self.bucket.fails:
            self._answer(503, b"<Error><Code>SlowDown</Code></Error>")
        elif owner != NAME or not self.headers.get("Authorization", "").startswith(
            "AWS4-HMAC-SHA256 Credential=AKTEST/"
        ):
            self._answer(403, b"<Error><Code>AccessDenied</Code></Error>")
        elif "upload" in parts.query:
            self._in_parts(key, parse_qs(parts.query, keep_blank_values=True), body)
        elif self.command == "PUT":
            self.bucket.objects[key] = (body, timezone.now(), self.headers.get("Content-Type", ""))
            self._answer(200)
        elif self.command == "DELETE":
            self.bucket.objects.pop(key, None)
            self._answer(204)
        elif not key:
            self._answer(200, self._listing(parse_qs(parts.query)["prefix"][0]))
        elif key not in self.bucket.objects:
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        else:
            content, written_at, kind = self.bucket.objects[key]
            self._answer(
                200, content, {"Last-Modified": format_datetime(written_at, usegmt=True), "Content-Type": kind}
            )

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_one  # noqa: N815 - the names that http.server looks for

    def _in_parts(self, key: str, query: dict[str, list[str]], body: bytes) -> None:
        """Begin an upload in parts, take a part, or end it: POST with the whole, DELETE with nothing."""
        answer = b""
        if "uploads" in query:
            self.bucket.parts[key] = {}
            answer = b"<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"
        elif self.command == "PUT":
            self.bucket.parts[key][int(query["partNumber"][0])] = body
        else:
            pieces = self.bucket.parts.pop(key)
            if self.command == "POST":
                whole = b"".join(pieces[number] for number in sorted(pieces))
                self.bucket.objects[key] = (whole, timezone.now(), "")
            answer = b"<CompleteMultipartUploadResult></CompleteMultipartUploadResult>"
        self._answer(200, answer)

    def _listing(self, prefix: str) -> bytes:
        inside = [key.removeprefix(prefix) for key in sorted(self.bucket.objects) if key.startswith(prefix)]
        folders = sorted({rest.partition("/")[0] for rest in inside if "/" in rest})
        files = [rest for rest in inside if "/" not in rest]
        return "".join(
            [
                "<ListBucketResult><IsTruncated>false</IsTruncated>",
                *(f"<Contents><Key>{escape(prefix + name)}</Key></Contents>" for name in files),
                *(f"<CommonPrefixes><Prefix>{escape(prefix + name)}/</Prefix></CommonPrefixes>" for name in folders),
                "</ListBucketResult>",
            ]
        ).encode()

    def _answer(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**(headers or {}), "ETag": '"x"', "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the signature of the base class
        """Say nothing on standard error."""


@contextmanager
def bucket_server() -> Iterator[Bucket]:
    """Run the stand-in on a port of its own."""
    bucket = Bucket()
    handler = type("_Handler", (_Handler,), {"bucket": bucket})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005})
        thread.start()
        bucket.url = f"http://127.0.0.1:{server.server_port}"
        yield bucket
        server.shutdown()
        thread.join()
