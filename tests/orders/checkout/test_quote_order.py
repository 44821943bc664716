from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.listings.models import Listing
from apps.orders.fulfillment.services import fulfill_order
from apps.orders.models import Order, Placement, Product, PromoUse, SellerSettings
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders.carts import check_out, launch, pay, week
from tests.orders.vies_server import ViesServer

pytestmark = pytest.mark.db

GERMAN = "DE136695976"


def quote(client: ApiClient, *items: Any, **fields: Any) -> Any:
    return client.post("/orders/quote", {"items": list(items), **fields})


def refused(answer: Any) -> list[tuple[str, str]]:
    assert answer.status_code == 422, answer.json()
    return [(error["code"], error["pointer"]) for error in answer.json()["errors"]]


def test_a_launch_with_vat(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    answer = quote(owner, launch(listing, week=week(2)), billing_country="FI")
    assert answer.status_code == 200
    body = answer.json()
    assert body.pop("current_week")["week"] == week()
    assert body == {
        "site": listing.site.key,
        "items": [
            {
                "product": "launch",
                "title": "Launch",
                "listing_id": listing.pk,
                "listing_name": listing.company.name,
                "options": {"week": week(2)},
                "quantity": 1,
                "unit_price_cents": 9900,
                "net_cents": 9900,
                "discount_cents": 0,
                "vat_cents": 2525,
                "total_cents": 12425,
            }
        ],
        "promo": None,
        "subtotal_cents": 9900,
        "discount_cents": 0,
        "net_cents": 9900,
        "vat": {
            "country": "FI",
            "rate": 2550,
            "amount_cents": 2525,
            "treatment": "standard",
            "vat_number_status": None,
        },
        "total_cents": 12425,
        "currency": "usd",
        "notices": [],
    }


def test_without_a_country_vat_is_null(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    body = quote(owner, launch(listing, week=week(2))).json()
    assert body["vat"] == {
        "country": None,
        "rate": None,
        "amount_cents": None,
        "treatment": "unknown_country",
        "vat_number_status": None,
    }
    assert (body["items"][0]["vat_cents"], body["total_cents"]) == (None, 9900)
    assert "billing_country" in body["notices"][0]


def test_a_site_without_seller_charges_no_vat(owner: ApiClient, listing: Listing) -> None:
    assert quote(owner, launch(listing), billing_country="DE").json()["vat"]["treatment"] == "not_registered"


def test_a_valid_number_gives_reverse_charge(
    owner: ApiClient, listing: Listing, seller: SellerSettings, vies: ViesServer
) -> None:
    vat = quote(owner, launch(listing), billing_country="DE", vat_number=GERMAN).json()["vat"]
    assert (vat["treatment"], vat["amount_cents"], vat["vat_number_status"]) == ("reverse_charge", 0, "valid")


def test_vies_down_charges_and_says_so(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    body = quote(owner, launch(listing, week=week(2)), billing_country="DE", vat_number=GERMAN).json()
    assert (body["vat"]["treatment"], body["vat"]["vat_number_status"]) == ("standard", "unavailable")
    assert "check again at payment" in body["notices"][0]


def test_placements_by_the_week(owner: ApiClient, listing: Listing, site: Site) -> None:
    body = quote(
        owner,
        {
            "product": "category_feature",
            "listing_id": listing.pk,
            "options": {"weeks": [week(2), week(0)], "categories": ["design", "privacy"]},
        },
        {"product": "billboard", "listing_id": listing.pk, "weeks": [week(52)], "amount_cents": 50000, "quantity": 1},
        {"product": "newsletter_slot", "listing_id": listing.pk, "quantity": 2, "weeks": [week(1), week(2)]},
    ).json()
    assert [item["quantity"] for item in body["items"]] == [2, 1, 2]
    assert [item["net_cents"] for item in body["items"]] == [9800, 50000, 29800]
    assert body["items"][0]["options"]["weeks"] == [week(0), week(2)]
    assert body["subtotal_cents"] == 89600


def test_nothing_is_saved(owner: ApiClient, listing: Listing) -> None:
    assert quote(owner, launch(listing)).status_code == 200
    assert not Order.objects.exists()
    assert not PromoUse.objects.exists()


def test_prices_are_those_of_now(owner: ApiClient, listing: Listing, site: Site) -> None:
    Product.objects.filter(site=site, name="launch").update(price_cents=100)
    assert quote(owner, launch(listing)).json()["total_cents"] == 100


STRICT = [
    ({"listing_id": "1"}, "listing_id"),
    ({"listing_id": 1.5}, "listing_id"),
    ({"listing_id": True}, "listing_id"),
    ({"listing_id": "１"}, "listing_id"),
    ({"listing_id": 0}, "listing_id"),
    ({"listing_id": 2**63}, "listing_id"),
    ({"listing_id": None}, "listing_id"),
    ({"quantity": "1"}, "quantity"),
    ({"quantity": 0}, "quantity"),
    ({"quantity": -1}, "quantity"),
    ({"quantity": 2}, "quantity"),
    ({"quantity": 2**63}, "quantity"),
    ({"product": "lunch"}, "product"),
    ({"product": 1}, "product"),
    ({"product": ["launch"]}, "product"),
    ({"listing": 1}, "listing"),
    ({"options": []}, "options"),
    ({"options": {"weak": "now"}}, "options/weak"),
    ({"options": {"week": 46}}, "options/week"),
    ({"options": {"week": "now"}, "week": "now"}, "week"),
    ({"options": {"weeks": ["2026-W46"]}}, "options/weeks"),
    ({"categories": ["ai"]}, "categories"),
    ({"amount_cents": 9900}, "amount_cents"),
    ({"week": "2026-W54"}, "week"),
    ({"week": "2026W46"}, "week"),
    ({"week": "2019-W01"}, "week"),
    ({"week": "9999-W01"}, "week"),
    ({"week": ""}, "week"),
]


@pytest.mark.parametrize(("change", "pointer"), STRICT)
def test_a_wrong_launch_item_is_refused_by_name(
    owner: ApiClient, listing: Listing, change: dict[str, Any], pointer: str
) -> None:
    answer = quote(owner, {**launch(listing), **change})
    assert f"/items/0/{pointer}" in [pointer for _, pointer in refused(answer)]


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"weeks": None}, "too_few_weeks", "weeks"),
        ({"weeks": []}, "too_few_weeks", "weeks"),
        ({"weeks": ["now"]}, "invalid_week", "weeks/0"),
        ({"weeks": [week(-1)]}, "invalid_week", "weeks/0"),
        ({"weeks": [week(53)]}, "invalid_week", "weeks/0"),
        ({"weeks": [week(1), week(1)]}, "week_twice", "weeks"),
        ({"weeks": week(1)}, "not_a_list", "weeks"),
        ({"categories": []}, "invalid_categories", "categories"),
        ({"categories": ["design", "design"]}, "invalid_categories", "categories"),
        ({"categories": ["nonsense"]}, "category_unknown", "categories/0"),
        ({"categories": ["ai", "design", "privacy", "media"]}, "max_length", "categories"),
        ({"week": "now"}, "unknown_option", "week"),
    ],
)
def test_a_wrong_placement_is_refused_by_name(
    owner: ApiClient, listing: Listing, change: dict[str, Any], code: str, pointer: str
) -> None:
    item = {"product": "category_feature", "listing_id": listing.pk, "weeks": [week(1)], "categories": ["design"]}
    assert (code, f"/items/0/{pointer}") in refused(quote(owner, {**item, **change}))


