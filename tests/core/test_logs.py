"""Log lines: JSON whatever is logged."""

import json
import logging
from typing import Any

import pytest

from apps.core.web.logs import JsonFormatter


@pytest.mark.parametrize(
    ("value", "expected"),
    [("ü", "ü"), (2**80, 2**80), ("\ud800", "\ud800"), ({1: "one"}, {"1": "one"}), (ValueError("odd"), "odd")],
)
def test_any_value_becomes_a_line(value: Any, expected: Any) -> None:
    record = logging.makeLogRecord({"msg": "told", "levelname": "INFO", "name": "slipway", "found": value})
    line = JsonFormatter().format(record)
    assert "\n" not in line
    assert json.loads(line)["found"] == expected


def test_a_line_has_its_time_in_utc() -> None:
    record = logging.makeLogRecord({"msg": "told", "created": 1_767_225_599.25, "msecs": 250.0})
    assert json.loads(JsonFormatter().format(record))["time"] == "2025-12-31T23:59:59.250+00:00"
