"""Decide the VAT of an order: treatment and rate by seller, customer's location and VAT number."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from typing import Any

from stdnum.eu import vat as eu_vat

from apps.core.errors import ServiceUnavailable
from apps.core.stores.postgresql.instances import Instances
from apps.core.stores.postgresql.statements import Parameter
from apps.orders.countries import EU, is_outside_eu_vat, vat_country
from apps.orders.models import SellerSettings, VatRate, VatRegistration
from apps.sites.models import Site


class RateMissing(ServiceUnavailable):
    code = "vat_rate_missing"
    title = "VAT rate missing"


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


class Scheme(StrEnum):
    """How the VAT that is charged gets reported."""

    LOCAL = VatRegistration.Scheme.LOCAL.value
    OSS = VatRegistration.Scheme.OSS.value


@dataclass(frozen=True, slots=True)
class VatNumber:
    """A VAT number of an EU country as VIES takes it. `prefix` is EL for Greece."""

    prefix: str
    digits: str

    def __str__(self) -> str:
        return self.prefix + self.digits

    @property
    def country(self) -> str:
        """The ISO code of the country that issued it."""
        return "GR" if self.prefix == "EL" else self.prefix


@dataclass(frozen=True, slots=True)
class NumberCheck:
    """What is known about a customer's VAT number."""

    typed: str
    status: NumberStatus
    country: str = ""
    consultation_number: str = ""


@dataclass(frozen=True, slots=True)
class Seller:
    """The seller as orders copy it. Copies made before a field existed have its default.

    `registrations` are VatRegistration rows as JSON: scheme, country, number, from_date and until_date as ISO text. The
    last is empty while the registration lasts.
    """

    legal_name: str = ""
    address: str = ""
    country: str = ""
    vat_number: str = ""
    is_vat_registered: bool = False
    oss_mode: str = SellerSettings.OssMode.DESTINATION.value
    email: str = ""
    register_entry: str = ""
    invoice_prefix: str = ""
    invoice_footer: str = ""
    registrations: Sequence[Mapping[str, str]] = ()

    @classmethod
    def of(cls, settings: SellerSettings | None) -> "Seller":
        """Return the seller of a site, or an empty one, which charges no VAT."""
        if settings is None:
            return cls()
        copied = {field.name: getattr(settings, field.name) for field in fields(cls)}
        return cls(**copied | {"registrations": [_copy(row) for row in settings.registrations.all()]})

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Seller":
        return cls(**stored)

    @property
    def home(self) -> str:
        """The country whose VAT the seller charges at home."""
        return vat_country(self.country)

    def has(self, scheme: Scheme, *, country: str = "") -> bool:
        """Return whether there are registrations of this kind, including past and future ones, optionally in one
        country.
        """
        return bool(self._rows(scheme, country))

    def registration(self, scheme: Scheme, *, on: date, country: str = "") -> Mapping[str, str] | None:
        """Return the registration valid on a day, or the latest of several."""
        day = on.isoformat()
        holding = [
            row
            for row in self._rows(scheme, country)
            if row["from_date"] <= day and (not row["until_date"] or day <= row["until_date"])
        ]
        return max(holding, key=lambda row: row["from_date"], default=None)

    def _rows(self, scheme: Scheme, country: str) -> list[Mapping[str, str]]:
        rows = (row for row in self.registrations if row["scheme"] == scheme)
        return [row for row in rows if not country or vat_country(row["country"]) == country]


def seller_of(site: Site) -> Seller:
    """Return the seller of a site, or an empty one."""
    return Seller.of(_SELLERS.first(site=site.pk))


_SELLERS = Instances(SellerSettings.objects.filter(site=Parameter("site")), prefetch=["registrations"])


def _copy(row: VatRegistration) -> dict[str, str]:
    return {
        "scheme": row.scheme,
        "country": row.country,
        "number": row.number,
        "from_date": row.from_date.isoformat(),
        "until_date": row.until_date.isoformat() if row.until_date else "",
    }


@dataclass(frozen=True, slots=True)
class Decision:
    """How VAT is charged.

    `rate` is in basis points and None while unknown. `country` is the customer's. `place` is the country whose VAT it
    is, and `scheme` how it is reported. Both are empty if none is charged.
    """

    treatment: Treatment
    country: str | None
    rate: int | None
    number_status: NumberStatus | None
    notices: Sequence[str] = ()
    place: str = ""
    scheme: str = ""


def parse_number(typed: str, *, country: str) -> VatNumber | None:
    """Parse a VAT number of an EU country, with or without its prefix. None if its form is wrong.

    Numbers of the One Stop Shop (`EU…`) and of Northern Ireland don't count for the services sold here.
    """
    text = "".join(char for char in unicodedata.normalize("NFKC", typed).upper() if char.isalnum())
    text = "EL" + text[2:] if text.startswith("GR") else text
    home = vat_country(country) if country else ""
    prefixed = "EL" + text if home == "GR" else home + text
    for candidate in (text, prefixed):
        if VatNumber(candidate[:2], "").country in EU and text.isascii() and eu_vat.is_valid(candidate):
            # With leading zeros, which some people leave out and VIES requires.
            full = eu_vat.compact(candidate)
            return VatNumber(full[:2], full[2:])
    return None


