"""A site's catalog: its products with their current options, and its initial rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import eu_vat_rates_data
from django.db import transaction

from apps.accounts.actors import SYSTEM
from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.listings.models import Category, Listing
from apps.orders.models import Product, VatRate
from apps.orders.products import price_history
from apps.orders.products.base import SHOWABLE, WEEKS_AHEAD, Offer, Stock
from apps.orders.products.placements.booking import taken_places
from apps.orders.products.registry import all_kinds, kind_of
from apps.sites.models import Site

RATES_FROM = date(2026, 1, 1)


def list_products(site: Site) -> tuple[list[Product], dict[str, Offer]]:
    """Return the products that can be bought on a site, with their offers by name."""
    products = list(Product.objects.on_sale(site))
    return products, offers_of(site, products)


@dataclass(frozen=True, slots=True)
class WeekSpots:
    """A launch week: free and paid spots left, and the weekly products with a spot.

    `free_left` is None before the first week of the free queue.
    """

    week: Week
    free_left: int | None
    paid_left: int
    bookable: list[str]

    @property
    def first_day(self) -> date:
        return self.week.starts_at.date()


def list_weeks(site: Site, *, count: int) -> tuple[list[WeekSpots], list[Product]]:
    """Return the spots of the next weeks, the current one first, and the products that are sold for them."""
    products, offers = list_products(site)
    weekly = Product.Unit.WEEK
    dated = [one for one in products if one.unit == weekly or kind_of(one.name).uses_launch_weeks]
    first_free = launch_weeks.first_free_week(site)
    return [
        WeekSpots(
            result.week,
            result.free_left if result.week >= first_free else None,
            result.paid_left,
            [product.name for product in dated if str(result.week) in offers[product.name].weeks],
        )
        for result in launch_weeks.places(site, first=launch_weeks.current_week(), count=count)
    ], dated


def offers_of(site: Site, products: Sequence[Product]) -> dict[str, Offer]:
    """Return the offer of each of these products of a site, by product name. Four queries, however many there are."""
    now = launch_weeks.current_week()
    weeks = [str(now + ahead) for ahead in range(WEEKS_AHEAD + 1)]
    stock = Stock(
        site=site,
        weeks=weeks,
        taken=taken_places(site_id=site.pk, weeks=weeks),
        categories=list(Category.objects.filter(site=site).order_by("position", "slug").values_list("slug", flat=True)),
    )
    return {product.name: kind_of(product.name).offer(product, stock) for product in products}


def listing_statuses() -> list[str]:
    """Return the statuses in which a listing can get a product, in the order of a listing's life."""
    return [status for status in Listing.Status.values if status in SHOWABLE]


def seed_products(site: Any, *, model: Any = Product) -> None:
    """Create a site's missing products. Existing ones keep their prices. `model` may be a migration's."""
    if model is Product:
        _seed_with_history(site)
        return
    model.objects.bulk_create([model(site=site, **fields) for fields in _first_rows()], ignore_conflicts=True)


def _first_rows() -> Iterator[dict[str, Any]]:
    for kind in all_kinds():
        yield {"name": kind.name, "unit": kind.unit.value, "position": kind.position, **kind.defaults}


@transaction.atomic
def _seed_with_history(site: Site) -> None:
    # Concurrent seeding of the same site waits here.
    Site.objects.select_for_update(no_key=True).get(pk=site.pk)
    there = set(Product.objects.filter(site=site).values_list("name", flat=True))
    for fields in _first_rows():
        if fields["name"] not in there:
            price_history.save_product(product=Product(site=site, **fields), by=SYSTEM)


def seed_vat_rates(*, model: Any = VatRate) -> None:
    """Save the Commission's standard rates. Existing rows stay. `model` may be a migration's."""
    rates = eu_vat_rates_data.get_all_rates()
    model.objects.bulk_create(
        [
            model(country=country, rate=round(rate["standard"] * 100), from_date=RATES_FROM)
            for country, rate in rates.items()
        ],
        ignore_conflicts=True,
    )
