"""Traces and error reports: sent by every kind of process, only when switched on, and without anything about people."""

import gzip
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from typing import Any

import anyio
import brotli
import httpx2
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from config import telemetry
from tests.config.support import PROJECT
from tests.mcp.clients import session_of
from tests.providers.http import Answer, ProviderServer, Request, serve
from tests.running import Running, running
from tests.waiting import PATIENCE_SECONDS, wait_for

SECRETS = ("ada@example.com", "a-secret-of-an-order", "typed-by-a-person", "203.0.113.9")


class Receiver(ProviderServer):
    """An OpenTelemetry collector and a Sentry in one; every other path is a page of a website."""

    def answer(self, request: Request) -> Answer:
        if request.path == "/v1/traces" or request.path.startswith("/api/"):
            return Answer(200, b"{}" if "api" in request.path else b"", {"Content-Type": "application/json"})
        page = (
            b"<!doctype html><title>Acme</title><h1>Acme</h1>" + b"<p>Acme turns papers into lists of tasks.</p>" * 30
        )
        return Answer(200, page, {"Content-Type": "text/html"})

    def spans(self) -> list[dict[str, Any]]:
        """Every span with its service, and attributes by name."""
        result: list[dict[str, Any]] = []
        for request in self.sent_to("/v1/traces"):
            for group in ExportTraceServiceRequest.FromString(unpacked(request)).resource_spans:
                [service] = [
                    each.value.string_value for each in group.resource.attributes if each.key == "service.name"
                ]
                result += [
                    {
                        "service": service,
                        "name": span.name,
                        "kind": span.kind,
                        "trace": span.trace_id,
                        "id": span.span_id,
                        "parent": span.parent_span_id,
                        "attributes": {each.key: each.value.string_value for each in span.attributes},
                    }
                    for scope in group.scope_spans
                    for span in scope.spans
                ]
        return result

    def reports(self) -> list[dict[str, Any]]:
        """Every event that was sent to Sentry."""
        events: list[dict[str, Any]] = []
        for request in self.sent_to("/api/"):
            header, *items = unpacked(request).decode().splitlines()
            kinds = [json.loads(line).get("type") for line in items[::2]]
            events += [json.loads(line) for kind, line in zip(kinds, items[1::2], strict=False) if kind == "event"]
        return events

    def sent_to(self, path: str) -> list[Request]:
        with self.lock:
            return [request for request in self.requests if request.path.startswith(path)]


def unpacked(request: Request) -> bytes:
    unpack = {"gzip": gzip.decompress, "deflate": zlib.decompress, "br": brotli.decompress}
    packed = request.headers.get("content-encoding")
    return bytes(unpack[packed](request.body)) if packed else request.body


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with serve(Receiver()) as started:
        yield started


@pytest.fixture(scope="module")
def slipway(receiver: Receiver, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url, "OTEL_BSP_SCHEDULE_DELAY": "200", "BEHIND_PROXY": "1"}
    host = receiver.url.removeprefix("http://").replace("127.0.0.1", "acme.localhost")
    data_dir = tmp_path_factory.mktemp("telemetry") / "data"
    with running(data_dir, private_hosts=[host], settings=settings) as started:
        yield started


def from_a_person(slipway: Running, path: str) -> httpx2.Response:
    headers = {"User-Agent": "typed-by-a-person", "X-Forwarded-For": "203.0.113.9"}
    return httpx2.get(slipway.base_url + path, headers=headers, timeout=PATIENCE_SECONDS)


@pytest.mark.processes
class TestTraces:
    def test_a_request_and_its_queries_are_one_trace(self, slipway: Running, receiver: Receiver) -> None:
        from_a_person(slipway, "/api/v1/listings?q=typed-by-a-person")

        def queries() -> list[dict[str, Any]]:
            spans = receiver.spans()
            requests = [span["trace"] for span in spans if span["name"] == "GET api/v1/listings"]
            return [span for span in spans if span["trace"] in requests and "db.statement" in span["attributes"]]

        wait_for(lambda: bool(queries()))
        assert {span["service"] for span in queries()} == {"slipway-web"}

    def test_a_tool_call_and_its_request_are_one_trace(self, slipway: Running, receiver: Receiver) -> None:
        async def call() -> None:
            async with session_of(str(slipway.up["mcp_url"]), version="2025-11-25") as session:
                await session.call_tool("list_products", {})

        anyio.run(call)

        def parents() -> set[bytes]:
            return {span["parent"] for span in receiver.spans() if span["name"] == "GET api/v1/products"}

        def called() -> set[bytes]:
            return {span["id"] for span in receiver.spans() if "list_products" in span["name"]}

        wait_for(lambda: bool(called() & parents()))

    def test_a_draft_is_one_trace_from_the_request_to_the_website(self, slipway: Running, receiver: Receiver) -> None:
        website = receiver.url.replace("127.0.0.1", "acme.localhost")
        headers = {"Authorization": f"Bearer {slipway.api_key}"}
        made = httpx2.post(
            slipway.up["api_url"] + "/drafts", json={"url": website}, headers=headers, timeout=PATIENCE_SECONDS
        )
        assert made.status_code in {200, 201, 202}, made.text

        def pages() -> list[dict[str, Any]]:
            spans = receiver.spans()
            asked = {span["trace"] for span in spans if span["name"] == "POST api/v1/drafts"}
            to = [span for span in spans if span["attributes"].get("server.address") == "acme.localhost"]
            return [span for span in to if span["trace"] in asked]

        wait_for(lambda: bool(pages()))
        assert {span["service"] for span in pages()} == {"slipway-crawler"}
        fetched = [request for request in receiver.sent_to("/") if request.headers["host"].startswith("acme.")]
        assert fetched
        assert all("traceparent" not in request.headers for request in fetched)

    def test_workers_send_spans_of_their_tasks(self, slipway: Running, receiver: Receiver) -> None:
        def tasks() -> list[str]:
            return [span["name"] for span in receiver.spans() if span["service"] == "slipway-worker"]

        wait_for(lambda: any(name.startswith("run/") for name in tasks()))

    def test_probes_may_use_any_host(self, slipway: Running) -> None:
        headers = {"Host": "10.1.2.3"}
        assert httpx2.get(slipway.base_url + "/healthz", headers=headers, timeout=PATIENCE_SECONDS).status_code == 200

    def test_nothing_about_people_is_sent(self, slipway: Running, receiver: Receiver) -> None:
        from_a_person(slipway, "/checkout/a-secret-of-an-order?email=ada@example.com")

        def is_told() -> bool:
            return any("checkout" in span["name"] for span in receiver.spans())

        wait_for(is_told)
        sent = b"".join(unpacked(request) for request in receiver.sent_to("/v1/traces"))
        assert [secret for secret in SECRETS if secret.encode() in sent] == []


