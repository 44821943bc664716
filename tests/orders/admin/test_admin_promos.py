"""Promo codes in the admin."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.listings.models import Listing
from apps.orders.models import PromoCode, PromoUse, SellerSettings
from apps.orders.pricing import promo_rules
from apps.orders.pricing.promo_rules import CannotSavePromo
from apps.sites.models import Site
from tests.api import ApiClient
from tests.orders.carts import check_out, launch, pay

pytestmark = pytest.mark.db

ADD = "/admin/orders/promocode/add/"


def values(site: Site, **changes: Any) -> dict[str, Any]:
    """What the form sends, with its inline of uses."""
    sent = {
        "site": site.pk,
        "code": "SAVE",
        "percent_off": "12.5",
        "minimum_cents": "0",
        "max_uses_per_account": "1",
        "is_active": "on",
        "uses-TOTAL_FORMS": "0",
        "uses-INITIAL_FORMS": "0",
    }
    return {name: value for name, value in (sent | changes).items() if value is not None}


def page_of(promo: PromoCode) -> str:
    return reverse("admin:orders_promocode_change", args=[promo.pk])


def test_a_percentage_is_typed_as_people_write_it(team: Client, site: Site) -> None:
    assert team.post(ADD, values(site, products=["launch", "billboard"])).status_code == 302
    promo = PromoCode.objects.get()
    assert (promo.percent_off, promo.products) == (1250, ["launch", "billboard"])
    page = team.get(page_of(promo)).content.decode()
    assert 'value="12.5"' in page
    assert page.count("checked") >= 3
    assert team.post(page_of(promo), values(site, percent_off="15")).status_code == 302
    promo.refresh_from_db()
    assert (promo.percent_off, promo.products) == (1500, [])


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"percent_off": "0"}, "percent_off"),
        ({"percent_off": "100.01"}, "percent_off"),
        ({"percent_off": "12.345"}, "percent_off"),
        ({"percent_off": "ten"}, "percent_off"),
        ({"percent_off": ""}, "amount_off_cents"),
        ({"amount_off_cents": "500"}, "amount_off_cents"),
        ({"percent_off": "", "amount_off_cents": "0"}, "amount_off_cents"),
        ({"percent_off": "", "amount_off_cents": "100000.01"}, "amount_off_cents"),
        ({"minimum_cents": "-1"}, "minimum_cents"),
        ({"minimum_cents": "100000.01"}, "minimum_cents"),
        ({"products": ["launch", "secrets"]}, "products"),
        ({"max_uses": "0"}, "max_uses"),
        ({"max_uses_per_account": "0"}, "max_uses_per_account"),
        (
            {"starts_at_0": "2026-12-02", "starts_at_1": "00:00", "ends_at_0": "2026-12-01", "ends_at_1": "00:00"},
            "ends_at",
        ),
    ],
)
def test_what_no_code_can_be_is_said_beside_the_field(
    team: Client, site: Site, changes: dict[str, Any], field: str
) -> None:
    answer = team.post(ADD, values(site, **changes))
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == [field]
    assert not PromoCode.objects.exists()


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("save ", "unique"),
        ("S\u200bAVE", "unique"),
        ("\u200b", "invalid"),
        ("\ufdfa" * 10, "max_length"),
    ],
)
def test_a_promo_code_that_cannot_be_is_said_so(team: Client, site: Site, code: str, error: str) -> None:
    PromoCode.objects.create(site=site, code="SAVE", percent_off=100)
    answer = team.post(ADD, values(site, code=code))
    assert answer.status_code == 200
    assert answer.context["adminform"].form.has_error("code", error)
    assert PromoCode.objects.count() == 1


def test_a_promo_code_can_be_saved_again(team: Client, site: Site) -> None:
    promo = PromoCode.objects.create(site=site, code="SAVE", percent_off=100)
    assert team.post(page_of(promo), values(site, code="Save", percent_off="10")).status_code == 302
    promo.refresh_from_db()
    assert (promo.code, promo.percent_off) == ("Save", 1000)


@pytest.fixture
def used(owner: ApiClient, listing: Listing, seller: SellerSettings, site: Site) -> PromoCode:
    """A code of 50% that somebody paid with."""
    promo = PromoCode.objects.create(site=site, code="HALF", percent_off=5000, max_uses=5)
    pay(check_out(owner, launch(listing), promo_code="HALF"), promo_code="HALF")
    promo.refresh_from_db()
    assert promo.used == 1
    return promo


def test_a_used_code_keeps_its_terms(team: Client, site: Site, used: PromoCode) -> None:
    page = team.get(page_of(used))
    assert list(page.context["adminform"].form.fields) == ["max_uses", "ends_at", "is_active"]
    use = PromoUse.objects.get()
    for text in ("50%", use.account.email, use.order.number):
        assert text in page.content.decode()
    sent = values(site, code="OTHER", percent_off="99", max_uses="9", is_active=None)
    assert team.post(page_of(used), {**sent, "uses-INITIAL_FORMS": "0"}).status_code == 302
    used.refresh_from_db()
    assert (used.code, used.percent_off, used.max_uses, used.is_active, used.used) == ("HALF", 5000, 9, False, 1)


def test_a_used_code_cannot_have_fewer_uses_than_it_had(team: Client, site: Site, used: PromoCode) -> None:
    PromoCode.objects.update(used=3)
    answer = team.post(page_of(used), values(site, max_uses="2"))
    assert list(answer.context["adminform"].form.errors) == ["max_uses"]
    used.refresh_from_db()
    assert used.max_uses == 5


def test_a_form_that_was_opened_before_the_first_use_changes_no_terms(used: PromoCode) -> None:
    used.percent_off = 9900
    with pytest.raises(CannotSavePromo, match="has been used"):
        promo_rules.save_promo(promo=used)
    used.refresh_from_db()
    assert used.percent_off == 5000


def test_saving_keeps_the_counter_of_uses(used: PromoCode) -> None:
    stale = PromoCode.objects.get()
    PromoCode.objects.update(used=4)
    stale.is_active = False
    promo_rules.save_promo(promo=stale)
    assert PromoCode.objects.get().used == 4


def test_only_an_unused_code_is_deleted(team: Client, site: Site, used: PromoCode) -> None:
    fresh = PromoCode.objects.create(site=site, code="TYPO", percent_off=100)
    for promo, status in ((used, 403), (fresh, 302)):
        address = reverse("admin:orders_promocode_delete", args=[promo.pk])
        assert team.post(address, {"post": "yes"}).status_code == status
    team.post("/admin/orders/promocode/", {"action": "delete_selected", "_selected_action": [used.pk], "post": "yes"})
    assert list(PromoCode.objects.all()) == [used]


def test_the_list_says_where_each_code_is(team: Client, site: Site) -> None:
    codes: dict[str, dict[str, Any]] = {
        "A": {},
        "B": {"is_active": False},
        "C": {"starts_at": "2099-01-01T00:00Z"},
        "D": {"ends_at": "2020-01-01T00:00Z"},
        "E": {"max_uses": 0},
    }
    for code, fields in codes.items():
        PromoCode.objects.create(site=site, code=code, amount_off_cents=500, **fields)
    page = team.get("/admin/orders/promocode/")
    admin = page.context["cl"].model_admin
    states = {promo.code: admin.state(promo) for promo in page.context["cl"].result_list}
    assert states == {"A": "active", "B": "off", "C": "not started", "D": "ended", "E": "used up"}
    assert "$5.00" in page.content.decode()
