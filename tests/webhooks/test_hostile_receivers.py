"""Receivers that change their address, answer without end, or have another time."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from apps.accounts.models import User
from apps.core.fetch import SafeClient
from apps.sites.models import Site
from apps.webhooks import services
from apps.webhooks.delivery import courier
from apps.webhooks.delivery.sending import send_due
from apps.webhooks.models import Attempt, Delivery
from tests.core.hostile_server import OK, PUBLIC, Handler, LeadingTo, Names, answer, forever, serve
from tests.webhooks.happening import happen
from tests.webhooks.receiver import TOLERANCE_SECONDS, Received, Receiver, is_signed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("only_told_events")]

URL = "http://moving.example/hook"
ENDLESS = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2147483648\r\n\r\n"
CLOSING = b"HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


def send_to(
    handler: Handler,
    addresses: Sequence[Sequence[str]],
    account: User,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> list[tuple[str, int]]:
    """Send an event, and again after a minute, to a name with these addresses in turn. Returns the dials."""
    settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset({"moving.example"})
    services.create_webhook_endpoint(account=account, url=URL)
    happen(account, site, "order.paid")
    with serve(handler) as server, time_machine.travel(timezone.now(), tick=False) as clock:
        network, names = LeadingTo(server), Names({"moving.example": addresses})
        monkeypatch.setattr(
            courier,
            "new_client",
            lambda: SafeClient(user_agent="Test", resolver=names, allow_private=frozenset(), network=network),
        )
        send_due()
        clock.shift(timedelta(minutes=1))
        send_due()
    return network.dials


def test_a_name_that_changes_to_a_private_address_gets_nothing_there(
    account: User, site: Site, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    dials = send_to(answer(CLOSING), [[PUBLIC], ["169.254.169.254"]], account, site, monkeypatch, settings)

    assert dials == [(PUBLIC, 80)]
    assert list(Attempt.objects.order_by("pk").values_list("status_code", "error")) == [
        (503, ""),
        (None, "private_address"),
    ]
    assert Delivery.objects.get().status == "waiting"


def test_a_name_is_asked_once_for_a_connection_and_dialed_there(
    account: User, site: Site, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    dials = send_to(answer(OK), [[PUBLIC], ["127.0.0.1"]], account, site, monkeypatch, settings)

    assert dials == [(PUBLIC, 80)]
    assert Delivery.objects.get().status == "delivered"


def test_two_gigabytes_are_not_read(account: User, site: Site, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    send_to(forever(ENDLESS, b"x" * 65_536), [[PUBLIC]], account, site, monkeypatch, settings)

    assert Delivery.objects.get().status == "delivered"
    assert Attempt.objects.get().answer == "x" * courier.ANSWER_BYTES


@pytest.mark.parametrize("is_ahead", [True, False])
def test_a_receiver_with_another_time_accepts_once_its_clock_is_right(
    account: User, site: Site, receiver: Receiver, is_ahead: bool
) -> None:
    _, secret = services.create_webhook_endpoint(account=account, url=receiver.url)
    skew = (1 if is_ahead else -1) * (TOLERANCE_SECONDS + 10)

    def accept(got: Received) -> tuple[int, dict[str, str], bytes]:
        return 200 if is_signed(got, secret, now=timezone.now().timestamp() + skew) else 401, {}, b""

    receiver.answer = accept
    happen(account, site, "order.paid")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        send_due()
        assert Attempt.objects.get().status_code == 401
        skew //= 2
        clock.shift(timedelta(minutes=1))
        send_due()

    assert Delivery.objects.get().status == "delivered"
    assert len({each.id for each in receiver.received}) == 1


def test_a_clock_that_was_an_hour_ahead_loses_nothing(account: User, site: Site, receiver: Receiver) -> None:
    """What it sent is refused as too new, and what it leased is sent when its times have come."""
    _, secret = services.create_webhook_endpoint(account=account, url=receiver.url)
    now = timezone.now()
    receiver.answer = lambda got: (200 if is_signed(got, secret, now=now.timestamp()) else 401, {}, b"")
    with time_machine.travel(now + timedelta(hours=1), tick=False) as clock:
        happen(account, site, "order.paid")
        send_due()
        assert receiver.accepted == []
        clock.move_to(now)
        send_due()
        happen(account, site, "order.paid", pk=6)
        send_due()
        assert [each.event["seq"] for each in receiver.accepted] == [2]
        now += timedelta(minutes=61)
        clock.move_to(now)
        send_due()

    assert [each.event["seq"] for each in receiver.accepted] == [2, 1]
