"""The whole way with a web server of ours that the providers' stand-ins reach: page, payment, message, paid."""

import httpx2
import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from apps.listings.models import Listing
from apps.orders.models import Payment, PaymentEvent
from tests.orders.provider_payments import status_of
from tests.providers.btcpay_server import BTCPayServer
from tests.providers.paypal_server import PayPalServer
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)


def test_paypal_tells_of_the_approval(live_server: LiveServer, paypal: PayPalServer, paypal_payment: Payment) -> None:
    paypal.webhook_url = f"{live_server.url}/webhooks/paypal"
    back = httpx2.post(paypal_payment.pay_url, data={"action": "pay"}, timeout=PATIENCE_SECONDS)
    assert status_of(paypal_payment.order) == "paid"
    assert Client().get(back.headers["Location"].removeprefix("http://testserver")).status_code == 200
    assert (PaymentEvent.objects.get().kind, len(paypal.captures)) == ("CHECKOUT.ORDER.APPROVED", 1)


def test_btcpay_tells_of_the_money(live_server: LiveServer, btcpay: BTCPayServer, btcpay_payment: Payment) -> None:
    btcpay.webhook_url = f"{live_server.url}/webhooks/btcpay"
    httpx2.post(btcpay_payment.pay_url, data={"action": "pay"}, timeout=PATIENCE_SECONDS)
    assert status_of(btcpay_payment.order) == "paid"
    assert PaymentEvent.objects.get().kind == "InvoiceSettled"
    assert btcpay.tell(str(btcpay_payment.reference), "InvoicePaymentSettled") == 204
    assert Listing.objects.count() == 1
