"""The adapter of Stripe: the official SDK speaks over HTTP with a stand-in."""

import json
import logging
import time
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from apps.orders.providers import GatewayError, GatewayRefusalError, RemoteState, Session, WrongSignature
from apps.orders.providers import stripe as adapter
from apps.orders.providers.gateway import Event, RefundState, StartRequest
from apps.orders.providers.stripe import StripeGateway
from config.supervisor.up import free_port
from tests.providers.stripe_server import StripeServer

KEY = "SL-7K3QH9TRWC:1"
gateway = StripeGateway()


def request(**changes: Any) -> StartRequest:
    now = timezone.now()
    fields: dict[str, Any] = {
        "key": KEY,
        "order_number": "SL-7K3QH9TRWC",
        "amount_cents": 11781,
        "currency": "usd",
        "return_url": "https://slipway.example/checkout/secret",
        "description": "Order SL-7K3QH9TRWC",
        "email": "owner@example.com",
        "expires_at": now + timedelta(hours=5),
        "started_at": now,
    }
    return StartRequest(**{**fields, **changes})


@pytest.fixture(autouse=True)
def _no_pause_between_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stripe.HTTPClient.INITIAL_DELAY", 0)


@pytest.fixture
def session(stripe: StripeServer) -> Session:
    return gateway.start(request())


@pytest.fixture
def paid(stripe: StripeServer, session: Session) -> Session:
    stripe.pay(session.reference)
    return session


def test_a_session_is_one_line_with_the_total(stripe: StripeServer, session: Session) -> None:
    asked = stripe.requests[-1]
    held = stripe.sessions[session.reference]
    assert session.url == held["url"]
    assert (held["amount_total"], held["currency"], held["client_reference_id"]) == (11781, "usd", KEY)
    assert (held["metadata"], held["payment_intent_metadata"]) == ({"payment": KEY}, {"payment": KEY})
    assert held["success_url"] == held["cancel_url"] == "https://slipway.example/checkout/secret"
    assert asked.headers["idempotency-key"] == KEY
    assert asked.headers["content-type"] == "application/x-www-form-urlencoded"
    assert asked.form["customer_email"] == "owner@example.com"
    assert asked.form["adaptive_pricing[enabled]"] == "false"
    assert not [
        name for name in asked.form if "tax" in name or "payment_method" in name or name.startswith("line_items[1]")
    ]


def test_the_same_key_gives_the_same_session(stripe: StripeServer) -> None:
    wanted = request()
    assert gateway.start(wanted) == gateway.start(wanted)
    assert len(stripe.sessions) == 1


def test_an_answer_that_was_lost_begins_no_second_session(stripe: StripeServer) -> None:
    stripe.drop_answers = 1
    session = gateway.start(request())
    assert list(stripe.sessions) == [session.reference]
    assert len(stripe.requests) == 2


def test_a_key_with_other_parameters_is_refused(stripe: StripeServer) -> None:
    gateway.start(request())
    with pytest.raises(GatewayRefusalError):
        gateway.start(request(amount_cents=1))


@pytest.mark.parametrize(
    ("left", "lasts"),
    [
        (timedelta(hours=24), timedelta(hours=23, minutes=50)),
        (timedelta(hours=5), timedelta(hours=5)),
        (timedelta(minutes=1), timedelta(hours=1)),
    ],
)
def test_a_session_lasts_as_long_as_stripe_allows(stripe: StripeServer, left: timedelta, lasts: timedelta) -> None:
    with time_machine.travel("2026-11-02T10:00:00Z", tick=False):
        now = timezone.now()
        session = gateway.start(request(expires_at=now + left, started_at=now))
        assert stripe.sessions[session.reference]["expires_at"] == int((now + lasts).timestamp())


def test_a_later_try_asks_for_the_same(stripe: StripeServer) -> None:
    with time_machine.travel("2026-11-02T10:00:00Z", tick=False) as clock:
        wanted = request()
        first = gateway.start(wanted)
        clock.shift(timedelta(minutes=20))
        assert gateway.start(wanted) == first


