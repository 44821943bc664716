"""Shapes of Stripe's objects, as far as the project reads them, and what Stripe refuses of a new session."""

import re
import secrets
import time
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]
API_VERSION = "2026-10-28.endive"
# Parameters of a new session that are known here; a name that Stripe does not have is refused by it too.
_KNOWN = re.compile(
    r"mode|success_url|cancel_url|client_reference_id|customer_email|expires_at|submit_type|locale"
    r"|adaptive_pricing\[enabled\]|metadata\[\w+\]"
    r"|line_items\[0\]\[(quantity|price_data\]\[(currency|unit_amount|product_data\]\[(name|description)))\]"
    r"|payment_intent_data\[(description|metadata\]\[\w+)\]"
)
_HALF_AN_HOUR, _A_DAY = 30 * 60, 24 * 60 * 60


class Refused(Exception):  # noqa: N818 - named for what it is, as the project's own
    """An answer with an error; `error` is its body."""

    def __init__(self, message: str, *, status: int = 400, code: str = "", param: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.error: Json = {"type": "invalid_request_error", "message": message}
        self.error |= {name: value for name, value in {"code": code, "param": param}.items() if value}


def new_id(prefix: str) -> str:
    return f"{prefix}_{secrets.token_hex(12)}"


def nested(form: Mapping[str, str], name: str) -> dict[str, str]:
    """The values of `name[key]`, by key."""
    start = f"{name}["
    return {field[len(start) : -1]: value for field, value in form.items() if field.startswith(start)}


def session(form: Mapping[str, str], *, url: str) -> Json:
    """A new Checkout Session; raises Refused for what Stripe would not take."""
    _check_session(form)
    line = "line_items[0][{}]"
    amount = int(form[line.format("price_data][unit_amount")]) * int(form[line.format("quantity")])
    name = f"cs_test_{secrets.token_hex(20)}"
    return {
        "id": name,
        "object": "checkout.session",
        "amount_subtotal": amount,
        "amount_total": amount,
        "cancel_url": form.get("cancel_url"),
        "client_reference_id": form.get("client_reference_id"),
        "created": int(time.time()),
        "currency": form[line.format("price_data][currency")],
        "customer": None,
        "customer_email": form.get("customer_email"),
        "expires_at": int(form.get("expires_at") or time.time() + _A_DAY),
        "livemode": False,
        "metadata": nested(form, "metadata"),
        "mode": "payment",
        "payment_intent": None,
        "payment_intent_metadata": nested(form, "payment_intent_data[metadata]"),
        "payment_status": "unpaid",
        "status": "open",
        "success_url": form["success_url"],
        "url": f"{url}/c/pay/{name}#fidkdWxOYHwnPyd1",
    }


def _check_session(form: Mapping[str, str]) -> None:
    for name in form:
        if not _KNOWN.fullmatch(name):
            raise Refused(f"Unknown parameter: {name}", code="parameter_unknown", param=name)
    for name in ("mode", "success_url", "line_items[0][price_data][unit_amount]", "line_items[0][quantity]"):
        if not form.get(name):
            raise Refused(f"Missing parameter: {name}", code="parameter_missing", param=name)
    if not form["line_items[0][price_data][unit_amount]"].isdigit():
        raise Refused("The amount is no whole number.", code="parameter_invalid_integer", param="line_items")
    if form["mode"] != "payment":
        raise Refused("Only payments are known here.", param="mode")
    if not form["success_url"].startswith(("http://", "https://")):
        raise Refused("Not a valid address.", code="url_invalid", param="success_url")
    lasts = int(form.get("expires_at") or time.time() + _A_DAY) - time.time()
    # A second's grace on both sides for the way here.
    if not _HALF_AN_HOUR - 1 <= lasts <= _A_DAY + 1:
        raise Refused("A session lasts from 30 minutes to 24 hours.", param="expires_at")


def payment(made_for: Json, *, method: str, country: str) -> tuple[Json, Json]:
    """The payment intent and charge of a session that was just completed, with the money still under way."""
    intent_id, charge_id = new_id("pi"), new_id("ch")
    money = {"amount": made_for["amount_total"], "currency": made_for["currency"]}
    metadata = made_for["payment_intent_metadata"]
    intent = {
        "id": intent_id,
        "object": "payment_intent",
        **money,
        "amount_received": 0,
        "last_payment_error": None,
        "latest_charge": charge_id,
        "metadata": metadata,
        "status": "processing",
    }
    charge = {
        "id": charge_id,
        "object": "charge",
        **money,
        "amount_refunded": 0,
        "billing_details": {"address": {"country": None}, "email": made_for["customer_email"]},
        "disputed": False,
        "failure_message": None,
        "metadata": metadata,
        "paid": False,
        "payment_intent": intent_id,
        "payment_method_details": {"type": method, method: {"country": country}},
        "refunded": False,
        "status": "pending",
    }
    return intent, charge


def refund(charge: Json, *, amount: int, status: str, metadata: Mapping[str, str] | None = None) -> Json:
    return {
        "id": new_id("re"),
        "object": "refund",
        "amount": amount,
        "charge": charge["id"],
        "currency": charge["currency"],
        "failure_reason": None,
        "metadata": dict(metadata or {}),
        "payment_intent": charge["payment_intent"],
        "status": status,
    }


def count_refund(charge: Json, amount: int) -> None:
    charge["amount_refunded"] += amount
    charge["refunded"] = charge["amount_refunded"] == charge["amount"]


def dispute(charge: Json) -> Json:
    return {
        "id": new_id("du"),
        "object": "dispute",
        "amount": charge["amount"],
        "charge": charge["id"],
        "currency": charge["currency"],
        "metadata": {},
        "payment_intent": charge["payment_intent"],
        "reason": "fraudulent",
        "status": "needs_response",
    }


def event(kind: str, told: Json) -> Json:
    return {
        "id": new_id("evt"),
        "object": "event",
        "api_version": API_VERSION,
        "created": int(time.time()),
        "data": {"object": told},
        "livemode": False,
        "pending_webhooks": 1,
        "request": {"id": None, "idempotency_key": None},
        "type": kind,
    }
