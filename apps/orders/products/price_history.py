"""Saving products so that what a thing cost, and until when, can be looked up."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.forms.models import model_to_dict
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.orders.models import Product, ProductChange
from apps.orders.products.rules import check_product


@transaction.atomic
def save_product(*, product: Product, by: Actor) -> Product:
    """Save a product with a row of history for each field that changed;

    Orders that are built keep what they copied. Raises InvalidProduct (422); then nothing changes.
    """
    check_product(product)
    before = Product.objects.select_for_update().filter(pk=product.pk or 0).first()
    changed = list(_changes(before, product))
    product.save()
    now = timezone.now()
    ProductChange.objects.bulk_create(
        ProductChange(product=product, field=name, before=old, after=new, by=by.user, changed_at=now)
        for name, old, new in changed
    )
    return product


@transaction.atomic
def change_product(*, product_id: int, values: Mapping[str, Any], by: Actor) -> Product:
    """Save some fields of a product and leave the others as somebody else may have set them meanwhile.

    Raises InvalidProduct (422); then nothing changes.
    """
    product = Product.objects.select_for_update().get(pk=product_id)
    for name, value in values.items():
        setattr(product, name, value)
    return save_product(product=product, by=by)


def _changes(before: Product | None, after: Product) -> Iterator[tuple[str, Any, Any]]:
    old, new = model_to_dict(before) if before else {}, model_to_dict(after)
    for name in sorted(new.keys() - {"id"}):
        if before is None or old[name] != new[name]:
            yield name, old.get(name), new[name]
