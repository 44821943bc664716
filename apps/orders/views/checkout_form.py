"""The form of the checkout page."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms

from apps.core.text.countries import by_name
from apps.core.web.forms import CleanTextField
from apps.orders.countries import BILLING_COUNTRIES
from apps.orders.models import Order
from apps.orders.providers import Gateway
from apps.orders.views.order_context import mask

_BY_NAME = by_name(BILLING_COUNTRIES)


def _text(max_length: int, autocomplete: str, **kwargs: Any) -> CleanTextField:
    widget = forms.TextInput(attrs={"autocomplete": autocomplete})
    return CleanTextField(max_length=max_length, widget=widget, **kwargs)


class CheckoutForm(forms.Form):
    """Billing details, promo code, payment method and terms.

    With `is_paying` everything is required. For a new total, missing fields may be filled in later. The email address
    and the last order's details are shown only to the order's owner, because anyone with the URL can open the page.
    """

    name = _text(120, "name")
    company = _text(120, "organization", required=False)
    email = forms.EmailField(
        label="Email for the invoice",
        max_length=254,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    address = _text(200, "address-line1")
    postal_code = _text(16, "postal-code", required=False)
    city = _text(80, "address-level2")
    country = forms.ChoiceField(
        choices=[("", "Choose a country"), *_BY_NAME], widget=forms.Select(attrs={"autocomplete": "country"})
    )
    vat_number = CleanTextField(
        label="VAT number", max_length=20, required=False, help_text="For EU businesses, with the country prefix."
    )
    promo_code = CleanTextField(max_length=80, required=False)
    method = forms.ChoiceField(choices=[], error_messages={"required": "Choose a payment method."})
    terms = forms.BooleanField(error_messages={"required": "Accept the terms to continue."})

    def __init__(
        self,
        data: Any = None,
        *,
        order: Order,
        methods: Sequence[Gateway],
        is_owner: bool = False,
        is_paying: bool = False,
    ) -> None:
        previous = _previous(order) if is_owner and not order.billing else None
        super().__init__(data, initial=_initial(previous or order, order, is_owner=is_owner), label_suffix="")
        self.is_paying = is_paying
        # The total doesn't include the VAT of these details yet.
        self.is_prefilled = previous is not None
        method = cast("forms.ChoiceField", self.fields["method"])
        method.choices = [(gateway.key, gateway.title) for gateway in methods]
        self.fields["email"].help_text = _email_help(order, is_owner=is_owner)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.is_paying:
            for name in [name for name, errors in self.errors.items() if _is_only_missing(errors)]:
                del self.errors[name]
        return cleaned


def _is_only_missing(errors: Any) -> bool:
    return all(error.code in {"required", "invalid_choice"} for error in errors.as_data())


def _previous(order: Order) -> Order | None:
    """Return the account's last paid order, unless this one names another country or VAT number."""
    paid = Order.objects.filter(account=order.account_id, paid_at__isnull=False).exclude(billing={})
    previous: Order | None = paid.order_by("-paid_at", "-pk").first()
    if previous is None or order.country not in {"", previous.country}:
        return None
    return previous if order.vat_number in {"", previous.vat_number} else None


def _initial(billed: Order, order: Order, *, is_owner: bool) -> dict[str, Any]:
    return {
        **billed.billing,
        "email": billed.billing.get("email", "") if is_owner else "",
        "postal_code": billed.postal_code,
        "country": billed.country,
        "vat_number": billed.vat_number,
        "promo_code": order.promo_code,
    }


def _email_help(order: Order, *, is_owner: bool) -> str:
    if is_owner:
        return f"Leave empty to use {order.account.email}."
    return f"Leave empty to use {mask(order.billing.get('email') or order.account.email)}."
