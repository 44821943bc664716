"""Emails wait in the database until an email server has taken them."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from apps.core import tasks
from apps.core.email import delivery, outbox, rendering
from apps.core.email.text import Words
from apps.core.models import OutgoingEmail
from apps.core.schedule import BEAT
from tests.accounts.people import wait
from tests.email_server import EmailServer
from tests.outgoing import SITE, addresses, email_to, put, serving
from tests.racing import run_at_once

pytestmark = pytest.mark.db

WAITING = {"sent_at__isnull": True, "failed_at__isnull": True}


@pytest.fixture
def server(settings: Any) -> Iterator[EmailServer]:
    with serving(settings) as server:
        yield server


@pytest.mark.django_db
def test_an_email_leaves_and_its_text_with_it(server: EmailServer) -> None:
    put(subject="News\nof today", headers={"List-Unsubscribe": "<https://a.example/leave>"})

    assert delivery.send_batch() is False

    message = server.messages[0]
    assert (message["To"], message["Subject"]) == ("reader@example.com", "News of today")
    assert message["List-Unsubscribe"] == "<https://a.example/leave>"
    assert "Something happened." in server.newest_text("reader@example.com")
    row = email_to("reader@example.com")
    assert row.sent_at is not None
    assert (row.text, row.headers, row.leased_at) == ("", {}, None)
    delivery.send_batch()
    assert len(server.messages) == 1


@pytest.mark.django_db
def test_a_long_header_stays_in_one_piece(server: EmailServer) -> None:
    address = "https://directory.example/unsubscribe/" + "a1B2-" * 40
    put(headers={"List-Unsubscribe": f"<{address}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"})
    delivery.send_batch()
    assert server.messages[0]["List-Unsubscribe"].strip() == f"<{address}>"
    assert server.messages[0]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.django_db
def test_the_same_key_is_one_email() -> None:
    put("first@example.com", key="welcome")
    put("second@example.com", key="welcome")
    assert addresses() == {"first@example.com"}


@pytest.mark.django_db
def test_a_subject_that_is_too_long_is_cut() -> None:
    put(subject="word " * 100)
    assert len(email_to("reader@example.com").subject) == outbox.SUBJECT_LENGTH


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_is_not_sent(server: EmailServer) -> None:
    with transaction.atomic():
        put()
        transaction.set_rollback(True)
    delivery.send_batch()
    assert server.messages == []


@pytest.mark.django_db(transaction=True)
def test_putting_wakes_a_worker_after_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[int] = []
    monkeypatch.setattr(tasks.send_emails, "delay", lambda: woken.append(OutgoingEmail.objects.count()))
    with transaction.atomic():
        put()
        assert woken == []
    assert woken == [1]


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_out_costs_the_message_alone(server: EmailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OperationalError

    monkeypatch.setattr(tasks.send_emails, "delay", refuse)
    put()
    assert BEAT["emails-send"]["task"] == tasks.send_emails.name
    tasks.send_emails()
    assert [message["To"] for message in server.messages] == ["reader@example.com"]


@pytest.mark.django_db
def test_a_batch_is_one_connection_and_the_rest_another(server: EmailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "BATCH", 3)
    for number in range(4):
        put(f"reader{number}@example.com")
    assert delivery.send_batch() is True
    assert (len(server.messages), server.connections) == (3, 1)
    assert delivery.send_batch() is False
    assert (len(server.messages), server.connections) == (4, 2)


@pytest.mark.django_db
def test_news_to_many_let_single_emails_pass(server: EmailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "BATCH", 2)
    for number in range(3):
        put(f"follower{number}@example.com", is_bulk=True)
    put("owner@example.com")
    delivery.send_batch()
    assert [message["To"] for message in server.messages] == ["owner@example.com", "follower0@example.com"]
    delivery.send_batch()
    assert len(server.messages) == 4


@pytest.mark.django_db
def test_a_full_batch_wakes_the_next(server: EmailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "BATCH", 2)
    for number in range(5):
        put(f"reader{number}@example.com")
    woken: list[int] = []
    monkeypatch.setattr(tasks, "delay_on_commit", lambda task: woken.append(len(server.messages)))
    for _ in range(3):
        tasks.send_emails()
    assert woken == [2, 4]
    assert len(server.messages) == 5


@pytest.mark.django_db
def test_a_refused_recipient_holds_up_nobody(server: EmailServer) -> None:
    server.refuse("gone@example.com", 550, "no such person")
    for name in ("before", "gone", "after"):
        put(f"{name}@example.com")
    delivery.send_batch()
    assert addresses(sent_at__isnull=False) == {"before@example.com", "after@example.com"}
    row = email_to("gone@example.com")
    assert row.failed_at is not None
    assert (row.last_error, row.text) == ("550 no such person", "Something happened.")
    assert server.connections == 1


@pytest.mark.django_db
@pytest.mark.parametrize("code", [450, 421])
def test_a_recipient_that_is_refused_for_now_is_tried_later(server: EmailServer, code: int, time_machine: Any) -> None:
    server.refuse("busy@example.com", code, "later")
    put("busy@example.com")
    put("after@example.com")
    delivery.send_batch()
    row = email_to("busy@example.com")
    assert (row.attempts, row.failed_at, row.last_error) == (1, None, f"{code} later")
    server.accept("busy@example.com")
    delivery.send_batch()
    assert addresses(**WAITING) == {"busy@example.com"}
    wait(time_machine, seconds=61)
    delivery.send_batch()
    assert addresses(**WAITING) == set()
    assert len(server.messages) == 2


@pytest.mark.django_db
def test_an_email_server_that_is_out_puts_everything_off(server: EmailServer, settings: Any, time_machine: Any) -> None:
    open_port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    put("one@example.com")
    put("two@example.com")
    assert delivery.send_batch() is False
    assert "Refused" in email_to("one@example.com").last_error
    assert set(OutgoingEmail.objects.values_list("attempts", "leased_at")) == {(1, None)}
    settings.EMAIL_PORT = open_port
    delivery.send_batch()
    assert server.messages == []
    wait(time_machine, seconds=61)
    delivery.send_batch()
    assert addresses(sent_at__isnull=False) == {"one@example.com", "two@example.com"}


@pytest.mark.django_db
def test_the_pauses_grow_and_end(settings: Any, time_machine: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    time_machine.move_to("2026-11-02T00:00:00Z", tick=False)
    put()
    began, tries = timezone.now(), 0
    pauses = []
    while email_to("reader@example.com").failed_at is None:
        delivery.send_batch()
        tries += 1
        due = email_to("reader@example.com").send_at
        pauses.append(due - timezone.now())
        time_machine.move_to(max(due, timezone.now()), tick=False)
        assert tries <= delivery.MAX_ATTEMPTS
    assert [pause // timedelta(minutes=1) for pause in pauses[:8]] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert timedelta(days=2, hours=20) < timezone.now() - began < timedelta(days=3, hours=4)
    assert delivery.send_batch() is False


@pytest.mark.django_db
def test_a_server_that_breaks_off_is_asked_for_the_rest(server: EmailServer, time_machine: Any) -> None:
    server.break_off("second@example.com")
    for name in ("first", "second", "third"):
        put(f"{name}@example.com")
    assert delivery.send_batch() is False
    assert addresses(sent_at__isnull=False) == {"first@example.com"}
    assert email_to("third@example.com").attempts == 0
    delivery.send_batch()
    assert addresses(**WAITING) == {"second@example.com"}
    server.accept("second@example.com")
    wait(time_machine, seconds=61)
    delivery.send_batch()
    assert [message["To"] for message in server.messages].count("first@example.com") == 1
    assert addresses(**WAITING) == set()


@pytest.mark.django_db
@pytest.mark.parametrize("headers", [{"X-Note": "one\ntwo"}, {"To": "nobody"}])
def test_an_email_that_cannot_be_built_is_given_up_alone(
    server: EmailServer, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put("bad@example.com", headers=headers)
    if "To" in headers:
        monkeypatch.setattr(delivery, "compose", _not_for("bad@example.com"))
    put("good@example.com")
    delivery.send_batch()
    assert email_to("bad@example.com").failed_at is not None
    assert email_to("good@example.com").sent_at is not None


def _not_for(address: str) -> Any:
    original = rendering.compose

    def compose(*, to: str, **more: Any) -> Any:
        if to == address:
            raise ValueError("no")
        return original(to=to, **more)

    return compose


class Killed(BaseException):
    """What a worker's end looks like from inside."""