def test_an_open_session(session: Session) -> None:
    remote = gateway.fetch(session.reference)
    assert (remote.state, remote.amount_cents, remote.currency) == (RemoteState.OPEN, 11781, "usd")
    assert (remote.country, remote.returned_cents, remote.is_disputed) == ("", None, False)


@pytest.mark.parametrize("method", ["card", "sepa_debit"])
def test_a_paid_session(stripe: StripeServer, session: Session, method: str) -> None:
    stripe.pay(session.reference, country="FR", method=method)
    remote = gateway.fetch(session.reference)
    assert (remote.state, remote.amount_cents, remote.currency) == (RemoteState.PAID, 11781, "usd")
    assert (remote.country, remote.returned_cents, remote.is_disputed) == ("FR", 0, False)


def test_another_sum_is_told_as_it_is(stripe: StripeServer, session: Session) -> None:
    stripe.pay(session.reference, 99, "eur")
    remote = gateway.fetch(session.reference)
    assert (remote.state, remote.amount_cents, remote.currency) == (RemoteState.PAID, 99, "eur")


def test_a_method_without_a_country(stripe: StripeServer, paid: Session) -> None:
    stripe.charge_of(paid.reference)["payment_method_details"] = {"type": "link"}
    assert gateway.fetch(paid.reference).country == ""


def test_a_bank_debit_is_open_until_the_money_is_there(stripe: StripeServer, session: Session) -> None:
    stripe.promise(session.reference)
    assert gateway.fetch(session.reference).state == RemoteState.OPEN
    stripe.pay(session.reference)
    assert gateway.fetch(session.reference).state == RemoteState.PAID


def test_a_bank_debit_that_fails(stripe: StripeServer, session: Session) -> None:
    stripe.promise(session.reference)
    stripe.fail(session.reference, "The account is closed.")
    remote = gateway.fetch(session.reference)
    assert (remote.state, remote.note) == (RemoteState.FAILED, "The account is closed.")


def test_money_that_went_back_and_a_dispute(stripe: StripeServer, paid: Session) -> None:
    stripe.refund(paid.reference, 500)
    stripe.dispute(paid.reference)
    remote = gateway.fetch(paid.reference)
    assert (remote.state, remote.returned_cents, remote.is_disputed) == (RemoteState.PAID, 500, True)


def test_closing_an_open_session(stripe: StripeServer, session: Session) -> None:
    assert gateway.expire(session.reference).state == RemoteState.FAILED
    assert gateway.expire(session.reference).state == RemoteState.FAILED
    assert stripe.sessions[session.reference]["status"] == "expired"


def test_closing_takes_nothing_back(stripe: StripeServer, paid: Session) -> None:
    assert gateway.expire(paid.reference).state == RemoteState.PAID


def test_closing_cannot_stop_a_bank_debit(stripe: StripeServer, session: Session) -> None:
    stripe.promise(session.reference)
    assert gateway.expire(session.reference).state == RemoteState.OPEN


def test_a_refund_is_made_once_for_each_key(stripe: StripeServer, paid: Session) -> None:
    made = [gateway.refund(paid.reference, amount_cents=500, currency="usd", key="refund-1-1") for _ in range(2)]
    assert list(stripe.refunds) == [made[0]] == [made[1]]
    assert stripe.charge_of(paid.reference)["amount_refunded"] == 500
    gateway.refund(paid.reference, amount_cents=500, currency="usd", key="refund-2-1")
    assert stripe.charge_of(paid.reference)["amount_refunded"] == 1000


def test_a_refund_is_found_when_its_key_is_forgotten(stripe: StripeServer, paid: Session) -> None:
    made = gateway.refund(paid.reference, amount_cents=500, currency="usd", key="refund-1-1")
    stripe.forget_keys()
    assert gateway.refund(paid.reference, amount_cents=500, currency="usd", key="refund-1-1") == made
    assert stripe.charge_of(paid.reference)["amount_refunded"] == 500


