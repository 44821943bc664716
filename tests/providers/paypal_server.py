"""A stand-in for PayPal on loopback: tokens, Orders v2, captures, refunds, disputes, events and the page to approve on.

It keeps to what PayPal's reference says of what is sent and answered. Signatures of events are made over the raw
bytes, so that an event that is written anew before it is asked about does not pass.
"""

import base64
import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from tests.providers.http import Answer, ProviderServer, Request, json_answer, pay_page, redirect, serve

Json = dict[str, Any]
_EVENT_STARTS = b'"webhook_event":'


class Refused(Exception):  # noqa: N818 - named for what it is, as the project's own
    def __init__(self, issue: str, *, status: int = 422, name: str = "UNPROCESSABLE_ENTITY") -> None:
        super().__init__(issue)
        self.status = status
        self.body = {"name": name, "details": [{"issue": issue}], "debug_id": secrets.token_hex(7)}


class PayPalServer(ProviderServer):
    """What PayPal has: each dict is by id and may be read and changed by tests.

    `decline_with` is the issue with which the next captures are refused; `capture_status` and `refund_status` are
    what new ones get; without `is_telling_disputes` the application lacks the permission to read them. `link` is the
    name of the link to the page.
    """

    def __init__(self, *, client_id: str, client_secret: str, webhook_id: str, webhook_url: str = "") -> None:
        super().__init__(webhook_url=webhook_url)
        self.client_id, self.client_secret, self.webhook_id = client_id, client_secret, webhook_id
        self.tokens: set[str] = set()
        self.token_seconds = 32_400
        self.orders: dict[str, Json] = {}
        self.captures: dict[str, Json] = {}
        self.refunds: dict[str, Json] = {}
        self.disputes: dict[str, Json] = {}
        self.decline_with = ""
        self.capture_status = "COMPLETED"
        self.refund_status = "COMPLETED"
        self.is_telling_disputes = True
        self.link = "payer-action"
        self._replays: dict[tuple[str, str], tuple[bytes, Answer]] = {}
        self._signing_key = secrets.token_bytes(16)

    # ---- what people and PayPal do ----

    def approve(self, order_id: str, *, country: str = "DE") -> Json:
        """The payer agrees; nothing is taken."""
        with self.lock:
            order = self.orders[order_id]
            order["status"] = "APPROVED"
            order["payer"] = {"payer_id": "QYR5Z8XDVJNXQ", "address": {"country_code": country}}
            return order

    def pay(self, order_id: str, amount_cents: int | None = None, currency: str | None = None) -> Json:
        """Approve an order and have its money taken, of another amount or currency when told so."""
        with self.lock:
            order = self.approve(order_id)
            made = self._take(order)
            if amount_cents is not None:
                made["amount"]["value"] = str(Decimal(amount_cents) / 100)
            made["amount"]["currency_code"] = currency or made["amount"]["currency_code"]
            return order

    def refund(self, order_id: str, value: str) -> Json:
        """Send money back, as PayPal's own pages do."""
        with self.lock:
            return self._give_back(self.captures_of(order_id)[0], value)

    def dispute(self, order_id: str) -> Json:
        """The payer claims the money back."""
        with self.lock:
            capture = self.captures_of(order_id)[0]
            name = f"PP-D-{secrets.randbelow(10**5)}"
            told = {"seller_transaction_id": capture["id"], "custom": capture["custom_id"]}
            self.disputes[name] = {"dispute_id": name, "status": "OPEN", "disputed_transactions": [told]}
            return self.disputes[name]

    def captures_of(self, order_id: str) -> list[Json]:
        result: list[Json] = self.orders[order_id]["purchase_units"][0].get("payments", {}).get("captures", [])
        return result

    # ---- events ----

    def event_for(self, order_id: str, kind: str) -> tuple[bytes, dict[str, str]]:
        """A signed event about an order, its capture, its newest refund or its dispute, as `kind` says."""
        with self.lock:
            if kind.startswith("CUSTOMER.DISPUTE."):
                told = next(reversed(self.disputes.values()))
            elif kind in {"PAYMENT.CAPTURE.REFUNDED", "PAYMENT.CAPTURE.REVERSED"}:
                told = next(reversed(self.refunds.values()))
            elif kind.startswith("PAYMENT.CAPTURE."):
                told = self.captures_of(order_id)[0]
            else:
                told = self.orders[order_id]
            return self.sign_event({"event_type": kind, "resource": told})

    def sign_event(self, fields: Json, *, webhook_id: str = "") -> tuple[bytes, dict[str, str]]:
        """An event with these fields and the headers that belong to it; signed for another hook when told so."""
        # The number and the empty object are what does not outlive being read and written anew everywhere.
        event = {"id": f"WH-{secrets.token_hex(12)}", "event_version": "1.0", "quantity": 1.0, "extra": {}, **fields}
        body = json.dumps(event, separators=(",", ":")).encode()
        headers = {
            "PAYPAL-AUTH-ALGO": "SHA256withRSA",
            "PAYPAL-CERT-URL": f"{self.url}/v1/notifications/certs/CERT-360caa42",
            "PAYPAL-TRANSMISSION-ID": secrets.token_hex(16),
            "PAYPAL-TRANSMISSION-TIME": "2026-11-21T12:00:00Z",
            "Content-Type": "application/json",
        }
        signed = self._signature(body, headers["PAYPAL-TRANSMISSION-ID"], webhook_id or self.webhook_id)
        return body, {**headers, "PAYPAL-TRANSMISSION-SIG": signed}

    def forge(self, order_id: str, kind: str = "PAYMENT.CAPTURE.COMPLETED") -> tuple[bytes, dict[str, str]]:
        """An event that says an order is paid, by somebody who cannot sign as PayPal does."""
        told = {"id": "0", "status": "COMPLETED", "supplementary_data": {"related_ids": {"order_id": order_id}}}
        body, headers = self.sign_event({"event_type": kind, "resource": told})
        return body, {**headers, "PAYPAL-TRANSMISSION-SIG": base64.b64encode(b"0" * 32).decode()}

    def tell(self, order_id: str, kind: str) -> int:
        """Make an event and deliver it; returns the status of the answer."""
        return self.deliver(*self.event_for(order_id, kind))

    def _signature(self, body: bytes, transmission_id: str, webhook_id: str) -> str:
        signed = f"{transmission_id}|{webhook_id}|".encode() + body
        return base64.b64encode(hmac.new(self._signing_key, signed, hashlib.sha256).digest()).decode()

    # ---- the API ----

    def answer(self, request: Request) -> Answer:
        if request.path == "/v1/oauth2/token":
            return self._grant(request)
        if request.headers.get("authorization", "").removeprefix("Bearer ") not in self.tokens:
            return json_answer({"error": "invalid_token", "error_description": "Token signature failed"}, 401)
        place = (request.path, request.headers.get("paypal-request-id", ""))
        if place in self._replays:
            before, made = self._replays[place]
            return made if before == request.body else json_answer({"name": "DUPLICATE_REQUEST_ID"}, 422)
        try:
            status, data = self._work(request)
        except Refused as refused:
            return json_answer(refused.body, refused.status)
        made = json_answer(data, status)
        if place[1]:
            self._replays[place] = (request.body, made)
        return made

    def refusal(self, status: int) -> Answer:
        return json_answer({"name": "INTERNAL_SERVER_ERROR", "message": "Told to fail."}, status)

    def _grant(self, request: Request) -> Answer:
        pair = base64.b64encode(f"{self.client_id}:{self.client_secret}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {pair}":
            return json_answer({"error": "invalid_client"}, 401)
        if request.form != {"grant_type": "client_credentials"}:
            return json_answer({"error": "unsupported_grant_type"}, 400)
        token = f"A21AA{secrets.token_urlsafe(32)}"
        self.tokens.add(token)
        return json_answer({"access_token": token, "token_type": "Bearer", "expires_in": self.token_seconds})

    def _work(self, request: Request) -> tuple[int, Any]:  # noqa: C901 - a line for each path
        match [request.method, *request.path.strip("/").split("/")]:
            case ["POST", "v2", "checkout", "orders"]:
                return 201, self._create(request)
            case ["GET", "v2", "checkout", "orders", name]:
                return 200, _find(self.orders, name)
            case ["POST", "v2", "checkout", "orders", name, "capture"]:
                return 201, self._capture(_find(self.orders, name))
            case ["GET", "v2", "payments", "captures", name]:
                return 200, _find(self.captures, name)
            case ["POST", "v2", "payments", "captures", name, "refund"]:
                return 201, self._refund(_find(self.captures, name), request.json)
            case ["GET", "v2", "payments", "refunds", name]:
                return 200, _find(self.refunds, name)
            case ["GET", "v1", "customer", "disputes"]:
                return 200, self._disputes_of(request.query["disputed_transaction_id"])
            case ["POST", "v1", "notifications", "verify-webhook-signature"]:
                return 200, self._verify(request)
            case ["GET", "v1", "notifications", "webhooks", self.webhook_id]:
                return 200, {"id": self.webhook_id, "url": self.webhook_url}
        raise Refused("This address doesn't exist.", status=404, name="RESOURCE_NOT_FOUND")

    def _create(self, request: Request) -> Json:
        wanted = request.json
        unit = _checked_unit(wanted)
        if not request.headers.get("paypal-request-id"):
            raise Refused("PAYPAL_REQUEST_ID_REQUIRED", status=400, name="INVALID_REQUEST")
        name = secrets.token_hex(9)[:17].upper()
        url = f"{self.url}/checkoutnow?token={name}"
        self.orders[name] = {
            "id": name,
            "intent": wanted["intent"],
            "status": "PAYER_ACTION_REQUIRED",
            "purchase_units": [{**unit, "reference_id": "default"}],
            "payment_source": {"paypal": {}},
            "experience": wanted["payment_source"]["paypal"]["experience_context"],
            "links": [
                {"rel": "self", "href": f"{self.url}/v2/checkout/orders/{name}", "method": "GET"},
                {"rel": self.link, "href": url, "method": "GET"},
            ],
        }
        return self.orders[name]

    def _capture(self, order: Json) -> Json:
        if order["status"] == "COMPLETED":
            raise Refused("ORDER_ALREADY_CAPTURED")
        if order["status"] != "APPROVED":
            raise Refused("ORDER_NOT_APPROVED")
        if self.decline_with:
            raise Refused(self.decline_with)
        self._take(order)
        return order

    def _take(self, order: Json) -> Json:
        unit = order["purchase_units"][0]
        name = secrets.token_hex(9)[:17].upper()
        self.captures[name] = {
            "id": name,
            "status": self.capture_status,
            "amount": dict(unit["amount"]),
            "custom_id": unit["custom_id"],
            "invoice_id": unit["invoice_id"],
            "supplementary_data": {"related_ids": {"order_id": order["id"]}},
        }
        unit["payments"] = {"captures": [self.captures[name]]}
        order["status"] = "COMPLETED"
        return self.captures[name]

    def _refund(self, capture: Json, wanted: Json) -> Json:
        if wanted["amount"]["currency_code"] != capture["amount"]["currency_code"]:
            raise Refused("REFUND_CAPTURE_CURRENCY_MISMATCH")
        _check_money(wanted["amount"])
        return self._give_back(capture, wanted["amount"]["value"])

    def _give_back(self, capture: Json, value: str) -> Json:
        order = self.orders[capture["supplementary_data"]["related_ids"]["order_id"]]
        refunds = order["purchase_units"][0]["payments"].setdefault("refunds", [])
        gone = sum(Decimal(one["amount"]["value"]) for one in refunds) + Decimal(value)
        if gone > Decimal(capture["amount"]["value"]):
            raise Refused("CAPTURE_FULLY_REFUNDED" if capture["status"] == "REFUNDED" else "REFUND_AMOUNT_EXCEEDED")
        name = secrets.token_hex(9)[:17].upper()
        self.refunds[name] = {
            "id": name,
            "status": self.refund_status,
            "amount": {**capture["amount"], "value": value},
            "links": [{"rel": "up", "href": f"{self.url}/v2/payments/captures/{capture['id']}", "method": "GET"}],
        }
        refunds.append(self.refunds[name])
        is_whole = gone == Decimal(capture["amount"]["value"])
        capture["status"] = "REFUNDED" if is_whole else "PARTIALLY_REFUNDED"
        return self.refunds[name]

    def _disputes_of(self, capture_id: str) -> Json:
        if not self.is_telling_disputes:
            raise Refused("PERMISSION_DENIED", status=403, name="NOT_AUTHORIZED")
        about = [
            one
            for one in self.disputes.values()
            if one["disputed_transactions"][0]["seller_transaction_id"] == capture_id
        ]
        return {"items": about, "links": []}

    def _verify(self, request: Request) -> Json:
        asked = request.json
        body = request.body[request.body.index(_EVENT_STARTS) + len(_EVENT_STARTS) : -1].strip()
        expected = self._signature(body, asked["transmission_id"], asked["webhook_id"])
        is_own = asked["webhook_id"] == self.webhook_id and hmac.compare_digest(expected, asked["transmission_sig"])
        return {"verification_status": "SUCCESS" if is_own else "FAILURE"}

    # ---- the page on which people approve ----

    def page(self, request: Request) -> Answer | None:
        if request.path != "/checkoutnow":
            return None
        with self.lock:
            order = self.orders.get(request.query.get("token", ""))
        if order is None:
            return Answer(404)
        action = request.form.get("action") if request.method == "POST" else None
        back = f"?token={order['id']}"
        if action == "cancel":
            return redirect(order["experience"]["cancel_url"] + back)
        if action == "pay" and order["status"] == "PAYER_ACTION_REQUIRED":
            self.approve(order["id"])
            if self.is_telling and self.webhook_url:
                self.tell(order["id"], "CHECKOUT.ORDER.APPROVED")
            return redirect(f"{order['experience']['return_url']}{back}&PayerID={order['payer']['payer_id']}")
        total = " ".join(order["purchase_units"][0]["amount"].values())
        return pay_page("PayPal stand-in", {"Total": total}, is_open=order["status"] == "PAYER_ACTION_REQUIRED")


def _find(rows: Mapping[str, Json], name: str) -> Json:
    if name not in rows:
        raise Refused("INVALID_RESOURCE_ID", status=404, name="RESOURCE_NOT_FOUND")
    return rows[name]


def _checked_unit(wanted: Json) -> Json:
    """The one purchase unit of an order that PayPal would create as it was meant; raises Refused for others."""
    pages = wanted["payment_source"]["paypal"]["experience_context"]
    allowed = {"return_url", "cancel_url", "shipping_preference", "user_action", "payment_method_preference"}
    if set(wanted) != {"intent", "purchase_units", "payment_source"} or set(pages) - allowed:
        raise Refused("UNKNOWN_PARAMETER", status=400, name="INVALID_REQUEST")
    if wanted["intent"] != "CAPTURE" or len(wanted["purchase_units"]) != 1:
        raise Refused("UNSUPPORTED_INTENT")
    if any(not urlsplit(pages[name]).scheme.startswith("http") for name in ("return_url", "cancel_url")):
        raise Refused("INVALID_PARAMETER_VALUE", status=400, name="INVALID_REQUEST")
    unit: Json = wanted["purchase_units"][0]
    if set(unit) != {"amount", "custom_id", "invoice_id", "description"} or len(unit["description"]) > 127:
        raise Refused("UNKNOWN_PARAMETER", status=400, name="INVALID_REQUEST")
    _check_money(unit["amount"])
    return unit


def _check_money(amount: Json) -> None:
    if not isinstance(amount["value"], str) or not re.fullmatch(r"\d{1,9}\.\d\d", amount["value"]):
        raise Refused("DECIMAL_PRECISION")
    if not re.fullmatch("[A-Z]{3}", amount["currency_code"]):
        raise Refused("INVALID_CURRENCY_CODE", status=400, name="INVALID_REQUEST")


@contextmanager
def run(*, client_id: str, client_secret: str, webhook_id: str, webhook_url: str = "") -> Iterator[PayPalServer]:
    """Serve until the block ends, for one application with one webhook."""
    state = PayPalServer(
        client_id=client_id, client_secret=client_secret, webhook_id=webhook_id, webhook_url=webhook_url
    )
    with serve(state) as server:
        yield server
