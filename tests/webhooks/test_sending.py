"""What endpoints get: every wanted event once, in order for each object, and again until they accept it."""

import threading
import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.core.fetch import Limits, SafeClient
from apps.core.models import OutgoingEmail
from apps.core.operations.personal_data.retention import delete_expired_data
from apps.events.api import EventSerializer
from apps.events.models import Event
from apps.events.recording import Subject, record
from apps.sites.models import Site
from apps.webhooks import services
from apps.webhooks.delivery import courier, queueing, retries, sending
from apps.webhooks.delivery.courier import Outcome
from apps.webhooks.delivery.sending import lease_due, send_due, write_outcomes
from apps.webhooks.models import Attempt, Cursor, Delivery, Endpoint
from tests.factories import SiteFactory, UserFactory
from tests.racing import run_at_once
from tests.waiting import PATIENCE_SECONDS, wait_until_blocked
from tests.webhooks.happening import happen
from tests.webhooks.receiver import Received, Receiver, is_signed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("only_told_events")]


@pytest.fixture
def endpoint(account: User, receiver: Receiver) -> Endpoint:
    return services.create_webhook_endpoint(account=account, url=receiver.url)[0]


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """An endpoint that answers at last is not too late, and a connection on a busy machine neither."""
    limits = Limits(connect_seconds=PATIENCE_SECONDS)
    monkeypatch.setattr(courier, "ANSWER_SECONDS", 2 * PATIENCE_SECONDS)
    monkeypatch.setattr(courier, "new_client", lambda: SafeClient(limits=limits))


def only_delivery() -> Delivery:
    result: Delivery = Delivery.objects.get()
    return result


def failing(receiver: Receiver, status: int = 500, **headers: str) -> None:
    receiver.answer = lambda _: (status, {name.replace("_", "-"): value for name, value in headers.items()}, b"no")


def test_each_event_arrives_once_with_the_body_of_the_api(account: User, site: Site, receiver: Receiver) -> None:
    happen(account, site, "order.pending")
    _, secret = services.create_webhook_endpoint(account=account, url=receiver.url)
    happen(account, site, "order.processing", "order.paid")
    send_due()
    send_due()

    events = list(Event.objects.visible_to(account).filter(seq__gt=1))
    assert [each.event for each in receiver.received] == [EventSerializer(event).data for event in events]
    assert [each.id for each in receiver.received] == [event.key for event in events]
    assert all(is_signed(each, secret) for each in receiver.received)
    assert not is_signed(receiver.received[0], "whsec_" + "A" * 43 + "=")
    assert set(Delivery.objects.values_list("status", flat=True)) == {"delivered"}
    assert Attempt.objects.get(delivery__event=events[0]).status_code == 200


def test_only_chosen_types_and_groups_are_sent(account: User, site: Site, receiver: Receiver) -> None:
    services.create_webhook_endpoint(account=account, url=receiver.url, types=["order", "listing.live"])
    happen(account, site, "order.paid", "listing.live", "listing.archived", "order_line.failed")
    send_due()

    assert {each.event["type"] for each in receiver.received} == {"order.paid", "listing.live"}


def test_other_accounts_events_are_not_sent(endpoint: Endpoint, site: Site, receiver: Receiver) -> None:
    happen(UserFactory.create(), site, "order.paid")
    send_due()

    assert receiver.received == []


