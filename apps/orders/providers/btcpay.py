"""Crypto through a BTCPay Server and its Greenfield API.

The server has no idempotency keys, so each call first looks for what it would create.
"""

import hmac
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from django.conf import settings

from apps.orders.providers import http
from apps.orders.providers.gateway import (
    Event,
    Gateway,
    GatewayRefusalError,
    RefundState,
    RemotePayment,
    RemoteState,
    Session,
    StartRequest,
    WrongSignature,
)

NAME = "BTCPay Server"
SIGNATURE_HEADER = "btcpay-sig"
# The invoice's exchange rate is fixed until it ends, at the seller's risk. Paying again creates a new one.
LONGEST_MINUTES = 60


@dataclass(frozen=True, slots=True)
class Received:
    """Payments for an invoice, in its currency: what is confirmed, whether more is pending, and the main method."""

    settled: Decimal
    is_more_coming: bool
    method: str

    @property
    def is_nothing(self) -> bool:
        return not self.settled and not self.is_more_coming


class BTCPayGateway(Gateway):
    key = "btcpay"
    title = "Crypto"
    note = "Pay with Bitcoin or another currency shown next. The exchange rate is held for up to an hour."
    setting_names = ("BTCPAY_URL", "BTCPAY_STORE_ID", "BTCPAY_API_KEY", "BTCPAY_WEBHOOK_SECRET")
    starts_once = False

    def page_origins(self) -> tuple[str, ...]:
        parts = urlsplit(settings.BTCPAY_URL)
        return (f"{parts.scheme}://{parts.netloc}",)

    def start(self, request: StartRequest) -> Session:
        invoice = _find_invoice(request.key)
        if invoice is None:
            answer = _call("POST", _store("/invoices"), payload=_wanted(request))
            if not answer.is_good:
                raise http.refuse(NAME, answer)
            invoice = answer.data()
        with http.reading():
            url = http.page_of(NAME, invoice.get("checkoutLink"), origins=self.page_origins())
            return Session(str(invoice["id"]), url)

    def fetch(self, reference: str) -> RemotePayment:
        return _as_remote(reference, _invoice(reference))

    def expire(self, reference: str) -> RemotePayment:
        invoice = _invoice(reference)
        if invoice.get("status") == "New" and _received(reference).is_nothing:
            # Whatever it answers, the invoice has the final state, because somebody may have paid in between.
            _call("POST", _store(f"/invoices/{quote(reference, safe='')}/status"), payload={"status": "Invalid"})
            invoice = _invoice(reference)
        return _as_remote(reference, invoice)

    def refund(self, reference: str, *, amount_cents: int, currency: str, key: str) -> str:
        # With the invoice's name, because two installations that share a store would use the same keys.
        name = f"{reference} {key}"[:50]
        made = _find_refund(name)
        if made:
            return made
        wanted = {
            "name": name,
            "description": f"Refund of {http.as_decimal(amount_cents)} {currency.upper()}",
            "refundVariant": "Custom",
            "customAmount": http.as_decimal(amount_cents),
            "customCurrency": currency.upper(),
        }
        method = _received(reference).method
        if not method:
            raise GatewayRefusalError("There is no payment to refund.")
        path = _store(f"/invoices/{quote(reference, safe='')}/refund")
        answer = _call("POST", path, payload={**wanted, "payoutMethodId": method})
        if not answer.is_good:
            raise http.refuse(NAME, answer)
        with http.reading():
            return str(answer.data()["id"])

    def payout_url(self, refund: str) -> str:
        return f"{settings.BTCPAY_URL}/pull-payments/{quote(refund, safe='')}"

    def fetch_refund(self, refund: str) -> RefundState:
        """Failed if the seller canceled the claim before anything was paid out."""
        path = f"/api/v1/pull-payments/{quote(refund, safe='')}"
        answer = _call("GET", path)
        if not answer.is_good:
            raise http.refuse(NAME, answer)
        if not answer.data().get("archived"):
            return RefundState.DONE
        payouts = _call("GET", f"{path}/payouts?includeCancelled=false")
        if not payouts.is_good:
            raise http.refuse(NAME, payouts)
        is_paid_out = any(payout.get("state") != "Cancelled" for payout in payouts.rows())
        return RefundState.DONE if is_paid_out else RefundState.FAILED

    def webhook_urls(self) -> list[str]:
        answer = _call("GET", _store("/webhooks"))
        if not answer.is_good:
            raise http.refuse(NAME, answer)
        return [str(webhook.get("url") or "") for webhook in answer.rows() if webhook.get("enabled")]

    def parse_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        given = {name.lower(): value for name, value in headers.items()}.get(SIGNATURE_HEADER, "")
        if not settings.BTCPAY_WEBHOOK_SECRET or not hmac.compare_digest(sign(body).encode(), given.encode()):
            raise WrongSignature("Invalid signature.")
        try:
            event = json.loads(body)
            # A repeated delivery has its own name, and names the first one.
            name = str(event.get("originalDeliveryId") or event["deliveryId"])
            kind, reference = str(event["type"]), str(event.get("invoiceId") or "")
            key = str((event.get("metadata") or {}).get("orderId") or "")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise WrongSignature("Invalid event.") from None
        return Event(name[:120], kind[:80], reference[:120], key[:120])


