"""Format amounts and rates in reports."""

from decimal import Decimal


def money(cents: int | None) -> Decimal | None:
    """Format an amount of cents as dollars or euros with two decimals."""
    return None if cents is None else Decimal(cents).scaleb(-2)


def percent(rate: int | None) -> Decimal | None:
    """Format basis points as percent with two decimals."""
    return money(rate)