@pytest.mark.parametrize(
    ("amount", "status"), [(29899, 422), (29900, 200), (10_000_000, 200), (10_000_001, 422), ("29900", 422)]
)
def test_the_billboard_has_a_minimum(owner: ApiClient, listing: Listing, amount: Any, status: int) -> None:
    item = {"product": "billboard", "listing_id": listing.pk, "weeks": [week(1)], "amount_cents": amount}
    assert quote(owner, item).status_code == status


def test_every_wrong_item_is_named(owner: ApiClient, listing: Listing) -> None:
    answer = quote(
        owner,
        launch(listing, week="2019-W01"),
        {"product": "newsletter_slot", "listing_id": listing.pk},
        {"product": "section_faq"},
    )
    assert refused(answer) == [
        ("invalid_week", "/items/0/week"),
        ("too_few_weeks", "/items/1/weeks"),
        ("listing_required", "/items/2/listing_id"),
    ]


@pytest.mark.parametrize(
    "body",
    [{}, {"items": []}, {"items": {}}, {"items": "launch"}, {"items": [1]}, {"items": None}, {"item": []}],
)
def test_a_body_without_items_is_refused(owner: ApiClient, body: Any) -> None:
    assert owner.post("/orders/quote", body).status_code == 422


def test_at_most_fifty_items(owner: ApiClient, listing: Listing) -> None:
    items = [{"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(ahead)]} for ahead in range(51)]
    assert refused(quote(owner, *items)) == [("max_length", "/items")]
    with CaptureQueriesContext(connection) as queries:
        assert quote(owner, *items[:50]).status_code == 200
    assert len(queries) < 15


@pytest.mark.parametrize("country", ["ZZ", "DEU", "d", 5, "日本"])
def test_a_country_that_is_none(owner: ApiClient, listing: Listing, country: Any) -> None:
    answer = quote(owner, launch(listing), billing_country=country)
    assert refused(answer)[0][1] == "/billing_country"


@pytest.mark.parametrize(("typed", "shown"), [("de", "DE"), ("EL", "GR"), ("uk", "GB"), (" xi ", "XI"), ("", None)])
def test_how_a_country_is_spelt(owner: ApiClient, listing: Listing, typed: str, shown: str | None) -> None:
    assert quote(owner, launch(listing), billing_country=typed).json()["vat"]["country"] == shown


def test_listings_of_others_are_not_there(other_owner: ApiClient, listing: Listing) -> None:
    answer = quote(other_owner, launch(listing))
    assert refused(answer) == [("listing_not_found", "/items/0/listing_id")]
    assert answer.json()["code"] == "listing_not_found"


@pytest.mark.parametrize(
    ("status", "code"),
    [("in_review", "not_launchable"), ("rejected", "not_launchable"), ("archived", "not_launchable")],
)
def test_a_listing_that_cannot_be_launched(owner: ApiClient, listing: Listing, status: str, code: str) -> None:
    Listing.objects.filter(pk=listing.pk).update(status=status)
    assert refused(quote(owner, launch(listing))) == [(code, "/items/0/listing_id")]


def test_a_live_paid_listing_needs_no_launch(owner: ApiClient, site: Site) -> None:
    live = ListingFactory.create(company__owner=owner.user, live=True, plan="paid")
    assert refused(quote(owner, launch(live))) == [("already_live", "/items/0/listing_id")]


def test_a_queued_free_listing_can_be_upgraded(owner: ApiClient, listing: Listing) -> None:
    Listing.objects.filter(pk=listing.pk).update(status="scheduled", plan="free", launch_week=week(4))
    assert quote(owner, launch(listing)).status_code == 200
    Listing.objects.filter(pk=listing.pk).update(plan="paid")
    assert refused(quote(owner, launch(listing))) == [("already_bought", "/items/0/listing_id")]


def test_an_open_section_is_not_sold_again(owner: ApiClient, listing: Listing) -> None:
    Listing.objects.filter(pk=listing.pk).update(unlocked_sections=["faq"])
    answer = quote(owner, {"product": "section_faq", "listing_id": listing.pk})
    assert refused(answer) == [("already_unlocked", "/items/0/listing_id")]


def test_the_same_thing_twice_is_refused(owner: ApiClient, listing: Listing) -> None:
    assert refused(quote(owner, launch(listing), launch(listing, week=week(2)))) == [("duplicate_item", "/items/1")]
    slot = {"product": "newsletter_slot", "listing_id": listing.pk}
    assert quote(owner, {**slot, "weeks": [week(1)]}, {**slot, "weeks": [week(2)]}).status_code == 200
    twice = quote(owner, {**slot, "weeks": [week(1)]}, {**slot, "weeks": [week(2), week(1)]})
    assert refused(twice) == [("duplicate_item", "/items/1")]


def test_a_full_launch_week_is_refused(owner: ApiClient, listing: Listing, site: Site) -> None:
    Site.objects.update(paid_places_per_week=0)
    assert refused(quote(owner, launch(listing, week=week(3)))) == [("week_full", "/items/0/week")]


def test_full_placements_are_refused(owner: ApiClient, listing: Listing, site: Site) -> None:
    item = {"product": "category_feature", "listing_id": listing.pk, "weeks": [week(1)], "categories": ["design"]}
    line = check_out(owner, item).lines.get()
    Product.objects.filter(site=site, name="category_feature").update(capacity=1)
    Placement.objects.create(
        line=line, site=site, product=line.product, week=week(1), categories=["design", "media"], amount_cents=1
    )
    assert refused(quote(owner, item)) == [("week_full", "/items/0/weeks/0")]
    assert quote(owner, {**item, "categories": ["privacy"]}).status_code == 200
    assert quote(owner, {**item, "weeks": [week(2)]}).status_code == 200


def test_what_is_not_sold_now(owner: ApiClient, listing: Listing, site: Site) -> None:
    Product.objects.filter(site=site, name="launch").update(is_active=False)
    assert refused(quote(owner, launch(listing))) == [("product_unavailable", "/items/0/product")]


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b'{"items":[{"product":"launch","listing_id":1' + b"0" * 40 + b"}]}", 422),
        (b'{"items":' + b"[" * 200 + b"]" * 200 + b"}", 400),
        (b'{"items":[{"product":"launch","listing_id":NaN}]}', 400),
        (b'{"items":["' + b"x" * 300_000 + b'"]}', 413),
        (b'{"promo_code":"\\u0000"}', 400),
    ],
)
def test_odd_bodies_are_never_an_error_of_ours(owner: ApiClient, raw: bytes, status: int) -> None:
    assert owner.post("/orders/quote", raw).status_code == status


