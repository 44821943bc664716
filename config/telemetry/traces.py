"""Traces by OpenTelemetry: spans of requests, queries, Valkey's commands, tasks, tool calls and outgoing requests."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from opentelemetry import propagate, trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.celery import CeleryInstrumentor
from opentelemetry.instrumentation.django import DjangoInstrumentor
from opentelemetry.instrumentation.httpx import HTTPX2ClientInstrumentor
from opentelemetry.instrumentation.redis import RedisInstrumentor
from opentelemetry.propagators.textmap import CarrierT, Setter, default_setter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import Event, ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import SpanKind, Status
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

# URLs hold secrets and what people typed, the rest is about their devices. The route stays, as in the log.
_PRIVATE = frozenset(
    {
        *("http.url", "http.target", "http.user_agent", "http.client_ip", "net.peer.ip", "net.peer.port"),
        *("url.full", "url.path", "url.query", "user_agent.original", "client.address", "client.port"),
        *("network.peer.address", "network.peer.port", "exception.message"),
    }
)
_tracer = trace.get_tracer("slipway")


@cache
def instrument() -> None:
    """Patch Django, Celery, Redis's client and httpx2, and trace the queries of every connection."""
    propagate.set_global_textmap(_InOwnMessages())
    # Inside of what answers probes, because those may use any host.
    outer = settings.MIDDLEWARE.index("apps.core.web.middleware.HealthMiddleware") + 1
    DjangoInstrumentor().instrument(middleware_position=outer)
    CeleryInstrumentor().instrument()
    RedisInstrumentor().instrument()
    HTTPX2ClientInstrumentor().instrument()
    connection_created.connect(_trace_queries)


def start(process: str) -> None:
    """Begin to send spans. The standard variables, such as OTEL_SERVICE_NAME, win over what is said here."""
    named = {} if "OTEL_SERVICE_NAME" in os.environ else {SERVICE_NAME: f"slipway-{process}"}
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(BatchSpanProcessor(_PrivateExporter(OTLPSpanExporter())))
    trace.set_tracer_provider(provider)


def stop() -> None:
    """Send the spans that are left."""
    provider = trace.get_tracer_provider()
    if isinstance(provider, TracerProvider):
        provider.shutdown()


def _trace_queries(connection: BaseDatabaseWrapper, **_: object) -> None:
    # Not OpenTelemetry's patch of psycopg, which misses cursors that prepare statements.
    if _traced not in connection.execute_wrappers:
        connection.execute_wrappers.append(_traced)


def _traced(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Mapping[str, Any]) -> Any:
    statement = str(sql)
    attributes = {"db.system": "postgresql", "db.statement": statement}
    with _tracer.start_as_current_span(statement[:20].partition(" ")[0], kind=SpanKind.CLIENT, attributes=attributes):
        return execute(sql, params, many, context)


class _InOwnMessages(TraceContextTextMapPropagator):
    """Carries traces in tasks and tool calls, never to other people's servers."""

    def inject(
        self, carrier: CarrierT, context: Context | None = None, setter: Setter[CarrierT] = default_setter
    ) -> None:
        if isinstance(carrier, dict):
            super().inject(carrier, context, setter)


class _PrivateExporter(SpanExporter):
    """Passes spans on without what must not leave this installation."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self._exporter.export([_without_private(span) for span in spans])

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._exporter.force_flush(timeout_millis)


def _without_private(span: ReadableSpan) -> ReadableSpan:
    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=_public(span.attributes or {}) | _server(span),
        events=[Event(event.name, _public(event.attributes or {}), event.timestamp) for event in span.events],
        links=span.links,
        kind=span.kind,
        # A description is the text of an error, which may quote anything.
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _public(attributes: Mapping[str, Any]) -> dict[str, Any]:
    public = {name: value for name, value in attributes.items() if name not in _PRIVATE}
    if traceback := public.get("exception.stacktrace"):
        # Places in the code are indented, texts of errors are not.
        public["exception.stacktrace"] = "\n".join(line for line in traceback.splitlines() if line.startswith(" "))
    return public


def _server(span: ReadableSpan) -> dict[str, str]:
    """Return which server an outgoing request went to."""
    result = span.attributes or {}
    url = result.get("http.url") or result.get("url.full")
    host = urlsplit(str(url)).hostname if url and span.kind == SpanKind.CLIENT else None
    return {"server.address": host} if host else {}
