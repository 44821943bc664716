"""Metrics for Prometheus: requests of all web processes, and states that are counted on each scrape.

An app adds states of its own in `metrics.py` with `@counts`. They are found by name, so that this module knows no app.
Processes share their numbers through files in PROMETHEUS_MULTIPROC_DIR, which `manage.py up` sets.
"""

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import connection, connections
from django.utils import timezone
from django.utils.module_loading import autodiscover_modules
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import REGISTRY, Collector

from apps.core.models import OutgoingEmail
from apps.core.operations.checks.connections import connection_limit
from apps.core.operations.checks.health import beat_age, queue_ages, queue_lengths
from apps.core.request.outages import outage_behind

logger = logging.getLogger(__name__)

REQUESTS = Counter("slipway_requests", "Answered requests.", ["method", "route", "status"])
SECONDS = Histogram(
    "slipway_request_seconds",
    "Time from the first middleware to the answer.",
    ["route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)

QUERIES = Counter("slipway_database_queries", "Database queries of requests.", ["route"])
THREAD_SECONDS = Counter(
    "slipway_thread_seconds", "Time that threads of the web processes spent on requests.", ["lane"]
)
ABANDONED = Counter("slipway_abandoned_requests", "Requests whose client left before a thread was free.", ["lane"])

_CONNECTIONS = """
SELECT coalesce(state, 'none'), count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' GROUP BY 1
"""

Count = Callable[[], Mapping[str, float]]
_counts: dict[str, tuple[str, str, Count]] = {}


def counts(name: str, text: str, *, by: str = "") -> Callable[[Count], Count]:
    """Register a gauge that is counted on each scrape.

    The function returns a number for each value of the label `by`, or without a label one number under "".
    """

    def add(count: Count) -> Count:
        _counts[name] = (text, by, count)
        return count

    return add


def observe(*, method: str, route: str, status: int, seconds: float, queries: int = 0) -> None:
    """Count a request that was answered, and its database queries."""
    requests, histogram, queries_by_route = _metrics_of(method, route, status)
    requests.inc()
    histogram.observe(seconds)
    if queries:
        queries_by_route.inc(queries)


# Finding a metric by its labels takes longer than counting. The bound is above the number of routes.
@lru_cache(maxsize=2048)
def _metrics_of(method: str, route: str, status: int) -> tuple[Counter, Histogram, Counter]:
    return REQUESTS.labels(method, route, status), SECONDS.labels(route), QUERIES.labels(route)


def queries_run() -> int:
    """Return how many database queries this thread has run so far. Subtract two results to count those in between."""
    opened: Any = connections.all(initialized_only=True)
    return sum(each.queries_run for each in opened)


def exposition() -> bytes:
    """Return all metrics in Prometheus's text format. Metrics that fail are logged and left out."""
    autodiscover_modules("metrics")
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
    else:
        registry = REGISTRY
    states = CollectorRegistry()
    states.register(_States())
    return generate_latest(registry) + generate_latest(states)


class _States(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        without: dict[str, list[str]] = {}
        for name, (text, label, count) in _counts.items():
            family = GaugeMetricFamily(name, text, labels=[label] if label else [])
            try:
                result = count()
            except Exception as error:
                if outage := outage_behind(error):
                    without.setdefault(outage.server, []).append(name)
                else:
                    logger.warning("a metric can't be counted", exc_info=True, extra={"metric": name})
                continue
            for value, number in result.items():
                family.add_metric([value] if label else [], number)
            yield family
        for server, names in without.items():
            logger.warning("%s cannot be used", server, extra={"metrics": names})


@counts("slipway_queue_length", "Waiting tasks.", by="queue")
def _queue_lengths() -> Mapping[str, float]:
    return queue_lengths()


@counts("slipway_queue_age_seconds", "Age of the oldest waiting task. 0 if none waits.", by="queue")
def _queue_ages() -> Mapping[str, float]:
    return queue_ages()


@counts(
    "slipway_beat_age_seconds", "Since a worker last ran the scheduler's task; none after two minutes.", by="process"
)
def _beat() -> dict[str, float]:
    age = beat_age()
    return {} if age is None else {"beat": age}


@counts("slipway_emails", "Emails that are waiting, over an hour late, or given up.", by="state")
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


@counts("slipway_database_connection_limit", "Connections that PostgreSQL allows Slipway.")
def _connection_limit() -> dict[str, float]:
    with connection.cursor() as cursor:
        return {"": float(connection_limit(cursor))}


@counts("slipway_threads", "Threads of all web processes.", by="lane")
def _threads() -> dict[str, float]:
    return {lane: float(count * settings.WEB_PROCESSES) for lane, count in settings.WEB_THREADS.items()}
