"""Who owes which VAT: every member state, and everywhere else."""

import eu_vat_rates_data
import pytest

from apps.core.text.countries import COUNTRIES
from apps.orders.countries import BILLING_COUNTRIES, EU, read_country
from apps.orders.models import VatRate
from apps.orders.tax import vies as client
from apps.orders.tax.vat import NumberStatus, RateMissing, Seller, parse_number, rate_of, rate_text
from tests.orders.vat_cases import (
    ESTONIAN,
    NOT_REGISTERED,
    NUMBERS,
    OUTSIDE_SCOPE,
    REVERSE_CHARGE,
    STANDARD,
    TODAY,
    local,
    oss,
    sell,
    sold_by,
    told,
)
from tests.orders.vies_server import ViesServer
from tests.process_caches import forget_everything

HOME = "EE"
ABROAD = sorted(EU - {HOME})


def test_the_table_is_of_all_member_states() -> None:
    assert len(EU) == 27
    assert set(STANDARD) == set(NUMBERS) == EU


def test_the_seed_has_the_standard_rates_of_all_member_states(db: None) -> None:
    assert {country: rate_of(country, TODAY) for country in EU} == STANDARD


@pytest.mark.parametrize("country", ABROAD)
def test_a_member_state(db: None, country: str) -> None:
    """Consumers pay the rate of their country, and so do businesses whose number is not confirmed there."""
    assert told(sell(country)) == oss(country)
    assert told(sell(country, status=NumberStatus.VALID)) == REVERSE_CHARGE
    for status in (NumberStatus.INVALID, NumberStatus.UNAVAILABLE):
        decision = sell(country, status=status)
        assert told(decision) == oss(country)
        assert decision.number_status == status
        assert "VAT is charged" in decision.notices[0]
    foreign = sell(country, status=NumberStatus.VALID, of="DE" if country != "DE" else "FR")
    assert told(foreign) == oss(country)
    assert "a different country" in foreign.notices[0]


@pytest.mark.parametrize("country", sorted(EU))
def test_every_member_state_as_the_sellers_own(db: None, country: str) -> None:
    seller = sold_by(country)
    for status in (None, *NumberStatus):
        assert told(sell(country, status=status, seller=seller)) == local(country)
    neighbour = "AT" if country != "AT" else "BE"
    assert told(sell(neighbour, seller=seller)) == oss(neighbour)
    assert told(sell(neighbour, status=NumberStatus.VALID, seller=seller)) == REVERSE_CHARGE
    assert told(sell("US", seller=seller)) == OUTSIDE_SCOPE


@pytest.mark.parametrize("country", sorted(EU))
def test_a_number_of_every_member_state_goes_to_vies(vies: ViesServer, db: None, country: str) -> None:
    """From what is typed to what is charged, with VIES saying each of its three answers."""
    number, seller = NUMBERS[country], sold_by("EE" if country != "EE" else "DE")
    expected = {"valid": REVERSE_CHARGE, "invalid": oss(country), "unavailable": oss(country)}
    answers = {"valid": {"valid": True}, "invalid": {"valid": False}, "unavailable": {"userError": "MS_UNAVAILABLE"}}
    for says, answer in answers.items():
        forget_everything()
        vies.answer = answer
        check = client.check_number(number[2:], country=country, seller=seller)
        assert check is not None
        assert (check.status, check.typed) == (says, number)
        assert told(sell(country, status=check.status, of=check.country, seller=seller)) == expected[says]
    sent = {(asked["countryCode"], asked["vatNumber"]) for asked in vies.asked}
    assert sent == {(number[:2], number[2:])}


def test_vies_down(db: None) -> None:
    check = client.check_number("DE136695976", country="DE", seller=ESTONIAN)
    assert check is not None
    decision = sell("DE", status=check.status, of=check.country)
    assert told(decision) == oss("DE")
    assert len(decision.notices) == 1


@pytest.mark.parametrize("country", ["US", "GB", "CH", "NO", "XI", "IM", "LI", "IS", "SM", "VA", "AD", "TR", "JP"])
@pytest.mark.parametrize("status", [None, NumberStatus.NOT_CHECKED])
def test_outside_the_eu_is_outside_the_scope(db: None, country: str, status: NumberStatus | None) -> None:
    decision = sell(country, status=status)
    assert told(decision) == OUTSIDE_SCOPE
    assert decision.country == country
    assert len(decision.notices) == 1


