import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from apps.listings.models import Listing
from apps.orders.checkout.create import NUMBER_ALPHABET, new_number
from apps.orders.models import Order, OrderLine, Payment, Product, PromoCode, SellerSettings
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import SiteFactory
from tests.orders.carts import check_out, launch, week
from tests.orders.vies_server import ViesServer
from tests.properties import HealthCheck, given, st
from tests.properties import settings as hypothesis_settings


def checkout(client: ApiClient, *items: Any, key: str | None = None, **fields: Any) -> Any:
    headers = {"Idempotency_Key": key} if key else {}
    return client.post("/orders/checkout", {"items": list(items), **fields}, **headers)


def test_an_order_is_built(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    answer = checkout(owner, launch(listing, week=week(2)), billing_country="DE")
    assert answer.status_code == 201
    body = answer.json()
    assert re.fullmatch(r"SL-[2-9A-HJ-NP-Z]{10}", body["number"])
    assert (body["status"], body["currency"], body["total_cents"]) == ("pending", "usd", 11781)
    order = Order.objects.get(number=body["number"])
    assert body["checkout_url"] == f"http://testserver.localhost/checkout/{order.secret}"
    assert len(order.secret) >= 22
    assert order.number not in body["checkout_url"]
    line = order.lines.get()
    assert (line.title, line.listing, line.options, line.total_cents) == ("Launch", listing, {"week": week(2)}, 11781)
    assert order.seller["legal_name"] == "Example OÜ"
    assert not Payment.objects.exists()
    listing.refresh_from_db()
    assert listing.status == "draft"


def test_a_retry_with_the_key_is_the_same_order(owner: ApiClient, listing: Listing) -> None:
    first, second = (checkout(owner, launch(listing), key="once") for _ in range(2))
    assert second.json() == first.json()
    assert second["Idempotency-Replayed"] == "true"
    assert Order.objects.count() == 1


def test_a_refusal_builds_nothing_and_frees_the_key(owner: ApiClient, listing: Listing) -> None:
    assert checkout(owner, launch(listing), key="once", promo_code="WRONG").status_code == 422
    assert not Order.objects.exists()
    assert checkout(owner, launch(listing), key="once").status_code == 201


def test_nobody_can_take_money(owner: ApiClient, listing: Listing, settings: Any) -> None:
    settings.TEST_GATEWAY = False
    answer = checkout(owner, launch(listing))
    assert (answer.status_code, answer.json()["code"]) == (503, "payments_not_configured")
    assert not Order.objects.exists()


def test_what_costs_nothing_needs_nobody(owner: ApiClient, listing: Listing, site: Site, settings: Any) -> None:
    settings.TEST_GATEWAY = False
    PromoCode.objects.create(site=site, code="GIFT", percent_off=10_000)
    answer = checkout(owner, launch(listing), promo_code="gift")
    assert (answer.status_code, answer.json()["total_cents"]) == (201, 0)


def test_prices_and_texts_are_held(owner: ApiClient, listing: Listing, site: Site, seller: SellerSettings) -> None:
    order = check_out(owner, launch(listing))
    Product.objects.filter(site=site).update(price_cents=1, title="Other")
    SellerSettings.objects.update(legal_name="Other")
    order.refresh_from_db()
    assert (order.total_cents, order.lines.get().title, order.seller["legal_name"]) == (9900, "Launch", "Example OÜ")
    assert timedelta(hours=23) < order.expires_at - timezone.now() <= timedelta(hours=24)


def test_the_vat_number_is_kept_with_its_proof(
    owner: ApiClient, listing: Listing, seller: SellerSettings, vies: ViesServer
) -> None:
    order = check_out(owner, launch(listing), billing_country="DE", vat_number="de136695976")
    assert (order.vat_number, order.vat_number_status, order.vat_treatment) == (
        "DE136695976",
        "valid",
        "reverse_charge",
    )
    assert order.consultation_number == "WAPIAAAAX1"


def test_the_address_is_of_its_own_site(owner: ApiClient, site: Site) -> None:
    other = SiteFactory.create(host="other.localhost")
    Product.objects.create(site=other, name="section_faq", title="FAQ", price_cents=5, needs_listing=False)
    client = ApiClient(owner.user, key=owner.key, host="other.localhost")
    answer = checkout(client, {"product": "section_faq"})
    assert answer.json()["checkout_url"].startswith("http://other.localhost/checkout/")
    assert OrderLine.objects.get().listing is None


def test_numbers_carry_fifty_bits() -> None:
    assert len(set(NUMBER_ALPHABET)) == 32
    assert not set("0O1I") & set(NUMBER_ALPHABET)
    assert len({new_number() for _ in range(1000)}) == 1000


countries = st.sampled_from([None, "DE", "FI", "EE", "US", "GB"])
carts = st.lists(st.sampled_from(["section_faq", "newsletter_slot", "billboard", "launch"]), unique=True, min_size=1)


@pytest.mark.slow
@hypothesis_settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(carts, countries, st.sampled_from([None, "PERCENT", "AMOUNT"]), st.integers(1, 9))
def test_quote_equals_checkout(
    owner: ApiClient,
    listing: Listing,
    site: Site,
    seller: SellerSettings,
    cart: list[str],
    country: str | None,
    promo: str | None,
    weeks: int,
) -> None:
    PromoCode.objects.get_or_create(site=site, code="PERCENT", defaults={"percent_off": 3333})
    PromoCode.objects.get_or_create(site=site, code="AMOUNT", defaults={"amount_off_cents": 1999})
    by_week = {"weeks": [week(ahead) for ahead in range(weeks)]}
    items = [
        {
            "product": product,
            "listing_id": listing.pk,
            **(by_week if product in {"newsletter_slot", "billboard"} else {}),
        }
        for product in cart
    ]
    body = {"items": items, "billing_country": country, "promo_code": promo}
    quoted = owner.post("/orders/quote", body).json()
    built = owner.post("/orders/checkout", body).json()
    assert {name: built[name] for name in quoted} == quoted
    order = Order.objects.get(number=built["number"])
    assert order.total_cents == sum(line.total_cents for line in order.lines.all()) == quoted["total_cents"]
    assert quoted["vat"]["amount_cents"] in {None, sum(item["vat_cents"] or 0 for item in quoted["items"])}


@time_machine.travel("2026-12-30 12:00Z")
def test_weeks_around_the_turn_of_the_year(owner: ApiClient, listing: Listing) -> None:
    answer = checkout(
        owner, {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": ["2027-W01", "2026-W53"]}
    )
    assert answer.status_code == 201
    assert answer.json()["items"][0]["options"]["weeks"] == ["2026-W53", "2027-W01"]
