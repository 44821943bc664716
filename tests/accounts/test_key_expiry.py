"""The email before a key expires."""

from datetime import timedelta
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone

from apps.accounts import tasks
from apps.accounts.api_keys import expiry
from apps.accounts.api_keys.services import create_api_key, revoke_api_key, rotate_api_key
from apps.accounts.models import ApiKey, User
from apps.core.api.scopes import Scope
from apps.sites.models import Site
from tests.factories import UserFactory
from tests.racing import run_at_once

pytestmark = pytest.mark.db


@pytest.fixture
def user(site: Site) -> User:
    return UserFactory.create()


@pytest.fixture(autouse=True)
def _worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Queued tasks run immediately. A failure stays with the task, as in a worker."""

    def run(key_id: int) -> None:
        try:
            tasks.warn_of_expiry(key_id)
        except SMTPServerDisconnected:
            return

    monkeypatch.setattr(tasks.warn_of_expiry, "delay", run)


def make(user: User, *, days: float, name: str = "release script") -> ApiKey:
    key, _ = create_api_key(
        user=user, name=name, scopes=[Scope.ACCOUNT_READ], expires_at=timezone.now() + timedelta(days=days)
    )
    return key


def sweep_after(time_machine: Any, *, days: float) -> list[str]:
    """Let the time pass and the schedule run; returns the subjects of what was sent since."""
    mail.outbox.clear()
    time_machine.move_to(timezone.now() + timedelta(days=days))
    tasks.warn_of_expiring_keys()
    return [str(message.subject) for message in mail.outbox]


def test_a_week_before_once(user: User, time_machine: Any) -> None:
    time_machine.move_to("2026-11-01T12:00:00Z")
    make(user, days=30)
    assert sweep_after(time_machine, days=22.9) == []
    assert sweep_after(time_machine, days=0.2) == ["Your API key “release script” expires on Dec 1, 2026"]
    assert mail.outbox[0].to == [user.email]
    for _ in range(3):
        assert sweep_after(time_machine, days=1) == []


def test_the_email_says_what_to_do_in_text_and_html(user: User, time_machine: Any, site: Site) -> None:
    key = make(user, days=30, name="a < b & “c”")
    ApiKey.objects.filter(pk=key.pk).update(last_used_at=timezone.now())
    sweep_after(time_machine, days=24)
    [message] = mail.outbox
    assert isinstance(message, EmailMultiAlternatives)
    [(content, media_type)] = message.alternatives
    assert "a < b & “c”" in message.body
    assert "a &lt; b &amp; “c”" in str(content)
    for text in (str(message.body), str(content)):
        assert site.url("/account/keys") in text
        assert f"{key.prefix}…" in text
        assert "rotate" in text
        assert "{" not in text.split("<body")[-1]
    assert media_type == "text/html"


def test_an_outage_is_caught_up_with(user: User, time_machine: Any) -> None:
    make(user, days=30)
    assert len(sweep_after(time_machine, days=29.9)) == 1


def test_what_has_ended_or_is_short_gets_none(user: User, time_machine: Any) -> None:
    revoke_api_key(key=make(user, days=30, name="revoked"))
    rotate_api_key(key=make(user, days=30, name="rotated"), overlap=timedelta(days=7))
    make(user, days=5, name="short")
    make(UserFactory.create(is_active=False), days=30, name="of an inactive account")
    make(user, days=10, name="expired")
    assert sweep_after(time_machine, days=1) == []
    [subject] = sweep_after(time_machine, days=28)
    assert "rotated" in subject
    assert ApiKey.objects.get(warned_at__isnull=False).replaces.name == "rotated"


def test_an_email_that_fails_is_sent_later(user: User, time_machine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    make(user, days=30)

    def fail(message: EmailMultiAlternatives) -> None:
        raise SMTPServerDisconnected

    with monkeypatch.context() as broken:
        broken.setattr(EmailMultiAlternatives, "send", fail)
        assert sweep_after(time_machine, days=24) == []
    assert sweep_after(time_machine, days=0.03) == []
    assert len(sweep_after(time_machine, days=0.03)) == 1


def test_a_failure_is_raised_for_the_log(user: User, time_machine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    key = make(user, days=30)
    time_machine.move_to(timezone.now() + timedelta(days=24))

    def fail(message: EmailMultiAlternatives) -> None:
        raise SMTPServerDisconnected

    monkeypatch.setattr(EmailMultiAlternatives, "send", fail)
    with pytest.raises(SMTPServerDisconnected):
        tasks.warn_of_expiry(key.pk)
    key.refresh_from_db()
    assert key.warned_at is None


@pytest.mark.django_db(transaction=True)
def test_two_workers_send_one_email() -> None:
    key = make(UserFactory.create(), days=30)
    now = timezone.now()
    ApiKey.objects.filter(pk=key.pk).update(created_at=now - timedelta(days=25), expires_at=now + timedelta(days=5))
    sent = run_at_once(*[lambda: expiry.warn_of_expiry(key.pk)] * 4)
    assert sorted(sent) == [False, False, False, True]
    assert len(mail.outbox) == 1