def test_monaco_is_france(db: None) -> None:
    assert told(sell("MC")) == oss("FR")
    assert told(sell("MC", postal_code="98000")) == told(sell("FR", postal_code="98000")) == oss("FR")
    assert told(sell("MC", status=NumberStatus.VALID, of="FR")) == REVERSE_CHARGE
    assert told(sell("MC", seller=sold_by("FR"))) == told(sell("FR", seller=sold_by("MC"))) == local("FR")


def test_the_isle_of_man_and_northern_ireland_are_the_united_kingdom(db: None) -> None:
    for home in ("GB", "IM", "XI"):
        for country in ("GB", "IM", "XI"):
            assert told(sell(country, seller=sold_by(home))) == local("GB", 2000)


def test_without_a_country_nothing_is_said(db: None) -> None:
    decision = sell(None)
    assert (*told(decision), decision.country) == ("unknown_country", None, "", "", None)
    assert "billing_country" in decision.notices[0]
    assert "VAT number" in sell(None, status=NumberStatus.NOT_CHECKED).notices[1]


def test_a_seller_that_is_not_registered_charges_none(db: None) -> None:
    for country in ("DE", "EE", "US", None):
        assert told(sell(country, seller=Seller())) == NOT_REGISTERED
        assert told(sell(country, seller=Seller(country="EE", vat_number="EE123456780"))) == NOT_REGISTERED


def test_a_missing_rate_is_no_zero(db: None) -> None:
    VatRate.objects.filter(country="DE").delete()
    with pytest.raises(RateMissing):
        sell("DE")
    assert told(sell("DE", status=NumberStatus.VALID)) == REVERSE_CHARGE


@pytest.mark.parametrize(
    ("typed", "country", "number"),
    [
        ("DE136695976", "DE", "DE136695976"), ("de 136.695-976", "DE", "DE136695976"),
        ("136695976", "DE", "DE136695976"), ("DE136695976", "FR", "DE136695976"),
        ("GR094259216", "GR", "EL094259216"), ("EL094259216", "GR", "EL094259216"), ("094259216", "GR", "EL094259216"),
        ("gr 094259216", "EL", "EL094259216"), ("EL94259216", "GR", "EL094259216"), ("94259216", "GR", "EL094259216"),
        ("GR094259216", "DE", "EL094259216"), ("IE6388047V", "IE", "IE6388047V"),
        ("BE403019261", "BE", "BE0403019261"), ("U13585627", "AT", "ATU13585627"),
        ("FR40303265045", "MC", "FR40303265045"),
        ("40303265045", "MC", "FR40303265045"), ("\u200bDE136695976\u00a0", "DE", "DE136695976"),
        ("ＤＥ１３６６９５９７６", "DE", "DE136695976"), ("ＧＲ　０９４２５９２１６", "GR", "EL094259216"),
    ],
)  # fmt: skip
def test_numbers_are_read_however_they_are_typed(typed: str, country: str, number: str) -> None:
    assert str(parse_number(typed, country=country)) == number


def test_a_greek_number_is_of_greece() -> None:
    number = parse_number("GR094259216", country="GR")
    assert number is not None
    assert (number.prefix, number.country) == ("EL", "GR")


@pytest.mark.parametrize(
    "typed",
    [
        "EU372000041", "EU 372 0000 41", "IM3720000041", "XI110305878", "GB110305878", "CHE107787577IVA", "DE136695977",
        "DE", "EL", "x", "", "ＤＥ136695976１", "DE136695976DE",
    ],
)  # fmt: skip
def test_what_is_no_eu_number(typed: str) -> None:
    assert parse_number(typed, country="DE") is None


def test_countries() -> None:
    # ISO 3166-1 and Kosovo.
    assert len(COUNTRIES) == 249 + 1
    assert set(eu_vat_rates_data.get_all_rates()) <= set(BILLING_COUNTRIES)
    assert [read_country(text) for text in (" de", "EL", "uk", "XI", "xk", "ZZ", "EU", "XX", "", "D")] == [
        "DE", "GR", "GB", "XI", "XK", None, None, None, None, None,
    ]  # fmt: skip


def test_rates_as_people_read_them() -> None:
    assert [rate_text(rate) for rate in (1900, 2550, 810, 0, None)] == ["19%", "25.5%", "8.1%", "0%", ""]