def decide(
    *,
    seller: Seller,
    country: str | None,
    postal_code: str,
    check: NumberCheck | None,
    on: date,
    contact: str = "the site admin",
) -> Decision:
    """Return the VAT of a sale of digital services, by country and postal code of the billing address.

    A business elsewhere in the EU whose number is valid there owes the VAT itself. Everybody else in the EU pays the
    rate of their country, or of the seller's while that is below the threshold. Registrations say where and from when
    the seller may charge. Raises RateMissing (503), which names `contact`, when no rate of that country is on
    record.
    """
    status = check.status if check else None
    if not seller.is_vat_registered or (seller.home in EU and not _charges_at_home(seller, on)):
        return Decision(Treatment.NOT_REGISTERED, country, 0, status, ["No VAT: the seller is not registered for VAT."])
    if not country:
        return Decision(Treatment.UNKNOWN_COUNTRY, None, None, status, _without_country(check))
    place = "" if is_outside_eu_vat(country, postal_code) else vat_country(country)
    if _owes_it_itself(seller, place, check):
        return Decision(Treatment.REVERSE_CHARGE, country, 0, status, ["Reverse charge: you account for the VAT."])
    charged = _charged(seller, place, on)
    if charged:
        notices = _number_notices(check, country)
        return Decision(Treatment.STANDARD, country, rate_of(charged[0], on, contact), status, notices, *charged)
    if place in EU:
        notices = ["No VAT: the seller is not registered for VAT in this country."]
        return Decision(Treatment.NOT_REGISTERED, country, 0, status, notices)
    return Decision(Treatment.OUTSIDE_SCOPE, country, 0, status, ["No EU VAT applies in this country."])


def _charges_at_home(seller: Seller, on: date) -> bool:
    """Rows for the home country limit it.

    Without any, the settings decide, unless the seller is outside the EU and has other registrations: then those name
    where it charges.
    """
    if seller.has(Scheme.LOCAL, country=seller.home):
        return seller.registration(Scheme.LOCAL, country=seller.home, on=on) is not None
    return seller.home in EU or not seller.registrations


def _owes_it_itself(seller: Seller, place: str, check: NumberCheck | None) -> bool:
    is_confirmed = check is not None and check.status == NumberStatus.VALID and check.country == place
    return is_confirmed and place in EU and place != seller.home


def _charged(seller: Seller, place: str, on: date) -> tuple[str, Scheme] | None:
    """Return whose VAT a consumer in `place` pays, and how it is reported. None if the seller charges none there."""
    if place == seller.home:
        return (place, Scheme.LOCAL) if _charges_at_home(seller, on) else None
    if place and seller.registration(Scheme.LOCAL, country=place, on=on):
        return place, Scheme.LOCAL
    if place not in EU:
        return None
    has_oss = not seller.has(Scheme.OSS) or seller.registration(Scheme.OSS, on=on) is not None
    # The threshold is for sellers in the EU. Others owe the VAT of the customer's country from the first sale.
    if seller.home in EU and (seller.oss_mode == SellerSettings.OssMode.ORIGIN or not has_oss):
        return seller.home, Scheme.LOCAL
    return (place, Scheme.OSS) if has_oss else None


def rate_of(country: str, on: date, contact: str = "the site admin") -> int:
    """Return the standard rate of a country on a day, in basis points. Raises RateMissing (503)."""
    row = VatRate.objects.filter(country=country, from_date__lte=on).order_by("-from_date").first()
    if row is None:
        raise RateMissing(f"The VAT rate for {country} is missing. Contact {contact}.")
    return row.rate


def rate_text(rate: int | None) -> str:
    """Format basis points for people: `25.5%`."""
    return "" if rate is None else f"{rate / 100:g}%"


def _without_country(check: NumberCheck | None) -> list[str]:
    notices = ["VAT not included. Send billing_country to calculate it."]
    if check:
        notices.append("Send billing_country to check the VAT number.")
    return notices


def _number_notices(check: NumberCheck | None, country: str) -> list[str]:
    if check is None:
        return []
    match check.status:
        case NumberStatus.INVALID:
            return [f"{check.typed} is not a valid VAT number, so VAT is charged."]
        case NumberStatus.NOT_CHECKED:
            return ["VAT numbers from this country can't be checked, so VAT is charged."]
        case NumberStatus.UNAVAILABLE:
            return ["The VAT number can't be checked right now, so VAT is charged. We check again at payment."]
        case NumberStatus.VALID if check.country != vat_country(country):
            return ["The VAT number is from a different country than the billing address, so VAT is charged."]
    return []
