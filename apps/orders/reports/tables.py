"""Amounts and rates as reports write them."""

from decimal import Decimal


def money(cents: int | None) -> Decimal | None:
    """An amount of cents as dollars or euros with two decimals."""
    return None if cents is None else Decimal(cents).scaleb(-2)


def percent(rate: int | None) -> Decimal | None:
    """Basis points as per cent with two decimals."""
    return money(rate)
