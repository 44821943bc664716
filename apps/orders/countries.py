"""Countries for VAT purposes. Codes are ISO 3166-1 alpha-2 or reserved, names in English."""

import re
import unicodedata

from apps.core.text.countries import COUNTRIES

EU = frozenset(
    {
        "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
        "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
    }
)  # fmt: skip

# Parts of countries that have codes of their own because of their VAT.
BILLING_COUNTRIES = COUNTRIES | {"EA": "Ceuta and Melilla", "IC": "Canary Islands", "XI": "Northern Ireland"}
# Other codes for the same country. The Commission uses those with an X for customs.
SPELLINGS = {"EL": "GR", "UK": "GB", "XC": "EA", "XL": "EA", "XS": "RS", "XU": "GB"}
# Countries and parts of countries that are another country for VAT. Northern Ireland counts as EU for goods only.
_VAT_HOME = {"MC": "FR", "IM": "GB", "XI": "GB", **SPELLINGS}
_CARDS_NAME = {"EA": "ES", "IC": "ES"}

# Parts of member states in which the EU's VAT does not apply, by postal code. Büsingen and Campione also have a
# Swiss one.
_OUTSIDE_EU_VAT = {
    "ES": re.compile(r"(35|38|51|52)\d{3}"),  # Canaries, Ceuta, Melilla
    "FI": re.compile(r"22\d{3}"),  # Åland
    "FR": re.compile(r"97\d{3}|98[1-9]\d{2}"),  # overseas; 980 is Monaco
    "DE": re.compile(r"78266|8238|27498"),  # Büsingen, Heligoland
    "IT": re.compile(r"23041|22061|6911"),  # Livigno, Campione
    "GR": re.compile(r"6308[67]"),  # Athos
    "DK": re.compile(r"39\d{2}"),  # Greenland, whose people may give Denmark as their country
}
# People put `D-`, `FI-AX ` or the name of the place around the digits.
_POSTAL_DIGITS = re.compile(r"\D*(\d+)\D*")


def vat_country(code: str) -> str:
    """Return the country whose VAT rules apply: France for Monaco, the United Kingdom for the Isle of Man and XI."""
    return _VAT_HOME.get(code, code)


def located_in(code: str) -> str:
    """Return the country that cards and IP addresses name for a place: Spain for the Canary Islands."""
    return _CARDS_NAME.get(code, vat_country(code))


def is_outside_eu_vat(country: str, postal_code: str) -> bool:
    """Return whether an address is in a part of a member state without EU VAT. False without a postal code."""
    rule = _OUTSIDE_EU_VAT.get(SPELLINGS.get(country, country))
    typed = "".join(char for char in unicodedata.normalize("NFKC", postal_code) if char.isalnum())
    result = _POSTAL_DIGITS.fullmatch(typed)
    return rule is not None and result is not None and rule.fullmatch(result[1]) is not None


def read_country(text: str) -> str | None:
    """Return the typed country code in upper case, or None if there is no such country."""
    code = unicodedata.normalize("NFKC", text).strip().upper()
    code = SPELLINGS.get(code, code)
    return code if code in BILLING_COUNTRIES else None
