"""The lowest price as people read it."""

import pytest

from apps.core.text.currencies import CURRENCIES, format_amount
from apps.drafts.extraction.pricing import price_words
from apps.listings.fields.prices import price_text


@pytest.mark.parametrize(
    ("price", "text"),
    [
        ((900, "EUR", "month"), "€9 / month"),
        ((950, "USD", ""), "$9.50"),
        ((298_000, "JPY", "year"), "¥2,980 / year"),
        ((7900, "CHF", "once"), "CHF 79 once"),
        ((0, "USD", ""), "$0"),
        ((None, "USD", "month"), ""),
    ],
)
def test_a_price_has_its_currency_and_period(price: tuple[int | None, str, str], text: str) -> None:
    assert price_text(*price) == text


def test_every_currency_that_pages_name_is_known() -> None:
    read = set(price_words.CURRENCIES.values()) | set(price_words.OWN_DOLLARS.values())
    assert read | set(price_words.OWN_CROWNS.values()) <= {*CURRENCIES, "$", "kr", "¥", ",-"}


def test_amounts_below_zero() -> None:
    assert format_amount(-123_456, "GBP") == "−£1,234.56"