@pytest.mark.slow
def test_a_failed_delivery_is_tried_again_under_its_id(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    failing(receiver)
    happen(account, site, "order.paid")
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        send_due()
        assert only_delivery().status == "waiting"
        for delay in retries.DELAYS:
            waits = only_delivery().next_at - timezone.now()
            assert 0.9 * delay <= waits.total_seconds() <= delay
            send_due()
            clock.move_to(only_delivery().next_at + timedelta(seconds=1))
            Endpoint.objects.update(waits_until=None)
            send_due()
        assert timezone.now() - start <= timedelta(days=3)
        clock.shift(timedelta(days=2))
        send_due()

    assert len(receiver.received) == len(retries.DELAYS) + 1 == only_delivery().attempts_made
    assert {each.id for each in receiver.received} == {Event.objects.get().key}
    assert only_delivery().status == "failed"


def test_a_receiver_that_was_down_gets_everything_under_the_same_ids(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    failing(receiver, 503)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for pk in range(10):
            happen(account, site, "order.paid", pk=pk)
            send_due()
            clock.shift(timedelta(minutes=1))
        receiver.answer = lambda _: (200, {}, b"ok")
        clock.shift(timedelta(minutes=10))
        send_due()

    assert len(receiver.received) > len(receiver.accepted) == 10
    ids = ({each.id for each in one} for one in (receiver.received, receiver.accepted))
    assert list(ids) == [{event.key for event in Event.objects.all()}] * 2


def test_the_timestamp_is_that_of_the_delivery(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    failing(receiver)
    happen(account, site, "order.paid")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        send_due()
        clock.shift(timedelta(hours=1))
        send_due()
        now = time.time()

    first, second = (int(each.headers["webhook-timestamp"]) for each in receiver.received)
    assert second - first == 3600
    assert second == int(now)


@pytest.mark.parametrize("status", [429, 503, 500])
def test_retry_after_is_honored(endpoint: Endpoint, account: User, site: Site, receiver: Receiver, status: int) -> None:
    failing(receiver, status, Retry_After="900")
    happen(account, site, "order.paid")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        send_due()
        assert only_delivery().next_at == timezone.now() + timedelta(seconds=900)
        clock.shift(timedelta(seconds=899))
        send_due()

    assert len(receiver.received) == 1


@pytest.mark.parametrize(
    "value",
    [
        "Mon, 01 Jan 99999999999 00:00:00 GMT",
        "Mon, 01 Jan 2027 99999999999:00:00 GMT",
        "Mon, 01 Jan 2027 00:00:00 +99999999999999999999",
        "soon",
    ],
)
def test_an_unreadable_retry_after_counts_as_none(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver, value: str
) -> None:
    failing(receiver, 503, Retry_After=value)
    happen(account, site, "order.paid")
    with time_machine.travel(timezone.now(), tick=False):
        send_due()
        assert only_delivery().next_at <= timezone.now() + timedelta(seconds=retries.DELAYS[0])

    assert Attempt.objects.get().status_code == 503


def test_a_client_that_breaks_is_a_failure_of_its_delivery_alone(
    endpoint: Endpoint,
    account: User,
    site: Site,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    other, _ = services.create_webhook_endpoint(account=account, url=f"{receiver.url}/breaks")
    post = SafeClient.post

    async def breaks(self: SafeClient, url: str, **options: Any) -> Any:
        if url.endswith("/breaks"):
            raise RuntimeError(url)
        return await post(self, url, **options)

    monkeypatch.setattr(SafeClient, "post", breaks)
    happen(account, site, "order.paid")
    send_due()

    assert Delivery.objects.get(endpoint=endpoint).status == "delivered"
    assert Attempt.objects.get(delivery__endpoint=other).error == "bad_response"
    assert "/breaks" not in caplog.text


def test_an_account_takes_only_a_part_of_the_requests_at_once(account: User, site: Site, receiver: Receiver) -> None:
    other = UserFactory.create()
    for user in (account, account, account, other):
        services.create_webhook_endpoint(account=user, url=receiver.url)
    for pk in range(sending.MOST_AT_ONCE_PER_ENDPOINT):
        happen(account, site, "order.paid", pk=pk)
    happen(other, site, "order.paid")
    queueing.queue_events()
    leased = list(lease_due(sending.MOST_AT_ONCE))
    more = list(lease_due(sending.MOST_AT_ONCE, flying=leased))

    owners = [job.account_id for job in leased]
    assert owners.count(account.pk) == sending.MOST_AT_ONCE_PER_ACCOUNT < 3 * sending.MOST_AT_ONCE_PER_ENDPOINT
    assert owners.count(other.pk) == 1
    assert more == []


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
def test_another_run_may_begin_while_the_last_answers_are_awaited(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_arrived, is_closing = threading.Event(), threading.Event()
    # The run's time is over as soon as the event has arrived.
    monkeypatch.setattr(sending, "time", SimpleNamespace(monotonic=lambda: 3600.0 * has_arrived.is_set()))

    def answer(_: Received) -> tuple[int, dict[str, str], bytes]:
        has_arrived.set()
        return 200 if is_closing.wait(PATIENCE_SECONDS) else 500, {}, b""

    receiver.answer = answer
    happen(account, site, "order.paid")
    send_due(on_closing=is_closing.set)

    assert only_delivery().status == "delivered"


@pytest.mark.django_db(transaction=True)
def test_a_result_and_a_deletion_at_the_same_time_dont_block_each_other(
    endpoint: Endpoint, account: User, site: Site
) -> None:
    happen(account, site, "order.paid")
    queueing.queue_events()
    [job] = lease_due(1)
    is_locked = threading.Event()

    def delete() -> None:
        with transaction.atomic():
            Endpoint.objects.select_for_update(no_key=True).get()
            is_locked.set()
            wait_until_blocked()
            services.delete_webhook_endpoint(endpoint=endpoint)

    def write() -> None:
        is_locked.wait(PATIENCE_SECONDS)
        write_outcomes([(job, Outcome(status_code=200))])

    assert run_at_once(delete, write) == [None, None]
    assert not Delivery.objects.exists()


def test_a_later_event_of_an_object_waits_for_the_earlier(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    receiver.answer = lambda got: (500 if got.event["seq"] == 1 else 200, {}, b"")
    happen(account, site, "order.pending", "order.paid", pk="SL-1")
    happen(account, site, "order.pending", pk="SL-2")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        send_due()
        assert sorted(receiver.seqs) == [1, 3]
        receiver.answer = lambda _: (200, {}, b"")
        clock.shift(timedelta(seconds=6))
        send_due()

    assert receiver.seqs[2:] == [1, 2]


def test_a_later_event_is_sent_when_the_earlier_is_given_up(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    happen(account, site, "order.pending", "order.paid")
    queueing.queue_events()
    Delivery.objects.filter(seq=1).update(status="failed")
    send_due()

    assert receiver.seqs == [2]


def test_gone_disables_the_endpoint_and_says_so_once(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    failing(receiver, 410)
    happen(account, site, "order.paid")
    happen(account, site, "order.paid", pk=6)
    send_due()
    send_due()
    endpoint.refresh_from_db()

    assert endpoint.status == "disabled"
    assert OutgoingEmail.objects.filter(to=account.email).count() == 1

    receiver.answer = lambda _: (200, {}, b"")
    before = len(receiver.received)
    services.update_webhook_endpoint(endpoint=endpoint, is_active=True)
    send_due()
    assert sorted(receiver.seqs[before:]) == [1, 2]


def test_a_day_of_failures_is_told_once(endpoint: Endpoint, account: User, site: Site, receiver: Receiver) -> None:
    failing(receiver)
    happen(account, site, "order.paid")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for hours in (0, 12, 11, 2, 10):
            clock.shift(timedelta(hours=hours))
            Delivery.objects.update(next_at=timezone.now())
            Endpoint.objects.update(waits_until=None)
            send_due()
            told = OutgoingEmail.objects.filter(to=account.email).count()
            assert told == (1 if timezone.now() - endpoint_since() >= timedelta(hours=24) else 0)


def endpoint_since() -> Any:
    return Endpoint.objects.get().failing_since


def test_a_failing_endpoint_rests_and_is_tried_with_one(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    failing(receiver)
    for pk in range(20):
        happen(account, site, "order.paid", pk=pk)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        send_due()
        first = len(receiver.received)
        most = sending.MOST_AT_ONCE_PER_ENDPOINT + retries.FAILURES_BEFORE_REST - 1
        assert retries.FAILURES_BEFORE_REST <= first <= most
        clock.shift(timedelta(minutes=2))
        send_due()
        assert len(receiver.received) == first + 1
        receiver.answer = lambda _: (200, {}, b"")
        clock.shift(timedelta(hours=1))
        send_due()

    assert set(Delivery.objects.values_list("status", flat=True)) == {"delivered"}
    assert Endpoint.objects.get().failing_since is None


def test_a_paused_endpoint_gets_what_it_missed_when_it_is_active_again(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    services.update_webhook_endpoint(endpoint=endpoint, is_active=False)
    happen(account, site, "order.pending", "order.paid")
    send_due()
    assert receiver.received == []
    services.update_webhook_endpoint(endpoint=endpoint, is_active=True)
    send_due()

    assert receiver.seqs == [1, 2]


def test_a_deactivated_account_gets_nothing(endpoint: Endpoint, account: User, site: Site, receiver: Receiver) -> None:
    happen(account, site, "order.paid")
    queueing.queue_events()
    happen(account, site, "order.refunded")
    User.objects.update(is_active=False)
    send_due()
    assert receiver.received == []
    User.objects.update(is_active=True)
    send_due()

    assert receiver.seqs == [1, 2]


def test_a_test_reaches_a_paused_endpoint_and_nothing_else_does(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    happen(account, site, "order.paid")
    queueing.queue_events()
    services.update_webhook_endpoint(endpoint=endpoint, is_active=False)
    failing(receiver)
    test = services.send_webhook_test(endpoint=endpoint)
    send_due()
    test.refresh_from_db()

    assert [each.event["type"] for each in receiver.received] == ["webhook.test"]
    assert test.status == "failed"
    assert Endpoint.objects.get().failures == 0


def test_a_redirect_is_a_failure_and_not_followed(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    failing(receiver, 307, Location="http://169.254.169.254/latest")
    happen(account, site, "order.paid")
    send_due()

    assert Attempt.objects.get().status_code == 307
    assert only_delivery().status == "waiting"


def test_the_address_table_applies_at_the_delivery(account: User, site: Site, settings: Any) -> None:
    settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset()
    endpoint, _ = services.create_webhook_endpoint(account=account, url="https://public.example/hook")
    Endpoint.objects.filter(pk=endpoint.pk).update(url="https://127.0.0.1/hook")
    happen(account, site, "order.paid")
    send_due()

    assert Attempt.objects.get().error == "private_address"


@pytest.mark.slow
def test_an_endpoint_that_answers_too_late_fails(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courier, "ANSWER_SECONDS", 0.5)
    is_over = threading.Event()
    receiver.answer = lambda _: (200 if is_over.wait(PATIENCE_SECONDS) else 500, {}, b"")
    happen(account, site, "order.paid")
    send_due()
    is_over.set()

    assert Attempt.objects.get().error == "timeout"


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
def test_an_endpoint_that_hangs_holds_up_no_other(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    """It answers only after all of the other's events arrived, and they only after it has begun to hang."""
    services.create_webhook_endpoint(account=account, url=f"{receiver.url}/hangs")
    hangs, others_arrived = threading.Event(), threading.Event()
    arrived: set[str] = set()
    waited: list[bool] = []
    number = sending.MOST_AT_ONCE_PER_ENDPOINT + 2

    def answer(got: Received) -> tuple[int, dict[str, str], bytes]:
        if got.path.endswith("/hangs"):
            hangs.set()
            waited.append(others_arrived.wait(PATIENCE_SECONDS))
        else:
            waited.append(hangs.wait(PATIENCE_SECONDS))
            arrived.add(got.id)
            if len(arrived) == number:
                others_arrived.set()
        return 200, {}, b""

    receiver.answer = answer
    for pk in range(number):
        happen(account, site, "order.paid", pk=pk)
    send_due(seconds=PATIENCE_SECONDS)

    assert waited == [True] * 2 * number
    assert set(Delivery.objects.values_list("status", flat=True)) == {"delivered"}


def test_the_first_four_kilobytes_of_the_answer_are_kept(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    receiver.answer = lambda _: (500, {}, b"\x00\xff" + b"x" * 100_000)
    happen(account, site, "order.paid")
    send_due()

    assert Attempt.objects.get().answer == "\ufffd\ufffd" + "x" * 4094


def test_an_expired_lease_is_taken_over_and_its_late_result_dropped(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    happen(account, site, "order.paid")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        queueing.queue_events()
        [lost] = lease_due(5)
        assert list(lease_due(5)) == []
        clock.shift(sending.LEASE + timedelta(seconds=1))
        send_due()
        write_outcomes([(lost, Outcome(status_code=500))])

    assert len(receiver.received) == 1
    assert only_delivery().status == "delivered"
    assert Attempt.objects.count() == 1


@pytest.mark.slow
def test_a_dead_endpoint_leaves_its_backlog_in_the_log(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queueing, "MOST_WAITING", 4)
    monkeypatch.setattr(queueing, "BATCH", 3)
    happen(account, site, *["order.paid"] * 20)
    for _ in range(5):
        queueing.queue_events()

    assert Delivery.objects.count() == 6
    assert Cursor.objects.get().seq == 6
    send_due()
    assert receiver.seqs == list(range(1, 21))


def test_a_cursor_passes_events_that_were_deleted(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    happen(account, site, "order.pending", "order.paid")
    Event.objects.all().delete()
    assert queueing.queue_events()
    assert not queueing.queue_events()
    happen(account, site, "order.refunded")
    send_due()

    assert receiver.seqs == [3]


def test_a_delivery_whose_event_is_deleted_ends(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    happen(account, site, "order.paid")
    queueing.queue_events()
    Event.objects.all().delete()
    send_due()

    assert receiver.received == []
    assert only_delivery().status == "failed"
    assert Attempt.objects.get().error == "event_deleted"


@pytest.mark.slow
def test_events_are_sent_again_since_a_number_and_in_a_range(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver
) -> None:
    happen(account, site, *["order.paid"] * 4)
    send_due()
    ids = [each.id for each in receiver.received]
    receiver.received.clear()
    services.redeliver_events(endpoint=endpoint, after=2)
    send_due()
    assert [each.id for each in receiver.received] == ids[2:]
    receiver.received.clear()
    services.redeliver_events(endpoint=endpoint, after=0, until=2)
    send_due()
    assert [each.id for each in receiver.received] == ids[:2]
    receiver.received.clear()
    services.redeliver_webhook(delivery=Delivery.objects.get(seq=3))
    send_due()
    assert [each.id for each in receiver.received] == [ids[2]]
    assert Delivery.objects.count() == 4


def test_both_secrets_are_valid_for_a_day(account: User, site: Site, receiver: Receiver) -> None:
    endpoint, old = services.create_webhook_endpoint(account=account, url=receiver.url)
    _, new = services.rotate_webhook_secret(endpoint=endpoint)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        happen(account, site, "order.paid")
        send_due()
        clock.shift(timedelta(hours=25))
        happen(account, site, "order.paid")
        send_due()
        now = time.time()

    during, after = receiver.received
    assert is_signed(during, old, now=now - 25 * 3600)
    assert is_signed(during, new, now=now - 25 * 3600)
    assert is_signed(after, new, now=now)
    assert not is_signed(after, old, now=now)


def test_a_site_endpoint_gets_the_events_of_all_accounts_of_its_site(
    account: User, site: Site, receiver: Receiver
) -> None:
    other, elsewhere = UserFactory.create(), SiteFactory.create()
    happen(other, site, "order.pending")
    endpoint = Endpoint(site=site, url=receiver.url)
    services.start_endpoint(endpoint)
    happen(account, site, "order.paid", pk=1)
    happen(other, site, "order.paid", pk=2)
    happen(other, elsewhere, "order.paid", pk=3)
    send_due()

    assert sorted((each.event["object"]["id"], each.event["seq"]) for each in receiver.received) == [("1", 1), ("2", 2)]


def test_an_old_secret_is_deleted_after_its_day(account: User, receiver: Receiver) -> None:
    endpoint, _ = services.create_webhook_endpoint(account=account, url=receiver.url)
    services.rotate_webhook_secret(endpoint=endpoint)
    assert services.clear_old_secrets() == 0
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert services.clear_old_secrets() == 1

    endpoint.refresh_from_db()
    assert (endpoint.old_secret, endpoint.old_secret_until) == ("", None)


def test_a_site_endpoint_looks_at_accounts_with_recent_events_and_sometimes_at_all(
    account: User, site: Site, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.start_endpoint(Endpoint(site=site, url=receiver.url))
    happen(account, site, "order.pending")
    # Of a transaction that commits later than newer events.
    late = UserFactory.create()
    record("order.paid", Subject("order", 1, late.pk, site.pk))
    assert queueing.queue_events()
    connection.check_constraints()

    monkeypatch.setattr(queueing, "_LATE_EVENTS", 0)
    assert not queueing.queue_events()
    happen(account, site, "order.paid")
    assert queueing.queue_events()
    assert not queueing.queue_events()
    monkeypatch.setattr(queueing, "_ALL_ACCOUNTS_EVERY", 0.0)
    assert queueing.queue_events()

    result = Delivery.objects.order_by("pk").values_list("event__account", flat=True)
    assert list(result) == [account.pk, account.pk, late.pk]


def test_late_events_are_recent_ones(site: Site, receiver: Receiver) -> None:
    services.start_endpoint(Endpoint(site=site, url=receiver.url))
    late = UserFactory.create()
    record("order.paid", Subject("order", 1, late.pk, site.pk))
    queueing.queue_events()
    connection.check_constraints()

    assert queueing.queue_events()
    assert Delivery.objects.get().event.account_id == late.pk


def test_queueing_stops_in_time_and_goes_on_with_the_others(account: User, site: Site, receiver: Receiver) -> None:
    for _ in range(3):
        services.create_webhook_endpoint(account=account, url=receiver.url)
    happen(account, site, "order.paid")
    queued = []
    for _ in range(3):
        assert queueing.queue_events(seconds=0.0)
        queued.append(Delivery.objects.count())

    assert queued == [1, 2, 3]


def test_an_unreadable_secret_sends_nothing(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver, settings: Any
) -> None:
    settings.SECRET_KEY = "another" * 10
    happen(account, site, "order.paid")
    send_due()

    assert receiver.received == []
    assert Attempt.objects.get().error == "secret_unreadable"


def test_the_log_is_deleted_with_the_events(
    endpoint: Endpoint, account: User, site: Site, receiver: Receiver, settings: Any
) -> None:
    happen(account, site, "order.paid")
    send_due()
    with time_machine.travel(timezone.now() + timedelta(days=91)):
        delete_expired_data()

    assert not Delivery.objects.exists()
    assert not Attempt.objects.exists()
    assert Cursor.objects.get().seq == 1


def test_secrets_are_in_no_log_and_no_row(
    account: User, site: Site, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    endpoint, secret = services.create_webhook_endpoint(account=account, url=f"{receiver.url}/hidden-part")
    happen(account, site, "order.paid")
    send_due()
    failing(receiver)
    happen(account, site, "order.paid")
    send_due()

    bare = secret.removeprefix("whsec_")
    assert bare not in caplog.text
    assert "hidden-part" not in caplog.text
    for model in (Endpoint, Delivery, Attempt, Event):
        assert bare not in str(list(model.objects.values()))
    assert endpoint.secret not in repr(endpoint)
