"""Each breakage is named with what to do; a healthy installation has no finding."""

import json
import socket
from datetime import timedelta
from typing import Any

import pytest
from django.core import checks
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.utils import timezone

from apps.core.models import OutgoingEmail
from apps.core.operations.checks.health import record_beat, unserved_queues
from apps.core.operations.doctor import examinations as doctor
from tests.doctor import findings, problems

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _running(monkeypatch: pytest.MonkeyPatch) -> None:
    record_beat()
    monkeypatch.setattr(doctor, "unserved_queues", list)


def test_a_healthy_installation_has_none() -> None:
    assert {part: one for part, one in doctor.examine() if one} == {}


def test_pending_migrations() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'newsletter'")
    [problem] = problems("migrations")
    assert "Pending migrations" in problem


def test_a_broken_index() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'core_outgoingemail_pkey'::regclass")
    [problem] = problems("database")
    assert "core_outgoingemail_pkey" in problem


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("DROP INDEX eemails_to_send", "eemails_to_send"),
        (
            "DO $$ BEGIN EXECUTE (SELECT 'DROP INDEX ' || indexname FROM pg_indexes"
            " WHERE tablename = 'core_outgoingemail' AND indexdef LIKE '%(created_at)'); END $$",
            "core_outgoingemail(created_at)",
        ),
        ("ALTER TABLE sites_site DROP CONSTRAINT sites_site_host_key", "sites_site(host)"),
        ("ALTER TABLE core_outgoingemail DROP CONSTRAINT email_is_sent_or_given_up", "email_is_sent_or_given_up"),
    ],
    ids=["index", "index of a field", "unique field", "check"],
)
def test_what_the_models_have_and_the_database_lacks(sql: str, name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)
    [problem] = problems("indexes")
    assert problem == f"Missing indexes or constraints: {name}."


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("OLDEST_POSTGRESQL", 10**9, "database"),
        ("MOST_CLOCK_SECONDS", -1.0, "database"),
        ("LEAST_FREE_BYTES", 10**18, "disk"),
        ("MOST_WAITING", -1, "queues"),
    ],
)
def test_past_a_limit(name: str, value: Any, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, name, value)
    assert problems(part)


def test_a_silent_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "beat_age", lambda: None)
    monkeypatch.setattr(doctor, "BEAT_SECONDS", 0)
    [problem] = problems("beat")
    assert "scheduler" in problem


def test_a_scheduler_that_has_just_been_started(monkeypatch: pytest.MonkeyPatch) -> None:
    ages = iter([None, None, 0.5])
    monkeypatch.setattr(doctor, "beat_age", lambda: next(ages))
    monkeypatch.setattr("time.sleep", lambda _: None)
    assert problems("beat") == []


def test_queues_without_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "unserved_queues", unserved_queues)
    monkeypatch.setattr(doctor, "BEAT_SECONDS", 0)
    [problem] = problems("workers")
    assert problem.endswith(": celery, invoices, crawls, checks, webhooks.")


def test_a_worker_that_has_just_been_started(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = iter([["crawls"], []])
    monkeypatch.setattr(doctor, "unserved_queues", lambda: next(missing))
    assert problems("workers") == []


def test_emails_that_wait() -> None:
    then = timezone.now() - timedelta(hours=2)
    OutgoingEmail.objects.create(to="ada@example.com", subject="Late", text="Late.", send_at=then)
    [problem] = problems("email")
    assert problem.startswith("1 emails")


def test_what_does_not_answer(settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:9/0"
    [finding] = findings("queues")
    assert "Not responding" in finding.problem
    assert "REDIS_URL" in finding.hint


def test_parts_that_need_the_database_refer_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OperationalError("connection refused")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", fail)
        [finding] = findings("database")
        [index] = findings("indexes")
    assert "connection refused" in finding.problem
    assert "DATABASE_URL" in finding.hint
    assert "database" in index.problem
    assert "connection refused" not in index.problem


def test_uploads_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> str:
        raise PermissionError("read-only file system")

    monkeypatch.setattr("django.core.files.storage.FileSystemStorage._save", refuse)
    [problem] = problems("uploads")
    assert "read-only" in problem


def test_the_command_prints_json_and_fails_for_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "beat_age", lambda: None)
    monkeypatch.setattr(doctor, "BEAT_SECONDS", 0)
    with pytest.raises(CommandError):
        call_command("doctor", "--json")
    [finding] = [one for one in json.loads(capsys.readouterr().out) if one["part"] == "beat"]
    assert finding["level"] == "error"


def test_the_command_sends_a_test_email(mailoutbox: list[Any]) -> None:
    call_command("doctor", "--email", "ada@example.com")
    assert [message.to for message in mailoutbox] == [["ada@example.com"]]


def test_an_email_server_that_refuses_is_a_finding(settings: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = unused.getsockname()
        with pytest.raises(CommandError):
            call_command("doctor", "--email", "team@example.com", "--json")
    result = json.loads(capsys.readouterr().out)
    assert [finding["level"] for finding in result if finding["part"] == "test email"] == ["error"]


def test_silenced_checks_are_no_findings(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SILENCED_SYSTEM_CHECKS = ["slipway.E1"]
    result = [checks.Error("A choice.", id="slipway.E1"), checks.Warning("A problem.", id="slipway.W2")]
    monkeypatch.setattr(checks, "run_checks", lambda **about: result)
    assert problems("settings") == ["A problem."]
