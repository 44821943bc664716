"""Money that goes back by a BTCPay Server: the person fetches it from a page."""

import pytest

from apps.core.models import OutgoingEmail
from apps.orders.fulfillment import refunds
from apps.orders.models import Payment, Refund
from apps.orders.providers import GatewayError, GatewayRefusalError, payout_link
from apps.orders.providers import btcpay as adapter
from apps.orders.providers.btcpay import BTCPayGateway
from apps.orders.providers.gateway import RefundState
from tests.orders.provider_payments import reference_of, send, status_of, wanted
from tests.providers.btcpay_server import BTCPayServer
from tests.providers.http import posts

gateway = BTCPayGateway()


@pytest.fixture
def reference(btcpay: BTCPayServer) -> str:
    """A paid invoice."""
    made = gateway.start(wanted()).reference
    btcpay.pay(made)
    return made


def send_back(reference: str, *, cents: int = 1005, key: str = "refund-1-1") -> str:
    return gateway.refund(reference, amount_cents=cents, currency="usd", key=key)


def test_a_refund_is_a_page_to_fetch_it_from(btcpay: BTCPayServer, reference: str) -> None:
    name = send_back(reference)
    made = btcpay.pull_payments[name]
    assert (made["amount"], made["currency"], made["name"]) == ("10.05", "USD", f"{reference} refund-1-1")
    assert gateway.payout_url(name) == made["viewLink"]
    assert next(one.json for one in btcpay.requests if one.path.endswith("/refund"))["payoutMethodId"] == "BTC-CHAIN"


def test_a_refund_is_made_once_for_each_key(btcpay: BTCPayServer, reference: str) -> None:
    btcpay.concerns, btcpay.drop_answers = posts("/refund"), 1
    with pytest.raises(GatewayError):
        send_back(reference)
    assert send_back(reference) == send_back(reference)
    assert len(btcpay.pull_payments) == 1
    assert send_back(reference, key="refund-1-2") != send_back(reference)
    assert len(btcpay.pull_payments) == 2


def test_a_refund_that_was_called_off_is_not_made_again_by_itself(btcpay: BTCPayServer, reference: str) -> None:
    name = send_back(reference)
    btcpay.pull_payments[name]["archived"] = True
    assert send_back(reference) == name


def test_it_goes_back_the_way_most_of_it_came(btcpay: BTCPayServer) -> None:
    reference = gateway.start(wanted()).reference
    btcpay.pay(reference, 1000, method="BTC-CHAIN")
    btcpay.pay(reference, 10781, method="BTC-LNURL")
    send_back(reference)
    assert btcpay.requests[-1].json["payoutMethodId"] == "BTC-LN"


def test_nothing_paid_nothing_sent_back(btcpay: BTCPayServer) -> None:
    with pytest.raises(GatewayRefusalError):
        send_back(gateway.start(wanted()).reference)
    assert btcpay.pull_payments == {}


def test_without_the_permission_it_is_refused(btcpay: BTCPayServer, reference: str) -> None:
    btcpay.fail_with = (403, 1)
    with pytest.raises(GatewayRefusalError):
        send_back(reference)


@pytest.mark.parametrize(
    ("is_archived", "payouts", "state"),
    [
        (False, [], RefundState.DONE),
        (False, ["Completed"], RefundState.DONE),
        (True, [], RefundState.FAILED),
        (True, ["Cancelled"], RefundState.FAILED),
        (True, ["Completed"], RefundState.DONE),
        (True, ["AwaitingPayment"], RefundState.DONE),
    ],
)
def test_what_becomes_of_a_refund(
    btcpay: BTCPayServer, reference: str, is_archived: bool, payouts: list[str], state: RefundState
) -> None:
    name = send_back(reference)
    btcpay.pull_payments[name]["archived"] = is_archived
    btcpay.payouts[name] = [{"id": str(at), "state": one} for at, one in enumerate(payouts)]
    assert gateway.fetch_refund(name) == state


def test_a_whole_order_goes_back(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    reference = reference_of(btcpay_payment)
    btcpay.pay(reference)
    assert send("btcpay", btcpay.event_for(reference, "InvoiceSettled")) == 204
    btcpay_payment.refresh_from_db()
    refunds.request_refund(payment=btcpay_payment, amount_cents=11781, reason="Sent back.")
    btcpay.concerns, btcpay.drop_answers = posts("/refund"), 1
    refunds.make_refunds(btcpay_payment.order_id)
    assert Refund.objects.get().status == "requested"
    refunds.make_refunds(btcpay_payment.order_id)
    assert (Refund.objects.get().status, status_of(btcpay_payment.order)) == ("done", "refunded")
    assert list(btcpay.pull_payments) == [Refund.objects.get().reference]


def test_two_workers_at_once_make_one_refund(
    btcpay: BTCPayServer, btcpay_payment: Payment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one starts when the first has looked for the refund and has not made it yet."""
    reference = reference_of(btcpay_payment)
    btcpay.pay(reference)
    assert send("btcpay", btcpay.event_for(reference, "InvoiceSettled")) == 204
    btcpay_payment.refresh_from_db()
    refunds.request_refund(payment=btcpay_payment, amount_cents=11781, reason="Sent back.")
    received = adapter._received

    def meanwhile(reference: str) -> adapter.Received:
        monkeypatch.setattr(adapter, "_received", received)
        refunds.make_refunds(btcpay_payment.order_id)
        return received(reference)

    monkeypatch.setattr(adapter, "_received", meanwhile)
    refunds.make_refunds(btcpay_payment.order_id)
    assert list(btcpay.pull_payments) == [Refund.objects.get().reference]
    assert status_of(btcpay_payment.order) == "refunded"


def test_the_buyer_is_told_where_to_fetch_it(btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    refund = Refund.objects.create(payment=btcpay_payment, amount_cents=1005, reason="x", reference="abc_1")
    assert payout_link.payout_url(refund) == ""
    assert not payout_link.email_payout_link(order=btcpay_payment.order, refund=refund)
    refund.status = Refund.Status.DONE
    address = f"{btcpay.url}/pull-payments/abc_1"
    assert payout_link.payout_url(refund) == address
    for _ in range(2):
        assert payout_link.email_payout_link(order=btcpay_payment.order, refund=refund)
    email = OutgoingEmail.objects.get(key__startswith="claim-")
    subject = f"Claim your $10.05 refund for order {btcpay_payment.order.number}"
    assert (email.to, email.subject) == ("owner@example.com", subject)
    assert address in email.text


def test_other_money_comes_by_itself(paypal_payment: Payment) -> None:
    refund = Refund.objects.create(
        payment=paypal_payment, amount_cents=1, reason="x", reference="1", status=Refund.Status.DONE
    )
    assert payout_link.payout_url(refund) == ""
    assert not payout_link.email_payout_link(order=paypal_payment.order, refund=refund)
    assert not OutgoingEmail.objects.filter(key__startswith="claim-").exists()
