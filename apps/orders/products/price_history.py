"""Save products with a price history that can be looked up and restored."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.forms.models import model_to_dict

from apps.accounts.actors import SYSTEM, Actor
from apps.core.versions.differences import changes_between
from apps.orders.models import Product, ProductVersion
from apps.orders.products.rules import check_product

# Orders and placements know a product by these.
_SETTLED = frozenset({"site", "name", "unit"})


def snapshot_of(product: Product) -> dict[str, Any]:
    """Return the fields that the history keeps, by name."""
    return {name: value for name, value in sorted(model_to_dict(product).items()) if name != "id"}


@transaction.atomic
def save_product(*, product: Product, by: Actor, restored_from: ProductVersion | None = None) -> Product:
    """Save a product with a version of what changed. One without a history first gets its former state.

    Existing orders keep what they copied. Raises InvalidProduct (422). Then nothing changes.
    """
    check_product(product)
    saved = Product.objects.select_for_update().filter(pk=product.pk or 0).first()
    before, after = snapshot_of(saved) if saved else {}, snapshot_of(product)
    product.save()
    if changes := changes_between(before, after):
        if saved and not saved.versions.exists():
            ProductVersion.keep(product=product, by=SYSTEM, snapshot=before)
        ProductVersion.keep(product=product, by=by, changes=changes, snapshot=after, restored_from=restored_from)
    return product


@transaction.atomic
def change_product(
    *, product_id: int, values: Mapping[str, Any], by: Actor, restored_from: ProductVersion | None = None
) -> Product:
    """Save some fields of a product, and keep concurrent changes to the others.

    Raises InvalidProduct (422). Then nothing changes.
    """
    product = Product.objects.select_for_update().get(pk=product_id)
    for name, value in values.items():
        setattr(product, name, value)
    return save_product(product=product, by=by, restored_from=restored_from)


def restore_product(*, version: ProductVersion, by: Actor) -> Product:
    """Restore a product to a version, as a new version. Raises InvalidProduct (422) by the current rules."""
    return change_product(product_id=version.product_id, values=_restored_values(version), by=by, restored_from=version)


def is_sold_as(version: ProductVersion) -> bool:
    """Return whether the product equals this version."""
    now = snapshot_of(version.product)
    return all(now[name] == value for name, value in _restored_values(version).items())


def _restored_values(version: ProductVersion) -> dict[str, Any]:
    names = snapshot_of(version.product).keys() - _SETTLED
    return {name: value for name, value in version.snapshot.items() if name in names}