def test_a_refund_of_more_than_is_left_is_refused(stripe: StripeServer, paid: Session) -> None:
    with pytest.raises(GatewayRefusalError):
        gateway.refund(paid.reference, amount_cents=11782, currency="usd", key="refund-1-1")
    assert not stripe.refunds


def test_a_refund_of_nothing_paid_is_refused(session: Session) -> None:
    with pytest.raises(GatewayRefusalError, match="no money"):
        gateway.refund(session.reference, amount_cents=1, currency="usd", key="refund-1-1")


def test_a_refund_that_fails_at_once_is_refused(stripe: StripeServer, paid: Session) -> None:
    stripe.refund_status = "failed"
    with pytest.raises(GatewayRefusalError):
        gateway.refund(paid.reference, amount_cents=500, currency="usd", key="refund-1-1")


def test_a_refund_that_fails_days_later(stripe: StripeServer, paid: Session) -> None:
    stripe.refund_status = "pending"
    made = gateway.refund(paid.reference, amount_cents=500, currency="usd", key="refund-1-1")
    assert gateway.fetch_refund(made) == RefundState.DONE
    stripe.fail_refund(made)
    assert gateway.fetch_refund(made) == RefundState.FAILED


# ---- errors ----


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_definite_refusal(stripe: StripeServer, status: int) -> None:
    stripe.fail_with = (status, 1)
    with pytest.raises(GatewayRefusalError):
        gateway.start(request())
    assert not stripe.sessions


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_no_answer_is_no_refusal(stripe: StripeServer, status: int) -> None:
    stripe.fail_with = (status, 2)
    with pytest.raises(GatewayError) as caught:
        gateway.start(request())
    assert not isinstance(caught.value, GatewayRefusalError)


def test_one_bad_moment_is_tried_again(stripe: StripeServer) -> None:
    stripe.fail_with = (503, 1)
    assert gateway.start(request()).reference in stripe.sessions


def test_nobody_there(stripe: StripeServer, settings: Any) -> None:
    settings.STRIPE_API_URL = f"http://127.0.0.1:{free_port('127.0.0.1', 0)}"
    with pytest.raises(GatewayError) as caught:
        gateway.fetch("cs_test_1")
    assert not isinstance(caught.value, GatewayRefusalError)


def test_a_slow_answer_is_not_waited_for(
    stripe: StripeServer, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "TIMEOUT_SECONDS", 0.1)
    adapter._client_for.cache_clear()
    stripe.delay_seconds = 3600
    with pytest.raises(GatewayError) as caught:
        gateway.fetch(session.reference)
    adapter._client_for.cache_clear()
    assert not isinstance(caught.value, GatewayRefusalError)


def test_an_unknown_session(stripe: StripeServer) -> None:
    with pytest.raises(GatewayError):
        gateway.fetch("cs_test_unknown")


