"""Email backend of local mode: writes each email to a file of its own, which email programs open."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from pathlib import Path

import regex
from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

# File names have at most 255 bytes.
_RECIPIENT_BYTES, _SUBJECT_BYTES = 80, 120
_CHARACTER = regex.compile(r"\X")
_NOT_IN_ADDRESSES = regex.compile(r"[^\p{L}\p{M}\p{N}@.+_-]+")
_NOT_IN_WORDS = regex.compile(r"[^\p{L}\p{M}\p{N}]+")


def email_folder() -> str:
    """Return the folder that local mode writes emails to. Empty where they are sent."""
    is_written = settings.LOCAL and settings.EMAIL_BACKEND.endswith("filebased.EmailBackend")
    return str(settings.EMAIL_FILE_PATH) if is_written else ""


class EmailBackend(BaseEmailBackend):
    """Writes to EMAIL_FILE_PATH. Names begin with the time, so they sort by it, and have the recipient and subject."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write emails and return how many have a recipient. Raises OSError."""
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        written = [_write(folder, message) for message in email_messages if message.recipients()]
        return len(written)


def _write(folder: Path, message: EmailMessage) -> Path:
    content = message.message().as_bytes()
    recipients = _cut(_NOT_IN_ADDRESSES.sub("-", "-".join(message.recipients())), _RECIPIENT_BYTES)
    subject = _cut(_NOT_IN_WORDS.sub("-", str(message.subject)), _SUBJECT_BYTES)
    moment = datetime.now(UTC)
    while True:
        path = folder / f"{moment:%Y-%m-%dT%H-%M-%S.%fZ}_{recipients}_{subject}.eml"
        try:
            # Sign-in codes are in them.
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            moment += timedelta(microseconds=1)
            continue
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        return path


def _cut(text: str, most: int) -> str:
    """Return the first whole characters that take at most this many bytes, each with its marks."""
    result = _CHARACTER.finditer(text)
    fitting = takewhile(lambda character: len(text[: character.end()].encode()) <= most, result)
    return "".join(character[0] for character in fitting).strip("-.") or "none"
