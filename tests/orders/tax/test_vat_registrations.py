"""Where and from when a seller charges VAT: its registrations, the One Stop Shop, and rates that change."""

from dataclasses import asdict
from datetime import date, timedelta

import pytest
from django.utils import timezone

from apps.listings.models import Listing
from apps.orders.models import Order, SellerSettings, VatRate, VatRegistration
from apps.orders.tax.vat import NumberStatus, Seller, rate_of
from apps.sites.models import Site
from tests.api import ApiClient
from tests.orders.carts import check_out, launch, press_pay, update_total
from tests.orders.vat_cases import (
    NOT_REGISTERED,
    OUTSIDE_SCOPE,
    REVERSE_CHARGE,
    local,
    oss,
    registered,
    sell,
    sold_by,
    told,
)

pytestmark = pytest.mark.db

ORIGIN = SellerSettings.OssMode.ORIGIN.value
FIRST, LAST = date(2026, 11, 1), date(2026, 11, 30)
BEFORE, AFTER = FIRST - timedelta(days=1), LAST + timedelta(days=1)
BOUNDS = (FIRST.isoformat(), LAST.isoformat())


def test_a_registration_at_home_bounds_when_vat_is_charged(db: None) -> None:
    seller = sold_by("EE", registered("local", "EE", *BOUNDS))
    for country, status in [("EE", None), ("DE", None), ("DE", NumberStatus.VALID), ("US", None), (None, None)]:
        for day in (BEFORE, AFTER):
            assert told(sell(country, status=status, seller=seller, on=day)) == NOT_REGISTERED
    for day in (FIRST, LAST):
        assert told(sell("EE", seller=seller, on=day)) == local("EE")
        assert told(sell("DE", seller=seller, on=day)) == oss("DE")
        assert told(sell("DE", status=NumberStatus.VALID, seller=seller, on=day)) == REVERSE_CHARGE


def test_a_registration_without_end(db: None) -> None:
    seller = sold_by("EE", registered("local", "EE", "2026-11-01"))
    assert told(sell("EE", seller=seller, on=BEFORE)) == NOT_REGISTERED
    assert told(sell("EE", seller=seller, on=date(2031, 1, 1))) == local("EE")


def test_a_break_between_two_registrations(db: None) -> None:
    seller = sold_by("EE", registered("local", "EE", "2026-01-01", "2026-03-31"), registered("local", "EE", *BOUNDS))
    days = [date(2026, 3, 31), date(2026, 4, 1), BEFORE, FIRST]
    assert [sell("EE", seller=seller, on=day).rate for day in days] == [2400, 0, 0, 2400]


def test_a_registration_abroad_makes_it_local_there(db: None) -> None:
    seller = sold_by("EE", registered("local", "DE", *BOUNDS))
    for day in (FIRST, LAST):
        assert told(sell("DE", seller=seller, on=day)) == local("DE")
        assert told(sell("FR", seller=seller, on=day)) == oss("FR")
        assert told(sell("EE", seller=seller, on=day)) == local("EE")
        assert told(sell("DE", status=NumberStatus.VALID, seller=seller, on=day)) == REVERSE_CHARGE
    for day in (BEFORE, AFTER):
        assert told(sell("DE", seller=seller, on=day)) == oss("DE")


def test_a_registration_abroad_holds_below_the_threshold_too(db: None) -> None:
    seller = sold_by("EE", registered("local", "DE"), oss_mode=ORIGIN)
    assert told(sell("DE", seller=seller)) == local("DE")
    assert told(sell("HU", seller=seller)) == local("EE")


@pytest.mark.parametrize(("country", "rate"), [("GB", 2000), ("IM", 2000), ("XI", 2000), ("CH", 810), ("NO", 2500)])
def test_a_registration_outside_the_eu(db: None, country: str, rate: int) -> None:
    place = "GB" if country in {"IM", "XI"} else country
    seller = sold_by("EE", registered("local", place))
    assert told(sell(country, seller=seller)) == local(place, rate)
    checked = sell(country, status=NumberStatus.NOT_CHECKED, seller=seller)
    assert told(checked) == local(place, rate)
    assert "be checked" in checked.notices[0]
    assert told(sell("US", seller=seller)) == OUTSIDE_SCOPE


def test_the_one_stop_shop_from_a_day_on(db: None) -> None:
    """Before and after it the seller's own rate holds, as for everybody who is below the threshold."""
    seller = sold_by("EE", registered("oss", "EE", *BOUNDS))
    for day in (BEFORE, AFTER):
        assert told(sell("DE", seller=seller, on=day)) == local("EE")
        assert told(sell("EE", seller=seller, on=day)) == local("EE")
    for day in (FIRST, LAST):
        assert told(sell("DE", seller=seller, on=day)) == oss("DE")


def test_below_the_threshold_the_sellers_rate_holds(db: None) -> None:
    small = sold_by("EE", oss_mode=ORIGIN)
    for country in ("HU", "LU", "EE"):
        assert told(sell(country, seller=small)) == local("EE")
    assert told(sell("HU", status=NumberStatus.VALID, seller=small)) == REVERSE_CHARGE
    assert told(sell("ES", postal_code="35001", seller=small)) == OUTSIDE_SCOPE
    assert told(sell("GB", seller=small)) == OUTSIDE_SCOPE


