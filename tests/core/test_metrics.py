"""What `/metrics` tells, and whom."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from apps.core.models import OutgoingEmail

pytestmark = pytest.mark.django_db


def told(client: Client) -> dict[tuple[str, str], float]:
    """Every sample by its name and the values of its labels."""
    answer = client.get("/metrics")
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


def test_no_secret_is_in_a_label(client: Client) -> None:
    client.get("/checkout/a-secret-of-an-order")
    client.get("/nothing/like/this")
    assert "a-secret-of-an-order" not in client.get("/metrics").content.decode()
    assert "like/this" not in client.get("/metrics").content.decode()


def test_states_are_counted(client: Client) -> None:
    OutgoingEmail.objects.create(to="ada@example.com", subject="Now", text="Now.", send_at=timezone.now())
    found = told(client)
    assert found["slipway_emails", "waiting"] == 1
    assert found["slipway_emails", "late"] == 0
    assert ("slipway_queue_length", "crawls") in found
    assert any(name == "slipway_database_connections" for name, _ in found)


def test_what_cannot_be_counted_is_left_out(client: Client, settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:9/0"
    found = told(client)
    assert ("slipway_queue_length", "crawls") not in found
    assert ("slipway_emails", "waiting") in found


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via"])
def test_without_a_token_nobody_reads_it_through_a_proxy(client: Client, header: str) -> None:
    assert client.get("/metrics", headers={header: "127.0.0.1"}).status_code == 403


def test_without_a_token_no_other_machine_reads_it(client: Client, settings: Any) -> None:
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.1").status_code == 403
    settings.BEHIND_PROXY = True
    assert client.get("/metrics").status_code == 403


@pytest.mark.parametrize(("given", "status"), [("", 403), ("Bearer wrong", 403), ("Bearer of-the-watch", 200)])
def test_a_token_is_asked_for(client: Client, settings: Any, given: str, status: int) -> None:
    settings.METRICS_TOKEN = "of-the-watch"
    headers = {"Authorization": given} if given else {}
    assert client.get("/metrics", headers=headers, REMOTE_ADDR="192.0.2.1").status_code == status


def test_processes_share_their_numbers(tmp_path: Path) -> None:
    """Every process writes files of its own, and whichever is asked reads all of them."""
    code = "import django; django.setup(); from apps.core import metrics; "
    observe = code + "metrics.observe(method='GET', route='shared', status=200, seconds=0.1)"
    tell = code + "print(metrics.exposition().decode())"
    env = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    for program in (observe, observe, tell):
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert 'slipway_requests_total{method="GET",route="shared",status="200"} 2.0' in done.stdout
