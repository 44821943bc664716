"""Who owes which VAT."""

from datetime import date

import eu_vat_rates_data
import pytest

from apps.core.countries import COUNTRIES
from apps.orders.countries import EU, read_country
from apps.orders.models import SellerSettings, VatRate
from apps.orders.vat import (
    Decision,
    NumberCheck,
    NumberStatus,
    RateMissing,
    Seller,
    Treatment,
    decide,
    parse_number,
    rate_of,
)

TODAY = date(2026, 11, 21)
ESTONIAN = Seller(country="EE", vat_number="EE123456780", is_vat_registered=True)
STANDARD = {
    "AT": 2000, "BE": 2100, "BG": 2000, "CY": 1900, "CZ": 2100, "DE": 1900, "DK": 2500, "EE": 2400, "ES": 2100,
    "FI": 2550, "FR": 2000, "GR": 2400, "HR": 2500, "HU": 2700, "IE": 2300, "IT": 2200, "LT": 2100, "LU": 1700,
    "LV": 2100, "MT": 1800, "NL": 2100, "PL": 2300, "PT": 2300, "RO": 2100, "SE": 2500, "SI": 2200, "SK": 2300,
}  # fmt: skip


def sell(
    country: str | None,
    *,
    postal_code: str = "",
    status: NumberStatus | None = None,
    of: str | None = None,
    seller: Seller = ESTONIAN,
) -> Decision:
    check = NumberCheck("typed", status, of or country or "") if status else None
    return decide(seller=seller, country=country, postal_code=postal_code, check=check, on=TODAY)


def test_the_seed_has_the_standard_rates_of_all_member_states(db: None) -> None:
    assert set(STANDARD) == EU
    assert {country: rate_of(country, TODAY) for country in EU} == STANDARD


@pytest.mark.parametrize("country", sorted(EU))
def test_consumers_pay_the_rate_of_their_country(db: None, country: str) -> None:
    decision = sell(country)
    assert (decision.treatment, decision.rate) == (Treatment.STANDARD, STANDARD[country])


@pytest.mark.parametrize("country", sorted(EU - {"EE"}))
def test_businesses_elsewhere_in_the_eu_account_for_it_themselves(db: None, country: str) -> None:
    decision = sell(country, status=NumberStatus.VALID)
    assert (decision.treatment, decision.rate) == (Treatment.REVERSE_CHARGE, 0)


@pytest.mark.parametrize("status", [NumberStatus.INVALID, NumberStatus.UNAVAILABLE])
def test_without_a_confirmed_number_vat_is_charged_and_said(db: None, status: NumberStatus) -> None:
    decision = sell("DE", status=status)
    assert (decision.treatment, decision.rate) == (Treatment.STANDARD, 1900)
    assert "VAT is charged" in decision.notices[0]


def test_a_number_of_another_country_does_not_help(db: None) -> None:
    decision = sell("DE", status=NumberStatus.VALID, of="FR")
    assert (decision.treatment, decision.rate) == (Treatment.STANDARD, 1900)
    assert "another country" in decision.notices[0]


def test_a_valid_number_at_home_is_charged(db: None) -> None:
    assert sell("EE", status=NumberStatus.VALID).treatment == Treatment.STANDARD


@pytest.mark.parametrize("country", ["US", "GB", "CH", "NO", "XI", "IM", "AX", "RE", "GP", "JP"])
def test_outside_the_eu_is_outside_the_scope(db: None, country: str) -> None:
    decision = sell(country)
    assert (decision.treatment, decision.rate) == (Treatment.OUTSIDE_SCOPE, 0)


def test_monaco_is_france(db: None) -> None:
    assert sell("MC").rate == 2000
    assert sell("FR", postal_code="98000").rate == 2000


