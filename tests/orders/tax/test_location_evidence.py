"""Where a customer is: the items kept with the order, and what site admins see when they disagree."""

from typing import Any

import pytest

from apps.listings.models import Listing
from apps.orders.models import Order, SellerSettings
from apps.orders.tax import location_evidence
from tests.api import ApiClient
from tests.orders.carts import check_out, launch, start_paying

GERMAN, AMERICAN = "141.1.1.1", "8.8.8.8"


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    return check_out(owner, launch(listing), billing_country="DE")


@pytest.mark.parametrize(
    ("address", "country"),
    [
        (GERMAN, "DE"),
        (AMERICAN, "US"),
        (f"::ffff:{GERMAN}", "DE"),
        ("2001:4860:4860::8888", ""),
        ("127.0.0.1", ""),
        ("10.0.0.1", ""),
        ("255.255.255.255", ""),
        ("unknown", ""),
        ("", ""),
        ("1.2.3", ""),
        ("999.1.1.1", ""),
    ],
)
def test_the_country_of_an_address(address: str, country: str) -> None:
    assert location_evidence.country_of(address) == country


def test_two_items_are_kept_at_the_start_of_the_payment(order: Order) -> None:
    location_evidence.note_evidence(order, ip_address=GERMAN)
    order.refresh_from_db()
    assert order.evidence == [
        {"kind": "billing_address", "country": "DE", "postal_code": ""},
        {"kind": "ip_address", "country": "DE", "ip_address": GERMAN},
    ]
    assert location_evidence.agree(order)
    assert location_evidence.contradiction(order) == ""


def test_the_page_keeps_them(order: Order) -> None:
    start_paying(order)
    order.refresh_from_db()
    assert order.evidence[0] == {"kind": "billing_address", "country": "DE", "postal_code": "10115"}
    # The tests' own address is of no country.
    assert order.evidence[1] == {"kind": "ip_address", "country": "", "ip_address": "127.0.0.1"}


def test_the_payers_country_is_a_third_item(order: Order) -> None:
    location_evidence.note_evidence(order, ip_address=AMERICAN)
    assert not location_evidence.agree(order)
    said = location_evidence.contradiction(order)
    assert ("DE" in said, "US" in said) == (True, True)
    location_evidence.add_payer_country(order, "")
    assert len(order.evidence) == 2
    for country in ("FR", "de"):
        location_evidence.add_payer_country(order, country)
    order.refresh_from_db()
    assert [item["country"] for item in order.evidence] == ["DE", "US", "DE"]
    assert location_evidence.agree(order)
    assert location_evidence.contradiction(order) == ""


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"vat_treatment": "standard"}, True),
        # The VAT number proves where a business is.
        ({"vat_treatment": "reverse_charge"}, False),
    ],
)
def test_only_consumers_are_told_of(order: Order, changes: dict[str, Any], told: bool) -> None:
    location_evidence.note_evidence(order, ip_address=AMERICAN)
    for name, value in changes.items():
        setattr(order, name, value)
    assert bool(location_evidence.contradiction(order)) is told


def test_one_item_alone_contradicts_nothing_and_proves_nothing(order: Order) -> None:
    location_evidence.note_evidence(order, ip_address="2001:4860:4860::8888")
    assert (location_evidence.agree(order), location_evidence.contradiction(order)) == (False, "")


@pytest.mark.parametrize(("billed", "paid"), [("MC", "FR"), ("IC", "ES"), ("EA", "ES"), ("XI", "GB"), ("XK", "XK")])
def test_parts_of_a_vat_area_agree(order: Order, billed: str, paid: str) -> None:
    order.country = billed
    location_evidence.note_evidence(order, ip_address="")
    location_evidence.add_payer_country(order, paid)
    assert location_evidence.agree(order)
