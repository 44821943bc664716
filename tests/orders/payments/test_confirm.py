"""Payments end right, whatever the provider's messages do."""

import json
from typing import Any

import pytest
from django.test import Client

from apps.listings.models import Listing
from apps.orders import tasks
from apps.orders.fulfillment import refunds
from apps.orders.models import GatewaySession, Order, Payment, PaymentEvent, PromoCode, Refund, SellerSettings
from apps.orders.payments.confirm import confirm_payment
from apps.orders.providers import RemotePayment
from apps.orders.providers import sandbox as gateway
from tests.api import ApiClient
from tests.orders.carts import check_out, launch, press_pay, start_paying, update_total

pytestmark = pytest.mark.db

WEBHOOK = "/webhooks/test"


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    return check_out(owner, launch(listing))


@pytest.fixture
def reference(order: Order) -> str:
    """The session of a payment that was started."""
    return start_paying(order).rsplit("/", 1)[1]


def decide(reference: str, state: str = "paid") -> tuple[bytes, dict[str, str]]:
    _, body, headers = gateway.answer(reference, GatewaySession.State(state))
    return body, headers


def send(body: bytes, headers: dict[str, str]) -> Any:
    return Client().post(WEBHOOK, body, content_type="application/json", headers=headers)


def status_of(order: Order) -> str:
    order.refresh_from_db()
    return order.status


def test_the_webhook_before_the_redirect(order: Order, reference: str) -> None:
    assert send(*decide(reference)).status_code == 204
    assert status_of(order) == "paid"


def test_the_same_event_twice(order: Order, reference: str) -> None:
    event = decide(reference)
    assert [send(*event).status_code for _ in range(3)] == [204, 204, 204]
    assert (PaymentEvent.objects.count(), Payment.objects.filter(status="paid").count()) == (1, 1)


def test_a_lost_webhook_is_made_up_for_by_the_return(client: Client, order: Order, reference: str) -> None:
    decide(reference)
    assert status_of(order) == "processing"
    client.get(f"/checkout/{order.secret}")
    assert status_of(order) == "paid"


def test_a_return_proves_nothing(client: Client, order: Order, reference: str) -> None:
    client.get(f"/checkout/{order.secret}")
    assert status_of(order) == "processing"


def test_events_out_of_order_act_on_what_is_now(order: Order, reference: str) -> None:
    paid = decide(reference)
    stale_body = json.dumps({"id": "evt_old", "type": "session.declined", "session": reference}).encode()
    stale = (stale_body, {gateway.SIGNATURE_HEADER: gateway.sign(stale_body)})
    assert send(*stale).status_code == 204
    assert status_of(order) == "paid"
    assert send(*paid).status_code == 204
    assert status_of(order) == "paid"


@pytest.mark.parametrize("change", ["body", "signature", "missing", "empty", "space"])
def test_a_forged_event_is_refused(order: Order, reference: str, change: str) -> None:
    body, headers = decide(reference)
    match change:
        case "body":
            body = body.replace(b"evt_", b"evt-")
        case "signature":
            headers[gateway.SIGNATURE_HEADER] = "0" * 64
        case "missing":
            del headers[gateway.SIGNATURE_HEADER]
        case "empty":
            body = b""
        case "space":
            body += b" "
    assert send(body, headers).status_code == 400
    assert not PaymentEvent.objects.exists()
    assert status_of(order) == "processing"


@pytest.mark.parametrize("body", [b"null", b"[]", b"{}", b"{", b'{"id": 1}', b"\xff"])
def test_a_signed_event_that_cannot_be_read(db: None, body: bytes) -> None:
    assert send(body, {gateway.SIGNATURE_HEADER: gateway.sign(body)}).status_code == 400


@pytest.mark.parametrize("provider", ["stripe", "free", "nonsense"])
def test_a_provider_that_is_not_set_up(client: Client, db: None, provider: str) -> None:
    assert client.post(f"/webhooks/{provider}", b"{}", content_type="application/json").status_code == 404


def test_only_post(client: Client, db: None) -> None:
    assert client.get(WEBHOOK).status_code == 405


def test_an_event_of_nothing_known_is_taken_and_forgotten(db: None) -> None:
    body = json.dumps({"id": "evt_1", "type": "session.paid", "session": "test_unknown"}).encode()
    assert send(body, {gateway.SIGNATURE_HEADER: gateway.sign(body)}).status_code == 204