@pytest.mark.django_db
def test_a_kill_between_sending_and_marking_repeats_one_email(
    server: EmailServer, monkeypatch: pytest.MonkeyPatch, time_machine: Any
) -> None:
    for name in ("first", "second", "third"):
        put(f"{name}@example.com")

    def die(email: OutgoingEmail) -> None:
        if email.to == "second@example.com":
            raise Killed
        mark(email)

    mark = delivery._mark_sent
    with monkeypatch.context() as dying:
        dying.setattr(delivery, "_mark_sent", die)
        with pytest.raises(Killed):
            delivery.send_batch()
    delivery.send_batch()
    assert len(server.messages) == 2, "another worker leaves alone what the dead one claimed, for a while"
    wait(time_machine, minutes=6)
    delivery.send_batch()
    sent = [message["To"].split("@")[0] for message in server.messages]
    assert sorted(sent) == ["first", "second", "second", "third"]
    assert addresses(**WAITING) == set()


@pytest.mark.django_db
def test_a_slow_batch_hands_on_the_rest(
    server: EmailServer, monkeypatch: pytest.MonkeyPatch, time_machine: Any
) -> None:
    for name in ("first", "second", "third"):
        put(f"{name}@example.com")
    mark = delivery._mark_sent

    def be_slow(email: OutgoingEmail) -> None:
        mark(email)
        wait(time_machine, seconds=40)

    monkeypatch.setattr(delivery, "_mark_sent", be_slow)
    assert delivery.send_batch() is True
    assert addresses(sent_at__isnull=False) == {"first@example.com", "second@example.com"}
    assert email_to("third@example.com").leased_at is None


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_time_send_each_email_once(server: EmailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "BATCH", 7)
    monkeypatch.setattr(tasks.send_emails, "delay", lambda: None)
    outbox.put_all(
        outbox.Email(
            key=f"news {number}",
            to=f"reader{number}@example.com",
            words=Words(subject="News", text="Text"),
            site=SITE,
        )
        for number in range(60)
    )

    def work() -> None:
        while delivery.send_batch():
            pass

    run_at_once(*[work] * 4)
    while delivery.send_batch():
        pass
    got = [message["To"] for message in server.messages]
    assert len(got) == len(set(got)) == 60
    assert server.connections > 1


