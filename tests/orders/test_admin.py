"""What the site team does in the admin."""

import pytest
from django.test import Client
from django.urls import reverse

from apps.listings.models import Listing
from apps.orders.models import Order, Payment, PaymentEvent, Product, PromoCode, SellerSettings
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import UserFactory
from tests.orders.carts import check_out, launch, pay, start_paying

MODELS = (
    "product",
    "promocode",
    "vatrate",
    "sellersettings",
    "order",
    "payment",
    "paymentevent",
    "refund",
    "placement",
)


@pytest.fixture
def team(client: Client, db: None) -> Client:
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("model", MODELS)
def test_every_list_opens(team: Client, owner: ApiClient, listing: Listing, model: str) -> None:
    pay(check_out(owner, launch(listing)))
    assert team.get(reverse(f"admin:orders_{model}_changelist")).status_code == 200


def test_a_new_price_holds_at_once(team: Client, anonymous: ApiClient, site: Site) -> None:
    product = Product.objects.get(site=site, name="launch")
    address = reverse("admin:orders_product_change", args=[product.pk])
    form = team.get(address).context["adminform"].form
    values = {name: value for name, value in form.initial.items() if value is not None} | {"price_cents": 12300}
    values["unlocks"] = ""
    assert team.post(address, values).status_code == 302
    prices = {item["name"]: item["price_cents"] for item in anonymous.get("/products").json()["items"]}
    assert prices["launch"] == 12300


def test_orders_are_looked_at_and_their_secret_is_not_shown(team: Client, owner: ApiClient, listing: Listing) -> None:
    order = pay(check_out(owner, launch(listing)))
    address = reverse("admin:orders_order_change", args=[order.pk])
    page = team.get(address)
    assert page.status_code == 200
    assert order.number in page.content.decode()
    assert order.secret not in page.content.decode()
    assert team.post(address, {"status": "refunded"}).status_code == 403
    assert Order.objects.get().status == "paid"


@pytest.mark.parametrize(("country", "status"), [("EE", 302), ("ZZ", 200), ("ee", 200)])
def test_a_sellers_country_has_to_exist(team: Client, site: Site, country: str, status: int) -> None:
    values = {
        "site": site.pk,
        "legal_name": "Example",
        "address": "Street",
        "country": country,
        "oss_mode": "destination",
    }
    assert team.post(reverse("admin:orders_sellersettings_add"), values).status_code == status
    assert SellerSettings.objects.exists() == (status == 302)


def test_nobody_finds_the_keys_of_a_payment(team: Client, owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    session = start_paying(order).rsplit("/", 1)[1]
    payment = Payment.objects.get()
    PaymentEvent.objects.create(provider="test", event_id="evt_1", kind="session.open", reference=session)
    for model, pk in (("payment", payment.pk), ("order", order.pk), ("paymentevent", PaymentEvent.objects.get().pk)):
        for address in (
            reverse(f"admin:orders_{model}_changelist"),
            reverse(f"admin:orders_{model}_change", args=[pk]),
        ):
            answer = team.get(address)
            assert answer.status_code == 200
            assert order.secret not in answer.content.decode()
            assert session not in answer.content.decode()
    for model in ("payment", "paymentevent"):
        found = team.get(reverse(f"admin:orders_{model}_changelist"), {"q": session[:12]})
        assert found.context["cl"].result_count == 0


def test_a_real_providers_name_of_a_payment_is_shown(team: Client, owner: ApiClient, listing: Listing) -> None:
    start_paying(check_out(owner, launch(listing)))
    Payment.objects.update(is_test=False, reference="pi_known")
    address = reverse("admin:orders_payment_change", args=[Payment.objects.get().pk])
    assert "pi_known" in team.get(address).content.decode()


@pytest.mark.parametrize(
    ("code", "words"),
    [("save ", "There is a code"), ("S\u200bAVE", "There is a code"), ("\u200b", "nothing"), ("\ufdfa" * 10, "long")],
)
def test_a_promo_code_that_cannot_be_is_said_so(team: Client, site: Site, code: str, words: str) -> None:
    PromoCode.objects.create(site=site, code="SAVE", percent_off=100)
    values = {"site": site.pk, "code": code, "percent_off": "1000", "minimum_cents": "0", "products": ""}
    answer = team.post(reverse("admin:orders_promocode_add"), {**values, "max_uses_per_account": "1"})
    assert answer.status_code == 200
    assert words in str(answer.context["adminform"].form.errors["code"])


def test_a_promo_code_can_be_saved_again(team: Client, site: Site) -> None:
    promo = PromoCode.objects.create(site=site, code="SAVE", percent_off=100)
    values = {"site": site.pk, "code": "Save", "percent_off": "1000", "minimum_cents": "0", "products": ""}
    answer = team.post(reverse("admin:orders_promocode_change", args=[promo.pk]), values)
    assert answer.status_code == 302
    promo.refresh_from_db()
    assert (promo.code, promo.percent_off) == ("Save", 1000)
