"""Form fields for amounts and percentages that admins enter."""

from decimal import Decimal
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminDecimalFieldWidget


class WholeUnitsField(forms.DecimalField):
    """A decimal number as people write it. Its value is the whole number of its smallest units, such as hundredths."""

    options: dict[str, Any]
    shown: str
    places = 2

    def __init__(self, **kwargs: Any) -> None:
        fixed = {"widget": UnfoldAdminDecimalFieldWidget, "decimal_places": self.places}
        super().__init__(**{**fixed, **self.options, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        """Show invalid input unchanged, and a stored value as a decimal number."""
        return format(Decimal(value) / 10**self.places, self.shown) if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        result = super().clean(value)
        return None if result is None else int(result * 10**self.places)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)


class AmountField(WholeUnitsField):
    """An amount, stored in hundredths of its currency."""

    options = {"max_digits": 14}
    shown = ".2f"


class PercentField(WholeUnitsField):
    """A percentage with at most two decimals, stored in basis points."""

    options = {"min_value": 0, "max_value": 100, "max_digits": 5}
    shown = "f"
