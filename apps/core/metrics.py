"""Metrics for Prometheus: requests of all web processes, and states that are counted on each scrape.

An app adds states of its own in `metrics.py` with `@counts`. They are found by name, so that this module knows no app.
Processes share their numbers through files in PROMETHEUS_MULTIPROC_DIR, which `manage.py up` sets.
"""

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone
from django.utils.module_loading import autodiscover_modules
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import REGISTRY, Collector

from apps.core.checks.health import QUEUES, beat_age, broker
from apps.core.models import OutgoingEmail

logger = logging.getLogger(__name__)

REQUESTS = Counter("slipway_requests", "Requests that were answered.", ["method", "route", "status"])
SECONDS = Histogram(
    "slipway_request_seconds",
    "Time from the first middleware to the answer.",
    ["route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)

_CONNECTIONS = """
SELECT coalesce(state, 'none'), count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' GROUP BY 1
"""

Count = Callable[[], Mapping[str, float]]
_counts: dict[str, tuple[str, str, Count]] = {}


def counts(name: str, text: str, *, by: str) -> Callable[[Count], Count]:
    """Register a gauge that is counted on each scrape. The function returns a number for each value of the label."""

    def add(count: Count) -> Count:
        _counts[name] = (text, by, count)
        return count

    return add


def observe(*, method: str, route: str, status: int, seconds: float) -> None:
    """Count a request that was answered."""
    REQUESTS.labels(method, route, status).inc()
    SECONDS.labels(route).observe(seconds)


def exposition() -> bytes:
    """Return all metrics in Prometheus's text format. Metrics that fail are logged and left out."""
    autodiscover_modules("metrics")
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # published without types
    else:
        registry = REGISTRY
    states = CollectorRegistry()
    states.register(_States())
    return generate_latest(registry) + generate_latest(states)


class _States(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        for name, (text, label, count) in _counts.items():
            family = GaugeMetricFamily(name, text, labels=[label])
            try:
                found = count()
            except Exception:
                logger.warning("a metric can't be counted", exc_info=True, extra={"metric": name})
                continue
            for value, number in found.items():
                family.add_metric([value], number)
            yield family


@counts("slipway_queue_length", "Tasks that wait.", by="queue")
def _queues() -> dict[str, float]:
    with broker() as connected:
        channel: Any = connected.default_channel
        return {name: float(channel.client.llen(name)) for name in QUEUES}


@counts(
    "slipway_beat_age_seconds", "Since a worker last ran the scheduler's task; none after two minutes.", by="process"
)
def _beat() -> dict[str, float]:
    age = beat_age()
    return {} if age is None else {"beat": age}


@counts("slipway_emails", "Emails that wait, are late by over an hour, or were given up.", by="state")
def _emails() -> dict[str, float]:
    waiting = OutgoingEmail.objects.unleased()
    late = waiting.filter(send_at__lt=timezone.now() - timedelta(hours=1))
    given_up = OutgoingEmail.objects.filter(failed_at__isnull=False)
    return {"waiting": waiting.count(), "late": late.count(), "given_up": given_up.count()}


@counts("slipway_database_connections", "Connections to PostgreSQL by what they do.", by="state")
def _connections() -> dict[str, float]:
    with connection.cursor() as cursor:
        cursor.execute(_CONNECTIONS)
        return {state: float(count) for state, count in cursor.fetchall()}
