"""A stand-in for Stripe on loopback: Checkout Sessions, refunds, events and the hosted page.

It keeps to what Stripe's reference says of version 2026-10-28: form-encoded requests, idempotency keys that are
replayed, bounds of `expires_at`, error bodies, and signatures `t=…,v1=…` over the raw body.
"""

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.providers import stripe_objects as objects
from tests.providers.http import Answer, ProviderServer, Request, json_answer, pay_page, redirect, serve
from tests.providers.stripe_objects import Refused

Json = dict[str, Any]


class StripeServer(ProviderServer):
    """What Stripe has: each dict is by id and may be read and changed by tests."""

    def __init__(self, *, secret: str, account_key: str, webhook_url: str = "") -> None:
        super().__init__(webhook_url=webhook_url)
        self.secret = secret
        self.account_key = account_key
        self.sessions: dict[str, Json] = {}
        self.payment_intents: dict[str, Json] = {}
        self.charges: dict[str, Json] = {}
        self.refunds: dict[str, Json] = {}
        self.disputes: dict[str, Json] = {}
        self.refund_status = "succeeded"
        self._replays: dict[str, tuple[tuple[str, Json], Answer]] = {}

    # ---- what people and banks do ----

    def pay(
        self,
        session_id: str,
        amount_cents: int | None = None,
        currency: str | None = None,
        *,
        country: str = "DE",
        method: str = "card",
    ) -> Json:
        """Complete a session with money, of another amount or currency when told so. Returns the session.

        With a session that waits for an asynchronous payment, its money arrives.
        """
        with self.lock:
            session = self.sessions[session_id]
            if session["status"] == "open":
                self._complete(session, method=method, country=country)
            session["amount_total"] = session["amount_total"] if amount_cents is None else amount_cents
            session["currency"] = currency or session["currency"]
            session["payment_status"] = "paid"
            intent = self.payment_intents[session["payment_intent"]]
            money = {"amount": session["amount_total"], "currency": session["currency"]}
            intent.update(money, status="succeeded", amount_received=session["amount_total"])
            self.charges[intent["latest_charge"]].update(money, status="succeeded", paid=True)
            return session

    def promise(self, session_id: str, *, method: str = "sepa_debit", country: str = "DE") -> Json:
        """Complete a session with an asynchronous method: the money comes, or fails, days later."""
        with self.lock:
            session = self.sessions[session_id]
            self._complete(session, method=method, country=country)
            return session

    def fail(self, session_id: str, message: str = "The bank refused the debit.") -> Json:
        """The money of an asynchronous payment does not come, or is taken back."""
        with self.lock:
            session = self.sessions[session_id]
            intent = self.payment_intents[session["payment_intent"]]
            intent.update(
                status="requires_payment_method", last_payment_error={"message": message, "type": "card_error"}
            )
            self.charges[intent["latest_charge"]].update(status="failed", paid=False, failure_message=message)
            session["payment_status"] = "unpaid"
            return session

    def expire(self, session_id: str) -> Json:
        """Close an open session, as its time or a request does."""
        with self.lock:
            session = self.sessions[session_id]
            if session["status"] != "open":
                raise Refused("Only an open Checkout Session can be expired.")
            session.update(status="expired", url=None)
            return session

    def refund(self, session_id: str, amount_cents: int | None = None, **fields: Any) -> Json:
        """Send money back, as the dashboard does; the rest of the payment when no amount is given."""
        with self.lock:
            charge = self.charge_of(session_id)
            left = charge["amount"] - charge["amount_refunded"]
            amount = left if amount_cents is None else amount_cents
            if not left:
                raise Refused("The charge has been refunded.", code="charge_already_refunded")
            if not 0 < amount <= left:
                raise Refused("The amount is more than is left of the charge.", param="amount")
            made = objects.refund(charge, amount=amount, status=self.refund_status, **fields)
            self.refunds[made["id"]] = made
            if made["status"] != "failed":
                objects.count_refund(charge, amount)
            return made

    def fail_refund(self, refund_id: str) -> Json:
        """The bank does not take a refund: its money is back at the merchant's."""
        with self.lock:
            made = self.refunds[refund_id]
            if made["status"] != "failed":
                objects.count_refund(self.charges[made["charge"]], -made["amount"])
            made.update(status="failed", failure_reason="expired_or_canceled_card")
            return made

    def dispute(self, session_id: str) -> Json:
        """The payer has the money claimed back by the bank."""
        with self.lock:
            charge = self.charge_of(session_id)
            charge["disputed"] = True
            made = objects.dispute(charge)
            self.disputes[made["id"]] = made
            return made

    def charge_of(self, session_id: str) -> Json:
        intent = self.payment_intents[self.sessions[session_id]["payment_intent"]]
        return self.charges[intent["latest_charge"]]

    def session_of(self, key: str) -> Json:
        """The session that was started for a payment's key."""
        return next(session for session in self.sessions.values() if session["client_reference_id"] == key)

    def _complete(self, session: Json, *, method: str, country: str) -> None:
        if session["status"] != "open":
            raise Refused("The session is over.")
        intent, charge = objects.payment(session, method=method, country=country)
        self.payment_intents[intent["id"]], self.charges[charge["id"]] = intent, charge
        session.update(status="complete", url=None, payment_intent=intent["id"])

    # ---- events ----

    def event_for(self, session_id: str, kind: str) -> tuple[bytes, dict[str, str]]:
        """A signed event about a session, its charge, or its newest refund or dispute, as `kind` says.

        Every call makes an event of its own; what is returned can be delivered again and again.
        """
        with self.lock:
            session = self.sessions[session_id]
            of_payment = lambda found: found["payment_intent"] == session["payment_intent"]  # noqa: E731 - used below alone
            if kind.startswith("checkout.session."):
                told = session
            elif kind.startswith("charge.dispute."):
                told = next(filter(of_payment, reversed(self.disputes.values())))
            elif kind.startswith("refund."):
                told = next(filter(of_payment, reversed(self.refunds.values())))
            elif kind.startswith("payment_intent."):
                told = self.payment_intents[session["payment_intent"]]
            else:
                told = self.charge_of(session_id)
            body = json.dumps(objects.event(kind, told)).encode()
        return body, self.sign(body)

    def sign(self, body: bytes, *, secret: str = "", at: int | None = None) -> dict[str, str]:
        """The headers that belong to a body; with another secret, or as of another time, when told so."""
        stamp = int(time.time()) if at is None else at
        signed = hmac.new((secret or self.secret).encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
        return {"Stripe-Signature": f"t={stamp},v1={signed}", "Content-Type": "application/json; charset=utf-8"}

    def forge(self, session_id: str, kind: str = "checkout.session.completed") -> tuple[bytes, dict[str, str]]:
        """An event that says a session is paid and is signed by somebody who does not know the secret."""
        body = json.dumps(objects.event(kind, {**self.sessions[session_id], "payment_status": "paid"})).encode()
        return body, self.sign(body, secret="whsec_" + "0" * 32)

    def tell(self, session_id: str, kind: str) -> int:
        """Make an event and deliver it; returns the status of the answer."""
        return self.deliver(*self.event_for(session_id, kind))

    def forget_keys(self) -> None:
        """Let a day pass: idempotency keys are not remembered for longer."""
        self._replays.clear()

    # ---- the API ----

    def answer(self, request: Request) -> Answer:
        key = request.headers.get("idempotency-key", "") if request.method == "POST" else ""
        asked = (request.path, request.form)
        if request.headers.get("authorization") != f"Bearer {self.account_key}":
            return _error(401, "invalid_request_error", "This is no API key of ours.")
        if key in self._replays:
            before, made = self._replays[key]
            if before != asked:
                return _error(400, "idempotency_error", "The key was used with other parameters before.")
            return Answer(made.status, made.body, {**made.headers, "Idempotent-Replayed": "true"})
        try:
            made = json_answer(self._work(request), headers={"Request-Id": f"req_{secrets.token_hex(7)}"})
        except Refused as refused:
            return json_answer({"error": refused.error}, refused.status)
        if key:
            self._replays[key] = (asked, made)
        return made

    def refusal(self, status: int) -> Answer:
        kinds = {429: ("invalid_request_error", "rate_limit"), 400: ("invalid_request_error", "parameter_invalid")}
        kind, code = kinds.get(status, ("api_error", ""))
        return _error(status, kind, "Told to fail.", code=code)

    def _work(self, request: Request) -> Json:  # noqa: C901 - a line for each path
        match [request.method, *request.path.strip("/").split("/")]:
            case ["POST", "v1", "checkout", "sessions"]:
                return self._create_session(request.form)
            case ["GET", "v1", "checkout", "sessions", name]:
                return self._expanded(_find(self.sessions, name), request.query)
            case ["POST", "v1", "checkout", "sessions", name, "expire"]:
                _find(self.sessions, name)
                return self.expire(name)
            case ["GET", "v1", "payment_intents", name]:
                return _find(self.payment_intents, name)
            case ["GET", "v1", "charges", name]:
                return _find(self.charges, name)
            case ["POST", "v1", "refunds"]:
                return self._create_refund(request.form)
            case ["GET", "v1", "refunds"]:
                intent = request.query.get("payment_intent")
                result = [refund for refund in self.refunds.values() if refund["payment_intent"] == intent]
                return {"object": "list", "data": result[::-1], "has_more": False, "url": "/v1/refunds"}
            case ["GET", "v1", "refunds", name]:
                return _find(self.refunds, name)
            case ["GET", "v1", "webhook_endpoints"]:
                hooks = [{"object": "webhook_endpoint", "id": "we_1", "url": self.webhook_url, "status": "enabled"}]
                return {"object": "list", "data": hooks, "has_more": False, "url": "/v1/webhook_endpoints"}
        raise Refused("This address doesn't exist.", status=404)

    def _create_session(self, form: Mapping[str, str]) -> Json:
        session = objects.session(form, url=self.url)
        self.sessions[session["id"]] = session
        return session

    def _create_refund(self, form: Mapping[str, str]) -> Json:
        intent = form.get("payment_intent", "")
        _find(self.payment_intents, intent)
        paid = next(one for one in self.sessions.values() if one["payment_intent"] == intent)
        amount = int(form["amount"]) if "amount" in form else None
        return self.refund(paid["id"], amount, metadata=objects.nested(form, "metadata"))

    def _expanded(self, session: Json, query: Mapping[str, str]) -> Json:
        wanted = {value for name, value in query.items() if name.startswith("expand[")}
        intent = self.payment_intents.get(session["payment_intent"] or "")
        if intent is None or not any(path.startswith("payment_intent") for path in wanted):
            return session
        if "payment_intent.latest_charge" in wanted:
            intent = {**intent, "latest_charge": self.charges.get(intent["latest_charge"])}
        return {**session, "payment_intent": intent}

    # ---- the hosted page ----

    def page(self, request: Request) -> Answer | None:
        if not request.path.startswith("/c/pay/"):
            return None
        with self.lock:
            session = self.sessions.get(request.path.removeprefix("/c/pay/"))
        if session is None:
            return Answer(404)
        action = request.form.get("action") if request.method == "POST" else None
        if action == "cancel":
            return redirect(session["cancel_url"])
        if action == "pay" and session["status"] == "open":
            self.pay(session["id"])
            if self.is_telling and self.webhook_url:
                self.tell(session["id"], "checkout.session.completed")
            return redirect(session["success_url"])
        total = f"{session['amount_total']} {session['currency']}"
        return pay_page("Stripe stand-in", {"Total": total}, is_open=session["status"] == "open")


def _find(rows: Mapping[str, Json], name: str) -> Json:
    if name not in rows:
        raise Refused(f"There is no {name}.", code="resource_missing", status=404)
    return rows[name]


def _error(status: int, kind: str, message: str, *, code: str = "") -> Answer:
    error = {"type": kind, "message": message} | ({"code": code} if code else {})
    return json_answer({"error": error}, status)


@contextmanager
def run(*, secret: str, account_key: str, webhook_url: str = "") -> Iterator[StripeServer]:
    """Serve until the block ends. `secret` signs the events, `account_key` is the API key that is let in."""
    with serve(StripeServer(secret=secret, account_key=account_key, webhook_url=webhook_url)) as server:
        yield server
