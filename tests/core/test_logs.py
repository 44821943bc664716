"""Log lines: JSON whatever is logged."""

import json
import logging
import logging.config
from typing import Any

import pytest
from django.test import Client

from apps.core.web.logs import JsonFormatter
from config.logs import logging_config


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


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("form", "status", "logger"),
    [
        ({"login": "a"}, 403, "csrf"),
        ({str(number): "" for number in range(2000)}, 400, "TooManyFieldsSent"),
        ({"login": "a" * 3_000_000}, 413, "RequestDataTooBig"),
    ],
)
def test_a_refused_form_is_a_line_of_information_without_its_path(
    capsys: pytest.CaptureFixture[str], settings: Any, form: dict[str, str], status: int, logger: str
) -> None:
    logging.config.dictConfig(logging_config(level="INFO"))
    try:
        browser = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
        browser.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
        assert browser.post("/newsletter/confirm/secret", form).status_code == status
    finally:
        logging.config.dictConfig(settings.LOGGING)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert f"django.security.{logger}" in {line["logger"] for line in lines}
    assert {line["level"] for line in lines} == {"INFO"}
    assert not any("exception" in line or "secret" in str(line) for line in lines)
