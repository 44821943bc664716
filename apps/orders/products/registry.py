"""The registry of products. A new one needs only a module in `products/kinds`."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from rest_framework import serializers

from apps.orders.models.catalog import PRODUCT_LABELS
from apps.orders.products import kinds
from apps.orders.products.amount import amount_option
from apps.orders.products.base import KINDS, ProductKind

for _module in iter_modules(kinds.__path__):
    import_module(f"{kinds.__name__}.{_module.name}")


def kind_of(name: str) -> ProductKind:
    """Return the product of this name, as used in catalog rows, order lines and placements."""
    return KINDS[name]


def all_kinds() -> list[ProductKind]:
    """Return every product, in the order of a new site's catalog."""
    return [KINDS[name] for name in PRODUCT_LABELS]


def option_fields() -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """Return the options of all products in the API, by name."""
    fields: dict[str, serializers.Field[Any, Any, Any, Any]] = {}
    for kind in all_kinds():
        fields |= kind.option_fields()
    return {**fields, "amount_cents": amount_option()}


def option_text(product: str, options: Mapping[str, Any], *, site_id: int) -> str:
    """Return a product's chosen options as people read them on the site."""
    return kind_of(product).option_text(options, site_id=site_id)
