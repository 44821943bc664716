"""Sellers, VAT rates and terms in the admin."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.listings.models import Listing
from apps.orders.models import SellerSettings, TermsOfSale, VatRate, VatRegistration
from apps.orders.tax.seller_rules import prefix_problem
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import SiteFactory
from tests.orders.carts import check_out, launch, pay

pytestmark = pytest.mark.db

ADD = "/admin/orders/sellersettings/add/"


def values(site: Site, *registrations: dict[str, Any], **changes: Any) -> dict[str, Any]:
    sent = {
        "site": site.pk,
        "legal_name": "Example",
        "address": "Street",
        "country": "EE",
        "oss_mode": "destination",
        "registrations-TOTAL_FORMS": len(registrations),
        "registrations-INITIAL_FORMS": 0,
    }
    for index, row in enumerate(registrations):
        sent |= {f"registrations-{index}-{name}": value for name, value in row.items()}
    return sent | changes


@pytest.mark.parametrize(("country", "status"), [("EE", 302), ("ZZ", 200), ("ee", 200)])
def test_a_sellers_country_has_to_exist(team: Client, site: Site, country: str, status: int) -> None:
    assert team.post(ADD, values(site, country=country)).status_code == status
    assert SellerSettings.objects.exists() == (status == 302)


def test_registrations_are_kept_with_their_seller(team: Client, site: Site) -> None:
    local = {"scheme": "local", "country": "DE", "number": "DE123", "from_date": "2026-01-01"}
    oss = {**local, "scheme": "oss", "country": "EE", "until_date": "2026-06-30"}
    assert team.post(ADD, values(site, local, oss)).status_code == 302
    result = set(VatRegistration.objects.values_list("scheme", "country", "until_date"))
    assert result == {("local", "DE", None), ("oss", "EE", date(2026, 6, 30))}


@pytest.mark.parametrize(
    "wrong", [{"country": "ZZ"}, {"until_date": "2025-12-31"}, {"number": ""}, {"scheme": "secret"}]
)
def test_a_wrong_registration_saves_nothing(team: Client, site: Site, wrong: dict[str, Any]) -> None:
    row = {"scheme": "local", "country": "DE", "number": "DE123", "from_date": "2026-01-01", **wrong}
    assert team.post(ADD, values(site, row)).status_code == 200
    assert not SellerSettings.objects.exists()


def test_who_charges_vat_has_a_number(team: Client, site: Site) -> None:
    answer = team.post(ADD, values(site, is_vat_registered="on"))
    assert "vat_number" in answer.context["adminform"].form.errors


@pytest.mark.parametrize(
    ("chosen", "is_free"),
    [("NEW", True), ("acme", True), ("", True), ("OTHER", False), ("TAKEN", False), ("TEST", False), ("TESTER", False)],
)
def test_no_two_sites_have_one_prefix(team: Client, site: Site, chosen: str, is_free: bool) -> None:
    SiteFactory.create(key="other", host="other.localhost")
    third = SiteFactory.create(key="third", host="third.localhost")
    SellerSettings.objects.create(site=third, legal_name="Third", address="x", country="EE", invoice_prefix="TAKEN")
    answer = team.post(ADD, values(site, invoice_prefix=chosen))
    assert (answer.status_code == 302) == is_free
    result = SellerSettings.objects.filter(site=site).values_list("invoice_prefix", flat=True)
    assert list(result) == ([chosen.upper()] if is_free else [])


def test_a_derived_prefix_must_be_unique_too(db: None) -> None:
    first = SiteFactory.create(key="alpha-beta", host="a.localhost")
    second = SiteFactory.create(key="alphabeta", host="b.localhost")
    assert prefix_problem(site=second, chosen="").startswith(f"{first.name} uses")
    SellerSettings.objects.create(site=first, legal_name="A", address="x", country="EE", invoice_prefix="FIRST")
    assert prefix_problem(site=second, chosen="") == ""


def test_a_prefix_that_another_site_has_used_stays_taken(
    owner: ApiClient, listing: Listing, seller: SellerSettings, site: Site
) -> None:
    seller.invoice_prefix = "USED"
    seller.save()
    order = pay(check_out(owner, launch(listing)))
    order.invoices.get()
    order.payments.update(is_test=False)
    assert prefix_problem(site=site, chosen="USED") == ""
    other = SiteFactory.create(key="other", host="other.localhost")
    assert prefix_problem(site=other, chosen="USED").startswith(f"{site.name} uses")


def test_whose_settings_they_are_stays(team: Client, seller: SellerSettings) -> None:
    other = SiteFactory.create(host="other.localhost")
    address = reverse("admin:orders_sellersettings_change", args=[seller.pk])
    assert team.post(address, values(other, legal_name="Renamed")).status_code == 302
    seller.refresh_from_db()
    assert (seller.legal_name, seller.site == other) == ("Renamed", False)
    assert (
        team.post(reverse("admin:orders_sellersettings_delete", args=[seller.pk]), {"post": "yes"}).status_code == 403
    )


# ---- VAT rates ----
@pytest.fixture
def rate(owner: ApiClient, listing: Listing, seller: SellerSettings) -> VatRate:
    """A rate that an order was priced with."""
    pay(check_out(owner, launch(listing)))
    return VatRate.objects.get(country="DE")


def test_a_used_rate_stays_and_a_new_row_follows(team: Client, rate: VatRate) -> None:
    address = reverse("admin:orders_vatrate_change", args=[rate.pk])
    page = team.get(address)
    assert not page.context["adminform"].form.fields
    assert "19%" in page.content.decode()
    team.post(address, {"country": "FR", "rate": "5", "from_date": "2020-01-01"})
    assert VatRate.objects.values_list("country", "rate", "from_date").get(pk=rate.pk) == ("DE", 1900, rate.from_date)
    assert team.post(reverse("admin:orders_vatrate_delete", args=[rate.pk]), {"post": "yes"}).status_code == 403
    sent = {"country": "DE", "rate": "20.5", "from_date": "2027-01-01"}
    assert team.post("/admin/orders/vatrate/add/", sent).status_code == 302
    assert VatRate.objects.get(country="DE", from_date="2027-01-01").rate == 2050


def test_an_unused_rate_can_be_corrected(team: Client, rate: VatRate) -> None:
    other = VatRate.objects.get(country="FR")
    address = reverse("admin:orders_vatrate_change", args=[other.pk])
    assert 'value="20"' in team.get(address).content.decode()
    assert team.post(address, {"country": "FR", "rate": "21", "from_date": other.from_date}).status_code == 302
    other.refresh_from_db()
    assert other.rate == 2100


@pytest.mark.parametrize(
    "wrong", [{"country": "ZZ"}, {"rate": "100.5"}, {"rate": "-1"}, {"rate": ""}, {"from_date": "soon"}]
)
def test_a_wrong_rate_is_refused(team: Client, wrong: dict[str, str]) -> None:
    before = VatRate.objects.count()
    sent = {"country": "DE", "rate": "19", "from_date": "2030-01-01", **wrong}
    assert team.post("/admin/orders/vatrate/add/", sent).status_code == 200
    assert VatRate.objects.count() == before


# ---- terms ----
def test_terms_are_added_and_the_newest_counts(team: Client, site: Site) -> None:
    other = SiteFactory.create(host="other.localhost")
    for text, where in (("First.", site), ("Second.", site), ("Theirs.", other)):
        assert team.post("/admin/orders/termsofsale/add/", {"site": where.pk, "text": text}).status_code == 302
    page = team.get("/admin/orders/termsofsale/")
    admin = page.context["cl"].model_admin
    states = {terms.text: admin.state(terms) for terms in page.context["cl"].result_list}
    assert states == {"First.": "earlier", "Second.": "current", "Theirs.": "current"}
    terms = TermsOfSale.objects.get(text="Second.")
    change = reverse("admin:orders_termsofsale_change", args=[terms.pk])
    assert team.get(change).status_code == 200
    assert team.post(change, {"site": other.pk, "text": "Other."}).status_code == 403
    assert team.post(reverse("admin:orders_termsofsale_delete", args=[terms.pk]), {"post": "yes"}).status_code == 403
    terms.refresh_from_db()
    assert (terms.text, terms.site) == ("Second.", site)