def test_a_section_that_the_paid_launch_shows_is_not_sold(owner: ApiClient, site: Site) -> None:
    paid = ListingFactory.create(company__owner=owner.user, site=site, live=True, plan=Listing.Plan.PAID)
    item = {"product": "section_faq", "listing_id": paid.pk}
    assert refused(quote(owner, item)) == [("included", "/items/0/listing_id")]


def test_items_of_one_order_take_spots_from_each_other(owner: ApiClient, listing: Listing, site: Site) -> None:
    Product.objects.filter(site=site, name="newsletter_slot").update(capacity=1)
    other = ListingFactory.create(company__owner=owner.user, site=site)
    items = [{"product": "newsletter_slot", "listing_id": one.pk, "weeks": [week(1)]} for one in (listing, other)]
    assert refused(quote(owner, *items)) == [("week_full", "/items/1/weeks/0")]


def test_a_placement_that_the_listing_has_is_not_sold_again(owner: ApiClient, listing: Listing) -> None:
    item = {"product": "billboard", "listing_id": listing.pk, "weeks": [week(2)]}
    order = pay(check_out(owner, item))
    fulfill_order(order.pk)
    again = {**item, "weeks": [week(1), week(2)]}
    assert refused(quote(owner, again)) == [("already_booked", "/items/0/weeks/1")]


def test_a_section_beside_its_launch_is_said_to_be_needless(owner: ApiClient, listing: Listing) -> None:
    section = {"product": "section_faq", "listing_id": listing.pk}
    said = quote(owner, launch(listing), section).json()["notices"]
    assert listing.company.name in said[0]
    assert "FAQ" in said[0]
    assert not any("leave it out" in notice for notice in quote(owner, section).json()["notices"])
