"""Format a company's lowest price for people."""

from apps.core.text.currencies import format_amount

_AFTER = {"day": " / day", "week": " / week", "month": " / month", "year": " / year", "once": " once"}


def price_text(cents: int | None, currency: str, period: str) -> str:
    """Return a price with its currency and period, such as `€9 / month` or `$79 once`. Empty without a price."""
    if cents is None:
        return ""
    return f"{format_amount(cents, currency or 'USD').removesuffix('.00')}{_AFTER.get(period, '')}"
