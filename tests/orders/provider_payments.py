"""Shorthand for payments at the stand-ins of providers."""

from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from apps.orders.models import Order, Payment
from apps.orders.providers.gateway import StartRequest
from tests.orders.carts import press_pay, update_total

KEY = "SL-7K3QH9TRWC:1"


def wanted(**changes: Any) -> StartRequest:
    """A payment to start, without any order."""
    fields: dict[str, Any] = {
        "key": KEY,
        "order_number": "SL-7K3QH9TRWC",
        "amount_cents": 11781,
        "currency": "usd",
        "return_url": "http://testserver/checkout/secret",
        "description": "Order SL-7K3QH9TRWC",
        "email": "ada@example.com",
        "expires_at": timezone.now() + timedelta(hours=24),
    }
    return StartRequest(**(fields | changes))


def start_payment(order: Order, *, method: str) -> Payment:
    """Start a payment from the checkout page."""
    assert update_total(order).status_code == 302
    answer = press_pay(order, method=method)
    assert answer.status_code == 302, answer.content.decode()
    started = order.payments.get(status="open")
    assert answer["Location"] == started.pay_url
    return started


def send(provider: str, event: tuple[bytes, dict[str, str]]) -> int:
    """Bring an event to the webhook; returns the status of the answer."""
    body, headers = event
    client = Client()
    return client.post(f"/webhooks/{provider}", body, content_type="application/json", headers=headers).status_code


def status_of(order: Order) -> str:
    order.refresh_from_db()
    return order.status


def reference_of(payment: Payment) -> str:
    payment.refresh_from_db()
    assert payment.reference
    return payment.reference


def end_time() -> None:
    """The orders' time is over."""
    Order.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
