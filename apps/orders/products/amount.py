"""The option `amount_cents` of products whose buyers choose the price per unit."""

from typing import Any

from django import forms

from apps.core.api.serializers import StrictIntegerField
from apps.core.templatetags.ui import money, price
from apps.orders.models import Product
from apps.orders.products.item_check import ItemCheck

# Fifty items of a year each stay far below the column's maximum.
MAX_AMOUNT_CENTS = 100_000_00


def default_amount(product: Product) -> int:
    """Return the default price in cents."""
    return max(product.price_cents, product.min_amount_cents or 0)


def amount_option() -> StrictIntegerField:
    """The option in the API."""
    return StrictIntegerField(
        required=False, min_value=1, max_value=MAX_AMOUNT_CENTS, help_text="For billboard: US cents per week."
    )


def amount_property(product: Product) -> dict[str, Any]:
    """The option in the JSON Schema of an item's options."""
    return {
        "type": "integer",
        "minimum": product.min_amount_cents,
        "maximum": MAX_AMOUNT_CENTS,
        "default": default_amount(product),
        "description": f"US cents you pay{per_unit(product)}, excluding VAT.",
    }


def check_amount(item: ItemCheck) -> int:
    """Return the named price, or the default. A price out of range is a problem."""
    low, high = item.product.min_amount_cents or 0, MAX_AMOUNT_CENTS
    amount: int = item.options.get("amount_cents", default_amount(item.product))
    if not low <= amount <= high:
        detail = f"Send an amount_cents from {low} to {high} ({money(low)} to {money(high)}{per_unit(item.product)})."
        item.refuse("amount_out_of_range", detail, "amount_cents")
    return amount


def amount_field(product: Product) -> forms.DecimalField:
    """The option on the buy page, in dollars."""
    minimum, default = product.min_amount_cents or 0, default_amount(product)
    return forms.DecimalField(
        label="Your price per week in US dollars",
        required=False,
        min_value=minimum / 100,
        max_value=MAX_AMOUNT_CENTS / 100,
        max_digits=9,
        decimal_places=2,
        initial=f"{default // 100}.{default % 100:02d}",
        help_text=f"{money(minimum)} or more. The highest price appears first.",
        error_messages={
            "min_value": f"Use {money(minimum)} or more.",
            "max_value": f"Use {money(MAX_AMOUNT_CENTS)} or less.",
        },
    )


def price_text(product: Product) -> str:
    """Return the price as people read it before they choose: `$99`, or `from $299 a week`."""
    start = "from " if product.min_amount_cents is not None else ""
    return f"{start}{price(default_amount(product))}{per_unit(product)}"


def per_unit(product: Product) -> str:
    return " a week" if product.unit == Product.Unit.WEEK else ""
