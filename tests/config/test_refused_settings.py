"""Settings that can't be read end the process with one line and the status for it, never with a traceback."""

import os

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import databases, env
from config.supervisor.processes import StartError
from config.supervisor.up import free_port
from tests.config.production import in_production


@pytest.mark.parametrize("url", ["postgresql://host:port/x", "postgresql://host:99999/x", "postgresql://[::1/x"])
def test_a_database_without_a_readable_host_or_port(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL has an invalid host or port"):
        databases.from_url(url)


@pytest.mark.parametrize("text", ["9" * 5000, "36501", "-1", "1.5", "٣"])
def test_a_number_that_is_none_or_too_large(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("KEEP_DRAFTS_DAYS", text)
    with pytest.raises(ImproperlyConfigured, match="KEEP_DRAFTS_DAYS must be a whole number from 0 to 36,500"):
        env.days("KEEP_DRAFTS_DAYS", 0)


@pytest.mark.processes
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "postgresql://host:port/x"),
        ("REDIS_URL", "redis://host:port/0"),
        ("RATE_LIMIT_PER_KEY", "9" * 5000),
        ("ALLOWED_HOSTS", "slipway.example:8000"),
    ],
)
def test_it_ends_in_one_line(name: str, value: str) -> None:
    ended = in_production("-m", "config.start", **{name: value})
    first, told = ended.stderr.splitlines()
    assert (ended.returncode, first) == (os.EX_CONFIG, "Slipway doesn't start with these settings:")
    assert told.startswith(f"  {name} ")


@pytest.mark.processes
def test_a_data_directory_that_cannot_be_made_ends_in_one_line() -> None:
    ended = in_production("-m", "config.start", SLIPWAY_LOCAL="1", SECRET_KEY="", SLIPWAY_DATA_DIR="/dev/null")
    first, told = ended.stderr.splitlines()
    assert (ended.returncode, first) == (os.EX_CONFIG, "Slipway doesn't start with these settings:")
    assert told.startswith("  The data directory can't be used: ")


@pytest.mark.parametrize("host", ["a..b", "a" * 64, "fe80::1%none", "no such host"])
def test_a_host_to_listen_on_that_is_none(host: str) -> None:
    with pytest.raises(StartError, match=r"--host 127\.0\.0\.1"):
        free_port(host, 0)