@pytest.mark.parametrize("mode", list(SellerSettings.OssMode))
def test_a_seller_outside_the_eu(db: None, mode: str) -> None:
    """The threshold is for sellers in the EU only."""
    british = sold_by("GB", oss_mode=str(mode))
    assert told(sell("DE", seller=british)) == oss("DE")
    assert told(sell("DE", status=NumberStatus.VALID, seller=british)) == REVERSE_CHARGE
    assert told(sell("GB", seller=british)) == local("GB", 2000)
    assert told(sell("US", seller=british)) == OUTSIDE_SCOPE


def test_a_seller_outside_the_eu_names_where_it_charges(db: None) -> None:
    american = sold_by("US", registered("oss", "IE", *BOUNDS))
    assert told(sell("US", seller=american)) == OUTSIDE_SCOPE
    for day in (FIRST, LAST):
        assert told(sell("DE", seller=american, on=day)) == oss("DE")
        assert told(sell("IE", seller=american, on=day)) == oss("IE")
    for day in (BEFORE, AFTER):
        decision = sell("DE", seller=american, on=day)
        assert told(decision) == NOT_REGISTERED
        assert "in this country" in decision.notices[0]
        assert told(sell("DE", status=NumberStatus.VALID, seller=american, on=day)) == REVERSE_CHARGE


def test_a_rate_that_changes_tomorrow(db: None) -> None:
    today = timezone.now().date()
    VatRate.objects.create(country="EE", rate=2600, from_date=today + timedelta(days=1))
    VatRate.objects.create(country="EE", rate=100, from_date=date(2020, 1, 1))
    assert [rate_of("EE", today), rate_of("EE", today + timedelta(days=1))] == [2400, 2600]
    assert sell("EE", on=today + timedelta(days=1)).rate == 2600


def test_an_order_is_charged_the_rate_of_the_day_it_is_paid(owner: ApiClient, listing: Listing, site: Site) -> None:
    SellerSettings.objects.create(
        site=site, legal_name="E", address="A", country="EE", vat_number="EE123456780", is_vat_registered=True
    )
    order = check_out(owner, launch(listing), billing_country="FI")
    update_total(order, country="FI")
    VatRate.objects.create(country="FI", rate=2600, from_date=timezone.now().date())
    assert press_pay(order, country="FI").status_code == 409
    order.refresh_from_db()
    assert (order.vat_rate, order.total_cents) == (2600, 12474)
    assert press_pay(order, country="FI").status_code == 302


def test_orders_keep_place_scheme_and_the_seller(
    owner: ApiClient, listing: Listing, seller: SellerSettings, site: Site
) -> None:
    SellerSettings.objects.filter(pk=seller.pk).update(
        email="books@example.com", register_entry="Register 1", invoice_prefix="EX", invoice_footer="Thank you."
    )
    VatRegistration.objects.create(
        seller=seller, scheme="oss", country="EE", number="EE1", from_date=date(2026, 1, 1), until_date=None
    )
    VatRegistration.objects.create(
        seller=seller, country="DE", number="DE1", from_date=date(2026, 1, 1), until_date=date(2099, 12, 31)
    )
    order = check_out(owner, launch(listing), billing_country="FI")
    assert (order.vat_place, order.vat_scheme) == ("FI", "oss")
    assert order.seller["registrations"] == [
        {"scheme": "local", "country": "DE", "number": "DE1", "from_date": "2026-01-01", "until_date": "2099-12-31"},
        {"scheme": "oss", "country": "EE", "number": "EE1", "from_date": "2026-01-01", "until_date": ""},
    ]
    copied = [order.seller[name] for name in ("email", "register_entry", "invoice_prefix", "invoice_footer")]
    assert copied == ["books@example.com", "Register 1", "EX", "Thank you."]
    VatRegistration.objects.all().delete()
    for country, place, scheme in [("DE", "DE", "local"), ("FR", "FR", "oss"), ("EE", "EE", "local"), ("US", "", "")]:
        update_total(order, country=country)
        order.refresh_from_db()
        assert (order.vat_place, order.vat_scheme) == (place, scheme)


def test_a_copy_of_a_seller_comes_back_as_it_was(seller: SellerSettings) -> None:
    VatRegistration.objects.create(seller=seller, country="DE", number="DE1", from_date=date(2026, 1, 1))
    copied = Seller.of(seller)
    assert Seller.from_json(asdict(copied)) == copied


def test_copies_that_are_older_than_the_fields_still_load(owner: ApiClient, listing: Listing, db: None) -> None:
    order = check_out(owner, launch(listing))
    old = {
        "legal_name": "Old",
        "address": "A",
        "country": "EE",
        "vat_number": "EE123456780",
        "is_vat_registered": True,
        "oss_mode": "destination",
    }
    Order.objects.filter(pk=order.pk).update(seller=old)
    assert update_total(order, country="DE").status_code == 302
    order.refresh_from_db()
    assert (order.vat_place, order.vat_scheme, order.vat_rate) == ("DE", "oss", 1900)
    assert Seller.from_json(old).registrations == ()
