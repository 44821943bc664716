"""Decisions of site admins on orders, as admin pages confirm them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.http import HttpRequest
from unfold.widgets import (
    UnfoldAdminEmailInputWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.accounts.actors import actor_of
from apps.core.admin.base import ChecksField
from apps.core.admin.decisions import Decision
from apps.core.templatetags.ui import money
from apps.core.web.forms import CleanTextField
from apps.orders.checkout.billing import Billing
from apps.orders.fulfillment import refunds
from apps.orders.fulfillment.refund_lines import refund_lines
from apps.orders.invoices import issuing
from apps.orders.models import Order, OrderLine
from apps.orders.payments import cancel, manual_review

_WITHDRAW_HELP = (
    "Revokes placements in future weeks, unlocked sections, upcoming launches, and upgrades of live "
    "listings, which stay live on the free plan. If something can't be revoked, you'll see it and nothing is "
    "refunded."
)


_LINES_TEXT = (
    "Refunds the lines you choose through the provider that took the payment. A credit note is issued and emailed for "
    "each refund. You can't undo this."
)


class RefundForm(forms.Form):
    """The reason, and whether to withdraw what was delivered."""

    reason = CleanTextField(
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text="Shown to the buyer in the email and credit note.",
    )
    withdraw = forms.BooleanField(
        required=False,
        label="Also revoke delivered items",
        widget=UnfoldBooleanSwitchWidget,
        help_text=_WITHDRAW_HELP,
    )


def _refund(order: Order, values: Mapping[str, Any], request: HttpRequest) -> object:
    chosen = refunds.refundable_lines(order)
    if "lines" in values:
        wanted = set(values["lines"])
        chosen = [line for line in chosen if str(line.pk) in wanted]
    return refund_lines(
        order=order,
        lines=chosen,
        reason=values["reason"],
        withdraw=values["withdraw"],
        by=actor_of(request, via="admin"),
    )


def _refund_effects(order: Order) -> list[str]:
    effects = [_refund_effect(line) for line in refunds.refundable_lines(order)]
    payment = order.payments.filter(status="paid").first()
    left = refunds.left_of(payment) if payment else 0
    return [*effects, f"Refundable: {money(left)} (maximum)"]


def _refund_effect(line: OrderLine) -> str:
    what = f"{_named(line)}: refunds {money(line.total_cents)}"
    if line.status == OrderLine.Status.PENDING:
        return f"{what}, and it won't be delivered."
    return f"{what}. It stays delivered unless you also revoke it."


def _named(line: OrderLine) -> str:
    return f"{line.title} for {line.listing_name}" if line.listing_name else line.title


REFUND = Decision(
    title="Refund order",
    explanation=[
        "Refunds every line that has no refund yet through the provider that took the payment. A credit note is issued "
        "and emailed for each refund. You can't undo this."
    ],
    done="Orders refunded",
    decide=_refund,
    why_not=refunds.why_not_refund,
    effects=_refund_effects,
    form=RefundForm,
    is_dangerous=True,
)


def refund_of_lines(order: Order) -> Decision:
    """The decision to refund some lines of this order."""
    choices = [
        (str(line.pk), f"{_named(line)}, {money(line.total_cents)} ({line.get_status_display().lower()})")
        for line in refunds.refundable_lines(order)
    ]

    class LinesForm(RefundForm):
        field_order = ("lines", "reason", "withdraw")
        lines = ChecksField(choices=choices)

        def clean_lines(self) -> list[str]:
            if not self.cleaned_data["lines"]:
                raise forms.ValidationError("Choose at least one line.")
            return list(self.cleaned_data["lines"])

    return replace(
        REFUND,
        title="Refund lines",
        explanation=[_LINES_TEXT],
        done="Orders refunded",
        form=LinesForm,
    )


ACCEPT = Decision(
    title="Accept payment",
    explanation=[
        "We check with the provider again and accept what it received. If no payment is in review, pending lines are "
        "delivered."
    ],
    done="Accepted",
    decide=lambda order, values, request: manual_review.accept_order(order=order, by=actor_of(request, via="admin")),
    why_not=manual_review.why_not_decide,
    effects=manual_review.effects_of_accepting,
)
SEND_BACK = Decision(
    title="Refund payment",
    explanation=[
        "We check with the provider again and refund everything it received for payments in review. An order without "
        "another payment can be paid again until it expires."
    ],
    done="Refunded",
    decide=lambda order, values, request: manual_review.refund_order(order=order, by=actor_of(request, via="admin")),
    why_not=manual_review.why_not_decide,
    effects=manual_review.effects_of_sending_back,
    is_dangerous=True,
)
DELIVER = Decision(
    title="Retry delivery",
    explanation=["Retries pending deliveries immediately and closes the review."],
    done="Deliveries retried",
    decide=lambda order, values, request: manual_review.retry_delivery(order=order, by=actor_of(request, via="admin")),
    why_not=manual_review.why_not_deliver,
    effects=lambda order: [f"Retries {_named(line)}." for line in order.lines.filter(status=OrderLine.Status.PENDING)],
)


def _why_not_cancel(order: Order) -> str:
    if cancel.is_cancellable(order):
        return ""
    state = "under review" if order.needs_review else order.get_status_display().lower()
    return f"The order is {state}. You can only cancel unpaid orders."


CANCEL = Decision(
    title="Cancel order",
    explanation=[
        "Open payments are closed at their providers first. If one turns out to be paid, the order isn't canceled. Its "
        "promo code can be used again. A canceled order can't be paid."
    ],
    done="Orders canceled",
    decide=lambda order, values, request: cancel.cancel_order(order=order, by=actor_of(request, via="admin")),
    why_not=_why_not_cancel,
    effects=lambda order: [f"{money(order.total_cents)} for {order.account} on {order.site}."],
    is_dangerous=True,
)


def _correct(order: Order, values: Mapping[str, Any], request: HttpRequest) -> object:
    details = {name: value for name, value in values.items() if name != "vat_number"}
    return issuing.correct_invoice(
        order=order,
        billing=Billing(**details, country=order.country),
        vat_number=values["vat_number"],
        by=actor_of(request, via="admin"),
    )


def why_not_correct(order: Order) -> str:
    """Return why there is no invoice to correct, as a sentence, or an empty string."""
    return "" if issuing.current_invoice(order) else "The order has no invoice."


CORRECT = Decision(
    title="Correct billing details",
    explanation=[
        "Issued invoices never change. A credit note cancels this one and a new invoice "
        "with these details is issued. Both are emailed. No money moves, so country and VAT can't change."
    ],
    done="Invoices corrected",
    decide=_correct,
    why_not=why_not_correct,
)


class BillingForm(forms.Form):
    """The buyer's details on an invoice, except the country."""

    name = CleanTextField(max_length=120, widget=UnfoldAdminTextInputWidget)
    company = CleanTextField(max_length=120, required=False, widget=UnfoldAdminTextInputWidget)
    address = CleanTextField(
        max_length=400, required=False, multiline=True, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3})
    )
    postal_code = CleanTextField(max_length=16, required=False, widget=UnfoldAdminTextInputWidget)
    city = CleanTextField(max_length=120, required=False, widget=UnfoldAdminTextInputWidget)
    vat_number = CleanTextField(max_length=20, required=False, label="VAT number", widget=UnfoldAdminTextInputWidget)
    email = forms.EmailField(
        max_length=254,
        required=False,
        label="Billing email",
        widget=UnfoldAdminEmailInputWidget,
        help_text="Gets invoices in addition to the account's email address.",
    )


def correction_of(order: Order) -> Decision:
    """The decision to correct this order's invoice, filled with its current details."""
    known = {**order.billing, "postal_code": order.postal_code, "vat_number": order.vat_number}

    class FilledForm(BillingForm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.initial = {name: known.get(name, "") for name in self.fields}

    return replace(CORRECT, form=FilledForm)
