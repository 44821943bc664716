"""Emails in the outbox for tests, and an email server that takes them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from apps.core.email import outbox
from apps.core.email.rendering import Sender
from apps.core.email.text import Words
from apps.core.models import OutgoingEmail
from tests.email_server import EmailServer

SITE = Sender(name="A site", base_url="https://a.example", hue=265)


@contextmanager
def serving(settings: Any) -> Iterator[EmailServer]:
    """An email server on loopback that emails leave by."""
    with EmailServer() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address[:2]
        yield server


def put(to: str = "reader@example.com", *, key: str = "", **more: Any) -> None:
    outbox.put(
        key=key or f"news for {to}",
        to=to,
        words=Words(subject=more.pop("subject", "News"), text=more.pop("text", "Something happened.")),
        site=SITE,
        **more,
    )


def email_to(address: str) -> OutgoingEmail:
    result: OutgoingEmail = OutgoingEmail.objects.get(to=address)
    return result


def addresses(**having: Any) -> set[str]:
    return set(OutgoingEmail.objects.filter(**having).values_list("to", flat=True))
