"""The products that there is code for. A module in `products/kinds` is all that a new one needs."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from rest_framework import serializers

from apps.orders.models.catalogue import PRODUCT_LABELS
from apps.orders.products import kinds
from apps.orders.products.amount import amount_option
from apps.orders.products.base import KINDS, ProductKind

for _module in iter_modules(kinds.__path__):
    import_module(f"{kinds.__name__}.{_module.name}")


def kind_of(name: str) -> ProductKind:
    """The product of this name, as catalogue rows, order lines and placements have it."""
    return KINDS[name]


def all_kinds() -> list[ProductKind]:
    """Every product, in the order of a new site's catalogue."""
    return [KINDS[name] for name in PRODUCT_LABELS]


def option_fields() -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """The options of all products in the API, by name."""
    fields: dict[str, serializers.Field[Any, Any, Any, Any]] = {}
    for kind in all_kinds():
        fields |= kind.option_fields()
    return {**fields, "amount_cents": amount_option()}


def option_text(product: str, options: Mapping[str, Any]) -> str:
    """What was chosen for a product, as people read it."""
    return kind_of(product).option_text(options)