@pytest.mark.django_db
def test_a_claim_keeps_others_away(server: EmailServer) -> None:
    put()
    OutgoingEmail.objects.update(leased_at=timezone.now())
    delivery.send_batch()
    assert server.messages == []


@pytest.mark.django_db
def test_old_emails_go(time_machine: Any) -> None:
    now = timezone.now()
    for name in ("sent", "failed", "waiting", "sent lately"):
        put(f"{name.replace(' ', '-')}@example.com")
    month = now - timedelta(days=31)
    OutgoingEmail.objects.filter(to="sent@example.com").update(sent_at=month)
    OutgoingEmail.objects.filter(to="failed@example.com").update(failed_at=month)
    OutgoingEmail.objects.filter(to="sent-lately@example.com").update(sent_at=now - timedelta(days=29))
    OutgoingEmail.objects.update(created_at=month)
    tasks.delete_expired_data()
    assert addresses() == {"waiting@example.com", "sent-lately@example.com"}
    assert BEAT["data-clean"]["task"] == tasks.delete_expired_data.name


@pytest.mark.django_db
def test_what_waits_can_be_withdrawn(server: EmailServer) -> None:
    put("a@example.com", key="news-1-7")
    put("a@example.com", key="news-12-7")
    put("b@example.com", key="news-1-8")
    put("a@example.com", key="news-1-9")
    put("a@example.com", key="news-1-10")
    OutgoingEmail.objects.filter(key="news-1-9").update(leased_at=timezone.now())
    # An admin could retry it.
    OutgoingEmail.objects.filter(key="news-1-10").update(failed_at=timezone.now())
    outbox.withdraw(key_prefix="news-1-", to="a@example.com")
    assert set(OutgoingEmail.objects.values_list("key", flat=True)) == {"news-12-7", "news-1-8", "news-1-9"}
