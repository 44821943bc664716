"""Emails of local mode, in files."""

import re
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.mail import EmailMessage, get_connection

BACKEND = "apps.core.email.filebased.EmailBackend"
TIME = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{6}Z"


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    folder = tmp_path / "emails"
    settings.EMAIL_FILE_PATH = str(folder)
    return folder


def email(subject: str = "Your code", *to: str) -> EmailMessage:
    return EmailMessage(subject, "Grüße", "slipway@example.com", to or ("ada@example.com",))


def send(*emails: EmailMessage) -> None:
    assert get_connection(BACKEND).send_messages(list(emails)) == len(emails)


def test_each_email_has_a_file_that_only_its_owner_reads(folder: Path) -> None:
    send(email("First"), email("Second"))
    result = sorted(folder.iterdir())
    subjects = [message_from_bytes(path.read_bytes(), policy=policy.default)["Subject"] for path in result]
    assert subjects == ["First", "Second"]
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in result)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert "Grüße" in result[0].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("message", "label"),
    [
        (email("Your code: 123 456"), "ada@example.com_Your-code-123-456"),
        (email("Your code", "Ada <ada+tag@bücher.example>"), "Ada-ada+tag@bücher.example_Your-code"),
        (email("Your code", "a@x.example", "b@x.example"), "a@x.example-b@x.example_Your-code"),
        (email("../../etc/passwd", '"../a/b"@x.example'), "a-b-@x.example_etc-passwd"),
        (email("हिन्दी में कोड"), "ada@example.com_हिन्दी-में-कोड"),
        (email("🍞!"), "ada@example.com_none"),
        (email(""), "ada@example.com_none"),
    ],
)  # fmt: skip
def test_names_have_the_recipient_and_subject(folder: Path, message: EmailMessage, label: str) -> None:
    send(message)
    (path,) = folder.iterdir()
    assert re.fullmatch(rf"{TIME}_{re.escape(label)}\.eml", path.name), path.name


@pytest.mark.parametrize("letter", ["a", "é", "e\u0301\u0323", "車", "क्षि", "𠮷"])
def test_long_names_end_with_a_whole_character(folder: Path, letter: str) -> None:
    send(email(letter * 300, f"{'b' * 300}@x.example"))
    (path,) = folder.iterdir()
    _, recipient, subject = path.stem.split("_")
    assert len(path.name.encode()) <= 255
    assert recipient == "b" * 80
    assert subject == letter * (120 // len(letter.encode()))


def test_names_of_one_moment_differ_and_sort_as_sent(folder: Path) -> None:
    with time_machine.travel("2026-11-18T12:00:00Z", tick=False), ThreadPoolExecutor(8) as threads:
        send(*(email() for _ in range(3)))
        list(threads.map(lambda _: send(email()), range(20)))
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == 23
    assert names[0].startswith("2026-11-18T12-00-00.000000Z_")


def test_an_email_to_nobody_is_not_written(folder: Path) -> None:
    assert get_connection(BACKEND).send_messages([EmailMessage("Hello", "Hello")]) == 0
    assert list(folder.iterdir()) == []