def sign(body: bytes) -> str:
    """Return the signature of an event over its raw bytes, as the server's header has it."""
    return "sha256=" + hmac.new(settings.BTCPAY_WEBHOOK_SECRET.encode(), body, "sha256").hexdigest()


def _call(method: str, path: str, *, payload: Any = None) -> http.Answer:
    headers = {"Authorization": f"token {settings.BTCPAY_API_KEY}"}
    return http.ask(NAME, http.Call(method=method, url=settings.BTCPAY_URL + path, headers=headers, json=payload))


def _store(path: str) -> str:
    return f"/api/v1/stores/{quote(settings.BTCPAY_STORE_ID, safe='')}{path}"


def _wanted(request: StartRequest) -> dict[str, Any]:
    """Return the invoice to create. How many confirmations settle it is the store's own setting."""
    seconds = (request.expires_at - request.started_at).total_seconds()
    return {
        "amount": http.as_decimal(request.amount_cents),
        "currency": request.currency.upper(),
        "metadata": {"orderId": request.key, "itemDesc": request.description},
        "checkout": {
            "redirectURL": request.return_url,
            "redirectAutomatically": True,
            "expirationMinutes": min(max(math.ceil(seconds / 60), 1), LONGEST_MINUTES),
        },
    }


def _find_invoice(key: str) -> dict[str, Any] | None:
    """Return the first invoice created with this key. The search may find others, too."""
    answer = _call("GET", _store(f"/invoices?{urlencode({'orderId': key})}"))
    if not answer.is_good:
        raise http.refuse(NAME, answer)
    with http.reading():
        own = [row for row in answer.rows() if (row.get("metadata") or {}).get("orderId") == key]
        return min(own, key=lambda row: (int(row.get("createdTime") or 0), str(row["id"])), default=None)


def _invoice(reference: str) -> dict[str, Any]:
    answer = _call("GET", _store(f"/invoices/{quote(reference, safe='')}"))
    if not answer.is_good:
        raise http.refuse(NAME, answer)
    return answer.data()


def _as_remote(reference: str, invoice: dict[str, Any]) -> RemotePayment:
    """Return the state. What was really paid counts, unless the server has marked the invoice as paid manually."""
    status, extra = invoice.get("status"), invoice.get("additionalStatus") or "None"
    invoiced = http.as_number(invoice.get("amount"))
    state, amount, note = RemoteState.OPEN, invoiced, ""
    if status == "Settled" and extra == "None":
        state = RemoteState.PAID
    elif status == "Settled":
        state, amount = RemoteState.PAID, _received(reference).settled
    elif status in {"Expired", "Invalid"}:
        received = _received(reference)
        if status == "Invalid" or not received.is_more_coming:
            state = RemoteState.PAID if received.settled else RemoteState.FAILED
            amount = received.settled or invoiced
        note = "No payment arrived in time." if state == RemoteState.FAILED else ""
    currency = str(invoice.get("currency") or "").lower()
    return RemotePayment(
        reference=reference, state=state, amount_cents=http.as_cents(amount), currency=currency, note=note
    )


def _received(reference: str) -> Received:
    """Return what arrived for an invoice, at the agreed rates. Network fees don't reduce the seller's amount."""
    answer = _call("GET", _store(f"/invoices/{quote(reference, safe='')}/payment-methods"))
    if not answer.is_good:
        raise http.refuse(NAME, answer)
    sums: dict[str, Decimal] = {}
    is_more_coming = False
    with http.reading():
        for method in answer.rows():
            for payment in method.get("payments") or []:
                is_more_coming = is_more_coming or payment["status"] == "Processing"
                if payment["status"] == "Settled":
                    net = http.as_number(payment["value"]) - http.as_number(payment.get("fee") or 0)
                    # Lightning addresses only receive money, so refunds use plain Lightning.
                    name = str(method["paymentMethodId"]).replace("-LNURL", "-LN")
                    sums[name] = sums.get(name, Decimal(0)) + net * http.as_number(method["rate"])
    most = max(sums, key=lambda name: sums[name], default="")
    return Received(sum(sums.values(), Decimal(0)), is_more_coming, most)


def _find_refund(name: str) -> str:
    answer = _call("GET", _store("/pull-payments?includeArchived=true"))
    if not answer.is_good:
        raise http.refuse(NAME, answer)
    with http.reading():
        return next((str(row["id"]) for row in answer.rows() if row.get("name") == name), "")
