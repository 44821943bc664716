"""What `/metrics` tells, and whom."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from redis import RedisError

from apps.core.models import OutgoingEmail
from apps.core.operations import metrics
from apps.core.operations.checks.health import broker
from config.celery import app

pytestmark = pytest.mark.django_db


def told(client: Client) -> dict[tuple[str, str], float]:
    """Every sample by its name and the values of its labels."""
    answer = client.get("/metrics", headers={"Host": "127.0.0.1"})
    assert answer.status_code == 200
    return {
        (sample.name, " ".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def test_requests_are_counted_by_route_and_status(client: Client) -> None:
    name = ("slipway_requests_total", "GET api/v1/products 200")
    seconds = ("slipway_request_seconds_count", "api/v1/products")
    before = told(client)
    client.get("/api/v1/products")
    after = told(client)
    assert after[name] == before.get(name, 0) + 1
    assert after[seconds] == before.get(seconds, 0) + 1


def test_queries_are_counted_by_route(client: Client, django_assert_max_num_queries: Any) -> None:
    name = ("slipway_database_queries_total", "api/v1/products")
    before = told(client)
    with django_assert_max_num_queries(50) as queries:
        client.get("/api/v1/products")
        count = len(queries)
    assert count > 0
    assert told(client)[name] == before.get(name, 0) + count


def test_the_oldest_task_of_a_queue_tells_how_long_it_waits(client: Client) -> None:
    with broker() as connected:
        channel: Any = connected.default_channel
        queue = channel.client
        queue.delete("checks")
        assert told(client)["slipway_queue_age_seconds", "checks"] == 0
        for seconds in (90, 30):
            queue.lpush("checks", json.dumps({"headers": {"queued_at": time.time() - seconds}}))
        assert 90 <= told(client)["slipway_queue_age_seconds", "checks"] < 600
        queue.delete("checks")
        queue.lpush("checks", json.dumps({"headers": {}}))
        assert told(client)["slipway_queue_age_seconds", "checks"] < 90
        queue.delete("checks")


def test_a_task_notes_when_it_was_queued() -> None:
    with broker() as connected:
        channel: Any = connected.default_channel
        queue = channel.client
        queue.delete("celery")
        began = time.time()
        app.send_task("apps.core.tasks.none")
        [message] = queue.lrange("celery", 0, -1)
        queue.delete("celery")
    assert began <= json.loads(message)["headers"]["queued_at"] <= time.time()


def test_the_use_of_pools_can_be_told(client: Client) -> None:
    result = told(client)
    assert result["slipway_database_connection_limit", ""] > 0
    assert result["slipway_threads", "reads"] == 3 * django_settings.WEB_PROCESSES


def test_no_secret_is_in_a_label(client: Client) -> None:
    client.get("/checkout/a-secret-of-an-order")
    client.get("/nothing/like/this")
    assert "a-secret-of-an-order" not in client.get("/metrics").content.decode()
    assert "like/this" not in client.get("/metrics").content.decode()


def test_states_are_counted(client: Client) -> None:
    OutgoingEmail.objects.create(to="ada@example.com", subject="Now", text="Now.", send_at=timezone.now())
    result = told(client)
    assert result["slipway_emails", "waiting"] == 1
    assert result["slipway_emails", "late"] == 0
    assert ("slipway_queue_length", "crawls") in result
    assert any(name == "slipway_database_connections" for name, _ in result)


def test_what_cannot_be_counted_is_left_out(client: Client, settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:9/0"
    result = told(client)
    assert ("slipway_queue_length", "crawls") not in result
    assert ("slipway_emails", "waiting") in result


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via"])
def test_without_a_token_nobody_reads_it_through_a_proxy(client: Client, header: str) -> None:
    assert client.get("/metrics", headers={header: "127.0.0.1"}).status_code == 403


@pytest.mark.parametrize(
    ("host", "status"), [("evil.example", 403), ("[", 403), ("[::1]:8000", 200), ("localhost", 200)]
)
def test_without_a_token_no_website_reads_it(client: Client, host: str, status: int) -> None:
    """A website's name may lead to this machine, where somebody's browser is."""
    assert client.get("/metrics", headers={"Host": host}).status_code == status


def test_without_a_token_no_other_machine_reads_it(client: Client, settings: Any) -> None:
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.1").status_code == 403
    settings.BEHIND_PROXY = True
    assert client.get("/metrics").status_code == 403


@pytest.mark.parametrize(("given", "status"), [("", 403), ("Bearer wrong", 403), ("Bearer of-the-watch", 200)])
def test_a_token_is_asked_for(client: Client, settings: Any, given: str, status: int) -> None:
    settings.METRICS_TOKEN = "of-the-watch"
    headers = {"Authorization": given} if given else {}
    assert client.get("/metrics", headers=headers, REMOTE_ADDR="192.0.2.1").status_code == status


@pytest.mark.slow
def test_processes_share_their_numbers(tmp_path: Path) -> None:
    """Every process writes files of its own, and whichever is asked reads all of them."""
    code = "import django; django.setup(); from apps.core.operations import metrics; "
    observe = code + "metrics.observe(method='GET', route='shared', status=200, seconds=0.1)"
    tell = code + "print(metrics.exposition().decode())"
    env = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    for program in (observe, observe, tell):
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert 'slipway_requests_total{method="GET",route="shared",status="200"} 2.0' in done.stdout


def test_an_outage_is_one_line_for_all_metrics_that_lack_it(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> dict[str, float]:
        raise RedisError("Error 111")

    for name in ("slipway_queue_length", "slipway_queue_age_seconds"):
        text, label, _ = metrics._counts[name]
        monkeypatch.setitem(metrics._counts, name, (text, label, fail))
    assert "slipway_emails" in {name for name, _ in told(client)}
    (record,) = [record for record in caplog.records if record.name == "apps.core.operations.metrics"]
    assert (record.getMessage(), record.exc_info) == ("Valkey cannot be used", None)
    assert vars(record)["metrics"] == ["slipway_queue_length", "slipway_queue_age_seconds"]
