"""The daily digest: who gets it, when, what it tells, and that two workers write it once."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.test import Client

from apps.accounts.models import NotificationKind, User
from apps.core.models import OutgoingEmail
from apps.notifications.digest import send_digests, set_digest_hour
from apps.notifications.inbox import list_notifications, mark_read
from apps.notifications.models import Digest
from apps.notifications.schedule import BEAT
from apps.sites.models import Site
from tests.factories import UserFactory
from tests.notifications.test_notifications import followed, happen
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db

MORNING = datetime(2026, 11, 16, 7, 5, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def reader(site: Site) -> User:
    return UserFactory.create(email_notifications=[NotificationKind.DIGEST])


def send_at(moment: datetime) -> int:
    with time_machine.travel(moment, tick=False):
        return send_digests()


def happen_at(moment: datetime, user: User, *types: str) -> None:
    with time_machine.travel(moment, tick=False):
        happen(user, *types)


def test_it_is_opt_in(site: Site) -> None:
    happen_at(MORNING, UserFactory.create(), "order.paid")
    assert send_at(MORNING) == 0


def test_it_comes_once_a_day_and_only_with_something_new(reader: User) -> None:
    assert BEAT["digests"]["task"] == "apps.notifications.tasks.send_digests"
    assert send_at(MORNING) == 0
    happen_at(MORNING + DAY / 2, reader, "order.paid", "draft.ready")
    assert send_at(MORNING + DAY / 2) == 0
    assert [send_at(MORNING + DAY), send_at(MORNING + DAY)] == [1, 0]
    email = OutgoingEmail.objects.get()
    assert (email.to, email.kind, email.is_bulk) == (reader.email, NotificationKind.DIGEST, True)
    assert all(item.text in email.text for item in list_notifications(reader).items)
    assert send_at(MORNING + 2 * DAY) == 0


def test_it_tells_only_what_is_unread(reader: User) -> None:
    happen_at(MORNING, reader, "order.paid")
    mark_read(reader, through=list_notifications(reader).newest)
    assert send_at(MORNING) == 0
    happen_at(MORNING + DAY / 2, reader, "draft.ready")
    assert send_at(MORNING + DAY) == 1
    email = OutgoingEmail.objects.get()
    assert [block["url"].rpartition("/")[2] for block in email.blocks if block["kind"] == "entry"] == ["31"]


def test_it_tells_of_followed_listings(reader: User) -> None:
    followed(reader, company__name="Acme").updates.create(title="Version 2", body="It is out.")
    with time_machine.travel(datetime.now(UTC).replace(hour=23), tick=False):
        assert send_digests() == 1
    assert "Acme posted an update: Version 2" in OutgoingEmail.objects.get().text


@pytest.mark.parametrize(("hour", "count"), [(6, 1), (7, 1), (8, 0)])
def test_it_comes_at_the_chosen_hour(reader: User, hour: int, count: int) -> None:
    set_digest_hour(reader, hour)
    happen_at(MORNING, reader, "order.paid")
    assert send_at(MORNING) == count


def test_it_waits_for_seven_without_a_choice(reader: User) -> None:
    happen_at(MORNING - DAY, reader, "order.paid")
    assert [send_at(MORNING - timedelta(hours=1)), send_at(MORNING)] == [0, 1]


def test_closed_accounts_and_unverified_emails_get_none(reader: User) -> None:
    unverified = UserFactory.create(email_notifications=[NotificationKind.DIGEST])
    for user in (reader, unverified):
        happen_at(MORNING, user, "order.paid")
    User.objects.filter(pk=reader.pk).update(is_active=False)
    EmailAddress.objects.filter(user=unverified).update(verified=False)
    assert send_at(MORNING) == 0


def test_one_failure_keeps_no_other_from_its_email(reader: User, monkeypatch: pytest.MonkeyPatch) -> None:
    other = UserFactory.create(email_notifications=[NotificationKind.DIGEST])
    for user in (reader, other):
        happen_at(MORNING, user, "order.paid")

    def listed(user: User, **query: Any) -> object:
        if user.pk == reader.pk:
            raise RuntimeError("broken")
        return list_notifications(user, **query)

    monkeypatch.setattr("apps.notifications.digest.list_notifications", listed)
    assert send_at(MORNING) == 1
    assert OutgoingEmail.objects.get().to == other.email


def test_one_click_turns_it_off(reader: User) -> None:
    happen_at(MORNING, reader, "order.paid")
    send_at(MORNING)
    path = urlsplit(OutgoingEmail.objects.get().headers["List-Unsubscribe"].strip("<>")).path
    program = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
    assert program.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not OutgoingEmail.objects.exists()
    happen_at(MORNING + DAY / 2, reader, "order.paid")
    assert send_at(MORNING + DAY) == 0


@pytest.mark.django_db(transaction=True)
def test_two_workers_write_it_once(reader: User) -> None:
    happen_at(MORNING, reader, "order.paid")
    with time_machine.travel(MORNING, tick=False):
        written = run_at_once(send_digests, send_digests)
    assert sorted(written) == [0, 1]
    assert OutgoingEmail.objects.count() == Digest.objects.count() == 1
