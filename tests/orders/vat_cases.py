"""What the VAT tests share: the rates that the law has, numbers that pass each country's check, and sales."""

from datetime import date
from typing import Any

from apps.orders.tax.vat import Decision, NumberCheck, NumberStatus, Scheme, Seller, decide

TODAY = date(2026, 11, 21)
# Standard rates on 2026-09-29, in basis points.
STANDARD = {
    "AT": 2000, "BE": 2100, "BG": 2000, "CY": 1900, "CZ": 2100, "DE": 1900, "DK": 2500, "EE": 2400, "ES": 2100,
    "FI": 2550, "FR": 2000, "GR": 2400, "HR": 2500, "HU": 2700, "IE": 2300, "IT": 2200, "LT": 2100, "LU": 1700,
    "LV": 2100, "MT": 1800, "NL": 2100, "PL": 2300, "PT": 2300, "RO": 2100, "SE": 2500, "SI": 2200, "SK": 2300,
}  # fmt: skip
# Numbers whose check digits are right, one of each member state, as VIES takes them.
NUMBERS = {
    "AT": "ATU13585627", "BE": "BE0403019261", "BG": "BG175074752", "CY": "CY10259033P", "CZ": "CZ25123891",
    "DE": "DE136695976", "DK": "DK13585628", "EE": "EE100931558", "ES": "ES54362315K", "FI": "FI20774740",
    "FR": "FR40303265045", "GR": "EL094259216", "HR": "HR33392005961", "HU": "HU12892312", "IE": "IE6433435F",
    "IT": "IT00743110157", "LT": "LT119511515", "LU": "LU15027442", "LV": "LV40003521600", "MT": "MT11679112",
    "NL": "NL004495445B01", "PL": "PL8567346215", "PT": "PT501964843", "RO": "RO18547290", "SE": "SE123456789701",
    "SI": "SI50223054", "SK": "SK2022749619",
}  # fmt: skip
ESTONIAN = Seller(country="EE", vat_number="EE123456780", is_vat_registered=True)


def registered(scheme: str, country: str, from_date: str = "2020-01-01", until_date: str = "") -> dict[str, str]:
    """A registration as the seller's copy has it."""
    return {
        "scheme": scheme,
        "country": country,
        "number": f"{country}123",
        "from_date": from_date,
        "until_date": until_date,
    }


def sold_by(country: str, *registrations: dict[str, str], **fields: Any) -> Seller:
    return Seller(
        country=country,
        vat_number=f"{country}123456780",
        is_vat_registered=True,
        registrations=registrations,
        **fields,
    )


def sell(
    country: str | None,
    *,
    postal_code: str = "",
    status: NumberStatus | None = None,
    of: str | None = None,
    seller: Seller = ESTONIAN,
    on: date = TODAY,
) -> Decision:
    """Decide a sale; with a `status` the customer gave a number, of the country `of`."""
    check = NumberCheck("typed", status, of or country or "") if status else None
    return decide(seller=seller, country=country, postal_code=postal_code, check=check, on=on)


def told(decision: Decision) -> tuple[str, int | None, str, str]:
    """Treatment, rate, place and scheme."""
    return decision.treatment, decision.rate, decision.place, decision.scheme


def oss(country: str) -> tuple[str, int | None, str, str]:
    """What a consumer elsewhere in the EU pays."""
    return "standard", STANDARD[country], country, Scheme.OSS


def local(country: str, rate: int | None = None) -> tuple[str, int | None, str, str]:
    return "standard", STANDARD[country] if rate is None else rate, country, Scheme.LOCAL


REVERSE_CHARGE = ("reverse_charge", 0, "", "")
OUTSIDE_SCOPE = ("outside_scope", 0, "", "")
NOT_REGISTERED = ("not_registered", 0, "", "")