@pytest.mark.parametrize("change", [{"amount_cents": 1}, {"currency": "eur"}, {"amount_cents": 99999}])
def test_a_wrong_amount_goes_to_review(order: Order, reference: str, change: dict[str, Any]) -> None:
    GatewaySession.objects.update(**change)
    assert send(*decide(reference)).status_code == 204
    assert status_of(order) == "processing"
    assert order.needs_review
    assert (Payment.objects.get().status, Refund.objects.exists()) == ("needs_review", False)
    assert press_pay(order).status_code == 409
    Order.objects.update(expires_at=order.created_at)
    tasks.recover_orders()
    assert status_of(order) == "processing"


def test_a_second_payment_of_one_order_goes_back(order: Order, reference: str) -> None:
    first = Payment.objects.get()
    GatewaySession.objects.create(
        reference="test_second", key="second", order_number=order.number, amount_cents=11781, currency="usd",
        return_url="http://testserver/", state="paid",
    )  # fmt: skip
    second = Payment.objects.create(
        order=order, attempt=2, provider="test", reference="test_second", status="open", amount_cents=11781,
        return_url="http://testserver/",
    )  # fmt: skip
    send(*decide(reference))
    confirm_payment(second.pk)
    confirm_payment(second.pk)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == ("paid", "surplus")
    refunds.make_refunds(order.pk)
    refunds.make_refunds(order.pk)
    assert Refund.objects.get().status == "done"
    assert list(GatewaySession.objects.get(reference="test_second").refunds.values()) == [11781]
    assert GatewaySession.objects.get(reference=reference).refunds == {}
    assert status_of(order) == "paid"


def test_money_for_a_cancelled_order_goes_back(order: Order, reference: str) -> None:
    Order.objects.update(status="cancelled")
    send(*decide(reference))
    refunds.make_refunds(order.pk)
    assert (status_of(order), Payment.objects.get().status, Refund.objects.get().amount_cents) == (
        "cancelled",
        "surplus",
        11781,
    )


def test_late_money_is_taken(order: Order, reference: str) -> None:
    Order.objects.update(status="expired")
    send(*decide(reference))
    assert status_of(order) == "paid"
    assert order.paid_at is not None


def test_money_for_an_attempt_that_was_given_up_is_taken(order: Order, reference: str) -> None:
    Payment.objects.update(status="failed")
    Order.objects.update(status="pending")
    send(*decide(reference))
    assert status_of(order) == "paid"


def test_the_code_is_consumed_by_the_payment(owner: ApiClient, order: Order) -> None:
    PromoCode.objects.create(site=order.site, code="TEN", percent_off=1000)
    update_total(order, promo_code="TEN")
    reference = start_paying(order, promo_code="TEN").rsplit("/", 1)[1]
    assert order.promo_uses.get().state == "reserved"
    send(*decide(reference))
    assert order.promo_uses.get().state == "consumed"


def test_an_answer_from_before_the_money_came_is_no_finding(
    order: Order, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A poll asked while the payment was open, and the webhook was faster than its answer."""
    fetch = gateway.TestGateway.fetch

    def answer_late(self: gateway.TestGateway, reference: str) -> RemotePayment:
        remote = fetch(self, reference)
        monkeypatch.setattr(gateway.TestGateway, "fetch", fetch)
        assert send(*decide(reference)).status_code == 204
        return remote

    monkeypatch.setattr(gateway.TestGateway, "fetch", answer_late)
    confirm_payment(Payment.objects.get().pk)
    assert (status_of(order), order.needs_review) == ("paid", False)


def test_late_money_uses_the_code_that_the_order_has_now(order: Order, reference: str) -> None:
    """Another code of the same worth was placed, and the first payment is paid after all."""
    for code in ("TEN", "ALSO"):
        PromoCode.objects.create(site=order.site, code=code, percent_off=1000)
    late = start_paying(order, promo_code="TEN").rsplit("/", 1)[1]
    assert update_total(order, promo_code="ALSO").status_code == 302
    GatewaySession.objects.filter(reference=late).update(state="open")
    send(*decide(late))
    assert status_of(order) == "paid"
    assert dict(PromoCode.objects.values_list("code", "used")) == {"TEN": 0, "ALSO": 1}
    assert order.promo_uses.get(state="consumed").promo.code == "ALSO"


def test_a_refund_that_the_provider_refuses_stays_requested(order: Order, reference: str) -> None:
    send(*decide(reference))
    refunds.request_refund(payment=Payment.objects.get(), amount_cents=99_999_999, reason="Too much.")
    refunds.make_refunds(order.pk)
    refund = Refund.objects.get()
    assert refund.status == "requested"
    assert "no test payment" in refund.problem
    assert status_of(order) == "paid"