@pytest.mark.parametrize(
    ("country", "postal_code"),
    [
        ("ES", "35001"), ("ES", "38 400"), ("ES", "51001"), ("ES", "52006"), ("FI", "22100"), ("FI", "AX-22100"),
        ("FR", "97110"), ("FR", "98714"), ("DE", "78266"), ("DE", "27498"), ("IT", "23041"), ("IT", "22061"),
        ("GR", "630 86"),
    ],
)  # fmt: skip
def test_territories_that_eu_vat_leaves_out(db: None, country: str, postal_code: str) -> None:
    assert sell(country, postal_code=postal_code).treatment == Treatment.OUTSIDE_SCOPE


@pytest.mark.parametrize(
    ("country", "postal_code"), [("ES", "28001"), ("FI", "00100"), ("DE", "10115"), ("IT", "00118")]
)
def test_the_mainland_is_not_left_out(db: None, country: str, postal_code: str) -> None:
    assert sell(country, postal_code=postal_code).treatment == Treatment.STANDARD


def test_without_a_country_nothing_is_said(db: None) -> None:
    decision = sell(None)
    assert (decision.treatment, decision.rate, decision.country) == (Treatment.UNKNOWN_COUNTRY, None, None)


def test_a_seller_that_is_not_registered_charges_none(db: None) -> None:
    for country in ("DE", "US", None):
        assert sell(country, seller=Seller()).treatment == Treatment.NOT_REGISTERED


def test_below_the_threshold_the_sellers_rate_holds(db: None) -> None:
    small = Seller(
        country="EE", vat_number="EE123456780", is_vat_registered=True, oss_mode=SellerSettings.OssMode.ORIGIN.value
    )
    assert sell("HU", seller=small).rate == 2400


def test_a_seller_outside_the_eu_gives_no_reverse_charge(db: None) -> None:
    british = Seller(country="GB", vat_number="GB1", is_vat_registered=True)
    assert sell("DE", status=NumberStatus.VALID, seller=british).treatment == Treatment.STANDARD
    assert sell("GB", seller=british).rate == 2000
    assert sell("US", seller=british).treatment == Treatment.OUTSIDE_SCOPE


def test_the_latest_rate_that_has_begun_counts(db: None) -> None:
    VatRate.objects.create(country="EE", rate=2600, from_date=date(2027, 1, 1))
    assert rate_of("EE", date(2026, 12, 31)) == 2400
    assert rate_of("EE", date(2027, 1, 1)) == 2600


def test_a_missing_rate_is_no_zero(db: None) -> None:
    VatRate.objects.filter(country="DE").delete()
    with pytest.raises(RateMissing):
        sell("DE")


@pytest.mark.parametrize(
    ("typed", "country", "number"),
    [
        ("DE136695976", "DE", "DE136695976"), ("de 136.695-976", "DE", "DE136695976"),
        ("136695976", "DE", "DE136695976"),
        ("GR094259216", "GR", "EL094259216"), ("EL094259216", "GR", "EL094259216"), ("094259216", "GR", "EL094259216"),
        ("IE6388047V", "IE", "IE6388047V"), ("DE136695976", "FR", "DE136695976"),
    ],
)  # fmt: skip
def test_numbers_are_read_however_they_are_typed(typed: str, country: str, number: str) -> None:
    assert str(parse_number(typed, country=country)) == number


@pytest.mark.parametrize(
    "typed", ["EU372000041", "XI110305878", "GB110305878", "DE136695977", "DE", "x", "ＤＥ136695976１"]
)
def test_what_is_no_eu_number(typed: str) -> None:
    assert parse_number(typed, country="DE") is None


def test_countries() -> None:
    assert len(COUNTRIES) == 249
    assert set(eu_vat_rates_data.get_all_rates()) - set(COUNTRIES) == {"XI", "XK"}
    assert [read_country(text) for text in (" de", "EL", "uk", "XI", "ZZ", "", "D")] == [
        "DE", "GR", "GB", "XI", None, None, None,
    ]  # fmt: skip
