"""The pages on which a person reviews and pays an order, without JavaScript and without sign-in."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.core.web.logs import JsonFormatter
from apps.listings.models import Listing
from apps.orders.fulfillment import services
from apps.orders.models import GatewaySession, Order, Payment, Product, PromoCode, SellerSettings, TermsOfSale
from apps.orders.pricing import promos
from apps.orders.providers import GatewayError
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import SiteFactory
from tests.orders.carts import BILLING, check_out, launch, pay, press_pay, start_paying, update_total, week
from tests.orders.vies_server import ViesServer

GERMAN = "DE136695976"


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    return check_out(owner, launch(listing))


def text(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status, answer.content.decode()
    return str(answer.content.decode())


def test_the_page_shows_the_order(client: Client, order: Order) -> None:
    page = text(client.get(f"/checkout/{order.secret}"))
    assert order.number in page
    assert "$99.00" in page
    assert 'aria-label="Test mode"' in page
    assert "Choose a country" in page


def test_the_total_is_also_above_the_form_and_the_footer_leads_nowhere_else(client: Client, order: Order) -> None:
    page = text(client.get(f"/checkout/{order.secret}"))
    assert re.search(
        r'id="due"><a href="#your-order">Launch for [^<]+</a><span>\$99\.00 <span class="soft">\+ VAT', page
    )
    assert page.index('id="due"') < page.index('id="billing"')
    assert "Founder stories" not in page


def test_the_page_is_private(client: Client, order: Order) -> None:
    for path in (f"/checkout/{order.secret}", start_paying(order)):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer["X-Robots-Tag"] == "noindex, nofollow"
        assert answer["Referrer-Policy"] == "no-referrer"
        assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("secret", ["x", "A" * 32, "SL-7K3QH9TRWC"])
def test_a_wrong_secret_opens_nothing(client: Client, order: Order, secret: str) -> None:
    assert client.get(f"/checkout/{secret}").status_code == 404
    assert client.post(f"/checkout/{secret}/pay").status_code == 404
    assert client.get(f"/checkout/{order.number}").status_code == 404


def test_another_site_does_not_know_it(client: Client, order: Order) -> None:
    SiteFactory.create(host="other.localhost")
    assert client.get(f"/checkout/{order.secret}", headers={"Host": "other.localhost"}).status_code == 404


def test_the_forms_need_no_cookie(order: Order) -> None:
    # What browsers send from a page that asks for no Referer.
    strict = Client(enforce_csrf_checks=True, headers={"Origin": "null"})
    assert update_total(order, strict).status_code == 302
    assert press_pay(order, strict).status_code == 302


@pytest.mark.slow
def test_a_country_brings_vat(client: Client, order: Order) -> None:
    answer = update_total(order, country="FI")
    assert answer["Location"] == f"/checkout/{order.secret}"
    page = text(client.get(answer["Location"]))
    assert "25.5%" in page
    assert "$124.25" in page
    order.refresh_from_db()
    assert (order.total_cents, order.lines.get().total_cents) == (12425, 12425)
    assert order.billing["name"] == "Ada Example"


def test_what_is_missing_can_wait_until_paying(order: Order) -> None:
    assert update_total(order, name="", address="", city="", country="").status_code == 302
    answer = press_pay(order, name="", city="", country="", method="", terms="")
    assert answer.status_code == 422
    form = answer.context["form"]
    for name in ("name", "city", "country", "method", "terms"):
        assert form.has_error(name, "required"), name
    assert not Payment.objects.exists()


def test_a_territory_outside_eu_vat(order: Order) -> None:
    update_total(order, country="ES", postal_code="35001")
    order.refresh_from_db()
    assert (order.vat_treatment, order.total_cents) == ("outside_scope", 9900)


def test_a_vat_number_gives_reverse_charge(client: Client, order: Order, vies: ViesServer) -> None:
    update_total(order, vat_number=GERMAN, company="Example GmbH")
    order.refresh_from_db()
    assert (order.vat_treatment, order.total_cents, order.consultation_number) == (
        "reverse_charge",
        9900,
        "WAPIAAAAX1",
    )
    assert "Reverse charge" in text(client.get(f"/checkout/{order.secret}"))


def test_vies_is_asked_again_at_payment(order: Order, settings: Any) -> None:
    update_total(order, vat_number=GERMAN)
    order.refresh_from_db()
    assert (order.vat_number_status, order.total_cents) == ("unavailable", 11781)


def test_a_promo_code_on_the_page(order: Order, site: Site) -> None:
    PromoCode.objects.create(site=site, code="TEN", percent_off=1000)
    update_total(order, promo_code=" ten ", country="US")
    order.refresh_from_db()
    assert (order.promo_code, order.discount_cents, order.total_cents) == ("TEN", 990, 8910)
    update_total(order, country="US")
    order.refresh_from_db()
    assert (order.promo, order.promo_code, order.total_cents) == (None, "", 9900)


def test_a_code_that_was_taken_out_after_a_payment_began_can_be_put_back(order: Order, site: Site) -> None:
    promo = PromoCode.objects.create(site=site, code="ONE", percent_off=1000, max_uses=1)
    start_paying(order, promo_code="ONE")
    assert update_total(order).status_code == 302
    promo.refresh_from_db()
    assert (promo.used, order.promo_uses.get().state) == (0, "released")
    start_paying(order, promo_code="ONE")
    promo.refresh_from_db()
    assert (promo.used, order.promo_uses.get().state) == (1, "reserved")


def test_a_wrong_code_is_refused_beside_its_field(order: Order) -> None:
    address = start_paying(order)
    before = Order.objects.values().get()
    page = text(update_total(order, promo_code="GUESS", country="FI"), 422)
    assert "Unknown promo code." in page
    assert Order.objects.values().get() == before
    # Nor is the payment closed that was begun in another tab.
    assert Client().get(address).status_code == 200


@pytest.mark.slow
def test_the_page_shares_the_count_of_wrong_codes(order: Order, owner: ApiClient, listing: Listing) -> None:
    for number in range(10):
        assert update_total(order, promo_code=f"GUESS{number}").status_code == 422
    locked = update_total(order, promo_code="GUESS")
    assert locked.status_code == 429
    assert int(locked["Retry-After"]) > 0
    assert owner.post("/orders/quote", {"items": [launch(listing)], "promo_code": "X"}).status_code == 429


def test_a_held_price_with_its_code_survives_changes(order: Order, site: Site) -> None:
    promo = PromoCode.objects.create(site=site, code="TEN", percent_off=1000)
    update_total(order, promo_code="TEN", country="US")
    PromoCode.objects.filter(pk=promo.pk).update(percent_off=1, is_active=False)
    Product.objects.update(price_cents=50)
    update_total(order, promo_code="TEN", country="US")
    order.refresh_from_db()
    assert order.total_cents == 8910


def test_paying_through_the_test_gateway(client: Client, order: Order) -> None:
    address = start_paying(order)
    order.refresh_from_db()
    assert order.status == "processing"
    assert [item["kind"] for item in order.evidence] == ["billing_address", "ip_address"]
    assert order.terms_accepted_at is not None
    page = text(client.get(address))
    assert order.number in page
    assert "$117.81" in page
    assert 'aria-current="step"' in page
    answer = client.post(address, {"action": "pay"})
    assert answer["Location"] == f"http://testserver/checkout/{order.secret}"
    order.refresh_from_db()
    assert order.status == "paid"
    page = text(client.get(answer["Location"]))
    assert "Payment received." in page
    assert 'aria-label="Test mode"' in page
    payment = Payment.objects.get()
    assert (payment.status, payment.amount_cents, payment.is_test) == ("paid", 11781, True)


@pytest.mark.slow
@pytest.mark.parametrize(("action", "words"), [("decline", "declined"), ("cancel", "canceled")])
def test_a_payment_that_fails_can_be_repeated(client: Client, order: Order, action: str, words: str) -> None:
    client.post(start_paying(order), {"action": action})
    order.refresh_from_db()
    payment = order.payments.get()
    assert (order.status, payment.status) == ("pending", "failed")
    assert words in payment.problem
    page = text(client.get(f"/checkout/{order.secret}"))
    assert words in page
    assert pay(order).status == "paid"
    assert [payment.attempt for payment in order.payments.order_by("attempt")] == [1, 2]


def test_the_gateway_answers_only_its_buttons(client: Client, order: Order) -> None:
    address = start_paying(order)
    assert client.post(address, {"action": "steal"}).status_code == 422
    assert client.post(address).status_code == 422
    assert GatewaySession.objects.get().state == "open"
    assert client.get("/test-gateway/test_unknown").status_code == 404


def test_a_decided_session_only_leads_back(client: Client, order: Order) -> None:
    address = start_paying(order)
    client.post(address, {"action": "decline"})
    for answer in (client.get(address), client.post(address, {"action": "pay"})):
        assert answer["Location"].endswith(f"/checkout/{order.secret}")
    order.refresh_from_db()
    assert order.status == "pending"


def test_without_the_test_gateway_its_page_is_not_there(client: Client, order: Order, settings: Any) -> None:
    address = start_paying(order)
    settings.TEST_GATEWAY = False
    assert client.get(address).status_code == 404
    assert client.post("/webhooks/test", b"{}", content_type="application/json").status_code == 404


def test_the_total_that_was_shown_must_be_the_total(order: Order) -> None:
    page = text(press_pay(order, total_cents=9900), 409)
    assert "The total changed" in page
    assert "$117.81" in page
    assert not Payment.objects.exists()
    order.refresh_from_db()
    assert order.status == "pending"


@pytest.mark.parametrize("total", ["", "x", "-1", "9" * 40, "９９００"])
def test_an_odd_total_pays_nothing(order: Order, total: str) -> None:
    update_total(order)
    assert press_pay(order, total_cents=total).status_code == 409
    assert not Payment.objects.exists()


@pytest.mark.parametrize("method", ["stripe", "free", ""])
def test_a_way_to_pay_that_is_not_there(order: Order, method: str) -> None:
    update_total(order)
    assert press_pay(order, method=method).status_code == 422
    assert not Payment.objects.exists()


def test_an_expired_order_cannot_be_paid(client: Client, order: Order) -> None:
    update_total(order)
    Order.objects.update(expires_at=order.created_at)
    page = text(press_pay(order), 409)
    assert "has expired" in page
    assert update_total(order).status_code == 409
    assert not Payment.objects.exists()
    assert order.number in text(client.get(f"/checkout/{order.secret}"))


def test_a_free_order_needs_no_provider(client: Client, order: Order, site: Site, settings: Any) -> None:
    PromoCode.objects.create(site=site, code="GIFT", percent_off=10_000)
    settings.TEST_GATEWAY = False
    update_total(order, promo_code="GIFT")
    assert "Nothing to pay" in text(client.get(f"/checkout/{order.secret}"))
    answer = press_pay(order, method="free", promo_code="GIFT")
    assert answer["Location"].endswith(f"/checkout/{order.secret}")
    order.refresh_from_db()
    assert (order.status, order.payments.get().provider) == ("paid", "free")
    assert PromoCode.objects.get().used == 1


def test_a_code_used_up_meanwhile_stops_the_payment(order: Order, site: Site) -> None:
    PromoCode.objects.create(site=site, code="ONE", percent_off=1000, max_uses=1)
    update_total(order, promo_code="ONE")
    PromoCode.objects.update(used=1)
    page = text(press_pay(order, promo_code="ONE"), 422)
    assert "fully used" in page
    assert not Payment.objects.exists()
    assert pay(order, promo_code="").status == "paid"


@pytest.mark.slow
def test_paying_again_closes_the_open_payment(client: Client, order: Order) -> None:
    first = start_paying(order)
    page = text(client.get(f"/checkout/{order.secret}"))
    assert f'href="{first}"' in page
    second = press_pay(order)["Location"]
    assert second != first
    assert [session.state for session in GatewaySession.objects.order_by("id")] == ["expired", "open"]
    client.post(first, {"action": "pay"})
    order.refresh_from_db()
    assert order.status == "processing"
    client.post(second, {"action": "pay"})
    order.refresh_from_db()
    assert order.status == "paid"
    assert order.payments.filter(status="paid").count() == 1


def test_a_double_click_pays_once(order: Order) -> None:
    pay(order)
    page = text(press_pay(order), 409)
    assert "has expired" in page
    assert order.payments.count() == 1


@pytest.mark.slow
def test_the_owner_comes_back_to_the_order_page(client: Client, order: Order, owner: ApiClient) -> None:
    client.force_login(owner.account)
    assert "Continue to payment" in text(client.get(f"/orders/{order.number}"))
    pay(order)
    assert client.get(f"/checkout/{order.secret}")["Location"] == f"/orders/{order.number}"
    page = text(client.get(f"/orders/{order.number}"))
    assert "Thank you" in page
    assert "Example OÜ<br>1 Example Street<br>10111 Tallinn" in page
    assert "Ada Example<br>1 Example Street<br>10115 Berlin<br>Germany" in page


def test_the_order_page_updates_itself_until_everything_is_delivered(
    client: Client, order: Order, owner: ApiClient
) -> None:
    client.force_login(owner.account)
    polling = f'hx-get="/orders/{order.number}" hx-trigger="every 4s" hx-select="#order"'
    assert polling not in text(client.get(f"/orders/{order.number}"))
    pay(order)
    page = text(client.get(f"/orders/{order.number}"))
    assert polling in page
    assert ">Refresh<" not in page
    services.fulfill_order(order.pk)
    page = text(client.get(f"/orders/{order.number}"))
    assert "Everything is delivered." in page
    assert polling not in page


def test_the_order_page_is_headed_by_what_was_bought(client: Client, owner: ApiClient, listing: Listing) -> None:
    client.force_login(owner.account)
    one = check_out(owner, launch(listing))
    page = text(client.get(f"/orders/{one.number}"))
    assert f'<h1 dir="auto">Launch for {listing.company.name}</h1>' in page
    assert f"Order {one.number} · " in page
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(2)]}
    two = check_out(owner, launch(listing), slot)
    assert f'<h1 dir="auto">Launch and 1 more for {listing.company.name}</h1>' in text(
        client.get(f"/orders/{two.number}")
    )


def test_the_order_page_is_its_owners(client: Client, order: Order, other_owner: ApiClient) -> None:
    assert client.get(f"/orders/{order.number}")["Location"].startswith("/")
    client.force_login(other_owner.account)
    assert client.get(f"/orders/{order.number}").status_code == 404


def test_what_people_type_stays_text(client: Client, order: Order) -> None:
    update_total(order, name="<script>alert(1)</script>", city="x" * 80, promo_code="")
    page = text(client.get(f"/checkout/{order.secret}"))
    assert "<script>alert(1)" not in page
    assert update_total(order, city="x" * 81).status_code == 422


def test_limits_are_shared_by_name() -> None:
    assert (promos.ACCOUNT_LIMIT.count, promos.ACCOUNT_LIMIT.window_seconds) == (10, 900)
    assert (promos.ADDRESS_LIMIT.count, promos.ADDRESS_LIMIT.window_seconds) == (30, 3600)


@pytest.mark.parametrize(
    ("name", "length"), [("postal_code", 16), ("vat_number", 20), ("name", 120), ("city", 80), ("promo_code", 80)]
)
def test_text_that_grows_when_normalised_is_measured_after_it(order: Order, name: str, length: int) -> None:
    # U+0958 is two characters in NFC.
    changes: dict[str, Any] = {name: "\u0958" * length}
    page = text(update_total(order, **changes), 422)
    assert f"at most {length} characters" in page


def test_the_order_page_of_another_site_leads_to_the_orders_own(client: Client, order: Order, owner: ApiClient) -> None:
    SiteFactory.create(host="other.localhost")
    client.force_login(owner.account)
    page = text(client.get(f"/orders/{order.number}", headers={"Host": "other.localhost"}))
    assert f'href="{order.checkout_url}"' in page


@pytest.mark.parametrize(
    ("country", "number", "status", "words"),
    [
        ("DE", GERMAN, "valid", "Reverse charge applies"),
        ("DE", "DE123", "invalid", "Not a valid"),
        ("US", "12-3456789", "not_checked", "Only EU VAT numbers"),
        ("", GERMAN, "not_checked", "Choose a country"),
    ],
)
def test_what_became_of_the_vat_number_is_said_in_words(
    client: Client, order: Order, vies: ViesServer, country: str, number: str, status: str, words: str
) -> None:
    update_total(order, country=country, vat_number=number)
    order.refresh_from_db()
    assert order.vat_number_status == status
    assert words in text(client.get(f"/checkout/{order.secret}"))


def test_a_register_that_does_not_answer_is_said_in_words(client: Client, order: Order) -> None:
    update_total(order, vat_number=GERMAN)
    page = text(client.get(f"/checkout/{order.secret}"))
    assert "VAT register is unavailable" in page
    assert "$117.81" in page


def test_the_script_recomputes_without_touching_the_code(order: Order, site: Site) -> None:
    PromoCode.objects.create(site=site, code="TEN", percent_off=1000)
    update_total(order, promo_code="TEN")
    form = {name: value for name, value in BILLING.items() if name != "promo_code"}
    assert Client().post(f"/checkout/{order.secret}", {**form, "country": "FI"}).status_code == 302
    order.refresh_from_db()
    assert (order.promo_code, order.country) == ("TEN", "FI")


def test_the_invoice_address_is_shown_to_its_owner_only(client: Client, order: Order, owner: ApiClient) -> None:
    update_total(order, email="bills@accounts.example.com")
    page = text(client.get(f"/checkout/{order.secret}"))
    assert "bills@" not in page
    assert "b…@a….com" in page
    assert "owner@example.com" not in page
    # Who does not see it does not remove it.
    update_total(order, email="")
    order.refresh_from_db()
    assert order.billing["email"] == "bills@accounts.example.com"
    client.force_login(owner.account)
    page = text(client.get(f"/checkout/{order.secret}"))
    assert 'value="bills@accounts.example.com"' in page
    assert "owner@example.com" in page
    update_total(order, client, email="")
    order.refresh_from_db()
    assert order.billing["email"] == ""


def details(client: Client, order: Order) -> dict[str, str]:
    """The billing details that the checkout page is filled in with, without empty ones."""
    form = client.get(f"/checkout/{order.secret}").context["form"]
    names = ("name", "company", "email", "address", "postal_code", "city", "country", "vat_number")
    return {name: value for name in names if (value := form[name].value())}


def test_the_next_checkout_is_filled_in_for_its_owner_only(
    client: Client, order: Order, owner: ApiClient, other_owner: ApiClient, listing: Listing
) -> None:
    client.force_login(owner.account)
    update_total(order, email="bills@example.com")
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(2)]}
    # An order that wasn't paid has details that nobody confirmed.
    assert details(client, check_out(owner, slot)) == {}
    pay(order, email="bills@example.com")
    later = check_out(owner, slot)
    expected = {name: value for name, value in BILLING.items() if value} | {"email": "bills@example.com"}
    assert details(client, later) == expected
    # The script asks for the total with their VAT.
    assert 'hx-trigger="load, change' in text(client.get(f"/checkout/{later.secret}"))
    assert details(Client(), later) == {}
    client.force_login(other_owner.account)
    assert details(client, later) == {}
    later.refresh_from_db()
    assert later.billing == {}


def test_another_country_is_not_filled_in_over(
    client: Client, order: Order, owner: ApiClient, listing: Listing
) -> None:
    pay(order)
    client.force_login(owner.account)
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(2)]}
    assert details(client, check_out(owner, slot, billing_country="FR")) == {"country": "FR"}


@pytest.mark.parametrize("email", ["no address", "a@b", "a@example.com\nBcc: b@example.com", "x" * 250 + "@b.example"])
def test_an_odd_invoice_address_is_refused(order: Order, email: str) -> None:
    assert update_total(order, email=email).status_code == 422
    order.refresh_from_db()
    assert order.billing == {}


@pytest.mark.slow
def test_the_terms_that_were_accepted_are_in_the_order(client: Client, order: Order, site: Site) -> None:
    assert "/terms/sale" not in text(client.get(f"/checkout/{order.secret}"))
    TermsOfSale.objects.create(site=site, text="Old.", published_at=timezone.now() - timedelta(days=9))
    latest = TermsOfSale.objects.create(site=site, text="First.\n\n<script>alert(1)</script>\nSecond line.")
    page = text(client.get(f"/checkout/{order.secret}"))
    assert 'href="/terms/sale"' in page
    assert f'name="terms_version" value="{latest.pk}"' in page
    update_total(order)
    assert "The terms changed" in text(press_pay(order, terms_version=latest.pk - 1), 409)
    assert "The terms changed" in text(press_pay(order), 409)
    assert not Payment.objects.exists()
    assert press_pay(order, terms_version=latest.pk).status_code == 302
    order.refresh_from_db()
    assert order.terms == latest
    page = text(client.get("/terms/sale"))
    assert '<p dir="auto">First.</p>' in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;<br>Second line." in page


def test_a_site_without_terms_has_no_page_of_them(client: Client, site: Site) -> None:
    assert client.get("/terms/sale").status_code == 404


def test_two_tabs_cannot_pay_two_totals(order: Order) -> None:
    update_total(order, country="DE")
    order.refresh_from_db()
    old = order.total_cents
    update_total(order, country="US")
    page = text(press_pay(order, country="US", total_cents=old), 409)
    assert "The total changed" in page
    assert not Payment.objects.exists()


def test_the_back_button_after_paying_shows_the_paid_order(client: Client, order: Order) -> None:
    pay(order)
    before = Order.objects.values().get()
    for answer in (update_total(order, country="US"), press_pay(order)):
        assert "Payment received." in text(answer, 409)
    assert Order.objects.values().get() == before


def test_what_cannot_be_delivered_is_said_before_the_payment(client: Client, order: Order) -> None:
    update_total(order)
    Listing.objects.update(status="archived")
    assert "is archived and can" in text(client.get(f"/checkout/{order.secret}"))
    page = text(press_pay(order), 409)
    assert "Launch for" in page
    assert not Payment.objects.exists()
    order.refresh_from_db()
    assert order.status == "pending"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"status": "expired"}, "Order expired"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, "Order expired"),
        ({"status": "cancelled"}, "Canceled."),
        ({"needs_review": True}, "reviewing a payment"),
        ({"status": "refunded"}, "refunded in full"),
    ],
)
def test_an_order_that_cannot_be_paid_says_why(
    client: Client, order: Order, owner: ApiClient, changes: dict[str, Any], words: str
) -> None:
    update_total(order)
    Order.objects.update(**changes)
    page = text(client.get(f"/checkout/{order.secret}"))
    assert words in page
    assert "Ada Example" not in page
    assert "owner@example.com" not in page
    client.force_login(owner.account)
    assert client.get(f"/checkout/{order.secret}")["Location"] == f"/orders/{order.number}"
    assert words in text(client.get(f"/orders/{order.number}"))


def _logged(caplog: pytest.LogCaptureFixture) -> str:
    """The log as written."""
    return "\n".join(JsonFormatter().format(record) for record in caplog.records)


def _raise(*args: object, **kwargs: object) -> None:
    raise RuntimeError("broken on purpose")


@pytest.mark.parametrize("path", ["", "/pay", "/nothing"])
def test_the_secret_is_in_no_log_and_on_no_error_page(
    order: Order, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    client = Client(raise_request_exception=False)
    monkeypatch.setattr("apps.orders.payments.start.methods_for", _raise)
    answer = client.post(f"/checkout/{order.secret}{path}", BILLING)
    assert answer.status_code == (404 if path == "/nothing" else 500)
    assert order.secret not in answer.content.decode()
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert "no-store" in answer["Cache-Control"]
    logged = _logged(caplog)
    assert '"status":' in logged
    assert order.secret not in logged


def test_a_provider_that_is_down_keeps_the_secret_to_itself(
    order: Order, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*args: object, **kwargs: object) -> None:
        raise GatewayError("The provider does not answer.")

    update_total(order)
    monkeypatch.setattr("apps.orders.providers.sandbox.TestGateway.start", down)
    answer = press_pay(order)
    assert 'role="alert"' in text(answer, 503)
    logged = _logged(caplog)
    assert "checkout/<slug:secret>/pay" in logged
    assert order.secret not in logged
