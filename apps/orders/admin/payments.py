"""Payments, provider messages and refunds in the admin."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from apps.accounts.actors import actor_of
from apps.core.admin.base import ModelAdmin, ReadOnly, labelled
from apps.core.admin.decisions import Decides, Decision, page_action
from apps.orders.admin import order_decisions
from apps.orders.admin.order_tables import amount_of, provider_name
from apps.orders.admin.tables import link_to
from apps.orders.fulfillment import refunds
from apps.orders.models import Payment, PaymentEvent, Refund
from apps.orders.payments import manual_review

_PAYMENT_LABELS = {
    "Starting": "info",
    "Open": "info",
    "Paid": "success",
    "Failed": "danger",
    "Surplus": "warning",
    "Needs review": "danger",
}
_REFUND_LABELS = {"Requested": "info", "Done": "success", "Failed": "danger"}

ACCEPT = Decision(
    title=order_decisions.ACCEPT.title,
    explanation=["Checks with the provider again. The amount it received becomes the order's payment."],
    done="Accepted",
    decide=lambda payment, values, request: manual_review.accept_payment(
        payment=payment, by=actor_of(request, via="admin")
    ),
    why_not=manual_review.why_not_decide,
    effects=manual_review.effects_of_accepting,
)
SEND_BACK = Decision(
    title=order_decisions.SEND_BACK.title,
    explanation=["Checks with the provider again and refunds everything it received."],
    done="Refunded",
    decide=lambda payment, values, request: manual_review.refund_payment(
        payment=payment, by=actor_of(request, via="admin")
    ),
    why_not=manual_review.why_not_decide,
    effects=manual_review.effects_of_sending_back,
    is_dangerous=True,
)
RETRY = Decision(
    title="Retry refund",
    explanation=["Sends a new refund request to the provider. Make sure the first one failed."],
    done="Refunds retried",
    decide=lambda refund, values, request: refunds.retry_refund(refund=refund, by=actor_of(request, via="admin")),
    why_not=refunds.why_not_retry,
    effects=lambda refund: [f"{amount_of(refund.amount_cents, refund.payment.currency)}. It failed: {refund.problem}"],
    is_dangerous=True,
)
_DECISIONS = {"accept_one": ACCEPT, "send_back_one": SEND_BACK}


@admin.register(Payment)
class PaymentAdmin(Decides, ReadOnly, ModelAdmin):
    list_display = ("order", "attempt", "provider", "known_as", "state", "amount", "is_test", "created_at")
    list_filter = ("order__site", "status", "provider", "is_test", "created_at")
    list_select_related = ("order__site",)
    search_fields = ("order__number", "order__account__email")
    actions = ("accept_as_it_is", "refund_payment")
    actions_detail = tuple(_DECISIONS)
    # Not return_url, pay_url and reference, which contain the secrets of the checkout page and the test session. Anyone
    # who has them can act as the buyer or as the provider.
    fields = (
        "of_order",
        "attempt",
        "provider",
        "known_as",
        "state",
        "amount",
        "is_test",
        "problem",
        "created_at",
        "settled_at",
        "polled_at",
    )
    readonly_fields = ("of_order", "known_as", "state", "amount")

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        return {name: decision.why_not for name, decision in _DECISIONS.items()}

    @admin.display(description="Provider ID")
    def known_as(self, payment: Payment) -> str:
        return provider_name(payment)

    @admin.display(description="order")
    def of_order(self, payment: Payment) -> SafeString:
        return link_to(payment.order)

    @labelled(description="status", ordering="status", colors=_PAYMENT_LABELS)
    def state(self, payment: Payment) -> str:
        return str(payment.get_status_display())

    @admin.display(description="amount", ordering="amount_cents")
    def amount(self, payment: Payment) -> str:
        return amount_of(payment.amount_cents, payment.currency)

    @admin.action(description="Accept payment", permissions=["decide"])
    def accept_as_it_is(self, request: HttpRequest, payments: QuerySet[Payment]) -> HttpResponse:
        return self.ask(request, payments, ACCEPT, back=request.get_full_path())

    @admin.action(description="Refund payment", permissions=["decide"])
    def refund_payment(self, request: HttpRequest, payments: QuerySet[Payment]) -> HttpResponse:
        return self.ask(request, payments, SEND_BACK, back=request.get_full_path())

    @page_action(description="Accept", permissions=["decide"], icon="check")
    def accept_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, ACCEPT)

    @page_action(description="Refund", permissions=["decide"], icon="undo", is_dangerous=True)
    def send_back_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, SEND_BACK)


@admin.register(PaymentEvent)
class PaymentEventAdmin(ReadOnly, ModelAdmin):
    list_display = ("provider", "event_id", "kind", "received_at", "processed_at")
    list_filter = ("provider", "received_at")
    search_fields = ("event_id",)
    exclude = ("reference",)


@admin.register(Refund)
class RefundAdmin(Decides, ReadOnly, ModelAdmin):
    list_display = ("pk", "of_order", "amount", "reason", "state", "requested_by", "created_at", "done_at")
    list_filter = ("payment__order__site", "status", "payment__provider", "created_at")
    list_select_related = ("payment__order", "requested_by")
    search_fields = ("payment__order__number", "reference")
    actions = ("retry",)
    actions_detail = ("retry_one",)
    fields = (
        "of_order",
        "of_payment",
        "line",
        "amount",
        "reason",
        "requested_by",
        "state",
        "problem",
        "attempt",
        "reference",
        "created_at",
        "tried_at",
        "done_at",
    )
    readonly_fields = ("of_order", "of_payment", "amount", "state")

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        return {"retry_one": RETRY.why_not}

    @admin.display(description="order", ordering="payment__order__number")
    def of_order(self, refund: Refund) -> SafeString:
        return link_to(refund.payment.order)

    @admin.display(description="payment")
    def of_payment(self, refund: Refund) -> SafeString:
        return link_to(refund.payment)

    @admin.display(description="amount", ordering="amount_cents")
    def amount(self, refund: Refund) -> str:
        return amount_of(refund.amount_cents, refund.payment.currency)

    @labelled(description="status", ordering="status", colors=_REFUND_LABELS)
    def state(self, refund: Refund) -> str:
        return str(refund.get_status_display())

    @admin.action(description="Retry failed refunds", permissions=["decide"])
    def retry(self, request: HttpRequest, rows: QuerySet[Refund]) -> HttpResponse:
        return self.ask(request, rows, RETRY, back=request.get_full_path())

    @page_action(description="Retry refund", permissions=["decide"], icon="replay", is_dangerous=True)
    def retry_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, RETRY)
