"""Which VAT an order carries: treatment and rate by seller, customer's place and VAT number."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from stdnum.eu import vat as eu_vat

from apps.core.errors import ServiceUnavailable
from apps.orders.countries import EU, is_outside_eu_vat, vat_country
from apps.orders.models import SellerSettings, VatRate


class RateMissing(ServiceUnavailable):
    code = "vat_rate_missing"
    title = "No VAT rate is on record"


class Treatment(StrEnum):
    STANDARD = "standard"
    REVERSE_CHARGE = "reverse_charge"
    OUTSIDE_SCOPE = "outside_scope"
    NOT_REGISTERED = "not_registered"
    UNKNOWN_COUNTRY = "unknown_country"


class NumberStatus(StrEnum):
    VALID = "valid"
    INVALID = "invalid"
    UNAVAILABLE = "unavailable"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True)
class VatNumber:
    """A VAT number of an EU country as VIES takes it: `prefix` is EL for Greece."""

    prefix: str
    digits: str

    def __str__(self) -> str:
        return self.prefix + self.digits

    @property
    def country(self) -> str:
        """The ISO code of the country that gave it."""
        return "GR" if self.prefix == "EL" else self.prefix


@dataclass(frozen=True, slots=True)
class NumberCheck:
    """What is known of the VAT number that a customer gave."""

    typed: str
    status: NumberStatus
    country: str = ""
    consultation_number: str = ""


@dataclass(frozen=True, slots=True)
class Seller:
    """The seller as orders copy it."""

    legal_name: str = ""
    address: str = ""
    country: str = ""
    vat_number: str = ""
    is_vat_registered: bool = False
    oss_mode: str = SellerSettings.OssMode.DESTINATION.value

    @classmethod
    def of(cls, settings: SellerSettings | None) -> "Seller":
        """The seller of a site; an empty one, which charges no VAT, when none is set."""
        if settings is None:
            return cls()
        return cls(**{name: getattr(settings, name) for name in cls.__slots__})

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "Seller":
        return cls(**stored)


@dataclass(frozen=True, slots=True)
class Decision:
    """How VAT is charged. `rate` is in basis points and None where nothing can be said yet."""

    treatment: Treatment
    country: str | None
    rate: int | None
    number_status: NumberStatus | None
    notices: Sequence[str] = ()


def parse_number(typed: str, *, country: str) -> VatNumber | None:
    """Read a VAT number of an EU country, with or without its prefix; None when its form is wrong.

    Numbers of the One Stop Shop (`EU…`) and of Northern Ireland are none for the services sold here.
    """
    text = "".join(char for char in typed.upper() if char.isalnum())
    text = "EL" + text[2:] if text.startswith("GR") else text
    home = vat_country(country) if country else ""
    prefixed = "EL" + text if home == "GR" else home + text
    for candidate in (text, prefixed):
        number = VatNumber(candidate[:2], candidate[2:])
        if number.country in EU and text.isascii() and eu_vat.is_valid(candidate):
            return number
    return None


def decide(*, seller: Seller, country: str | None, postal_code: str, check: NumberCheck | None, on: date) -> Decision:
    """The VAT of a sale of digital services, by country and postal code of the billing address.

    A business elsewhere in the EU whose number is valid there owes the VAT itself; everybody else in the EU pays
    the rate of their country. Raises RateMissing (503) when no rate of that country is on record.
    """
    status = check.status if check else None
    if not seller.is_vat_registered:
        return Decision(Treatment.NOT_REGISTERED, country, 0, status, ["The seller is not registered for VAT."])
    if not country:
        return Decision(Treatment.UNKNOWN_COUNTRY, None, None, status, _without_country(check))
    place = None if is_outside_eu_vat(country, postal_code) else vat_country(country)
    home = vat_country(seller.country)
    if place == home:
        return Decision(Treatment.STANDARD, country, rate_of(home, on), status, _number_notices(check, country))
    if place not in EU:
        return Decision(Treatment.OUTSIDE_SCOPE, country, 0, status, ["No EU VAT is due in this country."])
    if home in EU and check and status == NumberStatus.VALID and check.country == place:
        return Decision(Treatment.REVERSE_CHARGE, country, 0, status, ["Reverse charge: you account for the VAT."])
    below_threshold = seller.oss_mode == SellerSettings.OssMode.ORIGIN
    rate = rate_of(home if below_threshold else place, on)
    return Decision(Treatment.STANDARD, country, rate, status, _number_notices(check, country))


def rate_of(country: str, on: date) -> int:
    """The standard rate of a country on a day, in basis points; raises RateMissing (503)."""
    row = VatRate.objects.filter(country=country, from_date__lte=on).order_by("-from_date").first()
    if row is None:
        raise RateMissing(f"No VAT rate of {country} is on record. The site team has to add it.")
    return row.rate


def rate_text(rate: int | None) -> str:
    """Basis points as people read them: `25.5%`."""
    return "" if rate is None else f"{rate / 100:g}%"


def _without_country(check: NumberCheck | None) -> list[str]:
    notices = ["VAT is not included: give billing_country to see it."]
    if check:
        notices.append("The VAT number is looked at together with billing_country.")
    return notices


def _number_notices(check: NumberCheck | None, country: str) -> list[str]:
    if check is None:
        return []
    match check.status:
        case NumberStatus.INVALID:
            return [f"{check.typed} is not a valid VAT number, so VAT is charged."]
        case NumberStatus.UNAVAILABLE:
            return ["The VAT number could not be checked now, so VAT is charged. It is checked again at payment."]
        case NumberStatus.VALID if check.country != vat_country(country):
            return ["The VAT number is of another country than the billing address, so VAT is charged."]
    return []
