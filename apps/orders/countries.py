"""Countries as VAT sees them. Codes are ISO 3166-1 alpha-2, names in English."""

import re

from apps.core.countries import COUNTRIES

EU = frozenset(
    {
        "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
        "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
    }
)  # fmt: skip

# Other codes that are in use for the same country.
_SPELLINGS = {"EL": "GR", "UK": "GB", "XI": "GB"}
# Countries and parts of countries that are another country for VAT. Northern Ireland counts as EU for goods only.
_VAT_HOME = {"MC": "FR", "IM": "GB", **_SPELLINGS}

# Parts of member states in which the EU's VAT does not apply, by postal code.
_OUTSIDE_EU_VAT = {
    "ES": re.compile(r"(35|38|51|52)\d{3}"),  # Canaries, Ceuta, Melilla
    "FI": re.compile(r"22\d{3}"),  # Åland
    "FR": re.compile(r"97\d{3}|98[1-9]\d{2}"),  # overseas; 980 is Monaco
    "DE": re.compile(r"78266|27498"),  # Büsingen, Heligoland
    "IT": re.compile(r"23041|22061"),  # Livigno, Campione
    "GR": re.compile(r"6308[67]"),  # Athos
}


def vat_country(code: str) -> str:
    """The country whose VAT rules hold: France for Monaco, the United Kingdom for the Isle of Man and XI."""
    return _VAT_HOME.get(code, code)


def is_outside_eu_vat(country: str, postal_code: str) -> bool:
    """Whether an address lies in a part of a member state that EU VAT leaves out; False without a postal code."""
    code = _SPELLINGS.get(country, country)
    digits = re.sub(r"\D", "", postal_code)
    rule = _OUTSIDE_EU_VAT.get(code)
    return rule is not None and rule.fullmatch(digits) is not None


def read_country(text: str) -> str | None:
    """The country code that was typed, in upper case; None when there is no such country."""
    code = text.strip().upper()
    code = {"EL": "GR", "UK": "GB"}.get(code, code)
    return code if code in COUNTRIES or code == "XI" else None
