"""A stand-in for a BTCPay Server on loopback: invoices, what was paid for them, refunds, events and the page to pay on.

It keeps to the Greenfield API, version 1, as of BTCPay Server 2.
"""

import hashlib
import hmac
import json
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import ROUND_UP, Decimal
from typing import Any

from tests.providers.http import Answer, ProviderServer, Request, json_answer, pay_page, redirect, serve

Json = dict[str, Any]
RATE = Decimal("61234.56")
_SATOSHI = Decimal("0.00000001")


class Refused(Exception):  # noqa: N818 - named for what it is, as the project's own
    def __init__(self, code: str, *, status: int = 422) -> None:
        super().__init__(code)
        self.status = status


class BTCPayServer(ProviderServer):
    """What the server has: each dict is by id and may be read and changed by tests."""

    def __init__(self, *, secret: str, api_key: str, store_id: str, webhook_url: str = "") -> None:
        super().__init__(webhook_url=webhook_url)
        self.secret, self.api_key, self.store_id = secret, api_key, store_id
        self.invoices: dict[str, Json] = {}
        self.payments: dict[str, list[Json]] = {}
        self.pull_payments: dict[str, Json] = {}
        self.payouts: dict[str, list[Json]] = {}

    # ---- what people and the network do ----

    def pay(
        self,
        invoice_id: str,
        amount_cents: int | None = None,
        *,
        is_confirmed: bool = True,
        method: str = "BTC-CHAIN",
        fee: str = "0",
    ) -> Json:
        """Money arrives for an invoice, all of it unless told otherwise. Returns the invoice."""
        with self.lock:
            invoice = self.invoices[invoice_id]
            wanted = Decimal(invoice["amount"]) if amount_cents is None else Decimal(amount_cents) / 100
            value = (wanted / RATE).quantize(_SATOSHI, rounding=ROUND_UP) + Decimal(fee)
            status = "Settled" if is_confirmed else "Processing"
            self.payments[invoice_id].append(
                {"id": secrets.token_hex(8), "value": str(value), "fee": fee, "status": status, "method": method}
            )
            self._count(invoice)
            return invoice

    def confirm(self, invoice_id: str) -> Json:
        """Blocks were found: what arrived is settled."""
        with self.lock:
            for payment in self.payments[invoice_id]:
                payment["status"] = "Settled"
            self._count(self.invoices[invoice_id])
            return self.invoices[invoice_id]

    def expire(self, invoice_id: str) -> Json:
        """The invoice's time is over."""
        with self.lock:
            invoice = self.invoices[invoice_id]
            if invoice["status"] == "New":
                invoice["status"] = "Expired"
            return invoice

    def mark(self, invoice_id: str, status: str) -> Json:
        """A person, or the API, decides an invoice by hand."""
        with self.lock:
            self.invoices[invoice_id].update(status=status, additionalStatus="Marked")
            return self.invoices[invoice_id]

    def invoice_of(self, key: str) -> Json:
        """The invoice that was made for a payment's key."""
        return next(one for one in self.invoices.values() if one["metadata"].get("orderId") == key)

    def _count(self, invoice: Json) -> None:
        payments = self.payments[invoice["id"]]
        paid = sum(((Decimal(one["value"]) - Decimal(one["fee"])) * RATE for one in payments), Decimal(0))
        is_whole = paid >= Decimal(invoice["amount"])
        is_over = paid >= Decimal(invoice["amount"]) + Decimal("0.01")
        if invoice["status"] in {"New", "Processing"} and is_whole:
            is_settled = all(one["status"] == "Settled" for one in payments)
            invoice["status"] = "Settled" if is_settled else "Processing"
            invoice["additionalStatus"] = "PaidOver" if is_over else "None"
        elif invoice["status"] == "Expired":
            invoice["additionalStatus"] = "PaidLate" if is_whole else "PaidPartial"
        elif invoice["status"] == "New" and paid:
            invoice["additionalStatus"] = "PaidPartial"

    # ---- events ----

    def event_for(self, invoice_id: str, kind: str, *, again: str = "") -> tuple[bytes, dict[str, str]]:
        """A signed event about an invoice; `again` is the name of the delivery that is made another time."""
        name = secrets.token_hex(11)
        event = {
            "deliveryId": name,
            "webhookId": "wh1",
            "originalDeliveryId": again or name,
            "isRedelivery": bool(again),
            "type": kind,
            "timestamp": int(time.time()),
            "storeId": self.store_id,
            "invoiceId": invoice_id,
            "metadata": self.invoices[invoice_id]["metadata"] if invoice_id in self.invoices else None,
        }
        body = json.dumps(event).encode()
        return body, self.sign(body)

    def sign(self, body: bytes, *, secret: str = "") -> dict[str, str]:
        signed = hmac.new((secret or self.secret).encode(), body, hashlib.sha256).hexdigest()
        return {"BTCPay-Sig": f"sha256={signed}", "Content-Type": "application/json"}

    def forge(self, invoice_id: str, kind: str = "InvoiceSettled") -> tuple[bytes, dict[str, str]]:
        """An event that says an invoice is paid, by somebody who does not know the secret."""
        body, _ = self.event_for(invoice_id, kind)
        return body, self.sign(body, secret="another")

    def tell(self, invoice_id: str, kind: str) -> int:
        """Make an event and deliver it; returns the status of the answer."""
        return self.deliver(*self.event_for(invoice_id, kind))

    # ---- the API ----

    def answer(self, request: Request) -> Answer:
        if request.headers.get("authorization") != f"token {self.api_key}":
            return json_answer({"code": "unauthenticated", "message": "Authentication is required"}, 401)
        try:
            return json_answer(self._work(request))
        except Refused as refused:
            return json_answer({"code": str(refused), "message": "Told no."}, refused.status)

    def refusal(self, status: int) -> Answer:
        return json_answer({"code": "generic-error", "message": "Told to fail."}, status)

    def _work(self, request: Request) -> Any:
        match [request.method, *request.path.removeprefix("/api/v1/").split("/")]:
            case ["GET", "pull-payments", name]:
                return self._pull_payment(name)
            case ["GET", "pull-payments", name, "payouts"]:
                self._pull_payment(name)
                return [one for one in self.payouts.get(name, []) if one["state"] != "Cancelled"]
            case [method, "stores", self.store_id, *rest]:
                return self._work_in_store(request, [method, *rest])
        raise Refused("store-not-found", status=404)

    def _work_in_store(self, request: Request, parts: list[str]) -> Any:  # noqa: C901 - a line for each path
        match parts:
            case ["POST", "invoices"]:
                return self._create(request.json)
            case ["GET", "invoices"]:
                wanted = request.query.get("orderId")
                return [one for one in self.invoices.values() if one["metadata"].get("orderId") == wanted]
            case ["GET", "invoices", name]:
                return self._invoice(name)
            case ["GET", "invoices", name, "payment-methods"]:
                return self._methods(self._invoice(name))
            case ["POST", "invoices", name, "status"]:
                if self._invoice(name)["status"] not in {"New", "Processing", "Expired"}:
                    raise Refused("invalid-status", status=400)
                return self.mark(name, request.json["status"])
            case ["POST", "invoices", name, "refund"]:
                return self._refund(self._invoice(name), request.json)
            case ["GET", "pull-payments"]:
                is_all = request.query.get("includeArchived") == "true"
                return [one for one in self.pull_payments.values() if is_all or not one["archived"]]
            case ["GET", "webhooks"]:
                return [{"id": "1", "enabled": True, "url": self.webhook_url}]
        raise Refused("not-found", status=404)

    def _invoice(self, name: str) -> Json:
        if name not in self.invoices:
            raise Refused("invoice-not-found", status=404)
        return self.invoices[name]

    def _pull_payment(self, name: str) -> Json:
        if name not in self.pull_payments:
            raise Refused("pullpayment-not-found", status=404)
        return self.pull_payments[name]

    def _create(self, wanted: Json) -> Json:
        checkout = wanted["checkout"]
        if set(wanted) - {"amount", "currency", "metadata", "checkout"} or not re.fullmatch(
            r"\d{1,9}\.\d\d", wanted["amount"]
        ):
            raise Refused("invalid-amount")
        if set(checkout) - {"redirectURL", "redirectAutomatically", "expirationMinutes"}:
            raise Refused("unknown-parameter")
        if not isinstance(checkout["expirationMinutes"], int) or checkout["expirationMinutes"] < 1:
            raise Refused("invalid-expiration")
        name = secrets.token_hex(11)
        self.payments[name] = []
        self.invoices[name] = {
            "id": name,
            "storeId": self.store_id,
            "amount": wanted["amount"],
            "currency": wanted["currency"],
            "type": "Standard",
            "checkoutLink": f"{self.url}/i/{name}",
            "createdTime": int(time.time()),
            "expirationTime": int(time.time()) + 60 * checkout["expirationMinutes"],
            "status": "New",
            "additionalStatus": "None",
            "metadata": wanted["metadata"],
            "checkout": checkout,
            "archived": False,
        }
        return self.invoices[name]

    def _methods(self, invoice: Json) -> list[Json]:
        payments = self.payments[invoice["id"]]
        names = {one["method"] for one in payments} | {"BTC-CHAIN"}
        return [
            {
                "paymentMethodId": name,
                "currency": "BTC",
                "rate": str(RATE),
                "payments": [one for one in payments if one["method"] == name],
            }
            for name in sorted(names)
        ]

    def _refund(self, invoice: Json, wanted: Json) -> Json:
        if wanted["refundVariant"] != "Custom" or not re.fullmatch(r"\d{1,9}\.\d\d", wanted["customAmount"]):
            raise Refused("invalid-amount")
        if wanted["payoutMethodId"] not in {"BTC-CHAIN", "BTC-LN"} or len(wanted["name"]) > 50:
            raise Refused("invalid-payout-method")
        if not any(one["status"] == "Settled" for one in self.payments[invoice["id"]]):
            raise Refused("non-refundable")
        name = secrets.token_urlsafe(15)
        self.pull_payments[name] = {
            "id": name,
            "name": wanted["name"],
            "description": wanted["description"],
            "currency": wanted["customCurrency"],
            "amount": wanted["customAmount"],
            "autoApproveClaims": False,
            "archived": False,
            "viewLink": f"{self.url}/pull-payments/{name}",
        }
        return self.pull_payments[name]

    # ---- the page on which people pay ----

    def page(self, request: Request) -> Answer | None:
        if not request.path.startswith("/i/"):
            return None
        with self.lock:
            invoice = self.invoices.get(request.path.removeprefix("/i/"))
        if invoice is None:
            return Answer(404)
        action = request.form.get("action") if request.method == "POST" else None
        if action == "pay" and invoice["status"] == "New":
            self.pay(invoice["id"])
            if self.is_telling and self.webhook_url:
                self.tell(invoice["id"], "InvoiceSettled")
        if action:
            return redirect(invoice["checkout"]["redirectURL"])
        total = f"{invoice['amount']} {invoice['currency']}"
        return pay_page("BTCPay stand-in", {"Total": total}, is_open=invoice["status"] == "New")


@contextmanager
def run(*, secret: str, api_key: str, store_id: str, webhook_url: str = "") -> Iterator[BTCPayServer]:
    """Serve until the block ends. `secret` signs the events, `api_key` is let into the store."""
    state = BTCPayServer(secret=secret, api_key=api_key, store_id=store_id, webhook_url=webhook_url)
    with serve(state) as server:
        yield server
