"""The dashboard and the alert rules of the kits ask for metrics that /metrics tells."""

import json
import re
from collections.abc import Iterator
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from apps.core.operations.metrics import exposition, observe
from tests.config.support import PROJECT

KITS = PROJECT / "config" / "deploy"
RULES: list[dict[str, Any]] = yaml.safe_load((KITS / "alerts.yaml").read_text())["groups"][0]["rules"]
DASHBOARD: dict[str, Any] = json.loads((KITS / "grafana-dashboard.json").read_text())
# Prometheus's own.
OTHERS = {"up"}


def panels() -> list[dict[str, Any]]:
    return [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


def queries() -> Iterator[str]:
    yield from (rule["expr"] for rule in RULES)
    yield from (target["expr"] for panel in panels() for target in panel["targets"])


def metrics_of(query: str) -> set[str]:
    return set(re.findall(r"\b(?:slipway_\w+|up)\b(?=[\[{ )]|$)", query))


@pytest.mark.parametrize("query", sorted(set(queries())))
def test_prometheus_can_read_each_query(query: str) -> None:
    promql_parser.parse(query)
    assert metrics_of(query)


@pytest.mark.django_db
def test_each_metric_that_is_asked_for_exists() -> None:
    observe(method="GET", route="watched", status=200, seconds=0.1, queries=1)
    told = exposition().decode()
    known = {sample.name for family in text_string_to_metric_families(told) for sample in family.samples}
    # Some have no samples here, such as the age of a scheduler that doesn't run.
    known |= set(re.findall(r"^# TYPE (\S+) (?:counter|gauge)", told, re.MULTILINE))
    asked = {name for query in queries() for name in metrics_of(query)}
    assert asked - known - OTHERS == set()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule["alert"]))
def test_an_alert_says_what_is_wrong_and_why_it_matters(rule: dict[str, Any]) -> None:
    assert rule["annotations"].keys() == {"summary", "reason"}
    assert rule["labels"]["severity"] in {"page", "ticket"}


def test_panels_have_their_own_numbers_and_names() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    titles = [panel["title"] for panel in panels()]
    assert len(set(ids)) == len(ids)
    assert len(set(titles)) == len(titles)