def test_the_key_is_told_to_nobody(stripe: StripeServer, settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.STRIPE_SECRET_KEY = "sk_wrong_" + "x" * 20
    caplog.set_level(logging.DEBUG)
    with pytest.raises(GatewayRefusalError) as caught:
        gateway.start(request())
    noted = "".join(f"{record.getMessage()} {record.__dict__} {record.exc_text}" for record in caplog.records)
    assert "Stripe refused" in noted
    assert settings.STRIPE_SECRET_KEY not in noted + caught.value.detail + repr(caught.value.__dict__)


# ---- events ----


@pytest.mark.parametrize(
    "kind",
    [
        "checkout.session.completed",
        "checkout.session.async_payment_succeeded",
        "checkout.session.async_payment_failed",
        "checkout.session.expired",
    ],
)
def test_an_event_of_a_session(stripe: StripeServer, paid: Session, kind: str) -> None:
    event = gateway.parse_event(*stripe.event_for(paid.reference, kind))
    assert event == Event(event.id, kind, reference=paid.reference, key=KEY)
    assert event.id.startswith("evt_")


@pytest.mark.parametrize("kind", ["charge.refunded", "payment_intent.payment_failed", "charge.dispute.created"])
def test_an_event_that_names_the_payment_by_its_key(stripe: StripeServer, paid: Session, kind: str) -> None:
    stripe.dispute(paid.reference)
    event = gateway.parse_event(*stripe.event_for(paid.reference, kind))
    assert event == Event(event.id, kind, key=KEY)


@pytest.mark.parametrize("kind", ["refund.created", "refund.updated", "refund.failed"])
def test_an_event_of_a_refund(stripe: StripeServer, paid: Session, kind: str) -> None:
    refund = stripe.refund(paid.reference, 500)
    event = gateway.parse_event(*stripe.event_for(paid.reference, kind))
    assert event == Event(event.id, kind, key=KEY, refund=refund["id"])


def test_events_of_others_on_the_account(stripe: StripeServer, paid: Session) -> None:
    stripe.charge_of(paid.reference)["metadata"] = {}
    stripe.dispute(paid.reference)
    stripe.payment_intents.clear()
    body, _ = stripe.event_for(paid.reference, "charge.dispute.created")
    assert gateway.parse_event(body, stripe.sign(body)).key == ""
    other = json.dumps({"id": "evt_1", "object": "event", "type": "customer.created", "data": {"object": {"id": "x"}}})
    assert gateway.parse_event(other.encode(), stripe.sign(other.encode())) == Event("evt_1", "customer.created")


def test_headers_in_any_case(stripe: StripeServer, paid: Session) -> None:
    body, headers = stripe.event_for(paid.reference, "checkout.session.completed")
    assert gateway.parse_event(body, {name.upper(): value for name, value in headers.items()}).key == KEY


@pytest.mark.parametrize("how", ["secret", "body", "old", "missing", "empty", "nonsense", "other scheme"])
def test_a_forged_event_is_refused(stripe: StripeServer, paid: Session, how: str) -> None:
    body, headers = stripe.event_for(paid.reference, "checkout.session.completed")
    stamp = int(time.time())
    match how:
        case "secret":
            body, headers = stripe.forge(paid.reference)
        case "body":
            body += b" "
        case "old":
            headers = stripe.sign(body, at=stamp - 301)
        case "missing":
            headers = {}
        case "empty":
            headers = {"Stripe-Signature": ""}
        case "nonsense":
            headers = {"Stripe-Signature": "t=now,v1"}
        case "other scheme":
            headers = {"Stripe-Signature": headers["Stripe-Signature"].replace("v1=", "v0=")}
    with pytest.raises(WrongSignature):
        gateway.parse_event(body, headers)


@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b"1", b"{}", b"{", b'{"id": 1}', b"\xff", b'{"object": "v2.core.event"}']
)
def test_a_signed_event_that_cannot_be_read(stripe: StripeServer, body: bytes) -> None:
    with pytest.raises(WrongSignature):
        gateway.parse_event(body, stripe.sign(body))


# ---- settings ----


def test_it_needs_both_secrets(stripe: StripeServer, settings: Any) -> None:
    assert (gateway.is_configured(), gateway.missing_settings()) == (True, ())
    settings.STRIPE_WEBHOOK_SECRET = ""
    assert (gateway.is_configured(), gateway.missing_settings()) == (False, ("STRIPE_WEBHOOK_SECRET",))
    settings.STRIPE_SECRET_KEY = ""
    assert (gateway.is_configured(), gateway.missing_settings()) == (False, ())


@pytest.mark.parametrize(
    ("key", "is_test"), [("sk_test_1", True), ("rk_test_1", True), ("sk_1", False), ("rk_1", False)]
)
def test_test_mode_is_told_by_the_key(settings: Any, key: str, is_test: bool) -> None:
    settings.STRIPE_SECRET_KEY = key
    assert gateway.is_test is is_test


def test_no_telemetry() -> None:
    import stripe

    assert stripe.enable_telemetry is False
