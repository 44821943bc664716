"""Parts of member states that EU VAT leaves out, told by the postal code."""

import pytest

from apps.core.text.countries import COUNTRIES
from apps.orders.countries import BILLING_COUNTRIES, SPELLINGS, read_country
from apps.orders.tax.vat import NumberStatus
from tests.orders.vat_cases import OUTSIDE_SCOPE, oss, sell, sold_by, told

pytestmark = pytest.mark.db

LEFT_OUT = {
    "the Canaries": ("ES", ["35000", "35001", "35999", "38000", "38 400", "38999", "E-35001", "ES-38001", "ES35001"]),
    "Ceuta": ("ES", ["51000", "51001", "51999", "ES 51005"]),
    "Melilla": ("ES", ["52000", "52006", "52999"]),
    "Åland": ("FI", ["22100", "22999", "FI-22100", "AX-22100", "FIN 22 100", "FI-AX 22100", "２２１００"]),
    "French overseas": (
        "FR",
        ["97110", "97200", "97300", "97400", "97500", "97600", "97700", "97800", "98400", "98600", "98714", "98800"],
    ),
    "French overseas, as typed": ("FR", ["F-97110", "97 110", "FR 97400", "97400 Saint-Denis"]),
    "Büsingen": ("DE", ["78266", "D-78266", "78266 Büsingen", "CH-8238"]),
    "Heligoland": ("DE", ["27498", "D-27498", "DE 27498", " 27 498 "]),
    "Livigno": ("IT", ["23041", "I-23041", "IT-23041"]),
    "Campione": ("IT", ["22061", "CH-6911", "6911"]),
    "Athos": ("GR", ["63086", "63087", "630 86", "GR-63086", "EL 630 87"]),
    "Athos, by the other code": ("EL", ["63086"]),
    "Greenland, as part of Denmark": ("DK", ["3900", "DK-3992"]),
}
NEXT_TO_IT = {
    "ES": ["34999", "36000", "37999", "39000", "50999", "53000", "28001", "350010", "3500", "35", ""],
    "FI": ["21999", "23000", "00100", "2210", "221000", ""],
    "FR": ["96999", "98000", "98099", "99000", "20000", "75001", "F-98000", "9711", ""],
    "DE": ["78265", "78267", "27497", "27499", "10115", "D-10115", "2749", ""],
    "IT": ["23040", "23042", "23030", "22060", "22062", "00118", ""],
    "GR": ["63085", "63088", "63075", "105 57", ""],
    "DK": ["3790", "4000", "1050", ""],
    "AT": ["6691", "27498", "35001", "22100"],
    "PT": ["9000-001", "9500-001"],
}


@pytest.mark.parametrize(
    ("country", "postal_code"), [(country, code) for country, codes in LEFT_OUT.values() for code in codes]
)
def test_left_out(db: None, country: str, postal_code: str) -> None:
    decision = sell(country, postal_code=postal_code)
    assert told(decision) == OUTSIDE_SCOPE
    assert decision.country == country


@pytest.mark.parametrize(
    ("country", "postal_code"), [(country, code) for country, codes in NEXT_TO_IT.items() for code in codes]
)
def test_not_left_out(db: None, country: str, postal_code: str) -> None:
    assert told(sell(country, postal_code=postal_code)) == oss(country)


# Codes of territories with VAT rules of their own: what is stored, its name, and whose VAT applies, if any.
# The Commission assigns those with an X itself. EA and IC are reserved in ISO 3166-1.
CODES = {
    "XK": ("XK", "Kosovo", None),
    "XI": ("XI", "Northern Ireland", None),
    "XS": ("RS", "Serbia", None),
    "XU": ("GB", "United Kingdom", None),
    "XC": ("EA", "Ceuta and Melilla", None),
    "XL": ("EA", "Ceuta and Melilla", None),
    "EA": ("EA", "Ceuta and Melilla", None),
    "IC": ("IC", "Canary Islands", None),
    "AX": ("AX", "Åland Islands", None),
    "GP": ("GP", "Guadeloupe", None),
    "MQ": ("MQ", "Martinique", None),
    "GF": ("GF", "French Guiana", None),
    "RE": ("RE", "Réunion", None),
    "YT": ("YT", "Mayotte", None),
    "PM": ("PM", "Saint Pierre and Miquelon", None),
    "BL": ("BL", "Saint Barthélemy", None),
    "MF": ("MF", "Saint Martin", None),
    "PF": ("PF", "French Polynesia", None),
    "NC": ("NC", "New Caledonia", None),
    "WF": ("WF", "Wallis and Futuna", None),
    "TF": ("TF", "French Southern Territories", None),
    "GL": ("GL", "Greenland", None),
    "FO": ("FO", "Faroe Islands", None),
    "AW": ("AW", "Aruba", None),
    "BQ": ("BQ", "Caribbean Netherlands", None),
    "CW": ("CW", "Curaçao", None),
    "SX": ("SX", "Sint Maarten", None),
    "SJ": ("SJ", "Svalbard and Jan Mayen", None),
    "GI": ("GI", "Gibraltar", None),
    "GG": ("GG", "Guernsey", None),
    "JE": ("JE", "Jersey", None),
    "IM": ("IM", "Isle of Man", None),
    "UK": ("GB", "United Kingdom", None),
    "SM": ("SM", "San Marino", None),
    "VA": ("VA", "Vatican City", None),
    "AD": ("AD", "Andorra", None),
    "LI": ("LI", "Liechtenstein", None),
    "MC": ("MC", "Monaco", "FR"),
    "EL": ("GR", "Greece", "GR"),
}


@pytest.mark.parametrize("code", CODES)
def test_territories_that_have_a_code_of_their_own(db: None, code: str) -> None:
    country, name, taxed_as = CODES[code]
    assert read_country(code) == country
    # As Japanese keyboards type them.
    assert read_country("".join(chr(ord(letter) + 0xFEE0) for letter in code)) == country
    assert BILLING_COUNTRIES[country] == name
    assert told(sell(country)) == (oss(taxed_as) if taxed_as else OUTSIDE_SCOPE)


def test_the_table_has_every_code_that_is_not_a_country_of_its_own() -> None:
    assert CODES.keys() >= {*(BILLING_COUNTRIES.keys() - COUNTRIES.keys()), *SPELLINGS, "XK"}


def test_a_valid_number_does_not_bring_a_territory_into_the_eu(db: None) -> None:
    for country, postal_code in [("ES", "35001"), ("FI", "22100"), ("DE", "27498")]:
        decision = sell(country, postal_code=postal_code, status=NumberStatus.VALID)
        assert told(decision) == OUTSIDE_SCOPE


def test_a_territory_of_the_sellers_own_country(db: None) -> None:
    assert told(sell("ES", postal_code="35001", seller=sold_by("ES"))) == OUTSIDE_SCOPE
