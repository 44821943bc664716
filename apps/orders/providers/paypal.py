"""PayPal with its Orders API, version 2. Nothing is taken before `capture`: an approved order is only a promise."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import quote

from django.conf import settings

from apps.orders.providers import http, paypal_api
from apps.orders.providers.concurrency import AT_ONCE
from apps.orders.providers.gateway import (
    Event,
    Gateway,
    GatewayError,
    GatewayRefusalError,
    RefundState,
    RemotePayment,
    RemoteState,
    Session,
    StartRequest,
    WrongSignature,
)

ORDERS = "/v2/checkout/orders"
CAPTURES = "/v2/payments/captures"
REFUNDS = "/v2/payments/refunds"
DISPUTES = "/v1/customer/disputes"
WEBHOOKS = "/v1/notifications/webhooks"
VERIFY = "/v1/notifications/verify-webhook-signature"
# Fields of a signature check, with the event's header for each.
_SIGNED_BY = {
    "auth_algo": "paypal-auth-algo",
    "cert_url": "paypal-cert-url",
    "transmission_id": "paypal-transmission-id",
    "transmission_sig": "paypal-transmission-sig",
    "transmission_time": "paypal-transmission-time",
}
_TAKEN = {"COMPLETED", "PARTIALLY_REFUNDED", "REFUNDED"}
_DISPUTED = {"BUYER_COMPLAINT", "CHARGEBACK"}
_CAPTURE_PATH = re.compile(rf"{CAPTURES}/([A-Za-z0-9]+)$")
_DECLINED = "PayPal couldn't charge the card or account."
# Anybody can send events, and PayPal is asked about each, so a flood must leave a slot for others.
MAX_VERIFIED_AT_ONCE = max(1, AT_ONCE - 1)
_verifying = BoundedSemaphore(MAX_VERIFIED_AT_ONCE)


class PayPalGateway(Gateway):
    key = "paypal"
    title = "PayPal"
    note = "Pay with your PayPal account."
    setting_names = ("PAYPAL_CLIENT_ID", "PAYPAL_CLIENT_SECRET", "PAYPAL_WEBHOOK_ID")

    @property
    def is_test(self) -> bool:
        """Return whether the API address is PayPal's sandbox, which moves no real money."""
        return ".sandbox." in settings.PAYPAL_API_URL

    def page_origins(self) -> tuple[str, ...]:
        return (settings.PAYPAL_PAGE_ORIGIN,)

    def start(self, request: StartRequest) -> Session:
        if request.currency != "usd":
            raise GatewayRefusalError("PayPal only supports US dollars here.")
        answer = paypal_api.call("POST", ORDERS, payload=_wanted(request), request_id=request.key)
        if not answer.is_good:
            raise http.refuse(self.title, answer)
        order = answer.data()
        with http.reading():
            links = {link["rel"]: str(link["href"]) for link in order["links"]}
        url = links.get("payer-action") or links.get("approve")
        with http.reading():
            return Session(str(order["id"]), http.page_of(self.title, url, origins=self.page_origins()))

    def fetch(self, reference: str) -> RemotePayment:
        order = _order(reference)
        remote = _as_remote(reference, order)
        if remote.state == RemoteState.PAID and not remote.is_disputed:
            remote = replace(remote, is_disputed=any(_is_disputed(capture) for capture in _captures(order)))
        return remote

    def capture(self, reference: str, *, key: str) -> RemotePayment:
        path = f"{ORDERS}/{quote(reference, safe='')}/capture"
        answer = paypal_api.call("POST", path, payload={}, request_id=f"capture-{key}")
        if answer.is_good:
            return _as_remote(reference, answer.data())
        if answer.status != 422:
            raise http.refuse(self.title, answer)
        # Captured already, or not approved: then the order says so. Otherwise PayPal will not take it from this payer.
        now = _as_remote(reference, _order(reference))
        issue = http.problem_of(answer)
        if now.state in {RemoteState.PAID, RemoteState.FAILED} or issue == "ORDER_NOT_APPROVED":
            return now
        if now.state == RemoteState.OPEN and issue == "ORDER_ALREADY_CAPTURED":
            return now
        note = _DECLINED if issue == "INSTRUMENT_DECLINED" else f"PayPal declined the payment: {issue}."
        return replace(now, state=RemoteState.FAILED, note=note)

    def expire(self, reference: str) -> RemotePayment:
        order = _order(reference)
        remote = _as_remote(reference, order)
        if remote.state == RemoteState.PAID or _captures(order):
            return remote
        # PayPal can't close an order, and needn't: without our capture nothing is ever taken.
        return replace(remote, state=RemoteState.FAILED, note=remote.note or "Closed before payment.")

    def refund(self, reference: str, *, amount_cents: int, currency: str, key: str) -> str:
        capture = next((one for one in _captures(_order(reference)) if one.get("status") in _TAKEN), None)
        if capture is None:
            raise GatewayRefusalError("PayPal has no payment to refund.")
        capture_id = str(capture["id"])
        # With the capture's name, because two installations that share an account would use the same keys.
        answer = paypal_api.call(
            "POST",
            f"{CAPTURES}/{quote(capture_id, safe='')}/refund",
            payload={"amount": _money(amount_cents, currency)},
            request_id=f"{key}-{capture_id}",
        )
        if not answer.is_good:
            raise http.refuse(self.title, answer)
        refund = answer.data()
        if _refund_state(refund) == RefundState.FAILED:
            raise GatewayRefusalError("PayPal couldn't make the refund.")
        with http.reading():
            return str(refund["id"])

    def fetch_refund(self, refund: str) -> RefundState:
        answer = paypal_api.call("GET", f"{REFUNDS}/{quote(refund, safe='')}")
        if not answer.is_good:
            raise http.refuse(self.title, answer)
        return _refund_state(answer.data())

    def webhook_urls(self) -> list[str]:
        answer = paypal_api.call("GET", f"{WEBHOOKS}/{quote(settings.PAYPAL_WEBHOOK_ID, safe='')}")
        if not answer.is_good:
            raise http.refuse(self.title, answer)
        return [str(answer.data().get("url") or "")]

    def parse_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        try:
            event = json.loads(body.decode())
            kind, name, resource = str(event["event_type"]), str(event["id"]), dict(event["resource"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise WrongSignature("Invalid event.") from None
        _verify(body, {name.lower(): value for name, value in headers.items()})
        try:
            reference, key = _named_by(kind, resource)
        except (ValueError, KeyError, TypeError, AttributeError):
            reference, key = "", ""
        is_refund = kind in {"PAYMENT.CAPTURE.REFUNDED", "PAYMENT.CAPTURE.REVERSED"} or kind.startswith(
            "PAYMENT.REFUND"
        )
        refund = str(resource.get("id", "")) if is_refund else ""
        return Event(name[:120], kind[:80], reference[:120], key[:120], refund[:120])


def _wanted(request: StartRequest) -> dict[str, Any]:
    """Return the order to create: one sum, no shipping, and no method whose money arrives days later."""
    pages = {
        "return_url": request.return_url,
        "cancel_url": request.return_url,
        "shipping_preference": "NO_SHIPPING",
        "user_action": "PAY_NOW",
        "payment_method_preference": "IMMEDIATE_PAYMENT_REQUIRED",
    }
    unit = {
        "amount": _money(request.amount_cents, request.currency),
        "custom_id": request.key,
        "invoice_id": request.key,
        "description": request.description[:127],
    }
    return {
        "intent": "CAPTURE",
        "purchase_units": [unit],
        "payment_source": {"paypal": {"experience_context": pages}},
    }


def _money(cents: int, currency: str) -> dict[str, str]:
    return {"currency_code": currency.upper(), "value": http.as_decimal(cents)}


def _order(reference: str) -> dict[str, Any] | None:
    """Return PayPal's order. None if it knows no such order, as some hours after one was left unpaid."""
    answer = paypal_api.call("GET", f"{ORDERS}/{quote(reference, safe='')}")
    if answer.status == 404:
        return None
    if not answer.is_good:
        raise http.refuse("PayPal", answer)
    return answer.data()


def _as_remote(reference: str, order: dict[str, Any] | None) -> RemotePayment:
    """Return the payment's state, from the order's status before its capture and the capture's after it."""
    if order is None:
        return _remote(reference, RemoteState.FAILED, note="PayPal no longer has this payment.")
    with http.reading():
        return _read(reference, order)


def _read(reference: str, order: dict[str, Any]) -> RemotePayment:
    status, captures = order.get("status"), _captures(order)
    taken = [one for one in captures if one.get("status") in _TAKEN or _reason(one) in _DISPUTED]
    payer = order.get("payer") or (order.get("payment_source") or {}).get("paypal") or {}
    country = str((payer.get("address") or {}).get("country_code") or "")[:2]
    if taken:
        remote = _remote(reference, RemoteState.PAID, amounts=taken, country=country)
        is_disputed = any(_reason(one) in _DISPUTED for one in captures)
        return replace(remote, returned_cents=_returned(order, taken), is_disputed=is_disputed)
    amounts = [_unit(order)]
    if any(one.get("status") == "PENDING" for one in captures):
        return _remote(reference, RemoteState.OPEN, amounts=amounts, country=country)
    if captures:
        return _remote(reference, RemoteState.FAILED, amounts=amounts, note=_DECLINED)
    if status == "VOIDED":
        return _remote(reference, RemoteState.FAILED, amounts=amounts, note="The payment was canceled on PayPal.")
    state = RemoteState.APPROVED if status == "APPROVED" else RemoteState.OPEN
    return _remote(reference, state, amounts=amounts, country=country)


def _remote(
    reference: str,
    state: RemoteState,
    *,
    amounts: list[dict[str, Any]] | None = None,
    note: str = "",
    country: str = "",
) -> RemotePayment:
    result = [one["amount"] for one in amounts or [] if isinstance(one.get("amount"), dict)]
    currency = str(result[0].get("currency_code", "")).lower() if result else ""
    cents = sum(_cents(one) for one in result)
    return RemotePayment(
        reference=reference, state=state, amount_cents=cents, currency=currency, note=note, country=country
    )


def _cents(amount: dict[str, Any]) -> int:
    return http.as_cents(http.as_number(amount.get("value")))


def _unit(order: dict[str, Any]) -> dict[str, Any]:
    units = order.get("purchase_units")
    if not isinstance(units, list) or not units or not isinstance(units[0], dict):
        raise GatewayError("PayPal sent an invalid order.")
    return units[0]


def _captures(order: dict[str, Any] | None) -> list[dict[str, Any]]:
    return list((_unit(order).get("payments") or {}).get("captures") or []) if order else []


def _reason(capture: dict[str, Any]) -> str:
    return str((capture.get("status_details") or {}).get("reason") or "")


def _returned(order: dict[str, Any], taken: list[dict[str, Any]]) -> int:
    """Return the refunded cents, including pending ones: a refund counts from the day it was accepted."""
    refunds = (_unit(order).get("payments") or {}).get("refunds") or []
    listed = sum(_cents(one["amount"]) for one in refunds if _refund_state(one) == RefundState.DONE)
    whole = sum(_cents(one["amount"]) for one in taken if one.get("status") == "REFUNDED")
    return max(listed, whole)


def _refund_state(refund: dict[str, Any]) -> RefundState:
    return RefundState.FAILED if refund.get("status") in {"FAILED", "CANCELLED"} else RefundState.DONE


def _is_disputed(capture: dict[str, Any]) -> bool:
    """Return whether the payer disputes a capture. Unknown without the permission to read disputes."""
    query = f"?disputed_transaction_id={quote(str(capture.get('id')), safe='')}"
    answer = paypal_api.call("GET", DISPUTES + query)
    result = answer.data().get("items") or [] if answer.is_good else []
    return any(dispute.get("status") != "RESOLVED" for dispute in result)


def _verify(body: bytes, headers: Mapping[str, str]) -> None:
    """Ask PayPal whether an event is its own. Raises WrongSignature (400) or GatewayError (503)."""
    question = {field: headers.get(header, "") for field, header in _SIGNED_BY.items()}
    if not all(question.values()):
        raise WrongSignature("The event isn't signed.")
    envelope = json.dumps({**question, "webhook_id": settings.PAYPAL_WEBHOOK_ID}).encode()
    # The event is sent as the very bytes that arrived: PayPal signs those, and reserialized JSON (1.0 as 1, other
    # spaces, other order) no longer matches the signature. It was parsed as one JSON value before, so it can't close
    # the envelope and add fields of its own.
    content = envelope[:-1] + b', "webhook_event": ' + body + b"}"
    if not _verifying.acquire(blocking=False):
        raise GatewayError("Too many events. Send it again later.", retry_after=30)
    try:
        answer = paypal_api.call("POST", VERIFY, content=content)
    finally:
        _verifying.release()
    if answer.status in {401, 403}:
        raise http.refuse("PayPal", answer)
    if not answer.is_good or answer.data().get("verification_status") != "SUCCESS":
        raise WrongSignature("Invalid signature.")


def _named_by(kind: str, resource: dict[str, Any]) -> tuple[str, str]:
    """Return the order's id and our key, as far as an event has them."""
    if kind.startswith("CHECKOUT.ORDER."):
        return str(resource.get("id") or ""), ""
    if kind.startswith("CHECKOUT.PAYMENT-APPROVAL."):
        return str(resource.get("order_id") or ""), ""
    if kind.startswith("CUSTOMER.DISPUTE."):
        disputed = resource["disputed_transactions"][0]
        key = str(disputed.get("custom") or disputed.get("invoice_number") or "")
        return ("", key) if key else _named_by_capture(str(disputed["seller_transaction_id"]))
    related = (resource.get("supplementary_data") or {}).get("related_ids") or {}
    reference, key = str(related.get("order_id") or ""), str(resource.get("custom_id") or "")
    if reference or key:
        return reference, key
    # An event about a refund names only the capture that it belongs to.
    paths = (_CAPTURE_PATH.search(str(link.get("href"))) for link in resource["links"] if link.get("rel") == "up")
    capture = next((result.group(1) for result in paths if result), "")
    return _named_by_capture(capture) if capture else ("", "")


def _named_by_capture(capture_id: str) -> tuple[str, str]:
    answer = paypal_api.call("GET", f"{CAPTURES}/{quote(capture_id, safe='')}")
    if not answer.is_good:
        return "", ""
    capture = answer.data()
    related = (capture.get("supplementary_data") or {}).get("related_ids") or {}
    return str(related.get("order_id") or ""), str(capture.get("custom_id") or "")
