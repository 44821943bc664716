"""An order is for the site of its listings, whatever site's endpoint was called."""

from typing import Any

import pytest
from django.test import Client

from apps.listings.models import Category, Listing
from apps.orders.models import Order, Product, PromoCode, SellerSettings
from apps.orders.products.catalog import seed_products
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory
from tests.orders.carts import check_out, launch, week

pytestmark = pytest.mark.db


@pytest.fixture
def other(site: Site) -> Site:
    """A second site that sells launches for a dollar, and promises 10% off."""
    other = SiteFactory.create(host="other.localhost", name="Otherwhere")
    seed_products(other)
    Product.objects.filter(site=other, name="launch").update(price_cents=100)
    PromoCode.objects.create(site=other, code="TEN", percent_off=1000)
    SellerSettings.objects.create(site=other, legal_name="Otherwhere AG", address="Bern", country="CH")
    return other


@pytest.fixture
def theirs(owner: ApiClient, other: Site) -> Listing:
    return ListingFactory.create(company__owner=owner.user, site=other)


def test_prices_codes_and_seller_are_the_listings_sites(owner: ApiClient, theirs: Listing, other: Site) -> None:
    answer = owner.post("/orders/quote", {"items": [launch(theirs)], "promo_code": "TEN"})
    assert answer.status_code == 200, answer.json()
    assert (answer.json()["site"], answer.json()["total_cents"]) == (other.key, 90)
    order = check_out(owner, launch(theirs), promo_code="TEN")
    assert (order.site, order.seller["legal_name"]) == (other, "Otherwhere AG")


def test_the_checkout_address_is_on_that_site_and_works(client: Client, owner: ApiClient, theirs: Listing) -> None:
    body = owner.post("/orders/checkout", {"items": [launch(theirs)]}).json()
    assert body["checkout_url"].startswith(f"{theirs.site.base_url}/checkout/")
    path = body["checkout_url"].removeprefix(theirs.site.base_url)
    assert client.get(path, headers={"Host": "other.localhost"}).status_code == 200
    assert client.get(path).status_code == 404
    order = owner.get(f"/orders/{body['number']}").json()
    assert (order["site"], order["checkout_url"]) == (theirs.site.key, body["checkout_url"])


def test_spots_and_categories_are_that_sites(owner: ApiClient, theirs: Listing, other: Site) -> None:
    Product.objects.filter(site=other, name="billboard").update(capacity=0)
    Category.objects.create(site=other, slug="only-there", name="Only there")
    full = {"product": "billboard", "listing_id": theirs.pk, "weeks": [week(1)]}
    assert owner.post("/orders/quote", {"items": [full]}).json()["errors"][0]["code"] == "week_full"
    item = {"product": "category_feature", "listing_id": theirs.pk, "weeks": [week(1)], "categories": ["only-there"]}
    assert owner.post("/orders/quote", {"items": [item]}).status_code == 200


@pytest.mark.parametrize("path", ["/orders/quote", "/orders/checkout"])
def test_two_sites_are_refused_with_both_addresses(
    owner: ApiClient, listing: Listing, theirs: Listing, path: str
) -> None:
    answer = owner.post(path, {"items": [launch(listing), launch(theirs)], "vat_number": "DE136695976"})
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert (error["code"], error["pointer"]) == ("two_sites", "/items/1")
    for site in (listing.site, theirs.site):
        assert f"{site.name} ({site.base_url})" in error["detail"]
    assert not Order.objects.exists()


@pytest.mark.parametrize("is_first", [True, False])
def test_an_item_without_its_listing_is_told_so_beside_another_sites(
    owner: ApiClient, theirs: Listing, is_first: bool
) -> None:
    bare = {"product": "section_faq"}
    items = [bare, launch(theirs)] if is_first else [launch(theirs), bare]
    (error,) = owner.post("/orders/quote", {"items": items}).json()["errors"]
    assert (error["code"], error["pointer"]) == ("listing_required", f"/items/{items.index(bare)}/listing_id")


def test_what_needs_no_listing_is_bought_where_it_was_asked(
    owner: ApiClient, listing: Listing, theirs: Listing
) -> None:
    slot: dict[str, Any] = {"product": "newsletter_slot", "weeks": [week(1)]}
    Product.objects.filter(name="newsletter_slot").update(needs_listing=False)
    assert check_out(owner, slot).site == listing.site
    assert check_out(ApiClient(owner.user, key=owner.key, host="other.localhost"), slot).site == theirs.site
    answer = owner.post("/orders/quote", {"items": [slot, launch(theirs)]})
    assert answer.json()["errors"][0]["code"] == "two_sites"
    assert check_out(owner, {**slot, "listing_id": theirs.pk}, launch(theirs)).site == theirs.site


def test_others_listings_say_nothing(other_owner: ApiClient, theirs: Listing) -> None:
    (error,) = other_owner.post("/orders/quote", {"items": [launch(theirs)]}).json()["errors"]
    assert error["code"] == "listing_not_found"
    assert "Otherwhere" not in error["detail"]
