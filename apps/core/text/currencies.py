"""Currencies by ISO 4217 code: the sign before an amount, or the code where no sign is clear."""

from typing import Final

# Prices are kept in hundredths also where a currency has no smaller unit.
_WITHOUT_CENTS: Final = frozenset({"CLP", "HUF", "JPY", "KRW", "VND"})
_SIGNS: Final = {
    "AUD": "A$", "BRL": "R$", "CAD": "CA$", "CNY": "CN¥", "EUR": "€", "GBP": "£", "HKD": "HK$", "ILS": "₪", "INR": "₹",
    "JPY": "¥", "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "SGD": "S$", "TWD": "NT$", "USD": "$", "VND": "₫",
}  # fmt: skip
CURRENCIES: Final = dict(
    entry.split(" ", 1)
    for entry in """
AED UAE dirham|ARS Argentine peso|AUD Australian dollar|BRL Brazilian real|CAD Canadian dollar|CHF Swiss franc
CLP Chilean peso|CNY Chinese yuan|COP Colombian peso|CZK Czech koruna|DKK Danish krone|EGP Egyptian pound|EUR Euro
GBP British pound|HKD Hong Kong dollar|HUF Hungarian forint|IDR Indonesian rupiah|ILS Israeli shekel|INR Indian rupee
JOD Jordanian dinar|JPY Japanese yen|KRW South Korean won|MXN Mexican peso|NOK Norwegian krone|NZD New Zealand dollar
PLN Polish złoty|RON Romanian leu|RUB Russian ruble|SAR Saudi riyal|SEK Swedish krona|SGD Singapore dollar|THB Thai baht
TRY Turkish lira|TWD New Taiwan dollar|UAH Ukrainian hryvnia|USD US dollar|UYU Uruguayan peso|VND Vietnamese đồng
ZAR South African rand""".strip()
    .replace("\n", "|")
    .split("|")
)


def format_amount(cents: int, currency: str) -> str:
    """Format hundredths of a currency, such as `€9.50`, `¥2,980` or `CHF 12.00`."""
    whole, rest = divmod(abs(cents), 100)
    sign = _SIGNS.get(currency, f"{currency} ")
    amount = f"{whole:,}" if currency in _WITHOUT_CENTS and not rest else f"{whole:,}.{rest:02d}"
    return f"{'−' if cents < 0 else ''}{sign}{amount}"
