"""States and constraints: what cannot be, cannot be."""

from itertools import product
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.core.states import IllegalTransition
from apps.listings.models import Listing
from apps.orders.models import Order, OrderLine, Payment, Product, PromoCode, VatRate
from apps.orders.products.catalog import seed_products, seed_vat_rates
from apps.sites.models import Site
from tests.api import ApiClient
from tests.orders.carts import check_out, launch

MODELS: list[Any] = [Order, OrderLine, Payment]


@pytest.mark.parametrize("model", MODELS)
def test_the_whole_matrix_of_transitions(model: Any) -> None:
    assert set(model.TRANSITIONS) == set(model.Status)
    for before, after in product(model.Status, repeat=2):
        row = model(status=before)
        if after == before or after in model.TRANSITIONS[before]:
            row.check_move(after)
        else:
            with pytest.raises(IllegalTransition):
                row.move_to(after)
            assert row.status == before


@pytest.mark.parametrize(
    "change",
    [
        {"total_cents": 1},
        {"discount_cents": 1},
        {"vat_cents": 5},
        {"net_cents": -1, "subtotal_cents": -1, "total_cents": -1},
        {"status": "paid"},
    ],
)
def test_an_order_that_does_not_add_up_cannot_be_saved(
    owner: ApiClient, listing: Listing, change: dict[str, Any]
) -> None:
    order = check_out(owner, launch(listing))
    with pytest.raises(IntegrityError), transaction.atomic():
        Order.objects.filter(pk=order.pk).update(**change)


@pytest.mark.parametrize(
    "change",
    [{"status": "fulfilled"}, {"status": "failed"}, {"discount_cents": 1}, {"quantity": 0}, {"unit_price_cents": -1}],
)
def test_a_line_that_does_not_add_up_cannot_be_saved(
    owner: ApiClient, listing: Listing, change: dict[str, Any]
) -> None:
    line = check_out(owner, launch(listing)).lines.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        OrderLine.objects.filter(pk=line.pk).update(**change)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"percent_off": 1, "amount_off_cents": 1},
        {"percent_off": 0},
        {"percent_off": 10_001},
        {"amount_off_cents": 0},
        {"percent_off": 1, "max_uses": 1, "used": 2},
        {"percent_off": 1, "code": " \u200b"},
    ],
)
def test_a_code_that_makes_no_sense_cannot_be_saved(site: Site, fields: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        PromoCode.objects.create(site=site, **{"code": "X", **fields})


def test_codes_that_read_the_same_are_the_same(site: Site) -> None:
    PromoCode.objects.create(site=site, code="Launch 20", percent_off=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        PromoCode.objects.create(site=site, code="launch20", percent_off=1)


def test_seeding_again_changes_nothing(site: Site) -> None:
    Product.objects.filter(site=site).update(price_cents=1)
    VatRate.objects.filter(country="DE").update(rate=1600)
    before = VatRate.objects.count()
    seed_products(site)
    seed_vat_rates()
    assert set(Product.objects.filter(site=site).values_list("price_cents", flat=True)) == {1}
    assert (VatRate.objects.get(country="DE").rate, VatRate.objects.count()) == (1600, before)