def run(program: str, **env: str) -> str:
    """Run a program of the project to its end; returns what it prints."""
    named = {"DJANGO_SETTINGS_MODULE": "config.settings", **env}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=PROJECT,
        env={**os.environ, **named},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


_FAILING_REQUEST = """
from io import BytesIO
from config.wsgi import application
from apps.core.web import views
from config import telemetry

def exposition():
    password = "a-secret-of-an-order"
    raise ValueError("not for ada@example.com\\nDETAIL: Key (name)=(typed-by-a-person)" )

views.exposition = exposition
body = b"text=typed-by-a-person"
environ = {
    "REQUEST_METHOD": "POST", "PATH_INFO": "/metrics", "QUERY_STRING": "email=ada@example.com",
    "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "8000", "HTTP_HOST": "127.0.0.1:8000", "REMOTE_ADDR": "127.0.0.1",
    "CONTENT_TYPE": "application/x-www-form-urlencoded", "CONTENT_LENGTH": str(len(body)),
    "HTTP_USER_AGENT": "typed-by-a-person", "HTTP_X_REAL_IP": "203.0.113.9", "HTTP_COOKIE": "a=a-secret-of-an-order",
    "wsgi.input": BytesIO(body), "wsgi.url_scheme": "http", "wsgi.errors": None,
}
answer = application(environ, lambda status, headers, exc_info=None: print(status))
b"".join(answer)
answer.close()
telemetry.stop()
"""

_FAILING_TASK = """
import django
django.setup()
from config import telemetry
from config.celery import app

telemetry.report_errors()

@app.task
def failing(name):
    raise KeyError("failed")

failing.apply(["ada@example.com"])
telemetry.stop()
"""


@pytest.mark.processes
class TestErrorReports:
    def test_a_failed_request_is_reported_without_the_person(self) -> None:
        with serve(Receiver()) as receiver:
            said = run(_FAILING_REQUEST, SENTRY_DSN=receiver.url.replace("http://", "http://key@") + "/1")
            [report] = receiver.reports()
        assert said.startswith("500")
        [error] = report["exception"]["values"]
        assert (error["type"], error["value"]) == ("ValueError", "not for [email]")
        assert report["request"] == {"method": "POST"}
        assert [secret for secret in SECRETS if secret in json.dumps(report)] == []

    def test_a_failed_task_is_reported_without_its_arguments(self) -> None:
        with serve(Receiver()) as receiver:
            run(_FAILING_TASK, SENTRY_DSN=receiver.url.replace("http://", "http://key@") + "/1")
            [report] = receiver.reports()
        assert report["exception"]["values"][-1]["type"] == "KeyError"
        assert "ada@example.com" not in json.dumps(report)


@pytest.mark.processes
def test_switched_off_nothing_is_imported() -> None:
    program = """
import sys
import config.wsgi
from config import telemetry

telemetry.stop()
ours = ("sentry_sdk", "opentelemetry.exporter", "opentelemetry.instrumentation", "config.telemetry.")
print([name for name in sys.modules if name.startswith(ours)])
"""
    assert run(program).strip() == "[]"


@pytest.mark.parametrize(
    ("setting", "extra"),
    [("OTEL_EXPORTER_OTLP_ENDPOINT", "otel"), ("SENTRY_DSN", "sentry")],
)
def test_a_missing_extra_is_named_and_stops_nothing(
    setting: str, extra: str, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    monkeypatch.setenv(setting, "http://key@127.0.0.1:9/1")
    monkeypatch.setattr(telemetry, "find_spec", lambda name: None)
    telemetry.prepare()
    telemetry.start("web")
    telemetry.stop()
    assert f"needs the extra {extra} " in caplog.text
