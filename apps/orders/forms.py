"""The form of the checkout page."""

from collections.abc import Sequence
from typing import Any

from django import forms

from apps.core.countries import COUNTRIES
from apps.core.forms import CleanTextField
from apps.orders.models import Order
from apps.orders.payments import Gateway

_BY_NAME = sorted(COUNTRIES.items(), key=lambda entry: entry[1].replace("Å", "A"))


class CheckoutForm(forms.Form):
    """Billing details, promo code, way to pay and terms.

    With `is_paying` everything has to be there; for a new total, what is missing may be filled in later.
    """

    name = CleanTextField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    company = CleanTextField(
        max_length=120, required=False, widget=forms.TextInput(attrs={"autocomplete": "organization"})
    )
    address = CleanTextField(max_length=200, widget=forms.TextInput(attrs={"autocomplete": "street-address"}))
    postal_code = CleanTextField(
        max_length=16, required=False, widget=forms.TextInput(attrs={"autocomplete": "postal-code"})
    )
    city = CleanTextField(max_length=80, widget=forms.TextInput(attrs={"autocomplete": "address-level2"}))
    country = forms.ChoiceField(
        choices=[("", "Choose a country"), *_BY_NAME], widget=forms.Select(attrs={"autocomplete": "country"})
    )
    vat_number = CleanTextField(
        label="VAT number", max_length=20, required=False, help_text="For businesses in the EU, with its prefix."
    )
    promo_code = CleanTextField(max_length=80, required=False)
    method = forms.ChoiceField(choices=[], error_messages={"required": "Choose how to pay."})
    terms = forms.BooleanField(error_messages={"required": "Accept the terms to go on."})

    def __init__(self, data: Any = None, *, order: Order, methods: Sequence[Gateway], is_paying: bool = False) -> None:
        super().__init__(data, initial=_initial(order), label_suffix="")
        self.is_paying = is_paying
        method = self.fields["method"]
        method.choices = [(gateway.key, gateway.title) for gateway in methods]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.is_paying:
            for name in [name for name, errors in self.errors.items() if _is_only_missing(errors)]:
                del self.errors[name]
        return cleaned


def _is_only_missing(errors: Any) -> bool:
    return all(error.code in {"required", "invalid_choice"} for error in errors.as_data())


def _initial(order: Order) -> dict[str, Any]:
    return {
        **order.billing,
        "postal_code": order.postal_code,
        "country": order.country,
        "vat_number": order.vat_number,
        "promo_code": order.promo_code,
    }
